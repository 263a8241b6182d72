import { fieldsOf, type JsonObject, listOf } from '../../json/json-object.ts'
import type { TokenLogprob } from '../../hub/neutral-request.ts'
import type { Stop } from '../../hub/neutral-answer.ts'
import { readStopWord, type StopReason } from '../../reading/stop-words.ts'
import { totalInput, totalOutput } from '../../../core/tokens.ts'
import type { StreamUsage } from '../../hub/spoke.ts'

/** `logprobsResult`: the tokens that were chosen, and beside each the likeliest ones. Empty where it tells nothing. */
export function readLogprobs(result: unknown): readonly TokenLogprob[] {
  const { chosenCandidates, topCandidates } = fieldsOf(result)
  const tops = listOf(topCandidates)
  return listOf(chosenCandidates).flatMap((chosen, i): TokenLogprob[] => {
    const token = readToken(chosen)
    const top = listOf(fieldsOf(tops[i])['candidates']).flatMap((other) => readToken(other) ?? [])
    return token === null ? [] : [{ ...token, top }]
  })
}

function readToken(value: unknown): Omit<TokenLogprob, 'top'> | null {
  const { token, logProbability } = fieldsOf(value)
  if (typeof token !== 'string' || typeof logProbability !== 'number') return null
  return { token, logprob: logProbability, bytes: null }
}

/** Writes what `readLogprobs` reads. */
export function writeLogprobs(logprobs: readonly TokenLogprob[]): JsonObject {
  const written = ({ token, logprob }: { token: string; logprob: number }): JsonObject => {
    return { token, logProbability: logprob }
  }
  return {
    chosenCandidates: logprobs.map(written),
    ...(logprobs.some(({ top }) => top.length > 0)
      ? { topCandidates: logprobs.map(({ top }) => ({ candidates: top.map(written) })) }
      : {}),
  }
}

/** Google's `finishReason`. It has no word of its own for calls: an answer with some stops like any other. */
export function readFinishReason(finishReason: string, hasCalls: boolean): Stop {
  return { reason: readStopWord(finishReason, hasCalls), sequence: null }
}

/** Whether a candidate says that it is finished. */
export function isFinished(finishReason: unknown): finishReason is string {
  return typeof finishReason === 'string' && finishReason !== '' && finishReason !== 'FINISH_REASON_UNSPECIFIED'
}

/** The `finishReason` of an answer that stopped for this reason. `isMalformed`: a call's arguments were not JSON, which this wire cannot hold. */
export function writeFinishReason(reason: StopReason, isMalformed: boolean): string {
  if (reason === 'length') return 'MAX_TOKENS'
  if (reason === 'filtered') return 'SAFETY'
  return isMalformed ? 'MALFORMED_FUNCTION_CALL' : 'STOP'
}

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
