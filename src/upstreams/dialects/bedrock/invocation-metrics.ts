import type { JsonObject } from '../../../protocols/json/json-object.ts'

/** The member of a stream's last event by which AWS says what it has counted. */
export const METRICS = 'amazon-bedrock-invocationMetrics'

/**
 * What AWS has counted and the stream has not reported, as members of Anthropic's `usage`; null: nothing. The stream's own counts
 * go before. AWS' input leaves out what was read from a cache and written to it, as Anthropic's does, and both are on the bill:
 * without them cached tokens are charged as nothing (BerriAI/litellm #34373 and #36878).
 */
export function completedUsage(own: JsonObject, metrics: JsonObject): JsonObject | null {
  const [input, read, write] = PROMPT.map(([name]) => countOf(own[name]))
  const counted = PROMPT.map(([name, metric]) => [name, countOf(metrics[metric])] as const)
  const hasNoPrompt = (input ?? 0) + (read ?? 0) + (write ?? 0) === 0
  const added = counted.filter(([name, count]) => count !== null && (hasNoPrompt || countOf(own[name]) === null))
  const output = (countOf(own[OUTPUT]) ?? 0) === 0 ? countOf(metrics['outputTokenCount']) : null
  const isMore = [...added.map(([, count]) => count ?? 0), output ?? 0].some((count) => count > 0)
  if (!isMore) return null
  // All parts of the prompt together: a later report of some is read as one of the parts of an earlier whole.
  const prompt = added.some(([, count]) => count !== 0)
    ? PROMPT.flatMap(([name]) => {
        const count = new Map(added).get(name) ?? countOf(own[name])
        return count === null ? [] : [[name, count] as const]
      })
    : []
  return Object.fromEntries([...prompt, ...(output === null ? [] : [[OUTPUT, output] as const])])
}

const OUTPUT = 'output_tokens'

/** Anthropic's names for the parts of a prompt, and AWS'. */
const PROMPT = [
  ['input_tokens', 'inputTokenCount'],
  ['cache_read_input_tokens', 'cacheReadInputTokenCount'],
  ['cache_creation_input_tokens', 'cacheWriteInputTokenCount'],
] as const

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
