import { added, NOTHING_REPORTED, tokenCount, type UsageReport } from './usage-report.ts'
import { fieldsOf } from '../json/json-object.ts'

/**
 * Reads Gemini's `usageMetadata`; null when there is none. The names are those of `GenerateContentResponseUsageMetadata` in
 * googleapis/js-genai (3.1). The prompt includes what was read from a cache; results of tools that Google ran are input
 * beside it; thoughts are output beside the candidates. Counts that are 0 are left out on this wire, so that beside a total
 * no output means none.
 *
 * Details by modality: sound and images of the prompt, without those that came from the cache, which are priced as cached.
 */
export function readGeminiUsage(value: unknown): UsageReport | null {
  if (typeof value !== 'object' || value === null) return null
  const usage = fieldsOf(value)
  const input = added(tokenCount(usage['promptTokenCount']), tokenCount(usage['toolUsePromptTokenCount']))
  return {
    ...NOTHING_REPORTED,
    input,
    cacheRead: tokenCount(usage['cachedContentTokenCount']),
    output: outputOf(usage, input),
    reasoning: tokenCount(usage['thoughtsTokenCount']),
    audioInput: uncached(usage, 'AUDIO'),
    imageInput: uncached(usage, 'IMAGE'),
    audioOutput: ofModality(usage['candidatesTokensDetails'], 'AUDIO'),
  }
}

/** Some upstreams count the thoughts within the candidates; the total tells. */
function outputOf(usage: Readonly<Record<string, unknown>>, input: number | null): number | null {
  const candidates = tokenCount(usage['candidatesTokenCount'])
  const thoughts = tokenCount(usage['thoughtsTokenCount'])
  const total = tokenCount(usage['totalTokenCount'])
  if (candidates === null && thoughts === null) {
    return total === null || input === null ? null : Math.max(0, total - input)
  }
  const includesThoughts = (candidates ?? 0) >= (thoughts ?? 0) && total === (input ?? 0) + (candidates ?? 0)
  return includesThoughts ? candidates : added(candidates, thoughts)
}

function uncached(usage: Readonly<Record<string, unknown>>, modality: string): number | null {
  const all = added(
    ofModality(usage['promptTokensDetails'], modality),
    ofModality(usage['toolUsePromptTokensDetails'], modality),
  )
  if (all === null) return null
  return Math.max(0, all - (ofModality(usage['cacheTokensDetails'], modality) ?? 0))
}

function ofModality(details: unknown, modality: string): number | null {
  if (!Array.isArray(details)) return null
  return details
    .map(fieldsOf)
    .filter((each) => each['modality'] === modality)
    .reduce<number | null>((sum, each) => added(sum, tokenCount(each['tokenCount'])), null)
}
