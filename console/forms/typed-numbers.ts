import { readTyped } from '../../src/core/typed-number.ts'

/**
 * What a person typed, as the API takes it. null: nothing is typed, it cannot be read, or it can mean two numbers, which
 * `NumberField` says. Forms read numbers in no other way.
 */

/** An amount of zero or more. */
export function amountOf(text: string): string | null {
  return within(AMOUNT, readTyped(text, 'amount'))
}

/** An amount above zero. */
export function amountAboveZero(text: string): string | null {
  const amount = amountOf(text)
  return amount === '0' ? null : amount
}

/** An amount above zero in the currency that its field names; with a sign of a currency it is none. */
export function sumAboveZero(text: string): string | null {
  const sum = readTyped(text, 'sum')
  return sum === '0' ? null : within(SUM, sum)
}

/** A multiplier or another factor of zero or more. */
export function factorOf(text: string): string | null {
  return within(FACTOR, readTyped(text, 'factor'))
}

/** A whole number within these bounds. */
export function countOf(text: string, { least, most }: { readonly least: number; readonly most: number }) {
  const count = readTyped(text, 'count')
  const number = count === null ? Number.NaN : Number(count)
  return number >= least && number <= most ? number : null
}

/** An amount that may be left out, which is null. One that cannot be read is sent as it is, and never as none. */
export function amountOrNone(text: string): string | null {
  return text.trim() === '' ? null : (amountOf(text) ?? text.trim())
}

/** Whether a number that may be left out is left out, or can be read. */
export function isEmptyOr(read: (text: string) => string | number | null, text: string): boolean {
  return text.trim() === '' || read(text) !== null
}

/** Amounts that the API takes: the largest is one digit and zeros. */
const AMOUNT = /^(?:\d{1,9}|[0-8]\d{9})(?:\.\d+)?$/
const SUM = /^\d{1,12}(?:\.\d+)?$/
const FACTOR = /^\d{1,6}(?:\.\d+)?$/

function within(form: RegExp, decimal: string | null): string | null {
  return decimal !== null && form.test(decimal) ? decimal : null
}
