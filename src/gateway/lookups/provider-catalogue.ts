import type { KeyWithOwner } from '../../access/api-key.ts'
import { formatUsd, type NanoUsd, type PartsPerMillion } from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { priceAfter } from '../../core/prices.ts'
import { type CallableModel, callableModels, publicModels } from '../../entitlement/callable-models.ts'
import { rulesOnWire } from '../../metering/prices/prices-on-wire.ts'
import { kindOf } from '../../routing/model-kind.ts'
import type { Snapshot } from '../snapshot.ts'

interface CatalogueRequest {
  /** null: called without a key, which lists the groups that are open to all accounts. */
  readonly caller: KeyWithOwner | null
  readonly snapshot: Snapshot
  /** Scheme, host and port under which the gateway was reached. */
  readonly origin: string
  readonly nowMs: number
}

/**
 * The answer of `GET /api.json`: this gateway as one provider in the form of models.dev's catalogue, which opencode and Kimi
 * import whole. Prices are numbers there, in USD per million tokens, after the multiplier; a limit of 0 is one that is not
 * set. What a model can take (pictures, tools) is not known here, so everything is offered.
 */
export function providerCatalogue(asked: CatalogueRequest): object {
  const { caller, snapshot, nowMs, origin } = asked
  const models = caller === null ? publicModels(snapshot) : callableModels(caller, { catalogue: snapshot, nowMs })
  const listed = models.flatMap((each) => {
    const entry = catalogueModel(each)
    return entry === null ? [] : [[each.model.name, entry] as const]
  })
  return {
    tollgate: {
      id: 'tollgate',
      name: 'Tollgate',
      npm: '@ai-sdk/openai-compatible',
      api: `${origin}/v1`,
      env: ['TOLLGATE_API_KEY'],
      doc: `${origin}/console/`,
      models: Object.fromEntries(listed),
    },
  }
}

/** Null for models that answer no conversation, and for those without prices of tokens: who imports this shows all of it to choose from. */
function catalogueModel({ model, group, prices }: CallableModel): object | null {
  const { input, output, cacheRead, cacheWrite } = prices
  const reasoning = prices.other?.reasoningOutput
  if (input === null || output === null || kindOf(model).kind !== 'chat') return null
  const usd = (price: NanoUsd) => usdNumber(price, group.multiplier)
  const day = new Date(model.createdAt).toISOString().slice(0, 10)
  return {
    id: model.name,
    name: model.name,
    attachment: true,
    reasoning: true,
    temperature: true,
    tool_call: true,
    open_weights: false,
    release_date: day,
    last_updated: day,
    modalities: { input: ['text', 'image'], output: ['text'] },
    cost: {
      input: usd(input),
      output: usd(output),
      ...(reasoning === undefined ? {} : { reasoning: usd(reasoning) }),
      ...(cacheRead === null ? {} : { cache_read: usd(cacheRead) }),
      ...(cacheWrite === null ? {} : { cache_write: usd(cacheWrite) }),
      ...longPrompts(prices, group.multiplier),
    },
    ...ofOurs(prices, group.multiplier),
    limit: { context: model.contextTokens ?? 0, output: model.maxOutputTokens ?? 0 },
  }
}

/**
 * What the catalogue's form has no place for, under a name of ours and as `GET /v1/models` writes it: prices of classes of service,
 * factors of places and fees for calls inside a request. Who imports the catalogue passes over names that it does not know.
 */
function ofOurs(prices: ModelPrices, multiplier: PartsPerMillion): object {
  const { service_tiers, inference_geo, per_call } = rulesOnWire(prices, multiplier)
  if (service_tiers === undefined && inference_geo === undefined && per_call === undefined) return {}
  return { tollgate: { service_tiers, inference_geo, per_call } }
}

/**
 * Prices of longer prompts in the catalogue's form: a tier begins at its size, where ours are above a length; and the older
 * field that is for 200,000 tokens alone. (`ProviderModelCostTiers` of models.dev; its `size` is inclusive, as docs.rs,
 * "agent-sdk 0.13 PricingTier", found, 2026.)
 */
function longPrompts({ rules }: ModelPrices, multiplier: PartsPerMillion): object {
  if (rules === undefined || rules.lengthTiers.length === 0) return {}
  const costs = rules.lengthTiers.map(({ aboveInputTokens, prices }) => {
    const cost = Object.fromEntries(
      [
        ['input', prices.input] as const,
        ['output', prices.output] as const,
        ['reasoning', prices.other?.reasoningOutput ?? null] as const,
        ['cache_read', prices.cacheRead] as const,
        ['cache_write', prices.cacheWrite] as const,
      ].flatMap(([name, price]) => (price === null ? [] : [[name, usdNumber(price, multiplier)]])),
    )
    return { above: aboveInputTokens, cost }
  })
  const over200k = costs.find(({ above }) => above === OVER_200K)
  return {
    tiers: costs.map(({ above, cost }) => ({ ...cost, tier: { type: 'context', size: above + 1 } })),
    ...(over200k === undefined ? {} : { context_over_200k: over200k.cost }),
  }
}

const OVER_200K = 200_000

/** Node has it since version 22; TypeScript's library does not know it yet. */
type JsonWithRaw = typeof JSON & { rawJSON(text: string): unknown }

/** A decimal that JSON writes as a number, digit by digit: money is never a float. */
function usdNumber(price: NanoUsd, multiplier: PartsPerMillion): unknown {
  return (JSON as JsonWithRaw).rawJSON(formatUsd(priceAfter(price, multiplier)))
}
