import { type Rational, NOTHING, plus, rational, times } from '../rational.ts'
import { entriesOf } from '../source.ts'
import { NO_TOKENS, type TokenCounts } from '../../core/tokens.ts'
import { NO_UNITS } from '../../core/units.ts'

/** What a running source answered to one question. */
export type SourceAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'failed'; readonly why: string }

/** Asks the running source: one GET, to the address that was named and to no other. */
export type AskSource = (path: string, headers: Readonly<Record<string, string>>) => Promise<SourceAnswer>

/** What a source says that it charges. */
export interface SaidCharge {
  /** The amount in nano-USD, before it is rounded. */
  readonly nano: Rational
  /** The nano-USD to which it rounds. */
  readonly unit: bigint
  /** The multiplier of the group is in it; else it is the plain price. */
  readonly isMultiplied: boolean
}

/** The prices of a running source, by a formula of its own and not by the import's. */
export interface SaidPrices {
  /** null: it does not say. `group`: as it is called here. Several: by the deployments that serve the model. */
  chargesOf(model: string, group: string, usage: FixedUsage): readonly SaidCharge[] | null
  /** Names of all models that it has a price for; null: it does not say. */
  readonly models: ReadonlySet<string> | null
  /** What cannot be compared, a sentence each. */
  readonly unsaid: readonly string[]
}

export function noPrices(...unsaid: readonly string[]): SaidPrices {
  return { chargesOf: () => null, models: null, unsaid }
}

/** What the tokens of a usage cost at these prices of one token each. */
export function costOfTokens(usage: FixedUsage, prices: Readonly<Record<FixedKind, Rational>>): Rational {
  return TOKEN_KINDS.reduce((sum, kind) => plus(sum, times(rational(BigInt(usage[kind])), prices[kind])), NOTHING)
}

const TOKEN_KINDS = ['input', 'cacheRead', 'cacheWrite', 'output'] as const
type FixedKind = (typeof TOKEN_KINDS)[number]

export function bearer(secret: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${secret}` }
}

/** The body of an answer that is good; null: it is none. */
export function goodBody(answer: SourceAnswer): unknown {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status < 300 ? answer.body : null
}

export function whyNot(answer: SourceAnswer): string {
  if (answer.kind === 'failed') return answer.why
  return answer.status >= 200 && answer.status < 300
    ? 'it answered with something that cannot be read'
    : `it answered with the status ${answer.status}`
}

export function fieldIn(value: unknown, name: string): unknown {
  return entriesOf(value).find(([field]) => field === name)?.[1]
}

/** What stands in a list, as maps; none for anything else. */
export function mapsIn(value: unknown): readonly ReadonlyMap<string, unknown>[] {
  return Array.isArray(value) ? value.map((each) => new Map(entriesOf(each))) : []
}

/** Names in a list of models, in the form of OpenAI; null: it is none. */
export function modelsIn(body: unknown): ReadonlySet<string> | null {
  const data = fieldIn(body, 'data')
  if (!Array.isArray(data)) return null
  return new Set(mapsIn(data).flatMap((each) => (typeof each.get('id') === 'string' ? [String(each.get('id'))] : [])))
}

/** What is charged for there and here, to compare the two: kinds that do not overlap. */
export interface FixedUsage {
  readonly name: 'A' | 'B' | 'C'
  /** Neither read from a cache nor written to one. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

/** A short request, a long conversation most of which is in the cache, and a prompt beyond the usual lengths of one price. */
export const FIXED_USAGES: readonly FixedUsage[] = [
  { name: 'A', input: 1_000, cacheRead: 0, cacheWrite: 0, output: 500 },
  { name: 'B', input: 4_000, cacheRead: 60_000, cacheWrite: 2_000, output: 1_500 },
  { name: 'C', input: 300_000, cacheRead: 0, cacheWrite: 0, output: 8_000 },
]

/** Counts in the form in which they are charged here. */
export function countsOf({ input, cacheRead, cacheWrite, output }: FixedUsage): TokenCounts {
  return { ...NO_TOKENS, input, cacheRead, cacheWrite, output, units: { ...NO_UNITS, requests: 1 } }
}

/** What they are, for the report. */
export const USAGES_SHOWN = FIXED_USAGES.map(({ name, input, cacheRead, cacheWrite, output }) => {
  const cached = cacheRead === 0 ? '' : `, ${count(cacheRead)} from the cache, ${count(cacheWrite)} into it`
  return `${name}: ${count(input)} tokens in${cached}, ${count(output)} out`
}).join('; ')

function count(tokens: number): string {
  return tokens.toLocaleString('en-US')
}
