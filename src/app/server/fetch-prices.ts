import type { FetchedPrices, PriceFetchFailure } from '../../contract/price-fetch.ts'
import { CONNECT_TIMEOUT_MS, PRICE_FETCH_MS, PRICE_LIST_LIMIT_BYTES } from '../../core/limits.ts'
import { parseShallow } from '../../core/shallow-json.ts'
import { HttpUpstream } from '../../upstreams/http-upstream.ts'
import { kindOfUnreachable, whyUnreachable } from '../../upstreams/why-unreachable.ts'
import { askOnce, type OnceAnswer } from './ask-once.ts'
import { priceListIn } from './price-list.ts'

const BOUNDS = { limitMs: PRICE_FETCH_MS, limitBytes: PRICE_LIST_LIMIT_BYTES }

/**
 * Asks another server for its list of prices: once, without a credential, following no redirect. As with a test of an upstream,
 * an admin learns of an address whether it answers, and reads of what is there nothing but prices.
 *
 * @param url as `readPriceUrl` gives it
 */
export async function fetchPrices(url: string, { limitMs, limitBytes } = BOUNDS): Promise<FetchedPrices> {
  const { origin, pathname, search } = new URL(url)
  const client = new HttpUpstream({
    baseUrl: origin,
    headers: {},
    connectTimeoutMs: Math.min(limitMs, CONNECT_TIMEOUT_MS),
    maxConcurrency: null,
  })
  try {
    const answer = await askOnce(client, { path: pathname + search, headers: {} }, { limitMs, limitBytes })
    return { url, ...readAnswer(answer, { limitMs, limitBytes }) }
  } finally {
    await client.close()
  }
}

type Read = { readonly result: 'read'; readonly document: Record<string, unknown> } | Failed
interface Failed {
  readonly result: PriceFetchFailure
  readonly status: number | null
  readonly detail: string
}

function readAnswer(answer: OnceAnswer, { limitMs, limitBytes }: typeof BOUNDS): Read {
  if (answer.kind === 'late') {
    return { result: 'too_slow', status: null, detail: `It did not answer in full within ${limitMs / 1000} s.` }
  }
  if (answer.kind === 'failed') {
    return { result: kindOfUnreachable(answer.cause), status: null, detail: whyUnreachable(answer.cause) }
  }
  const { status, body, isCut } = answer
  const failed = (result: PriceFetchFailure, detail: string): Failed => ({ result, status, detail })
  if (status >= 300 && status < 400) {
    return failed('redirect', 'It redirects, and redirects are not followed: enter the final URL.')
  }
  if (status < 200 || status >= 300) return failed('status', `It answered with the status ${status}.`)
  if (isCut) return failed('too_large', `It has more than ${limitBytes / 1024 / 1024} MB.`)
  let parsed: unknown
  try {
    parsed = parseShallow(body)
  } catch {
    return failed('not_json', 'It answered with something else than JSON.')
  }
  const document = priceListIn(parsed)
  if (document === null) return failed('unknown_form', 'It is not a list of prices of Tollgate, models.dev or LiteLLM.')
  return { result: 'read', document }
}
