import type { TokenCounts } from '../../core/tokens.ts'
import { reportedCalls } from './answer-calls.ts'
import { added, NOTHING_REPORTED, tokenCount, type UsageReport } from './usage-report.ts'
import { fieldsOf } from '../json/json-object.ts'
import { UsageTally } from './usage-tally.ts'

/**
 * Reads the `usage` object of OpenAI's wires: `prompt_tokens` and `completion_tokens` on chat completions and
 * embeddings, `input_tokens` and `output_tokens` on responses. Null when there is none.
 *
 * Cached tokens: `…_tokens_details.cached_tokens`, at Moonshot `usage.cached_tokens`, at DeepSeek
 * `prompt_cache_hit_tokens`. Writes: `…_tokens_details.cache_write_tokens`, reported from the GPT-5.6 family on and by
 * OpenRouter, at Alibaba `…_tokens_details.cache_creation_input_tokens`, and part of the input like the reads. LiteLLM puts
 * Anthropic's names for both beside OpenAI's counts, which include them.
 *
 * Audio and images: `…_tokens_details.audio_tokens` and `image_tokens`, parts of input and output. Prediction tokens
 * (`accepted_…`, `rejected_…`) are parts of the output and priced as such.
 */
export function readOpenaiUsage(value: unknown): UsageReport | null {
  if (typeof value !== 'object' || value === null) return null
  const usage = fieldsOf(value)
  const inputDetails = fieldsOf(usage['prompt_tokens_details'] ?? usage['input_tokens_details'])
  const outputDetails = fieldsOf(usage['completion_tokens_details'] ?? usage['output_tokens_details'])
  const calls = reportedCalls(usage)
  const report: UsageReport = {
    ...NOTHING_REPORTED,
    ...(calls === undefined ? {} : { calls }),
    input: tokenCount(usage['prompt_tokens'] ?? usage['input_tokens']),
    cacheRead:
      tokenCount(inputDetails['cached_tokens']) ??
      tokenCount(usage['cached_tokens']) ??
      tokenCount(usage['prompt_cache_hit_tokens']) ??
      tokenCount(usage['cache_read_input_tokens']),
    cacheWrite:
      tokenCount(inputDetails['cache_write_tokens']) ??
      tokenCount(inputDetails['cache_creation_input_tokens']) ??
      tokenCount(usage['cache_creation_input_tokens']),
    cacheWrite1h: tokenCount(fieldsOf(usage['cache_creation'])['ephemeral_1h_input_tokens']),
    output: tokenCount(usage['completion_tokens'] ?? usage['output_tokens']),
    reasoning: tokenCount(outputDetails['reasoning_tokens']),
    audioInput: tokenCount(inputDetails['audio_tokens']),
    imageInput: tokenCount(inputDetails['image_tokens']),
    audioOutput: tokenCount(outputDetails['audio_tokens']),
    total: tokenCount(usage['total_tokens']),
  }
  return report.reasoning === null ? withPerplexityReasoning(report, tokenCount(usage['reasoning_tokens'])) : report
}

/** Perplexity has its reasoning beside the output and outside of the total (bgeneto/open-webui-cost-tracker #6). */
function withPerplexityReasoning(report: UsageReport, reasoning: number | null): UsageReport {
  const { output, total } = report
  if (output === null || reasoning === null || reasoning <= output) return { ...report, reasoning }
  return {
    ...report,
    reasoning,
    output: added(output, reasoning),
    total: total === null ? null : added(total, reasoning),
  }
}

/** The counts of a whole answer with this usage. */
export function openaiCounts(usage: unknown): TokenCounts {
  return countsIn(readOpenaiUsage(usage))
}

/**
 * The usage of wires whose answers are not tokens (vectors, verdicts, ranks): a report of the input alone is complete there,
 * so the output is 0 and not unknown. Voyage and Jina report the total alone.
 */
export function inputOnlyCounts(usage: unknown): TokenCounts {
  const report = readOpenaiUsage(usage)
  return countsIn(report === null ? null : { ...report, input: report.input ?? report.total, output: 0, total: null })
}

/** Counts as OpenAI's wires report them: the input includes what was read from a cache. */
export function countsIn(report: UsageReport | null): TokenCounts {
  const tally = new UsageTally({ inputIncludesCache: true })
  tally.add(report)
  return tally.counts
}

/**
 * The usage in a chunk of a chat completion's stream. Moonshot has it within the choice that finishes, Groq as
 * `x_groq.usage` unless the request asked for usage.
 */
export function readChunkUsage(chunk: Readonly<Record<string, unknown>>): UsageReport | null {
  const usual = readOpenaiUsage(chunk['usage'])
  if (usual !== null) return usual
  const choices = chunk['choices']
  const ofChoice = Array.isArray(choices) ? readOpenaiUsage(fieldsOf(choices[0])['usage']) : null
  return ofChoice ?? readOpenaiUsage(fieldsOf(chunk['x_groq'])['usage'])
}
