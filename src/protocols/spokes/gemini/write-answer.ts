import type { TokenCounts } from '../../../core/tokens.ts'
import { callInput } from '../../hub/call-input.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralAnswer, NeutralChoice } from '../../hub/neutral-answer.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import { writeLogprobs } from './logprobs.ts'
import { writeSignature } from './signatures.ts'
import { writeFinishReason } from './stop-reasons.ts'
import { writtenUsage } from './written-usage.ts'

/** See Spoke. */
export function writeAnswer(answer: NeutralAnswer, call: ClientCall, usage: TokenCounts): JsonObject {
  const isShown = showsThoughts(call)
  return {
    candidates: answer.choices.map((choice, index) => candidateOf(choice, { index, isShown })),
    usageMetadata: writtenUsage({ reported: usage, estimatedOutputTokens: usage.output ?? 0 }),
    modelVersion: call.model,
    responseId: call.requestId,
  }
}

/** Google's clients get thoughts only when they ask for them. Signatures come in any case. */
export function showsThoughts({ request }: ClientCall): boolean {
  return request.settings.get('reasoning')?.isShown === true
}

function candidateOf(
  { blocks, stop }: NeutralChoice,
  { index, isShown }: { index: number; isShown: boolean },
): JsonObject {
  const parts: JsonObject[] = []
  let signature: string | null = null
  let isMalformed = false
  for (const block of blocks) {
    if (block.kind === 'reasoning') {
      if (isShown && block.text !== '') parts.push({ text: block.text, thought: true })
      if (block.opaque === null) continue
      if (signature !== null) parts.push({ text: '', thoughtSignature: signature })
      signature = writeSignature(block.opaque, block.text)
      continue
    }
    const args = block.kind === 'tool_call' ? callInput(block.input) : null
    if (block.kind === 'tool_call' && args === null) isMalformed = true
    else {
      const said =
        block.kind === 'tool_call' ? { functionCall: { id: block.id, name: block.name, args } } : { text: block.text }
      parts.push({ ...said, ...(signature === null ? {} : { thoughtSignature: signature }) })
      signature = null
    }
  }
  if (signature !== null || parts.length === 0) {
    parts.push({ text: '', ...(signature === null ? {} : { thoughtSignature: signature }) })
  }
  const logprobs = blocks.flatMap((block) => (block.kind === 'text' ? (block.logprobs ?? []) : []))
  return {
    content: { parts, role: 'model' },
    finishReason: writeFinishReason(stop.reason, isMalformed),
    index,
    ...(logprobs.length === 0 ? {} : { logprobsResult: writeLogprobs(logprobs) }),
  }
}
