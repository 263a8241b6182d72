import { reportedCalls } from './answer-calls.ts'
import { added, NOTHING_REPORTED, sumOf, tokenCount, type UsageReport } from './usage-report.ts'
import { fieldsOf } from '../json/json-object.ts'

/**
 * Reads Anthropic's `usage` object; null when there is none. Input, reads and writes are disjoint on this wire.
 * `cache_creation` splits the writes by how long they live; without it they count as short-lived.
 *
 * Entries of `iterations` with type `compaction` are billed and are *not* part of the top-level counts (documented in
 * `BetaUsage` of @anthropic-ai/sdk 1.11), so they are reported besides. `advisor_message` entries are not: they are priced
 * as another model, and this wire's answer has only one. `server_tool_use` counts searches, which are not tokens.
 */
export function readAnthropicUsage(value: unknown): UsageReport | null {
  if (typeof value !== 'object' || value === null) return null
  const usage = fieldsOf(value)
  const compactions = Array.isArray(usage['iterations'])
    ? usage['iterations'].map(fieldsOf).filter((entry) => entry['type'] === 'compaction')
    : []
  const [first, ...others] = compactions.map(countsOf)
  const calls = reportedCalls(usage)
  return {
    ...(calls === undefined ? {} : { calls }),
    ...countsOf(usage),
    besides: first === undefined ? null : others.reduce(sumOf, first),
  }
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
