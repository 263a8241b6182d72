import { z } from 'zod'

/** One environment variable: the settings, `tollgate help` and the reference in docs/operating.md are made from it. */
export interface Variable<Value = unknown, Unset = unknown> {
  readonly name: string
  readonly meaning: string
  /** What holds while it is unset, in words. */
  readonly ifUnset: string
  /** What it takes; ends the sentence that refuses a value. */
  readonly takes: string
  /** What the reference says beyond that, in Markdown. */
  readonly more?: string
  /** Its value is never shown. */
  readonly isSecret: boolean
  /** Reads its text, without white space around it. */
  readonly value: z.ZodType<Value>
  /** The setting while it is unset; null: "not set". */
  readonly unset: Unset
}

/** Variables under the names of their settings. */
type Variables = Readonly<Record<string, Variable>>

/** What a table of variables sets. */
export type SettingsOf<Table extends Variables> = {
  readonly [Name in keyof Table]: Table[Name] extends Variable<infer Value, infer Unset> ? Value | Unset : never
}

/** Keeps the types of a record. */
export function variable<Value, const Unset extends Value | null>(
  record: Variable<Value, Unset>,
): Variable<Value, Unset> {
  return record
}

/** Any text. */
export function text() {
  return z.string()
}

/** From 0 on. */
export function wholeNumber(largest: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((number) => number <= largest)
}

export function onOrOff() {
  return z.enum(['1', '0', 'true', 'false']).transform((given) => given === '1' || given === 'true')
}

/** With one of these schemes, each with its colon, and a host. */
export function url(...schemes: readonly string[]) {
  return z.string().refine((given) => {
    const parsed = URL.parse(given)
    return parsed !== null && schemes.includes(parsed.protocol) && parsed.hostname !== ''
  })
}

/** What `meaningOf` makes of it; it returns null for what cannot be used. */
export function readBy<Value>(meaningOf: (given: string) => Value | null) {
  return z
    .string()
    .transform(meaningOf)
    .refine((value) => value !== null)
    .transform((value) => value as NonNullable<Value>)
}
