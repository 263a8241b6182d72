import { totalInput, totalOutput, type TokenCounts } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'

/**
 * The `usage` of an answer, in tokens: `prompt_tokens` is the whole input, with what was read from and written to a cache.
 * Null where the input was not reported, since this wire has no way to say so but to leave the usage out.
 * `estimatedOutputTokens` stands for an output that was not reported.
 */
export function writeUsage(counts: TokenCounts, estimatedOutputTokens: number): JsonObject | null {
  const prompt = totalInput(counts)
  if (prompt === null) return null
  const completion = totalOutput(counts) ?? estimatedOutputTokens
  const { cacheRead, cacheWrite, cacheWrite1h, reasoning, other } = counts
  const written = cacheWrite === null && cacheWrite1h === null ? null : (cacheWrite ?? 0) + (cacheWrite1h ?? 0)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: cacheRead ?? 0,
      ...(written === null ? {} : { cache_write_tokens: written }),
      ...(other === null ? {} : { audio_tokens: other.audioInput }),
    },
    completion_tokens_details: {
      reasoning_tokens: reasoning ?? 0,
      ...(other === null ? {} : { audio_tokens: other.audioOutput }),
    },
  }
}
