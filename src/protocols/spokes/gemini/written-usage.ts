import { totalInput, totalOutput } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { StreamUsage } from '../../hub/spoke.ts'

/** `usageMetadata`: the prompt with what came from a cache, and the output without the thoughts. What was not reported is left out. */
export function writtenUsage({ reported, estimatedOutputTokens }: StreamUsage): JsonObject {
  const input = totalInput(reported)
  const output = totalOutput(reported) ?? estimatedOutputTokens
  const thoughts = Math.min(reported.reasoning ?? 0, output)
  return {
    ...(input === null ? {} : { promptTokenCount: input }),
    ...(reported.cacheRead === null || reported.cacheRead === 0 ? {} : { cachedContentTokenCount: reported.cacheRead }),
    candidatesTokenCount: output - thoughts,
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
    totalTokenCount: (input ?? 0) + output,
  }
}
