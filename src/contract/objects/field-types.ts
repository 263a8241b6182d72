import { z } from '@hono/zod-openapi'
import type { Bound, FactorBound, MoneyBound } from '../../core/bounds.ts'
import {
  formatMultiplier,
  formatUsd,
  type NanoUsd,
  parseMultiplier,
  parseUsd,
  type PartsPerMillion,
} from '../../core/money.ts'
import { givenName, listOf, multiplier, textOf, time, usdAmount, wholeNumber, wordsOf } from '../wire-values.ts'

/** A type of value: what the API writes, what the declarative file takes, and what the gateway holds of it. */
export interface FieldType<Wire, Held> {
  /** The schema of answers. */
  readonly shown: z.ZodType<Wire>
  /** The schema of requests. */
  readonly sent: z.ZodType<Wire>
  /** What the declarative file takes, which has sentences of its own; absent: only that room has a schema for it. */
  readonly form?: FileForm
  read(wire: Wire): Held
  write(held: Held): Wire
  /** Says the same in one way, such as words in one order; absent: there is only one. */
  tidy?(held: Held): Held
}

export type FileForm =
  | { readonly is: 'line' | 'whole'; readonly bound: Bound }
  | { readonly is: 'usd'; readonly bound: MoneyBound }
  | { readonly is: 'factor'; readonly bound: FactorBound }
  | { readonly is: 'word'; readonly words: readonly string[] }
  | { readonly is: 'words'; readonly words: readonly string[]; readonly what: string; readonly least: number }
  | { readonly is: 'list'; readonly of: FileForm; readonly what: string; readonly bound: Bound }
  | { readonly is: 'flag' | 'moment' }

/** A type whose value is held as it is written. */
export function plainType<Wire>(schema: z.ZodType<Wire>, form?: FileForm): FieldType<Wire, Wire> {
  const written = { shown: schema, sent: schema, read: same<Wire>, write: same<Wire> }
  return form === undefined ? written : { ...written, form }
}

/** A name that people give. */
export function nameType(bound: Bound): FieldType<string, string> {
  return { ...plainType(z.string(), { is: 'line', bound }), sent: givenName(bound) }
}

/** A text on one line. */
export function lineType(bound: Bound): FieldType<string, string> {
  return plainType(textOf(bound), { is: 'line', bound })
}

export function wholeType(bound: Bound): FieldType<number, number> {
  return plainType(wholeNumber(bound), { is: 'whole', bound })
}

export const FLAG: FieldType<boolean, boolean> = plainType(z.boolean(), { is: 'flag' })

export function usdType(bound: MoneyBound): FieldType<string, NanoUsd> {
  return { shown: usdAmount, sent: usdAmount, form: { is: 'usd', bound }, read: parseUsd, write: formatUsd }
}

export function factorType(bound: FactorBound): FieldType<string, PartsPerMillion> {
  const form = { is: 'factor', bound } as const
  return { shown: multiplier, sent: multiplier, form, read: parseMultiplier, write: formatMultiplier }
}

/** A moment, held in epoch milliseconds. */
export const MOMENT: FieldType<string, number> = {
  shown: time,
  sent: time,
  form: { is: 'moment' },
  read: Date.parse,
  write: (ms) => new Date(ms).toISOString(),
}

export function wordType<const Word extends string>(words: readonly Word[]): FieldType<Word, Word> {
  return plainType(z.enum(words), { is: 'word', words })
}

/** Some of these words, each once. `what`: the words together, for messages. */
export function wordsType<const Word extends string>(
  words: readonly Word[],
  what: string,
  { least = 0, isOrdered = false }: { readonly least?: number; readonly isOrdered?: boolean } = {},
): FieldType<Word[], readonly Word[]> {
  const schema = wordsOf(words, least)
  return {
    shown: schema,
    sent: schema,
    form: { is: 'words', words, what, least },
    read: same,
    write: (held) => [...held],
    tidy: (held) => (isOrdered ? words.filter((word) => held.includes(word)) : [...new Set(held)]),
  }
}

/** A list of texts that are each of a type. `what`: the entries, for messages. */
export function listType(
  item: FieldType<string, string>,
  what: string,
  bound: Bound,
): FieldType<string[], readonly string[]> {
  const schema = listOf(item.sent, bound)
  const list = { shown: schema, sent: schema, read: same<string[]>, write: (held: readonly string[]) => [...held] }
  return item.form === undefined ? list : { ...list, form: { is: 'list', of: item.form, what, bound } }
}

/** A value that need not be set. The declarative file takes an empty field for null wherever there is a default. */
export function orNull<Wire, Held>(type: FieldType<Wire, Held>): FieldType<Wire | null, Held | null> {
  return {
    ...(type.form === undefined ? {} : { form: type.form }),
    shown: type.shown.nullable(),
    sent: type.sent.nullable(),
    read: (wire) => (wire === null ? null : type.read(wire)),
    write: (held) => (held === null ? null : type.write(held)),
    tidy: (held) => (held === null ? null : tidied(type, held)),
  }
}

/** A value in the one way that its type has for it. */
export function tidied<Wire, Held>(type: FieldType<Wire, Held>, held: Held): Held {
  return type.tidy?.(held) ?? held
}

function same<Value>(value: Value): Value {
  return value
}
