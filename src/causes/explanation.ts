import type { FaultFacts } from '../core/fact-values.ts'
import type { FaultCode } from '../core/faults.ts'

export type { FaultFacts } from '../core/fact-values.ts'

/** Why this very request was refused, and what to do about it: whole sentences. */
export interface Explanation {
  readonly cause: string
  readonly remedy: string
}

/** How the reader likes moments (RFC 3339) written. */
export interface HowTold {
  readonly time: (rfc3339: string) => string
}

/** One language's words for the facts of a fault. null: they say nothing beyond what the fault's page says. */
export type Explain = (code: FaultCode, facts: FaultFacts, how?: HowTold) => Explanation | null

/** The words of one language for each fault that has facts. */
export type ExplainTable = {
  readonly [C in FaultCode]?: (facts: FaultFacts, time: (rfc3339: string) => string) => Explanation | null
}

const AS_WRITTEN: HowTold = { time: (rfc3339) => rfc3339 }

/** The explanation by a table of words. A record of another version may lack any fact: then there is none. */
export function explainBy(table: ExplainTable): Explain {
  return (code, facts, how = AS_WRITTEN) => (facts.is_quoted === true ? null : (table[code]?.(facts, how.time) ?? null))
}

/** The two largest units are exact enough for a wait. `seconds`: whole. */
export function roughWait(
  seconds: number,
  unit: { readonly min: string; readonly h: string; readonly days: string },
): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} ${unit.min}`
  return hours < 48
    ? `${hours} ${unit.h} ${minutes % 60} ${unit.min}`
    : `${Math.floor(hours / 24)} ${unit.days} ${hours % 24} ${unit.h}`
}

/** Whether nothing may be used under a limit, so that waiting never helps. */
export function isZeroLimit({ max, limit_usd: limitUsd }: FaultFacts): boolean {
  return max === 0 || (limitUsd !== undefined && !/[1-9]/.test(limitUsd))
}
