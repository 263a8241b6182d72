import { mustBe } from '../../core/must-be.ts'
import type { z } from 'zod'
import { BOUNDS } from '../../core/bounds.ts'
import { moment, wholeNumber } from '../declarative/fields.ts'
import type { Invocation, Command } from './command.ts'
import { UsageError } from './cli-host.ts'

/** The value of a flag that was given, read by the schema that its field has elsewhere. null: not given. Throws UsageError. */
export function readFlag<Value>(call: Invocation, flag: string, schema: z.ZodType<Value>): Value | null {
  const text = call.text(flag)
  return text === null ? null : readValue(text, { name: `--${flag}`, schema })
}

/** Throws UsageError with one sentence that says what the value takes. */
export function readValue<Value>(text: string, { name, schema }: { name: string; schema: z.ZodType<Value> }): Value {
  const parsed = schema.safeParse(text)
  if (parsed.success) return parsed.data
  const takes = parsed.error.issues[0]?.message ?? 'another value'
  throw new UsageError(`${name} is ${JSON.stringify(text)}, but it ${mustBe(takes)}.`)
}

/** Exactly the operands that a command is written with; `names` as in its help. Throws UsageError. */
export function readOperands<const Names extends readonly string[]>(
  call: Invocation,
  { words, names }: { words: Command['words']; names: Names },
): { [Place in keyof Names]: string } {
  if (call.operands.length === names.length) return [...call.operands] as { [Place in keyof Names]: string }
  const missing = names[call.operands.length]
  throw new UsageError(
    missing === undefined
      ? `"${call.operands[names.length]}" means nothing to "tollgate ${words}": leave it out.`
      : `"tollgate ${words}" needs ${missing}: tollgate ${words} ${names.join(' ')}.`,
  )
}

/** A flag that takes a time, or a span from now such as `30d`. Epoch milliseconds; null: not given. */
export function readMoment(call: Invocation, flag: string, nowMs: number): number | null {
  const text = call.text(flag)
  return text === null ? null : readValue(momentFromNow(text, nowMs), { name: `--${flag}`, schema: moment() })
}

/** `--days`; null: not given. */
export function readDays(call: Invocation): number | null {
  return readFlag(call, 'days', wholeNumber(BOUNDS.subscription.days))
}

const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const

/** `30d` counts from now; anything else is left to the field's own rule. */
export function momentFromNow(text: string, nowMs: number): string {
  const [, count, unit] = /^(\d{1,5})([dhm])$/.exec(text) ?? []
  if (count === undefined || (unit !== 'd' && unit !== 'h' && unit !== 'm')) return text
  return new Date(nowMs + Number(count) * UNIT_MS[unit]).toISOString()
}
