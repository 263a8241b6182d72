import { fieldsOf, NOTHING_REPORTED, tokenCount, type UsageReport } from './usage-tally.ts'

/**
 * Reads the `usage` object of OpenAI's wires: `prompt_tokens` and `completion_tokens` on chat completions and
 * embeddings, `input_tokens` and `output_tokens` on responses. Null when there is none.
 *
 * Cached tokens: `…_tokens_details.cached_tokens`, at Moonshot `usage.cached_tokens`, at DeepSeek
 * `prompt_cache_hit_tokens`. Writes: `…_tokens_details.cache_write_tokens`, reported from the GPT-5.6 family on and by
 * OpenRouter, and part of the input like the reads.
 */
export function readOpenaiUsage(value: unknown): UsageReport | null {
  if (typeof value !== 'object' || value === null) return null
  const usage = fieldsOf(value)
  const inputDetails = fieldsOf(usage['prompt_tokens_details'] ?? usage['input_tokens_details'])
  const outputDetails = fieldsOf(usage['completion_tokens_details'] ?? usage['output_tokens_details'])
  return {
    ...NOTHING_REPORTED,
    input: tokenCount(usage['prompt_tokens'] ?? usage['input_tokens']),
    cacheRead:
      tokenCount(inputDetails['cached_tokens']) ??
      tokenCount(usage['cached_tokens']) ??
      tokenCount(usage['prompt_cache_hit_tokens']),
    cacheWrite: tokenCount(inputDetails['cache_write_tokens']),
    output: tokenCount(usage['completion_tokens'] ?? usage['output_tokens']),
    reasoning: tokenCount(outputDetails['reasoning_tokens']),
    total: tokenCount(usage['total_tokens']),
  }
}
