import type { NeutralAnswer, NeutralChoice } from '../../hub/neutral-answer.ts'
import type { AnswerBlock } from '../../hub/neutral-request.ts'
import { fieldsOf, listOf } from '../../json/json-object.ts'
import { readCallFields } from './call-fields.ts'
import { readLogprobs } from './chat-logprobs.ts'
import { DetailList } from './detail-list.ts'
import { readFinishReason } from './finish-reason.ts'
import { readSaid } from './said-fields.ts'

/** Reads a whole chat completion. Never throws: what it does not understand it passes over. */
export function readAnswer({ choices }: Readonly<Record<string, unknown>>): NeutralAnswer {
  return { choices: listOf(choices).map(readChoice) }
}

function readChoice(choice: unknown): NeutralChoice {
  const { message, finish_reason: reason, logprobs } = fieldsOf(choice)
  const fields = fieldsOf(message)
  const { reasoning, field, details, text, refusal } = readSaid(fields)
  const blocks: AnswerBlock[] = []
  const list = new DetailList()
  list.add(details)
  const opaque = list.take(field, reasoning !== '')
  if (reasoning !== '' || opaque !== null) blocks.push({ kind: 'reasoning', text: reasoning, opaque })
  const tokens = readLogprobs(logprobs)
  if (text !== '') blocks.push({ kind: 'text', text, ...(tokens.length === 0 ? {} : { logprobs: tokens }) })
  if (refusal !== '') blocks.push({ kind: 'refusal', text: refusal })
  const calls = callsIn(fields)
  for (const entry of calls) blocks.push(...readCall(entry))
  return {
    blocks,
    stop: readFinishReason(reason, { hasCalls: calls.length > 0, hasRefusal: refusal !== '' }),
  }
}

/** A call of the form of 2023 counts as one more. */
function callsIn({ tool_calls: calls, function_call: legacy }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return (legacy ?? null) === null ? listOf(calls) : [...listOf(calls), { function: legacy }]
}

function readCall(entry: unknown): readonly AnswerBlock[] {
  const { id, name, input, isCustom, signature } = readCallFields(entry)
  const whole = !isCustom && /^\s*(?:null\s*)?$/.test(input) ? '{}' : input
  const call: AnswerBlock = { kind: 'tool_call', id, name, input: whole, isCustom }
  if (signature === '') return [call]
  return [{ kind: 'reasoning', text: '', opaque: { vendor: 'google', data: signature } }, call]
}
