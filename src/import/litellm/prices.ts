import type { ModelPrices } from '../../core/price-rules.ts'
import type { ListedAmount, LeftOut, ListedPrice, ListedTier } from '../../price-lists/listed-price.ts'
import { readLitellmPrice } from '../../price-lists/litellm-price.ts'
import { cataloguePrice } from '../catalogue-price.ts'
import type { ImportNotes, ImportSettings } from '../import-plan.ts'
import { type Rational, rational, readRational, times, NANO } from '../rational.ts'
import { entriesOf } from '../source.ts'
import { type ExactAmounts, type CallAmounts, WrittenAmounts, type WrittenTierAmounts } from '../written-amounts.ts'
import type { ServedDeployment } from './upstreams.ts'

type PriceFields = ReadonlyMap<string, unknown>

/**
 * The price of a model from the fields that say its cost; null where they say none. What of it is not carried is noted, with the
 * reason. What LiteLLM charges by prices that are built into it stands in no configuration: see `--pricing`.
 */
export function pricesOfFields(
  name: string,
  fields: PriceFields,
  about: { readonly settings: ImportSettings; readonly notes: ImportNotes },
): ModelPrices | null {
  const model = fields.get('model')
  const listed = readLitellmPrice(typeof model === 'string' ? model : name, Object.fromEntries(fields))
  const amounts = amountsIn(listed.amounts)
  if (Object.keys(amounts).length === 0) return null
  noteLeftOut(name, listed.left, about.notes)
  const isOfTokens = amounts.input !== undefined
  return new WrittenAmounts(name, about).prices(amounts, listed.tiers.map(tierOf), {
    calls: amountsIn(listed.calls),
    ...(isOfTokens ? { services: servicesIn(listed), places: listed.places } : {}),
  })
}

function noteLeftOut(name: string, left: readonly LeftOut[], notes: ImportNotes): void {
  for (const [because, fields] of Map.groupBy(left, (each) => each.because)) {
    const names = fields.map(({ field }) => field).join(', ')
    notes.note('model_list', name, `have ${names}, which is not carried: ${REASONS[because]}`)
  }
}

const REASONS: Readonly<Record<LeftOut['because'], string>> = {
  unknown: 'this version does not know what it is the price of',
  unreadable: 'it is not an amount of USD',
  not_counted: 'what it is for is not counted here',
  no_price_apart: 'such tokens are charged as others here',
  region: 'a price here is the same in all regions of a provider',
  time_of_day: 'a price here is the same at any time of the day',
  stored: 'it is for storage by the day, and no part of a request',
  other_unit: 'it is the same price in another unit',
}

function servicesIn({ services }: ListedPrice) {
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => [
      name,
      'factor' in service
        ? { factor: service.factor }
        : { amounts: amountsIn(service.amounts), tiers: service.tiers.map(tierOf) },
    ]),
  )
}

function tierOf({ above, amounts }: ListedTier): WrittenTierAmounts {
  return { above, amounts: amountsIn(amounts) }
}

/** Reads amounts in nano-USD, exactly as they are written there. */
function amountsIn(listed: Readonly<Record<string, ListedAmount>>): ExactAmounts & CallAmounts {
  return Object.fromEntries(
    Object.entries(listed).flatMap(([kind, { usd, of }]) => {
      const amount = readRational(String(usd))
      return amount === null ? [] : [[kind, times(times(amount, NANO), countOf(of))]]
    }),
  )
}

function countOf(of: number): Rational {
  return of >= 1 ? rational(BigInt(of)) : rational(1n, BigInt(Math.round(1 / of)))
}

/** What the price list that is shipped says of a model, at the provider that serves it, else of its maker; null: nothing. */
export function cataloguePrices(
  name: string,
  served: readonly ServedDeployment[],
  about: { readonly settings: ImportSettings; readonly notes: ImportNotes },
): ModelPrices | null {
  return cataloguePrice(
    name,
    (catalogue) =>
      firstOf(served.flatMap(catalogueNames), ({ model, listedAs, baseUrl }) =>
        catalogue.priceOf(model, listedAs, baseUrl),
      ),
    {
      ...about,
      source: 'configuration',
      advice: 'name LiteLLM’s list with --pricing, or --accept catalogue',
    },
  )
}

/** What a deployment says that it is comes before what it is called at its provider. */
function catalogueNames({ deployment, named: { name, model, provider }, baseUrl }: ServedDeployment) {
  const { params, info } = deployment
  const listedAs = typeof provider === 'string' ? name : (provider.listedAs ?? name)
  const base = [info.get('base_model'), params.get('base_model')].flatMap((each) => {
    if (typeof each !== 'string') return []
    const slash = each.indexOf('/')
    return [slash < 0 ? { model: each, listedAs } : { model: each.slice(slash + 1), listedAs: each.slice(0, slash) }]
  })
  return [...base, { model, listedAs }].map((each) => ({ ...each, baseUrl }))
}

function firstOf<T, R>(all: readonly T[], read: (each: T) => R | null): R | null {
  for (const each of all) {
    const found = read(each)
    if (found !== null) return found
  }
  return null
}

/** LiteLLM's own list of prices (`model_prices_and_context_window.json`), by the names of models. */
export function listedPrices(pricing: unknown): (names: readonly string[]) => PriceFields | null {
  const listed = new Map(entriesOf(pricing))
  return (names) => {
    const name = names.find((each) => listed.has(each))
    return name === undefined ? null : new Map(entriesOf(listed.get(name)))
  }
}
