import type { NanoUsd, PartsPerMillion } from './money.ts'

/**
 * What people pay, in the currency of a payment provider: integers of 1e-9 of its unit, as amounts of USD are here. Never a
 * `NanoUsd`: what a payment credits is another figure.
 */
export interface CurrencyAmount {
  readonly currency: Currency
  readonly nano: bigint
}

/** ISO 4217, in lower case. */
export type Currency = string & { readonly __unit: 'currency' }

/** Reads the code of a currency whose smallest unit is known here; null: another one. */
export function readCurrency(text: string): Currency | null {
  const code = text.toLowerCase()
  return KNOWN.has(code) ? (code as Currency) : null
}

/** The largest amount that is taken, in units of a currency: a signed 64-bit integer holds it, as it does `LARGEST_USD`. */
export const LARGEST_UNITS = 9_000_000_000n
const LARGEST_NANO = LARGEST_UNITS * 1_000_000_000n

/**
 * What so much USD costs where one USD costs `perUsd` of the currency, rounded up to its smallest unit; null: more than is
 * taken.
 */
export function priceIn(currency: Currency, usd: NanoUsd, perUsd: PartsPerMillion): CurrencyAmount | null {
  const unit = nanoOfSmallestUnit(currency)
  const step = unit * 1_000_000n
  const nano = ((usd * perUsd + step - 1n) / step) * unit
  return nano <= LARGEST_NANO ? { currency, nano } : null
}

/** The amount in the currency's smallest unit, as most providers count. */
function smallestUnits({ currency, nano }: CurrencyAmount): bigint {
  return nano / nanoOfSmallestUnit(currency)
}

/** The amount as providers take it. A double counts every amount that is taken. */
export function wireUnits(amount: CurrencyAmount): number {
  const counted = smallestUnits(amount)
  return Number(counted)
}

/** The other way; null: it is not a whole number of zero or more, or more than is taken. */
export function ofSmallestUnits(currency: Currency, units: unknown): CurrencyAmount | null {
  if (typeof units !== 'number' || !Number.isSafeInteger(units) || units < 0) return null
  const nano = BigInt(units) * nanoOfSmallestUnit(currency)
  return nano <= LARGEST_NANO ? { currency, nano } : null
}

/** Formats an amount as people write it, with all places of the currency: `12.50`. */
export function formatCurrencyAmount({ currency, nano }: CurrencyAmount): string {
  const places = placesOf(currency)
  const units = smallestUnits({ currency, nano })
    .toString()
    .padStart(places + 1, '0')
  return places === 0 ? units : `${units.slice(0, -places)}.${units.slice(-places)}`
}

/** Reads `12.5`; null: it is not a positive amount, has more places than the currency, or is more than is taken. */
export function readCurrencyAmount(currency: Currency, text: string): CurrencyAmount | null {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  const places = placesOf(currency)
  if (whole === '' || /[1-9]/.test(fraction.slice(places))) return null
  const nano = BigInt(whole + fraction.padEnd(9, '0'))
  return nano === 0n || nano > LARGEST_NANO ? null : { currency, nano }
}

export function isSameAmount(a: CurrencyAmount, b: CurrencyAmount): boolean {
  return a.currency === b.currency && a.nano === b.nano
}

function placesOf(currency: Currency): number {
  return WITHOUT_PLACES.has(currency) ? 0 : 2
}

function nanoOfSmallestUnit(currency: Currency): bigint {
  return WITHOUT_PLACES.has(currency) ? 1_000_000_000n : 10_000_000n
}

const WITHOUT_PLACES: ReadonlySet<string> = new Set(['clp', 'jpy', 'krw', 'pyg', 'vnd', 'xaf', 'xof'])
/** Not those that providers count unlike ISO 4217 does, nor those with three places. */
const KNOWN: ReadonlySet<string> = new Set([
  ...WITHOUT_PLACES,
  ...(
    'aed ars aud bdt bgn brl cad chf cny cop czk dkk egp eur gbp hkd ils inr kes kzt lkr mad mop mxn myr ngn nok ' +
    'nzd pen php pkr pln qar ron rsd sar sek sgd thb try twd uah usd uyu zar'
  ).split(' '),
])
