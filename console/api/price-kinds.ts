import type { PricesView } from '../../src/contract/models.ts'

/** Kinds of tokens that have a price for a million, by their names in the API. Those of the front stand in every form. */
export const TOKEN_KINDS = [
  'input',
  'output',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'reasoning_output',
  'audio_input',
  'audio_output',
  'image_input',
] as const satisfies readonly (keyof PricesView)[]
export type TokenKind = (typeof TOKEN_KINDS)[number]

/** What is priced by the piece. */
export const UNIT_KINDS = [
  'per_request',
  'per_image',
  'per_second',
  'per_million_characters',
] as const satisfies readonly (keyof PricesView)[]
export type UnitKind = (typeof UNIT_KINDS)[number]

/** Calls of a provider's own tools. */
export const CALL_KINDS = [
  'web_search',
  'web_fetch',
  'file_search',
  'code_interpreter',
  'image_generation',
  'grounded_prompt',
  'maps_grounding',
  'x_search',
  'document_search',
  'file_parsing',
  'other_tool',
] as const satisfies readonly (keyof NonNullable<PricesView['per_call']>)[]
export type CallKind = (typeof CALL_KINDS)[number]

/** The prices of a model that has none, as the API writes them. */
export const NO_PRICES: Readonly<Record<TokenKind | UnitKind, null>> = {
  input: null,
  output: null,
  cache_read: null,
  cache_write: null,
  cache_write_1h: null,
  reasoning_output: null,
  audio_input: null,
  audio_output: null,
  image_input: null,
  per_request: null,
  per_image: null,
  per_second: null,
  per_million_characters: null,
}
