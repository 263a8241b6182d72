import { z } from 'zod'
import { type Bound, BOUNDS, type FactorBound, type MoneyBound } from '../../core/bounds.ts'
import { KEY_TAG } from '../../core/key-tags.ts'
import { MODEL_NAME } from '../../core/model-name.ts'
import { formatMultiplier, formatUsd, parseMultiplier, parseUsd } from '../../core/money.ts'
import type { NanoUsd, PartsPerMillion } from '../../core/money.ts'
import { readAddressRange } from '../../access/address-range.ts'

/**
 * Schemas of single values that people write, in the declarative file or on the command line. Every message says what the
 * field must be; `mustBe` makes of it the end of a sentence.
 */
export function field<Value>(takes: string, read: (value: unknown) => Value | Beyond | undefined) {
  return z.unknown().transform((value, context): Value => {
    const meaning = read(value)
    if (meaning !== undefined && !(meaning instanceof Beyond)) return meaning
    context.addIssue({ code: 'custom', message: meaning instanceof Beyond ? meaning.sentence : takes, input: value })
    return z.NEVER
  })
}

/** A value of the right form that is beyond a bound, with what it must be instead. */
export class Beyond {
  readonly sentence: string

  constructor(sentence: string) {
    this.sentence = sentence
  }
}

/** One line of text, kept as it is written. */
export function text(bound: Bound) {
  return lineOf(bound, { trims: false, isAllowed: (line) => /^[^\p{Cc}]+$/u.test(line) })
}

/** A name that people give. White space around it is left out, as the API does. */
export function givenName(bound: Bound) {
  return lineOf(bound, { trims: true, isAllowed: (line) => /^[^\p{Cc}]+$/u.test(line) })
}

/** The name that a model gets. */
export function modelName() {
  return lineOf(BOUNDS.model.name, {
    trims: false,
    isAllowed: (line) => MODEL_NAME.test(line),
    except: ', without "*"',
  })
}

function lineOf(
  { least, most }: Bound,
  { trims, isAllowed, except = '' }: { trims: boolean; isAllowed: (line: string) => boolean; except?: string },
) {
  return field(`text of ${least} to ${most} characters on one line${except}`, (value) => {
    if (typeof value !== 'string') return undefined
    const line = value.trim()
    if (line === '' ? least > 0 : !isAllowed(line)) return undefined
    if (!trims && line !== value) return undefined
    return line.length > most ? new Beyond(`must be at most ${most} characters`) : line
  })
}

/** A text of any form; what is `sealed` is as long as encryption makes it. */
export function lengthWithin(value: string, { most }: Bound): string | Beyond {
  return value.length > most ? new Beyond(`must be at most ${most} characters`) : value
}

/** Digits in quotes count too: that is how substituted variables and command line arguments arrive. */
export function wholeNumber({ least, most }: Bound) {
  return field(`a whole number, from ${least} to ${most}`, (value) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined
    if (number > most) return new Beyond(`must be at most ${most}`)
    return number < least ? new Beyond(`must be at least ${least}`) : number
  })
}

export function yesOrNo() {
  return field('true or false', (value) => {
    if (typeof value === 'boolean') return value
    return value === 'true' ? true : value === 'false' ? false : undefined
  })
}

/** Only text: a YAML number has been through binary fractions before its decimals could be read. */
export function usd({ least, most }: MoneyBound) {
  return field('an amount of USD in quotes such as "2.50", zero or more, with up to nine places', (value) => {
    const amount = readDecimal<NanoUsd>(value, parseUsd)
    if (amount === undefined) return undefined
    if (amount > most) return new Beyond(`must be at most ${formatUsd(most)} USD`)
    return amount < least ? new Beyond(`must be at least ${formatUsd(least)} USD`) : amount
  })
}

export function multiplier({ least, most }: FactorBound) {
  return field('a factor in quotes such as "1" or "0.85", zero or more, with up to six places', (value) => {
    const factor = readDecimal<PartsPerMillion>(value, parseMultiplier)
    if (factor === undefined) return undefined
    if (factor > most) return new Beyond(`must be at most ${formatMultiplier(most)}`)
    return factor < least ? new Beyond(`must be at least ${formatMultiplier(least)}`) : factor
  })
}

function readDecimal<Amount extends bigint>(value: unknown, parse: (text: string) => Amount): Amount | undefined {
  if (typeof value !== 'string' || value.startsWith('-')) return undefined
  try {
    return parse(value)
  } catch {
    return undefined
  }
}

export function oneOf<const Word extends string>(...words: readonly Word[]) {
  return field(`one of ${words.join(', ')}`, (value) => words.find((word) => word === value))
}

/** Epoch milliseconds of an RFC 3339 time. */
export function moment() {
  return field('a time such as 2027-01-31T00:00:00Z', (value) => {
    const form = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/
    if (typeof value !== 'string' || !form.test(value)) return undefined
    const ms = Date.parse(value.toUpperCase().replace(' ', 'T'))
    return Number.isNaN(ms) || !isRealDay(value) ? undefined : ms
  })
}

/** `Date.parse` takes the 31st of February for a day in March. */
function isRealDay(value: string): boolean {
  const day = value.slice(0, 10)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
}

/** `address/prefix`, whichever of both forms is written. */
export function addressRange() {
  return field('an IP address or CIDR range such as 203.0.113.7 or 10.0.0.0/8', (value) =>
    typeof value === 'string' ? (readAddressRange(value) ?? undefined) : undefined,
  )
}

export function keyTag() {
  const { least, most } = BOUNDS.key.tag
  return field(`a tag of ${least} to ${most} characters, without commas, quotation marks and backslashes`, (value) => {
    const tag = typeof value === 'string' ? value.trim().toLowerCase() : ''
    return KEY_TAG.test(tag) ? lengthWithin(tag, BOUNDS.key.tag) : undefined
  })
}

export function emailAddress() {
  return field('an email address', (value) =>
    typeof value === 'string' && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(value)
      ? lengthWithin(value, BOUNDS.account.email)
      : undefined,
  )
}

/** A list of things that each have a row of the file, such as its groups. */
export const SECTION = { least: 0, most: 10_000, unit: 'entries' } as const satisfies Bound

export function listOf<Item extends z.ZodType>(item: Item, what: string, { least, most }: Bound) {
  const list = z.array(item, `a list of ${what}`).max(most, `must have at most ${most} entries`)
  return least === 0 ? list : list.min(least, `must have at least ${least} ${least === 1 ? 'entry' : 'entries'}`)
}

/** A list of some of these words, at most as many as there are. */
export function listOfWords<const Word extends string>(words: readonly Word[], what: string, least = 0) {
  return listOf(oneOf(...words), what, { least, most: words.length, unit: 'entries' })
}

/** A list in which no window stands twice. */
export function oncePerWindow<Item extends z.ZodType<{ readonly window: string }>>(item: Item, what: string) {
  return listOf(item, what, SECTION).refine(
    (items) => new Set(items.map(({ window }) => window)).size === items.length,
    'must have each window once',
  )
}
