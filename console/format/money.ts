import { nanoOf, usdOf } from './decimal.ts'
import { numberFormat } from './kept-formats.ts'

/** Amounts are decimal strings from the wire to the screen; `Intl` formats such a string exactly, without a float between. */
type DecimalText = `${number}`

/** Reads easily: two places for whole cents and from a dollar on, exactly three significant digits below. */
export function formatMoney(amount: string, language: string): string {
  const places = placesOf(amount)
  return written(currency(language, places, places), amount)
}

const CENT = 10_000_000n

/** Says of what is less than a cent no more than that. */
export function formatRoughMoney(amount: string, language: string): string {
  const nano = nanoOf(amount)
  return nano > 0n && nano < CENT ? `<${formatMoney('0.01', language)}` : formatMoney(amount, language)
}

/**
 * How many digits an amount lacks behind its point to have `places` of them: so much room behind it, and the points of a
 * column stand below each other. An amount as it is shown; what has more places has no room.
 */
export function roomBehind(shown: string, places: number): number {
  const point = shown.lastIndexOf('.')
  const digits = point < 0 ? 0 : shown.length - point - 1
  return Math.max(0, places - digits)
}

/** The room that most amounts of a column have behind their last digit, each as it is shown. */
export function usualRoom(shown: readonly string[], places: number): number {
  const counts = new Map<number, number>()
  for (const amount of shown) {
    const room = roomBehind(amount, places)
    counts.set(room, (counts.get(room) ?? 0) + 1)
  }
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0]
}

/** An amount as it is shown, with so many places behind its point: those of one receipt have as many as the longest. */
export function withPlaces(shown: string, places: number): string {
  return shown + '0'.repeat(roomBehind(shown, places))
}

/** Every place that the amount has, at least two. */
export function formatExactMoney(amount: string, language: string): string {
  return written(currency(language, 9), amount)
}

/** `×0.8` */
export function formatMultiplier(multiplier: string): string {
  return `×${multiplier}`
}

/** How much of a limit is used, from 0 to 1, for meters. A limit of zero is used up. */
export function shareOf(used: string, limit: string): number {
  const whole = nanoOf(limit)
  if (whole <= 0n) return 1
  const thousandths = (nanoOf(used) * 1000n) / whole
  return Math.min(1, Math.max(0, Number(thousandths) / 1000))
}

/** `a - b`, for what is left of a limit; never below zero. */
export function leftOf(limit: string, used: string): string {
  const left = nanoOf(limit) - nanoOf(used)
  return left <= 0n ? '0' : usdOf(left)
}

export function isZero(amount: string): boolean {
  return nanoOf(amount) === 0n
}

/** The sum of amounts, exact. */
export function sumOf(amounts: readonly string[]): string {
  return usdOf(amounts.reduce((sum, amount) => sum + nanoOf(amount), 0n))
}

/** `amount × by ÷ of`, without what is less than a nanodollar; 0 where `of` is. */
export function scaled(amount: string, by: string, of: string): string {
  return nanoOf(of) === 0n ? '0' : usdOf((nanoOf(amount) * nanoOf(by)) / nanoOf(of))
}

/** Writes an amount or factor without what adds nothing: `0.80` as `0.8`. */
export function formatPlain(amount: string): string {
  return usdOf(nanoOf(amount))
}

/** Formats a change of money with its sign. */
export function formatMoneyChange(change: string, language: string): string {
  const shown = formatMoney(change, language)
  return change.startsWith('-') || isZero(change) ? shown.replace('−', '−\u2060') : `+${shown}`
}

/** Formats with the minus that is as wide as a plus, where `Intl` writes a hyphen. */
function written(format: Intl.NumberFormat, amount: string): string {
  return format.format(amount as DecimalText).replace('-', '−')
}

function currency(language: string, places: number, least = 2): Intl.NumberFormat {
  return numberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: least,
    maximumFractionDigits: places,
  })
}

/** How many places the longest of these amounts has behind its point, as `formatMoney` writes them. */
export function longestPlaces(amounts: readonly string[]): number {
  return amounts.reduce((longest, amount) => Math.max(longest, placesOf(amount)), 2)
}

/** What `longestPlaces` returns, for amounts that are written in full. */
export function longestExactPlaces(amounts: readonly string[]): number {
  return amounts.reduce((longest, amount) => Math.max(longest, formatPlain(amount).split('.')[1]?.length ?? 0), 2)
}

function placesOf(amount: string): number {
  const match = /^-?0*(\d*)\.(0*)(\d*)$/.exec(amount)
  const isWholeCents = /^-?\d+\.\d\d?0*$/.test(amount)
  if (match === null || match[1] !== '' || isWholeCents) return 2
  return Math.min(9, Math.max(2, (match[2] ?? '').length + 3))
}
