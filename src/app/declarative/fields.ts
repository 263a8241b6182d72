import { z } from 'zod'
import { KEY_BOUNDS } from '../../core/key-bounds.ts'
import { KEY_TAG } from '../../core/key-tags.ts'
import { MODEL_NAME } from '../../core/model-name.ts'
import { parseMultiplier, parseUsd } from '../../core/money.ts'
import type { NanoUsd, PartsPerMillion } from '../../core/money.ts'
import { readAddressRange } from '../../access/address-range.ts'

/**
 * Schemas of single values that people write, in the declarative file or on the command line. Every message says what the
 * field takes, and ends the sentence "… is x, but it takes …".
 */
export function field<Value>(takes: string, read: (value: unknown) => Value | undefined) {
  return z.unknown().transform((value, context): Value => {
    const meaning = read(value)
    if (meaning !== undefined) return meaning
    context.addIssue({ code: 'custom', message: takes, input: value })
    return z.NEVER
  })
}

/** One line of text, kept as it is written. */
export function text(longest: number) {
  return field(`text of 1 to ${longest} characters on one line`, (value) =>
    typeof value === 'string' && value.length <= longest && /^[^\p{Cc}]+$/u.test(value) && value.trim() === value
      ? value
      : undefined,
  )
}

/** A name that people give. White space around it is left out, as the API does. */
export function givenName(longest: number) {
  return field(`text of 1 to ${longest} characters on one line`, (value) => {
    const name = typeof value === 'string' ? value.trim() : ''
    return name.length <= longest && /^[^\p{Cc}]+$/u.test(name) ? name : undefined
  })
}

/** The name that a model gets. */
export function modelName() {
  const longest = KEY_BOUNDS.modelNameCharacters
  return field(`text of 1 to ${longest} characters on one line, without "*"`, (value) =>
    typeof value === 'string' && value.length <= longest && MODEL_NAME.test(value) && value.trim() === value
      ? value
      : undefined,
  )
}

/** Digits in quotes count too: that is how substituted variables and command line arguments arrive. */
export function wholeNumber(smallest: number, largest: number = Number.MAX_SAFE_INTEGER) {
  const range = largest === Number.MAX_SAFE_INTEGER ? `${smallest} or more` : `from ${smallest} to ${largest}`
  return field(`a whole number, ${range}`, (value) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    const isInside = Number.isSafeInteger(number) && Number(number) >= smallest && Number(number) <= largest
    return isInside ? Number(number) : undefined
  })
}

export function yesOrNo() {
  return field('true or false', (value) => {
    if (typeof value === 'boolean') return value
    return value === 'true' ? true : value === 'false' ? false : undefined
  })
}

/** Only text: a YAML number has been through binary fractions before its decimals could be read. */
export function usd() {
  return field('an amount of USD in quotes such as "2.50", zero or more, with up to nine places', (value) =>
    readDecimal<NanoUsd>(value, parseUsd),
  )
}

export function multiplier() {
  return field('a factor in quotes such as "1" or "0.85", zero or more, with up to six places', (value) =>
    readDecimal<PartsPerMillion>(value, parseMultiplier),
  )
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
  const longest = KEY_BOUNDS.tagCharacters
  return field(`a tag of 1 to ${longest} characters, without commas, quotation marks and backslashes`, (value) => {
    const tag = typeof value === 'string' ? value.trim().toLowerCase() : ''
    return tag.length <= longest && KEY_TAG.test(tag) ? tag : undefined
  })
}

export function emailAddress() {
  return field('an email address', (value) =>
    typeof value === 'string' && value.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(value)
      ? value
      : undefined,
  )
}

export function listOf<Item extends z.ZodType>(item: Item, what: string, most = 10_000) {
  return z.array(item, `a list of ${what}`).max(most, `at most ${most} ${what}`)
}

/** A list in which no window stands twice. */
export function oncePerWindow<Item extends z.ZodType<{ readonly window: string }>>(item: Item, what: string) {
  return listOf(item, what).refine(
    (items) => new Set(items.map(({ window }) => window)).size === items.length,
    `${what} with each window once`,
  )
}
