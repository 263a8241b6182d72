import { fieldsOf, type JsonObject, listOf } from '../../json/json-object.ts'
import type { TokenLogprob } from '../../hub/neutral-request.ts'

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
