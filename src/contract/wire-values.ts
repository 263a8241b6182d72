import { z } from '@hono/zod-openapi'
import type { Bound } from '../core/bounds.ts'
import { FIELD_FORMS, type FieldForm } from '../core/field-forms.ts'
import { formatUsd, LARGEST_USD } from '../core/money.ts'

/** Ends of sentences that schemas say of a text, by the word for them. */
export const TEXTS_OF_FORMS = {
  usd: 'must be an amount in USD as text, like "12.50", with up to nine places and at most 9000000000',
  factor: 'must be a factor as text, like "1" or "0.8"',
  plain_name: 'must have no line breaks or control characters',
  key_tag: 'must have no commas, quotation marks, backslashes or line breaks',
  custom_key: 'must be 20 to 128 letters, digits, "-" and "_"',
} as const satisfies Partial<Record<FieldForm, string>>

/** One digit with zeros behind it, so that what is below it has a simple form. */
const LARGEST = formatUsd(LARGEST_USD)
const PLACES = LARGEST.length - 1
/** The dollars of amounts without their sign. Those of exactly the largest have no cents, which `isSmallEnough` sees to. */
const DOLLARS = `\\d{1,${PLACES}}|[0-${Number(LARGEST[0]) - 1}]\\d{${PLACES}}|${LARGEST}`

/** USD as a decimal string with up to nine places, as everywhere on the wire. Positive, zero or (in ledgers) negative. */
export const usd = z
  .string(TEXTS_OF_FORMS.usd)
  .regex(/^-?\d{1,10}(\.\d{1,9})?$/, TEXTS_OF_FORMS.usd)
  .refine(isSmallEnough, `must be at most ${formatUsd(LARGEST_USD)} USD`)
  .openapi({ example: '12.5', format: 'usd' })

/** An amount like `usd`, zero or more. */
export const usdAmount = z
  .string(TEXTS_OF_FORMS.usd)
  .regex(new RegExp(`^(${DOLLARS})(\\.\\d{1,9})?$`), TEXTS_OF_FORMS.usd)
  .refine(isSmallEnough, TEXTS_OF_FORMS.usd)
  .openapi({ example: '12.5', format: 'usd' })

const USD_CHANGE_FORM =
  'must be an amount in USD as text, like "12.50" or "-3", with up to nine places and at most 9000000000'

/** An amount like `usdAmount`; below zero with a minus sign. */
export const usdChange = z
  .string(USD_CHANGE_FORM)
  .regex(new RegExp(`^-?(${DOLLARS})(\\.\\d{1,9})?$`), USD_CHANGE_FORM)
  .refine(isSmallEnough, USD_CHANGE_FORM)
  .openapi({ example: '12.5', format: 'usd' })

/** RFC 3339, UTC. With an offset a time of the year 9999 may lie in one that RFC 3339 has no form for. */
export const time = z.iso
  .datetime({ offset: true })
  .refine((text) => /^\d{4}-/.test(new Date(text).toJSON() ?? '0000-'), 'must be a time in the years 0 to 9999')
  .openapi({ example: '2026-11-21T08:30:00Z' })

/** The group's factor on the price, as a decimal string with up to six places. */
export const multiplier = z
  .string(TEXTS_OF_FORMS.factor)
  .regex(/^\d{1,6}(\.\d{1,6})?$/, TEXTS_OF_FORMS.factor)
  .openapi({ example: '1' })

/**
 * No control characters, line breaks of Unicode or halves of a character, which no database keeps as they came; nor what turns
 * the direction of the text behind it, by which a name could pass for another.
 */
export const PLAIN_NAME = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u

/** A name that people give. */
export function givenName({ least, most }: Bound) {
  return z.string().trim().min(least).max(most).regex(PLAIN_NAME, TEXTS_OF_FORMS.plain_name)
}

/** A whole number within a bound. */
export function wholeNumber({ least, most }: Bound) {
  return z.number().int().min(least).max(most)
}

/** A text of a length within a bound. */
export function textOf({ least, most }: Bound) {
  return least === 0 ? z.string().max(most) : z.string().min(least).max(most)
}

/** A list of a size within a bound. */
export function listOf<Item extends z.ZodType>(item: Item, { least, most }: Bound) {
  return least === 0 ? z.array(item).max(most) : z.array(item).min(least).max(most)
}

/** Some of these words, at most as many as there are. */
export function wordsOf<const Word extends string>(words: readonly Word[], least = 0) {
  return listOf(z.enum(words), { least, most: words.length, unit: 'entries' })
}

/** The version that `If-Match` of a PATCH is compared with; also the `ETag` of an answer with one object. */
export const version = z.string().describe('another one whenever what can be set is another; see `If-Match`')

/** How every list is asked for. `cursor` is the `next_cursor` of the page before. */
/** Minutes east of UTC of the reader's days; only with whole hours. */
export const offsetMinutes = z.coerce.number().int().min(-840).max(840).default(0)

export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(512).optional(),
})

/** How a list of what has names is asked for; it is sorted by name. */
export const namedQuery = pageQuery.extend({
  /** Part of the name. */
  search: z.string().max(100).optional(),
})

/** How every list is answered. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), next_cursor: z.string().nullable() })
}

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly next_cursor: string | null
}

/** RFC 9457 problem details, `application/problem+json`. */
export const problem = z
  .object({
    /** A relative reference to the page about the code. */
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    /** What is wrong and what to do, in English; the console says it in the reader's language by `code`. */
    detail: z.string(),
    code: z.string(),
    /** The field that is wrong, as a path like `rate_limit.spend.0.usd`; absent when it is none. */
    field: z.string().optional(),
    /** What the field takes, for those who say it in another language; absent where only the detail says it. */
    takes: z
      .object({
        form: z.enum(FIELD_FORMS),
        values: z.array(z.string()).describe('the size, or what can be chosen from'),
        is_missing: z.boolean().describe('the field was not sent at all'),
      })
      .optional(),
    /** `version_mismatch`: the version that stands, for the next `If-Match`. */
    version: z.string().optional(),
    differences: z
      .array(z.object({ field: z.string(), current: z.unknown(), yours: z.unknown() }))
      .describe('of `version_mismatch`: the fields of which something else stands than was sent; never a secret')
      .optional(),
    address: z.string().describe('of `sign_in_address`: where one signs in').optional(),
    request_id: z.string(),
    /** Seconds after which trying again makes sense. */
    retry_after: z.number().int().optional(),
  })
  .openapi('Problem')

export type Problem = z.output<typeof problem>
export type FieldTakes = NonNullable<Problem['takes']>

/** Whether the amount, without its sign, is at most the largest. Any other text is refused by its form. */
function isSmallEnough(text: string): boolean {
  const [, whole, fraction = ''] = /^-?(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  return whole === undefined || BigInt(whole + fraction.padEnd(9, '0')) <= LARGEST_USD
}

/** One kind of problem, as its page in the documentation shows it. */
export interface ProblemKind {
  readonly status: number
  readonly title: string
  /** What to do about it, in a sentence or two. */
  readonly remedy: string
}
