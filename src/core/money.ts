/** Money: integers of 1e-9 USD. Nothing in this project holds an amount of money in any other type. */
export type NanoUsd = bigint & { readonly __unit: 'nano_usd' }

/** A factor in parts per million: 1_000_000n is ×1. */
export type PartsPerMillion = bigint & { readonly __unit: 'ppm' }

export const ZERO_NANO_USD = 0n as NanoUsd
export const ONE_PPM = 1_000_000n as PartsPerMillion

/** The largest amount that is accepted from outside, which a signed 64-bit integer holds. */
export const LARGEST_USD = (9_000_000_000n * 1_000_000_000n) as NanoUsd

/** Brands an integer of nano-USD, as it comes from the database or from arithmetic. */
export function nanoUsd(amount: bigint): NanoUsd {
  return amount as NanoUsd
}

/** Brands an integer of parts per million. */
export function partsPerMillion(amount: bigint): PartsPerMillion {
  return amount as PartsPerMillion
}

/**
 * Reads a decimal string in USD with up to nine places (`"0.001234567"`, `"-3"`).
 * Throws RangeError with a sentence for the person who wrote the amount.
 */
export function parseUsd(text: string): NanoUsd {
  return nanoUsd(parseDecimal(text, 9))
}

/** Reads a multiplier such as `"1"`, `"0.85"` or `"1.5"`: zero or more, up to six places. Throws RangeError. */
export function parseMultiplier(text: string): PartsPerMillion {
  const ppm = parseDecimal(text, 6)
  if (ppm < 0n) throw new RangeError(`${text} is negative; a multiplier is zero or more`)
  return partsPerMillion(ppm)
}

/** Writes an amount the way the wire carries it: decimal USD, no trailing zeros, never in exponent form. */
export function formatUsd(amount: NanoUsd): string {
  return formatDecimal(amount, 9)
}

/** Writes a multiplier: `"1"`, `"0.85"`. */
export function formatMultiplier(ppm: PartsPerMillion): string {
  return formatDecimal(ppm, 6)
}

const LARGEST_WHOLE = LARGEST_USD / 1_000_000_000n

function parseDecimal(text: string, places: number): bigint {
  const match = /^(-?)(\d{1,16})(?:\.(\d+))?$/.exec(text)
  if (match === null) throw new RangeError(`"${text}" is not a decimal number such as "12.50"`)
  const [, sign, whole = '0', fraction = ''] = match
  if (fraction.length > places) throw new RangeError(`"${text}" has more than ${places} places after the point`)
  if (BigInt(whole) > LARGEST_WHOLE) throw new RangeError(`"${text}" is larger than ${LARGEST_WHOLE}`)
  const magnitude = BigInt(whole) * 10n ** BigInt(places) + BigInt(fraction.padEnd(places, '0'))
  return sign === '-' ? -magnitude : magnitude
}

function formatDecimal(amount: bigint, places: number): string {
  const magnitude = amount < 0n ? -amount : amount
  const digits = magnitude.toString().padStart(places + 1, '0')
  const whole = digits.slice(0, -places)
  const fraction = digits.slice(-places).replace(/0+$/, '')
  return (amount < 0n ? '-' : '') + whole + (fraction === '' ? '' : '.' + fraction)
}
