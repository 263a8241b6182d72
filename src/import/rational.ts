/** Exact fractions: prices of other gateways are products of decimal ratios, and none of them is ever a float here. */
export interface Rational {
  readonly over: bigint
  /** Above zero. */
  readonly under: bigint
}

const LARGEST_EXPONENT = 30

/** Reads a decimal as JSON and databases write it (`0.075`, `1e-3`, `-2`); null for anything else. */
export function readRational(text: string): Rational | null {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const places = fraction.length - Number(exponent)
  if (Math.abs(places) > LARGEST_EXPONENT) return null
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  return places >= 0
    ? { over: digits, under: 10n ** BigInt(places) }
    : { over: digits * 10n ** BigInt(-places), under: 1n }
}

/** A number of JSON; null for anything else. */
export function numberOf(value: unknown): Rational | null {
  return typeof value === 'number' ? readRational(String(value)) : null
}

/** The numbers among the values of a JSON object's entries, by their names. */
export function numbersIn(entries: readonly (readonly [string, unknown])[]): ReadonlyMap<string, Rational> {
  return new Map(
    entries.flatMap(([name, value]) => {
      const number = numberOf(value)
      return number === null ? [] : [[name, number] as const]
    }),
  )
}

export function rational(over: bigint, under = 1n): Rational {
  return { over, under }
}

export const NOTHING = rational(0n)
export const ONE = rational(1n)
/** Nano-USD in a USD. */
export const NANO = rational(1_000_000_000n)
/** Nano-USD for a million of what costs a USD each. */
export const NANO_OF_MILLION = rational(1_000_000_000n * 1_000_000n)

export function times(...factors: readonly Rational[]): Rational {
  return factors.reduce((all, each) => ({ over: all.over * each.over, under: all.under * each.under }), ONE)
}

export function plus(a: Rational, b: Rational): Rational {
  return { over: a.over * b.under + b.over * a.under, under: a.under * b.under }
}

export function minus(a: Rational, b: Rational): Rational {
  return { over: a.over * b.under - b.over * a.under, under: a.under * b.under }
}

/** `by` is not zero. */
export function dividedBy(a: Rational, by: Rational): Rational {
  const sign = by.over < 0n ? -1n : 1n
  return { over: a.over * by.under * sign, under: a.under * by.over * sign }
}

export function isSame(a: Rational, b: Rational): boolean {
  return a.over * b.under === b.over * a.under
}

/** The integer that it is, or null where it is none. */
export function wholeOf({ over, under }: Rational): bigint | null {
  return over % under === 0n ? over / under : null
}

/** The nearest integer; a half goes up. */
export function nearest({ over, under }: Rational): bigint {
  return floorOf({ over: over * 2n + under, under: under * 2n })
}

/** The largest integer that is not above it. */
export function floorOf({ over, under }: Rational): bigint {
  const whole = over / under
  return over < 0n && over % under !== 0n ? whole - 1n : whole
}
