import type { TokenCounts } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralAnswer } from '../../hub/neutral-answer.ts'
import type { AnswerBlock } from '../../hub/neutral-request.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import {
  callItem,
  itemId,
  messageItem,
  prefixOf,
  reasoningItem,
  refusalPart,
  textPart,
  writtenCall,
} from './answer-items.ts'
import { endOf, sameFields, writeUsage } from './response-fields.ts'
import { clientTools, type ClientTool } from './tool-names.ts'

/** The answer as a response. This wire has one choice. */
export function writeAnswer(answer: NeutralAnswer, call: ClientCall, usage: TokenCounts): JsonObject {
  const choice = answer.choices[0]
  const { status, details } = endOf(choice?.stop.reason ?? 'end')
  const tools = clientTools(call.request.tools, call.asked)
  const output = (choice?.blocks ?? []).map((block, index) =>
    itemOf(block, { requestId: call.requestId, index, tools }),
  )
  return {
    ...sameFields(call),
    status,
    completed_at: status === 'completed' ? Math.floor(call.nowMs / 1000) : null,
    error: null,
    incomplete_details: details,
    output: output.length > 0 || status === 'incomplete' ? output : [emptyMessage(call.requestId)],
    usage: writeUsage(usage, 0),
  }
}

/** An answer without a word. Without any item, OpenAI's Agents SDK asks again and again. */
function emptyMessage(requestId: string): JsonObject {
  return messageItem(itemId('msg', requestId, 0), 'completed', [textPart('', [])])
}

interface OutputPlace {
  readonly requestId: string
  readonly index: number
  readonly tools: ReadonlyMap<string, ClientTool>
}

function itemOf(block: AnswerBlock, { requestId, index, tools }: OutputPlace): JsonObject {
  switch (block.kind) {
    case 'text':
      return messageItem(itemId('msg', requestId, index), 'completed', [textPart(block.text, block.logprobs ?? [])])
    case 'refusal':
      return messageItem(itemId('msg', requestId, index), 'completed', [refusalPart(block.text)])
    case 'reasoning':
      return reasoningItem(itemId('rs', requestId, index), block.text, block.opaque)
    case 'tool_call': {
      const call = writtenCall(block, tools)
      const input = block.input === '' && !block.isCustom ? '{}' : block.input
      return callItem(itemId(prefixOf(call), requestId, index), 'completed', { call, input })
    }
  }
}
