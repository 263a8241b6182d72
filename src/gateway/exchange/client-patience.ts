import type { IncomingHttpHeaders } from 'node:http'
import { CLIENT_PATIENCE_LEAST_MS } from '../../core/limits.ts'
import type { ExchangeContext } from './context.ts'

/**
 * Headers in which clients say, in seconds, how long they wait. `x-stainless-timeout`: the OpenAI and Anthropic libraries for
 * JavaScript, until the head of the answer (`buildHeaders` in `client.js` of openai 7.55 and of @anthropic-ai/sdk).
 * `x-stainless-read-timeout`: those for Python, until any bytes come (changelogs, “send `X-Stainless-Read-Timeout` header”).
 */
const HEADERS = ['x-stainless-timeout', 'x-stainless-read-timeout'] as const
const SECONDS = /^\d{1,6}(?:\.\d{1,6})?$/

/** How long the client waits for the first of an answer, in milliseconds; null: it does not say, or nothing that can be. */
export function clientPatienceMs(headers: IncomingHttpHeaders): number | null {
  let least: number | null = null
  for (const name of HEADERS) {
    const said = headers[name]
    if (typeof said !== 'string' || !SECONDS.test(said)) continue
    const ms = Number(said) * 1_000
    if (ms > 0) least = Math.min(least ?? Infinity, Math.max(ms, CLIENT_PATIENCE_LEAST_MS))
  }
  return least
}

/** Whether the client times out before `at`, a reading of `Clock.elapsed`. Asked where a first attempt was not enough. */
export function clientTimesOutBefore({ headers, answer, trace }: ExchangeContext, at: number): boolean {
  // With the head of a stream, which is sent early to keep it waiting, its own time begins anew or is over.
  if (answer.hasBegun) return false
  const patience = clientPatienceMs(headers)
  return patience !== null && at - trace.startedAt >= patience
}
