import { fieldsOf, listOf } from '../json/json-object.ts'
import { NOTHING_REPORTED, tokenCount, type UsageReport } from './usage-report.ts'

/**
 * Reads Converse's `usage`; null when there is none. The names are those of `TokenUsage` in @aws-sdk/client-bedrock-runtime
 * (3.1164). Input, reads and writes are disjoint: the input is what was "not read from or used to create cache" (Bedrock User
 * Guide, "Prompt caching for faster model inference"; strands-agents and inspect_ai #5131 measured the same). The total is not
 * looked at, since it counts the cached input for some models and leaves it out for others. `cacheDetails` says how long the
 * writes live; thoughts are a part of the output that is not reported.
 */
export function readConverseUsage(value: unknown): UsageReport | null {
  if (typeof value !== 'object' || value === null) return null
  const usage = fieldsOf(value)
  return {
    ...NOTHING_REPORTED,
    input: tokenCount(usage['inputTokens']),
    cacheRead: tokenCount(usage['cacheReadInputTokens']),
    cacheWrite: tokenCount(usage['cacheWriteInputTokens']),
    cacheWrite1h: longLived(usage['cacheDetails']),
    output: tokenCount(usage['outputTokens']),
  }
}

function longLived(details: unknown): number | null {
  const entry = listOf(details)
    .map(fieldsOf)
    .find(({ ttl }) => ttl === '1h')
  return entry === undefined ? null : tokenCount(entry['inputTokens'])
}
