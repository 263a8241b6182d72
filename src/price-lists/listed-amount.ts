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
