import { COUNTED_LIMIT_NAMES, type CountedLimit, countedLimitFacts } from '../../core/counted-limits.ts'
import type { LimitState } from './limit-terms.ts'

/** How one limit stood when a request was let in, as the headers of its response said it. */
export interface LimitLeft {
  readonly limit: CountedLimit
  readonly max: number
  readonly remaining: number
  /** Epoch milliseconds; null: it counts what runs now, which has no reset. */
  readonly resetsAt: number | null
}

/** No date can be made of a wait without end. */
export const LONGEST_RESET_MS = 86_400_000

/** What is left of each limit. `nowMs`: epoch milliseconds at which `states` were read. */
export function limitsLeft(states: readonly LimitState[], nowMs: number): readonly LimitLeft[] {
  return states.map(({ limit, max, used, resetMs }) => ({
    limit,
    max,
    remaining: remainingOf({ max, used }),
    resetsAt: countedLimitFacts(limit).window === null ? null : Math.ceil(nowMs + Math.min(resetMs, LONGEST_RESET_MS)),
  }))
}

/** Whole, and never less than nothing: what was estimated may turn out to be more than the limit. */
export function remainingOf({ max, used }: Pick<LimitState, 'max' | 'used'>): number {
  return Math.max(0, Math.floor(max - used))
}

/** Writes limits as a record keeps them: `requests 60 59 1795219200000, concurrency 4 3 -`; null: there were none. */
export function writtenLimits(left: readonly LimitLeft[]): string | null {
  if (left.length === 0) return null
  return left.map(({ limit, max, remaining, resetsAt }) => `${limit} ${max} ${remaining} ${resetsAt ?? '-'}`).join(', ')
}

/** Reads what a record kept. Limits that this version does not know, as a newer one may have written them, are left out. */
export function readLimits(written: string | null): readonly LimitLeft[] {
  if (written === null) return []
  return written.split(', ').flatMap((each) => {
    const [name, max, remaining, resetsAt] = each.split(' ')
    const limit = COUNTED_LIMIT_NAMES.find((known) => known === name)
    const isWhole = [max, remaining].every((text) => text !== undefined && /^\d+$/.test(text))
    if (limit === undefined || !isWhole) return []
    return [
      {
        limit,
        max: Number(max),
        remaining: Number(remaining),
        resetsAt: resetsAt !== undefined && /^\d+$/.test(resetsAt) ? Number(resetsAt) : null,
      },
    ]
  })
}
