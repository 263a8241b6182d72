import { HOUR_MS, MINUTE_MS } from '../core/durations.ts'

const SECOND_MS = 1000

/** How long to wait after each failed try. After the last of them there is one more try, and then no other. */
const PAUSES_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS] as const

/** So many tries at most: some seven hours from the first to the last. */
export const TRIES_LIMIT = PAUSES_MS.length + 1

/** So that what failed together does not come back together. */
const JITTER_PART = 0.2
const LONGEST_PAUSE_MS = 6 * HOUR_MS

/**
 * How long to wait after the try of this number (from 1) failed, in milliseconds; null: it was the last. `random` returns
 * 0 up to 1. What the other side asked for in `retryAfterMs` is respected, up to the longest pause there is.
 */
export function pauseAfter(
  tries: number,
  { random, retryAfterMs }: { random: () => number; retryAfterMs: number | null },
): number | null {
  const pauseMs = PAUSES_MS[tries - 1]
  if (pauseMs === undefined) return null
  const spreadMs = Math.round(pauseMs * (1 + JITTER_PART * random()))
  return Math.max(spreadMs, Math.min(retryAfterMs ?? 0, LONGEST_PAUSE_MS))
}
