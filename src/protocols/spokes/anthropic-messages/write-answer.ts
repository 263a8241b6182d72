import type { TokenCounts } from '../../../core/tokens.ts'
import { callInput } from '../../hub/call-input.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralAnswer } from '../../hub/neutral-answer.ts'
import type { AnswerBlock } from '../../hub/neutral-request.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import { madeUpId } from '../../stream/early-usage.ts'
import { isRedacted, signatureOf } from './signature.ts'
import { writeStop } from './stop-reasons.ts'
import { writtenUsage } from './written-usage.ts'

/** See Spoke. This wire has one answer to a request. */
export function writeAnswer({ choices }: NeutralAnswer, call: ClientCall, usage: TokenCounts): JsonObject {
  const { blocks, stop } = choices[0] ?? { blocks: [], stop: { reason: 'end', sequence: null } }
  const seen = {
    hasCalls: blocks.some(({ kind }) => kind === 'tool_call'),
    hasRefusal: blocks.some(({ kind }) => kind === 'refusal'),
  }
  return {
    id: madeUpId('msg_', call.requestId),
    type: 'message',
    role: 'assistant',
    model: call.model,
    content: withoutLastThought(blocks).flatMap(writeBlock),
    ...writeStop(stop, seen),
    usage: writtenUsage({ reported: usage, estimatedOutputTokens: 0 }),
  }
}

/** A thought of another vendor at the end belongs to nothing, and clients take what ends in thinking for empty. */
function withoutLastThought(blocks: readonly AnswerBlock[]): readonly AnswerBlock[] {
  const last = blocks.at(-1)
  const isNothing = last?.kind === 'reasoning' && last.text === '' && last.opaque?.vendor !== 'anthropic'
  return isNothing ? blocks.slice(0, -1) : blocks
}

/** A call whose input is not a JSON object gets an empty one, since the wire has nothing else; its tool then says what it misses. */
function writeBlock(block: AnswerBlock): JsonObject[] {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }]
    case 'reasoning':
      if (block.text === '' && block.opaque === null) return []
      if (isRedacted(block.opaque)) return [{ type: 'redacted_thinking', data: block.opaque.data }]
      return [{ type: 'thinking', thinking: block.text, signature: signatureOf(block.opaque) }]
    case 'tool_call':
      return [
        {
          type: 'tool_use',
          id: block.id,
          name: block.name,
          input: callInput(block.input) ?? {},
        },
      ]
  }
}
