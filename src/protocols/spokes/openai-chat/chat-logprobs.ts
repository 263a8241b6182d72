import type { JsonObject } from '../../json/json-object.ts'
import type { TokenLogprob } from '../../hub/neutral-request.ts'
import { fieldsOf } from '../../json/json-object.ts'

/** The log probabilities of a choice's text (`logprobs.content`); none where it has none. */
export function readLogprobs(logprobs: unknown): readonly TokenLogprob[] {
  const { content } = fieldsOf(logprobs)
  if (!Array.isArray(content)) return []
  return content.flatMap((each: unknown) => {
    const one = readOne(each)
    const { top_logprobs: top } = fieldsOf(each)
    const others = Array.isArray(top) ? top.flatMap((other: unknown) => readOne(other) ?? []) : []
    return one === null ? [] : [{ ...one, top: others }]
  })
}

export function writeLogprobs(logprobs: readonly TokenLogprob[]): JsonObject {
  const content = logprobs.map(({ token, logprob, bytes, top }) => ({ token, logprob, bytes, top_logprobs: top }))
  return { content, refusal: null }
}

function readOne(value: unknown): Omit<TokenLogprob, 'top'> | null {
  const { token, logprob, bytes } = fieldsOf(value)
  if (typeof token !== 'string' || typeof logprob !== 'number') return null
  const isBytes = Array.isArray(bytes) && bytes.every((byte): byte is number => typeof byte === 'number')
  return { token, logprob, bytes: isBytes ? bytes : null }
}
