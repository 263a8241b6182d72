import { Fault } from '../core/faults.ts'
import type { ModelKind } from '../core/model-kind.ts'
import type { TokenPriceField, UnitPriceField } from '../core/price-fields.ts'
import type { Wire, WireFamily } from '../core/wire.ts'

/** A model as a key may call it now. Prices in USD per million tokens, as decimal strings, after the multiplier. */
export interface ModelListEntry {
  readonly id: string
  readonly createdAtMs: number
  readonly ownedBy: string
  readonly contextTokens: number | null
  readonly maxOutputTokens: number | null
  readonly kind: ModelKind
  readonly pricing: ModelPricing
  readonly supportedProtocols: readonly Wire[]
}

/**
 * A kind of token without a price of its own costs what the input or output costs that it is part of. Neither of these is
 * there where only units have a price: `per_…` is that of one.
 */
export interface ModelPricing extends Readonly<Partial<Record<TokenPriceField | UnitPriceField, string>>> {
  /** What changes these by the length of the prompt, the class of service and the place; and fees for calls. */
  readonly tiers?: readonly object[]
  readonly service_tiers?: object
  readonly inference_geo?: object
  readonly per_call?: object
}

/** `GET /v1/models`. Anthropic's clients ask for pages: throws the fault `request_invalid` for one that cannot be. */
export function writeModelList(family: WireFamily, models: readonly ModelListEntry[], query: URLSearchParams): Buffer {
  return json(LISTS[family](models, query))
}

const LISTS: Record<WireFamily, (models: readonly ModelListEntry[], query: URLSearchParams) => object> = {
  openai: (models) => ({ object: 'list', data: models.map(openaiModel) }),
  // All on one page: without a token for the next, clients ask for no more.
  gemini: (models) => ({ models: models.map(geminiModel) }),
  anthropic: (models, query) => {
    const { items, hasMore } = pageOf(models, query)
    return {
      data: items.map(anthropicModel),
      has_more: hasMore,
      first_id: items[0]?.id ?? null,
      last_id: items.at(-1)?.id ?? null,
    }
  },
}

/** `GET /v1/models/{id}`. */
export function writeModel(family: WireFamily, model: ModelListEntry): Buffer {
  return json(MODELS[family](model))
}

const MODELS: Record<WireFamily, (model: ModelListEntry) => object> = {
  openai: openaiModel,
  anthropic: anthropicModel,
  gemini: geminiModel,
}

/** Anthropic's own bounds. */
const DEFAULT_LIMIT = 20
const HIGHEST_LIMIT = 1_000

/** The part of the list that `limit`, `after_id` and `before_id` ask for. Throws the fault `request_invalid`. */
function pageOf(
  models: readonly ModelListEntry[],
  query: URLSearchParams,
): { items: readonly ModelListEntry[]; hasMore: boolean } {
  const written = query.get('limit') ?? String(DEFAULT_LIMIT)
  const limit = /^\d{1,4}$/.test(written) ? Number(written) : 0
  if (limit < 1 || limit > HIGHEST_LIMIT) throw invalid('limit', `must be a whole number from 1 to ${HIGHEST_LIMIT}`)
  const [afterId, beforeId] = [query.get('after_id'), query.get('before_id')]
  if (afterId !== null && beforeId !== null) throw invalid('before_id', 'must not be sent together with `after_id`')
  if (beforeId !== null) {
    const end = indexOf(models, beforeId, 'before_id')
    const start = Math.max(0, end - limit)
    return { items: models.slice(start, end), hasMore: start > 0 }
  }
  const start = afterId === null ? 0 : indexOf(models, afterId, 'after_id') + 1
  const end = start + limit
  return { items: models.slice(start, end), hasMore: end < models.length }
}

function indexOf(models: readonly ModelListEntry[], id: string, param: string): number {
  const index = models.findIndex((model) => model.id === id)
  if (index < 0) throw invalid(param, 'must be the id of a model in this list')
  return index
}

function openaiModel(model: ModelListEntry): object {
  return {
    id: model.id,
    object: 'model',
    created: Math.floor(model.createdAtMs / 1000),
    owned_by: model.ownedBy,
    ...extraFields(model),
  }
}

function anthropicModel(model: ModelListEntry): object {
  return {
    type: 'model',
    id: model.id,
    display_name: model.id,
    created_at: new Date(model.createdAtMs).toISOString(),
    max_input_tokens: model.contextTokens,
    max_tokens: model.maxOutputTokens,
    ...extraFields(model),
  }
}

/** The fields of `Model` in Google's `models.list`; absent where they are not known. */
function geminiModel(model: ModelListEntry): object {
  return {
    name: `models/${model.id}`,
    displayName: model.id,
    ...(model.contextTokens === null ? {} : { inputTokenLimit: model.contextTokens }),
    ...(model.maxOutputTokens === null ? {} : { outputTokenLimit: model.maxOutputTokens }),
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    ...extraFields(model),
  }
}

/** What no vendor has, and clients of gateways read. */
function extraFields(model: ModelListEntry): object {
  return {
    context_length: model.contextTokens,
    max_output_tokens: model.maxOutputTokens,
    kind: model.kind,
    pricing: model.pricing,
    supported_protocols: model.supportedProtocols,
  }
}

function invalid(param: string, rule: string): Fault {
  return new Fault('request_invalid', `The query parameter \`${param}\` ${rule}.`, { param })
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}
