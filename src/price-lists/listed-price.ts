import type { CallKind } from '../core/calls.ts'
import type { ListedAmount } from './listed-amount.ts'

/** Kinds of tokens that have a price of their own, by the names of the settings. */
export const TOKEN_KINDS = [
  'input',
  'output',
  'reasoning_output',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'audio_input',
  'audio_output',
  'image_input',
] as const

export type TokenKind = (typeof TOKEN_KINDS)[number]

export type UnitKind = 'per_request' | 'per_image' | 'per_second' | 'per_million_characters'

export type ListedAmounts = { readonly [Kind in TokenKind | UnitKind]?: ListedAmount }

export interface ListedTier {
  readonly above: number
  readonly amounts: ListedAmounts
}

/** A factor on all prices of tokens, or prices of its own. */
export type ListedService =
  | { readonly factor: number }
  | { readonly amounts: ListedAmounts; readonly tiers: readonly ListedTier[] }

/** A model's price in a list of another product, with what of it has no counterpart here. */
export interface ListedPrice {
  readonly amounts: ListedAmounts
  readonly tiers: readonly ListedTier[]
  readonly services: Readonly<Record<string, ListedService>>
  /** Factors by the place where the model runs. */
  readonly places: Readonly<Record<string, number>>
  readonly calls: { readonly [Kind in CallKind]?: ListedAmount }
  readonly left: readonly LeftOut[]
}

/**
 * Why a price is left out. `not_counted`: what it is for is not counted here. `no_price_apart`: it is counted among other tokens,
 * and charged at their price. `other_unit`: the same price in another unit. `stored`: for storage, by the day. `unreadable`: no
 * amount. `unknown`: a field that this version does not know.
 */
export const LEFT_OUT_REASONS = [
  'unknown',
  'unreadable',
  'not_counted',
  'no_price_apart',
  'region',
  'time_of_day',
  'stored',
  'other_unit',
] as const

/** A field of a list that is not carried. */
export interface LeftOut {
  readonly field: string
  readonly because: (typeof LEFT_OUT_REASONS)[number]
  /** Requests may cost more at the provider than is charged without it. */
  readonly isDearer: boolean
}
