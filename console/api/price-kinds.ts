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
export const NO_PRICES = Object.fromEntries([...TOKEN_KINDS, ...UNIT_KINDS].map((kind) => [kind, null])) as Readonly<
  Record<TokenKind | UnitKind, null>
>
