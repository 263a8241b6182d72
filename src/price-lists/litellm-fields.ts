import type { TokenKind, LeftOut } from './listed-price.ts'

/** What the name of a field says that its value is the price of. */
export type FieldMeaning =
  | { readonly kind: 'tokens'; readonly of: TokenKind; readonly above: number; readonly service: string }
  | { readonly kind: 'read'; readonly as: ReadField }
  | { readonly kind: 'left'; readonly because: LeftOut['because']; readonly instead: TokenKind | null }

/** Fields with a reader of their own in `litellm-price.ts`. */
export type ReadField =
  | 'image_tokens'
  | 'image'
  | 'request'
  | 'query'
  | 'second'
  | 'character'
  | 'search'
  | 'maps'
  | 'file_search'
  | 'code_interpreter'
  | 'tiers'
  | 'factors'

/** Whether a field of a model is about money, by its name. */
export function isPriceField(field: string): boolean {
  return PRICE_NAME.test(field) || Object.hasOwn(READ, field)
}

const PRICE_NAME = /(?:^|_)(?:costs?|prices?|pricing|fees?|multiplier)(?:_|$)/

/** What a field about money is the price of. A name that is not in these tables is left out as unknown. */
export function meaningOf(field: string): FieldMeaning {
  const { base, above, service } = partsOf(field)
  const of = Object.hasOwn(OF_TOKENS, base) ? OF_TOKENS[base] : undefined
  if (of !== undefined) return { kind: 'tokens', of, above, service }
  const as = Object.hasOwn(READ, field) ? READ[field] : undefined
  if (as !== undefined) return { kind: 'read', as }
  const instead = Object.hasOwn(COUNTED_AS, base) ? COUNTED_AS[base] : undefined
  if (instead !== undefined) return { kind: 'left', because: 'no_price_apart', instead }
  const because = LEFT.find(([, name]) => name.test(field))?.[0]
  return { kind: 'left', because: because ?? 'unknown', instead: null }
}

/** `input_cost_per_token_above_200k_tokens_priority` and the like. */
function partsOf(field: string): { readonly base: string; readonly above: number; readonly service: string } {
  const [, rest = field, end] = /^(.+)_(priority|flex|batches|ultrafast|balanced)$/.exec(field) ?? []
  const [, base = rest, thousands] = /^(.+)_above_(\d{1,6})k_tokens$/.exec(rest) ?? []
  return {
    base,
    above: thousands === undefined ? 0 : Number(thousands) * 1000,
    service: end === 'batches' ? 'batch' : (end ?? ''),
  }
}

/** Ours, by LiteLLM's names for a price of one token. */
const OF_TOKENS: Readonly<Record<string, TokenKind>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  output_cost_per_reasoning_token: 'reasoning_output',
  cache_read_input_token_cost: 'cache_read',
  input_cost_per_token_cache_hit: 'cache_read',
  cache_creation_input_token_cost: 'cache_write',
  cache_creation_input_token_cost_above_1hr: 'cache_write_1h',
  input_cost_per_audio_token: 'audio_input',
  output_cost_per_audio_token: 'audio_output',
  input_cost_per_image_token: 'image_input',
}

const READ: Readonly<Record<string, ReadField>> = {
  output_cost_per_image_token: 'image_tokens',
  output_cost_per_image: 'image',
  input_cost_per_request: 'request',
  input_cost_per_query: 'query',
  input_cost_per_second: 'second',
  output_cost_per_second: 'second',
  input_cost_per_character: 'character',
  search_context_cost_per_query: 'search',
  web_search_cost_per_call: 'search',
  google_maps_grounding_cost_per_query: 'maps',
  file_search_cost_per_1k_calls: 'file_search',
  code_interpreter_cost_per_session: 'code_interpreter',
  tiered_pricing: 'tiers',
  provider_specific_entry: 'factors',
}

/** Tokens that are counted here among others, at whose price they are charged. */
const COUNTED_AS: Readonly<Record<string, TokenKind>> = {
  cache_creation_input_token_cost_above_12hr: 'cache_write',
  explicit_cache_read_input_token_cost: 'cache_read',
  cache_read_input_audio_token_cost: 'cache_read',
  cache_read_input_image_token_cost: 'cache_read',
  cache_creation_input_audio_token_cost: 'cache_write',
  input_cost_per_video_token: 'input',
  output_cost_per_video_token: 'output',
  output_cost_per_image_token: 'output',
}

/** Why the others of LiteLLM's names have no counterpart here. */
const LEFT: readonly (readonly [because: LeftOut['because'], name: RegExp])[] = [
  ['stored', /_per_gb_per_day$/],
  ['time_of_day', /^off_peak_pricing$/],
  ['region', /^regional_.*_multiplier(?:_[a-z]+)?$/],
  ['other_unit', /^(?:input|output)_dbu_cost_per_token$|^cost_per_second$/],
  ['not_counted', /_cost_per_(?:page|credit|pixel|unit|text_message|video_per_second|audio_per_second)(?:_|$)/],
  ['not_counted', /^input_cost_per_(?:image|character)(?:_above_\d+k_tokens|_batches)?$/],
  ['not_counted', /^output_cost_per_(?:character(?:_above_\d+k_tokens)?|(?:second|image)_[0-9.]+[pkK]?)$/],
  ['not_counted', /^citation_cost_per_token$|^computer_use_(?:input|output)_cost_per_1k_tokens$/],
  // OpenAI's decisions: an endpoint that is not served here.
  ['not_counted', /_decisions$/],
]
