import type { Rational } from '../rational.ts'
import { entriesOf } from '../source.ts'
import type { FixedUsage } from './usages.ts'

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
