import type { ListedAmounts, ListedTier } from '../../../../../src/price-lists/listed-price.ts'
import { readLitellmPrice } from '../../../../../src/price-lists/litellm-price.ts'
import {
  amountOf,
  type CatalogueEntries,
  type CataloguePrice,
  countOf,
  type Fields,
  fieldsOf,
} from './catalogue-entry.ts'

/** A file in the form of LiteLLM's `model_prices_and_context_window.json`. null: it is in another. */
export function readLitellm(document: Fields): CatalogueEntries | null {
  const models = Object.entries(document).map(([key, value]) => [key, fieldsOf(value)] as const)
  const isForm = models.some(([, model]) => 'input_cost_per_token' in model || 'litellm_provider' in model)
  if (!isForm) return null
  // Its description of the form stands among the models.
  const read = models.filter(([key]) => key !== 'sample_spec').map(([key, model]) => entryOf(key, model))
  return {
    entries: read.filter(({ price }) => Object.keys(price).length > 0),
    unpriced: read.filter(({ price }) => Object.keys(price).length === 0),
  }
}

function entryOf(key: string, model: Fields): CatalogueEntries['entries'][number] {
  const provider = typeof model['litellm_provider'] === 'string' ? model['litellm_provider'] : ''
  const { amounts, tiers, services, places, calls, left } = readLitellmPrice(key, model)
  const price: CataloguePrice = written(amounts)
  const isOfTokens = price.input !== undefined
  return {
    provider,
    name: provider !== '' && key.startsWith(`${provider}/`) ? key.slice(provider.length + 1) : key,
    price: {
      ...price,
      ...(tiers.length === 0 ? {} : { tiers: tiers.map(tierOf) }),
      ...(isOfTokens ? where('service_tiers', servicesOf(services)) : {}),
      ...(isOfTokens ? where('inference_geo', factorsOf(places)) : {}),
      ...(Object.keys(price).length === 0 ? {} : where('per_call', written(calls))),
    },
    contextTokens: countOf(model['max_input_tokens']),
    maxOutputTokens: countOf(model['max_output_tokens']),
    left,
  }
}

/** Each amount as it is written here, to the digit. */
function written(amounts: ListedAmounts | ReturnType<typeof readLitellmPrice>['calls']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([kind, { usd, of }]) => {
      const amount = amountOf(usd, of)
      return amount === null ? [] : [[kind, amount]]
    }),
  )
}

function tierOf({ above, amounts }: ListedTier) {
  return { above_input_tokens: above, ...written(amounts) }
}

function servicesOf(
  services: ReturnType<typeof readLitellmPrice>['services'],
): NonNullable<CataloguePrice['service_tiers']> {
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => {
      if ('factor' in service) return [name, { factor: String(service.factor) }]
      const tiers = service.tiers.map(tierOf)
      return [name, { ...written(service.amounts), ...(tiers.length === 0 ? {} : { tiers }) }]
    }),
  )
}

function factorsOf(places: Readonly<Record<string, number>>): NonNullable<CataloguePrice['inference_geo']> {
  return Object.fromEntries(Object.entries(places).map(([name, factor]) => [name, { factor: String(factor) }]))
}

/** Nothing at all where it would be empty. */
function where<Name extends string, Value extends object>(name: Name, value: Value): { [Each in Name]?: Value } {
  return Object.keys(value).length === 0 ? {} : ({ [name]: value } as { [Each in Name]: Value })
}
