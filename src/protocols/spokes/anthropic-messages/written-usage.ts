import { totalOutput } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { StreamUsage } from '../../hub/spoke.ts'

/** The `usage` of an answer. Its clients need each of these numbers, so what was not reported is 0, but for the output. */
export function writtenUsage({ reported, estimatedOutputTokens }: StreamUsage): JsonObject {
  const { input, cacheRead, cacheWrite, cacheWrite1h, reasoning, other } = reported
  return {
    input_tokens: (input ?? 0) + (other?.audioInput ?? 0) + (other?.imageInput ?? 0),
    cache_creation_input_tokens: (cacheWrite ?? 0) + (cacheWrite1h ?? 0),
    cache_read_input_tokens: cacheRead ?? 0,
    output_tokens: totalOutput(reported) ?? estimatedOutputTokens,
    ...(reasoning === null ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  }
}
