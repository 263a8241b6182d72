import type { IncomingHttpHeaders } from 'node:http'

/** Statuses with which an upstream asks to be left alone: with others the same headers say something else, or are the habit of a server between. */
const ASKS_FOR_REST: ReadonlySet<number> = new Set([429, 503, 529])

/** How long an upstream that answered with this status asks to be left alone: see `statedRestMs`. */
export function askedRestMs(status: number, headers: IncomingHttpHeaders, nowMs: number): number | null {
  return ASKS_FOR_REST.has(status) ? statedRestMs(headers, nowMs) : null
}

/**
 * How long an upstream that refused a request asks to be left alone, in milliseconds, by the headers of its answer; null: it
 * does not say. `nowMs`: epoch milliseconds.
 *
 * `retry-after-ms` is Azure's and OpenAI's, `retry-after` that of RFC 9110 (seconds or a date); after those, the resets of
 * limits of which nothing remains: `anthropic-ratelimit-<limit>-reset` is a moment (RFC 3339), `x-ratelimit-reset-<limit>`
 * a duration such as `6m0s` (both vendors' API references, pages on rate limits), and at Azure whole seconds
 * (openai/openai-dotnet#838), which once stood alone in `x-rate-limit-reset-<limit>` (openai/openai-python#937). Last, the
 * windows of a Claude subscription.
 */
export function statedRestMs(headers: IncomingHttpHeaders, nowMs: number): number | null {
  const ms = positive(Number(first(headers['retry-after-ms'])))
  if (ms !== null) return ms
  const after = first(headers['retry-after'])
  const stated = positive(Number(after) * 1_000) ?? positive(Date.parse(after) - nowMs)
  // A `retry-after: 0` beside a spent limit is the habit of a server between.
  if (stated !== null) return stated
  const resets = LIMITS.map((limit) => spentUntil(headers, limit, nowMs)).filter((rest) => rest !== null)
  return resets.length === 0 ? windowUntil(headers, nowMs) : Math.max(...resets)
}

/**
 * What an upstream that refused a request says is left of the limits that it names; null: it names none. `all`: of its limits
 * of tokens nothing is used, so that the request itself is more than one of them (requests may have counted this one).
 */
export function roomLeft(headers: IncomingHttpHeaders): 'none' | 'some' | 'all' | null {
  let isNamed = false
  let unused: boolean | null = null
  for (const limit of LIMITS) {
    for (const [most, remaining] of NAMES.map((name) => name(limit))) {
      const left = first(headers[remaining])
      if (left === '') continue
      if (!(Number(left) > 0)) return 'none'
      isNamed = true
      if (limit !== 'requests') unused = unused !== false && left === first(headers[most])
    }
  }
  if (unused === true) return 'all'
  return isNamed ? 'some' : null
}

/** The headers that tell a limit and what remains of it. */
const NAMES: readonly ((limit: string) => readonly [most: string, remaining: string])[] = [
  (limit) => [`anthropic-ratelimit-${limit}-limit`, `anthropic-ratelimit-${limit}-remaining`],
  (limit) => [`x-ratelimit-limit-${limit}`, `x-ratelimit-remaining-${limit}`],
]
const LIMITS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const

function spentUntil(headers: IncomingHttpHeaders, limit: string, nowMs: number): number | null {
  if (first(headers[`anthropic-ratelimit-${limit}-remaining`]) === '0') {
    return positive(Date.parse(first(headers[`anthropic-ratelimit-${limit}-reset`])) - nowMs)
  }
  if (first(headers[`x-ratelimit-remaining-${limit}`]) === '0') {
    return positive(durationMs(first(headers[`x-ratelimit-reset-${limit}`])))
  }
  return positive(durationMs(first(headers[`x-rate-limit-reset-${limit}`])))
}

const WINDOWS = ['5h', '7d'] as const

/**
 * When the window of a Claude subscription that is used up ends, as it is answered to its OAuth token: a status of the whole and of each
 * window, and resets in epoch seconds. Anthropic does not document these headers; Claude Code and sub2api read them so.
 * Where no window says that it is the one, `unified-reset` is that of the one which decided.
 */
function windowUntil(headers: IncomingHttpHeaders, nowMs: number): number | null {
  const said = (name: string) => first(headers[`anthropic-ratelimit-unified-${name}`])
  if (said('status') !== 'rejected') return null
  const until = (name: string) => positive(Number(said(name)) * 1_000 - nowMs)
  const spent = WINDOWS.filter((window) => said(`${window}-status`) === 'rejected')
  const resets = spent.map((window) => until(`${window}-reset`)).filter((rest) => rest !== null)
  if (resets.length > 0) return Math.max(...resets)
  return until('reset') ?? until('5h-reset') ?? until('7d-reset')
}

const DURATION = /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,8}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?$/

const SECONDS = /^\d{1,5}$/

function durationMs(text: string): number {
  if (SECONDS.test(text)) return Number(text) * 1_000
  const parts = text === '' ? null : DURATION.exec(text)
  if (parts === null) return NaN
  const [, hours = '0', minutes = '0', seconds = '0', ms = '0'] = parts
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000 + Number(ms)
}

/** A header that came twice counts once. */
function first(value: string | string[] | undefined): string {
  return (typeof value === 'string' ? value : value?.[0])?.trim().slice(0, 64) ?? ''
}

function positive(ms: number): number | null {
  return Number.isFinite(ms) && ms > 0 ? ms : null
}
