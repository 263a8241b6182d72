import type { CallKind } from '../core/calls.ts'

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

/** A price as a list has it: so many USD for one, where ours is for `of` of them. */
export interface ListedAmount {
  readonly usd: number | string
  readonly of: number
  /** The USD for one, in units of 1e-30. */
  readonly exact: bigint
}

/** A million tokens or characters, one request, or one of a thousand calls. */
export type PricedCount = 1_000_000 | 1 | 0.001

/** null: it is not an amount of USD. */
export function listedAmount(value: unknown, of: PricedCount): ListedAmount | null {
  const exact = exactUsd(value)
  return exact === null ? null : { usd: value as number | string, of, exact }
}

/** Reads a number, or a text that is one. What comes behind 30 places is cut. null: it is another thing, or less than nothing. */
export function exactUsd(value: unknown): bigint | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const [, whole, fraction = '', exponent = '0'] = WRITTEN.exec(text) ?? []
  if (whole === undefined) return null
  const digits = BigInt(whole + fraction)
  const places = PLACES - fraction.length + Number(exponent)
  return places >= 0 ? digits * 10n ** BigInt(places) : digits / 10n ** BigInt(-places)
}

const PLACES = 30
const WRITTEN = /^(\d{1,22})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i
