import { fieldsOf, NOTHING_REPORTED, tokenCount, type UsageReport } from './usage-tally.ts'

/**
 * Reads Anthropic's `usage` object; null when there is none. Input, reads and writes are disjoint on this wire.
 * `cache_creation` splits the writes by how long they live; without it they count as short-lived.
 *
 * Entries of `iterations` with type `compaction` are billed and are *not* part of the top-level counts (documented in
 * `BetaUsage` of @anthropic-ai/sdk 1.11), so they are added. `advisor_message` entries are not: they are priced as
 * another model, and this wire's answer has only one.
 */
export function readAnthropicUsage(value: unknown): UsageReport | null {
  if (typeof value !== 'object' || value === null) return null
  const usage = fieldsOf(value)
  const compactions = Array.isArray(usage['iterations'])
    ? usage['iterations'].map(fieldsOf).filter((entry) => entry['type'] === 'compaction')
    : []
  return compactions.map(countsOf).reduce(sum, countsOf(usage))
}

function countsOf(usage: Readonly<Record<string, unknown>>): UsageReport {
  const byLife = fieldsOf(usage['cache_creation'])
  const shortLived = tokenCount(byLife['ephemeral_5m_input_tokens'])
  const longLived = tokenCount(byLife['ephemeral_1h_input_tokens'])
  return {
    ...NOTHING_REPORTED,
    input: tokenCount(usage['input_tokens']),
    cacheRead: tokenCount(usage['cache_read_input_tokens']),
    cacheWrite: tokenCount(usage['cache_creation_input_tokens']) ?? added(shortLived, longLived),
    cacheWrite1h: longLived,
    output: tokenCount(usage['output_tokens']),
    reasoning: tokenCount(fieldsOf(usage['output_tokens_details'])['thinking_tokens']),
  }
}

function sum(one: UsageReport, other: UsageReport): UsageReport {
  return {
    input: added(one.input, other.input),
    cacheRead: added(one.cacheRead, other.cacheRead),
    cacheWrite: added(one.cacheWrite, other.cacheWrite),
    cacheWrite1h: added(one.cacheWrite1h, other.cacheWrite1h),
    output: added(one.output, other.output),
    reasoning: added(one.reasoning, other.reasoning),
    total: null,
  }
}

/** Null only when neither was reported; a sum beyond what can be counted is not reported either. */
function added(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : tokenCount((one ?? 0) + (other ?? 0))
}
