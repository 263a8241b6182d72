import type { UpstreamTrialView, UpstreamView } from '../../../../src/contract/upstreams.ts'

/** How an upstream is asked. */
export type Way = Pick<UpstreamView, 'protocol' | 'base_url'>

/** Statuses that speak of something other than the protocol or the address: no credit, too late, too many requests. */
const OF_OTHERS: readonly number[] = [402, 408, 429]

/** Whether a test failed as one does that reached the wrong path, or spoke the wrong protocol. */
export function seemsMisaddressed({ ok, connected, status, class: ended }: UpstreamTrialView): boolean {
  if (ok || !connected) return false
  if (ended === 'malformed' || ended === 'not_found') return true
  return status !== null && status >= 400 && status < 500 && !OF_OTHERS.includes(status)
}

/**
 * The ways to try when a test failed, the likeliest first. Clients of OpenAI's protocol add no version to a base URL, so one
 * without it is tried with `/v1`.
 */
export function otherWays({ base_url: given, protocol }: Way, tried: readonly Way[]): readonly Way[] {
  const versioned = /\/v\d[\w.]*$/.test(given) ? given : `${given}/v1`
  const ways: readonly Way[] = [
    { protocol: 'openai-chat', base_url: versioned },
    { protocol: 'openai-chat', base_url: given },
    { protocol: 'anthropic', base_url: given },
  ]
  const isSame = (one: Way, other: Way) => one.protocol === other.protocol && one.base_url === other.base_url
  const known = [{ base_url: given, protocol }, ...tried]
  return ways.filter((way, index) => {
    const isFirst = ways.findIndex((each) => isSame(each, way)) === index
    return isFirst && !known.some((each) => isSame(each, way))
  })
}
