import { countedLimitFacts } from '../../core/counted-limits.ts'
import type { WireFamily } from '../../core/wire.ts'
import type { LimitState } from '../../metering/limits/limit-terms.ts'
import { LONGEST_RESET_MS, remainingOf } from '../../metering/limits/limits-left.ts'

/**
 * How the caller's own limits stand, as response headers: names and values in turn. OpenAI's clients read
 * `x-ratelimit-{limit,remaining,reset}-{requests,tokens}` with a duration (`1s`, `6m0s`) as reset, Anthropic's
 * `anthropic-ratelimit-{requests,tokens}-{limit,remaining,reset}` with a moment (RFC 3339): both vendors' API references.
 * Concurrency has no reset, and no name of Anthropic's. `nowMs`: epoch milliseconds at which `states` were read.
 */
export function limitHeaders(family: WireFamily, states: readonly LimitState[], nowMs: number): readonly string[] {
  const headers: string[] = []
  for (const state of states) {
    const { limit, max } = state
    const resetMs = Math.min(state.resetMs, LONGEST_RESET_MS)
    const remaining = String(remainingOf(state))
    headers.push(`x-ratelimit-limit-${limit}`, String(max), `x-ratelimit-remaining-${limit}`, remaining)
    if (countedLimitFacts(limit).window === null) continue
    headers.push(`x-ratelimit-reset-${limit}`, duration(resetMs))
    headers.push(...OWN_HEADERS[family](state, { remaining, resetAtMs: nowMs + resetMs }))
  }
  return headers
}

interface LimitReading {
  readonly remaining: string
  /** Epoch milliseconds. */
  readonly resetAtMs: number
}

/** What the clients of one family read besides; Google's read none. */
const OWN_HEADERS: Record<WireFamily, (state: LimitState, reading: LimitReading) => readonly string[]> = {
  openai: () => [],
  anthropic: ({ limit, max }, { remaining, resetAtMs }) => [
    `anthropic-ratelimit-${limit}-limit`,
    String(max),
    `anthropic-ratelimit-${limit}-remaining`,
    remaining,
    `anthropic-ratelimit-${limit}-reset`,
    moment(resetAtMs),
  ],
  gemini: () => [],
}

/** A duration as OpenAI writes it. Rounded up: after that wait the limit is free. */
function duration(ms: number): string {
  if (ms < 1_000) return ms <= 0 ? '0s' : `${Math.ceil(ms)}ms`
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`
}

function moment(ms: number): string {
  return new Date(Math.ceil(ms / 1_000) * 1_000).toISOString().replace('.000Z', 'Z')
}
