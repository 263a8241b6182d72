import { inputText } from '../../hub/call-input.ts'
import { fieldsOf, type JsonObject, listOf, textOf } from '../../json/json-object.ts'
import type { NeutralAnswer } from '../../hub/neutral-answer.ts'
import type { AnswerBlock } from '../../hub/neutral-request.ts'
import { readStop } from './stop-reasons.ts'

/** See Spoke. What tools at the provider did is passed over: a client of another wire never asked for them. */
export function readAnswer(body: JsonObject): NeutralAnswer {
  const blocks = listOf(body['content']).flatMap((block) => readBlock(fieldsOf(block)))
  const refusal = refusalOf(body)
  if (refusal !== null) blocks.push({ kind: 'refusal', text: refusal })
  const hasCalls = blocks.some(({ kind }) => kind === 'tool_call')
  return { choices: [{ blocks, stop: readStop(body['stop_reason'], body['stop_sequence'], hasCalls) }] }
}

/** Why the answer was refused, in words, where given: of a whole answer, or of the `delta` of `message_delta`. */
export function refusalOf(message: JsonObject): string | null {
  if (message['stop_reason'] !== 'refusal') return null
  const words = textOf(fieldsOf(message['stop_details'])['explanation'])
  return words === '' ? null : words
}

function readBlock(block: JsonObject): AnswerBlock[] {
  switch (block['type']) {
    case 'text':
      return [{ kind: 'text', text: textOf(block['text']) }]
    case 'thinking': {
      const data = textOf(block['signature'])
      const opaque = data === '' ? null : ({ vendor: 'anthropic', data } as const)
      return [{ kind: 'reasoning', text: textOf(block['thinking']), opaque }]
    }
    case 'redacted_thinking':
      return [redacted(textOf(block['data']))]
    case 'tool_use': {
      const [id, name] = [textOf(block['id']), textOf(block['name'])]
      return [{ kind: 'tool_call', id, name, input: inputText(block['input']), isCustom: false }]
    }
    default:
      return []
  }
}

function redacted(data: string): AnswerBlock {
  return { kind: 'reasoning', text: '', opaque: { vendor: 'anthropic', data, isRedacted: true } }
}
