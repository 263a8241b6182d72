/** One way to make a request cost more than it seems. */
import type { UPSTREAMS } from '../attacked-gateway.ts'
import { WIRE_CALLS, type WireCall } from './wire-calls.ts'

/** What holds for a purse that many such requests draw on at once. */
export type Bound =
  /** The limit, and one step of output for each request that ran. */
  | 'steps'
  /** The limit, and one such request: its cost cannot be bounded before it ran, so one runs at a time. */
  | 'one'
  /** Calls of the provider’s tools pass the limit by nothing, since their number is bounded; all else is as at `one`. */
  | 'calls'

/** Why less than the provider's bill may be charged: a rule that the documents state. */
export type Rule = keyof typeof RULES

export const RULES = {
  'left-early':
    'A client that leaves before the first byte pays for the input that it sent; what a provider bills of an answer that never came is the admin’s.',
  'beyond-context': 'A report above the model’s `context_tokens` is charged at that bound, and flagged.',
  'counted-here':
    'The provider reported nothing: the gateway counted by itself, and two tokenizers differ by up to 3 %.',
  'by-last-answers':
    'The provider reported nothing to a client that left: hidden output is charged by what this model’s last answers had.',
  'at-the-bound':
    'The provider reported nothing of a request that brings in what its bytes do not show: all that the model can read is charged.',
  cancelled:
    'The upstream was cancelled when its client left: what it writes for a moment until it hears of that is not charged.',
  'ignores-limit':
    'The upstream ignores the limit that it was sent: what it writes on for a moment after its stream was ended for want of money is not charged.',
} as const

/** When the client hangs up. `stop`: after the last visible word, before the report. */
export type Leaves = 'never' | 'before-first-byte' | 'first-event' | 'stop'

export interface MoneyCase {
  /** What the sender does, in a few words; each stands once in the table. */
  readonly name: string
  readonly family: 'belief' | 'leaves' | 'counts' | 'holds' | 'hidden' | 'prices' | 'tools' | 'translated'
  readonly wire: keyof typeof WIRE_CALLS
  /** What the model is, by the provider's words for it: see `provider.ts`. */
  readonly model: ModelKind
  /** Where the model has its only target, so that calls over other protocols are translated; null: on all. */
  readonly only: keyof typeof UPSTREAMS | null
  readonly isStream: boolean
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: string
  readonly leaves: Leaves
  readonly bound: Bound
  readonly rule: Rule | null
  /** What many at once draw on, in USD; absent: a cent. */
  readonly purseUsd?: string
  /** Set for a model that was not called since the gateway began: the many are played before the one. */
  readonly isCold?: true
  /** Set where it first answers three words, once: it ended by itself, which shows nothing. */
  readonly isBriefFirst?: true
  /** Set for a request that must not reach the provider. */
  readonly isRefused?: true
}

export const MODEL_KINDS = [
  'plain',
  'thinking',
  'silent',
  'unbounded',
  'unbounded-cold',
  'unbounded-brief',
  'eager',
  'priced',
  'tooled',
  'untooled',
] as const
export type ModelKind = (typeof MODEL_KINDS)[number]

/** No two cases have the same. */
export function titleOf({ family, wire, name }: Pick<MoneyCase, 'family' | 'wire' | 'name'>): string {
  return `${family}, ${wire}: ${name}`
}

interface Details extends Partial<Omit<MoneyCase, 'name' | 'family' | 'wire' | 'body'>> {
  /** Written into the body in place of another text, past what JSON.stringify would write. */
  readonly rewrite?: readonly (readonly [string, string])[]
}

/** The case of a body; `MODEL` in it stands for the model's name until it is sent. */
export function moneyCase(
  [family, wire, name]: readonly [MoneyCase['family'], MoneyCase['wire'], string],
  fields: object,
  { rewrite = [], ...details }: Details = {},
): MoneyCase {
  const isStream = details.isStream ?? false
  const call: WireCall = WIRE_CALLS[wire]
  const written = JSON.stringify({ ...call.head(isStream), ...fields })
  return {
    model: 'plain',
    only: null,
    headers: {},
    query: '',
    leaves: 'never',
    bound: 'steps',
    rule: null,
    ...details,
    name,
    family,
    wire,
    isStream,
    body: rewrite.reduce((text, [from, to]) => text.replaceAll(from, to), written),
  }
}

/** The text with each letter as a JSON escape: what a search over bytes does not find, and every parser reads. */
export function escaped(text: string): string {
  return Array.from(text, (letter) => String.raw`\u` + letter.charCodeAt(0).toString(16).padStart(4, '0')).join('')
}
