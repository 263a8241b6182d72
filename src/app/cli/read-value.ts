import { mustBe } from '../../core/must-be.ts'
import type { z } from 'zod'
import { BOUNDS } from '../../core/bounds.ts'
import { moment, wholeNumber } from '../declarative/fields.ts'
import type { Invocation, Command } from './command.ts'
import { UsageError, CommandFailure, type CliHost } from './cli-host.ts'

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

/** Secrets are short; whatever is longer was piped in by mistake. */
const LONGEST_LINE_BYTES = 4096

/**
 * The first line of stdin, without its line break. Secrets come this way and never as arguments, which every user of the
 * machine can see. Throws CommandFailure when there is none.
 */
export async function readSecretLine(host: CliHost, what: string): Promise<string> {
  if (host.input.isTTY === true) host.remark(`Type ${what} and press Enter (it is shown as you type):\n`)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of host.input) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (bytes.includes(0x0a)) break
    if (length > LONGEST_LINE_BYTES) throw new CommandFailure(`What was given on stdin is too long for ${what}.`)
  }
  const line = Buffer.concat(chunks).toString('utf8').split('\n')[0]?.replace(/\r$/, '') ?? ''
  if (line === '') throw new CommandFailure(`There was nothing on stdin: give ${what} on its first line.`)
  return line
}
