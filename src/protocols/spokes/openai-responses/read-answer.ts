import { fieldsOf, isObject, type JsonObject, listOf, textOf } from '../../json/json-object.ts'
import type { NeutralAnswer, Stop } from '../../hub/neutral-answer.ts'
import type {
  AnswerBlock,
  ProviderSignature,
  ReasoningBlock,
  TokenLogprob,
  ToolCallBlock,
} from '../../hub/neutral-request.ts'
import { openOpaque } from '../../hub/opaque-reasoning.ts'
import { writeJson } from '../../json/exact-json.ts'
import { stopReasonOf } from '../../reading/stop-words.ts'
import { joinedReasoning } from './read-input.ts'

/** An upstream's whole answer. Items of tools that the provider ran are left out: none were asked for. */
export function readAnswer(body: JsonObject): NeutralAnswer {
  const blocks = listOf(body['output']).flatMap((item) => blocksOf(fieldsOf(item)))
  return {
    choices: [
      {
        blocks,
        stop: stopOf(
          body,
          blocks.some(({ kind }) => kind === 'tool_call'),
        ),
      },
    ],
  }
}

/** What one item of the output says. */
function blocksOf(item: JsonObject): readonly AnswerBlock[] {
  switch (item['type']) {
    case 'message':
      return listOf(item['content']).flatMap((part) => contentBlockOf(fieldsOf(part)) ?? [])
    case 'reasoning': {
      const block: ReasoningBlock = { kind: 'reasoning', text: reasoningTextOf(item, null), opaque: opaqueOf(item) }
      return block.text === '' && block.opaque === null ? [] : [block]
    }
    case 'function_call':
    case 'custom_tool_call': {
      const call = callOf(item)
      return call === null ? [] : [call]
    }
    default:
      return []
  }
}

/** Null for a part without a word, and for what does not belong to a message. */
export function contentBlockOf(part: JsonObject): AnswerBlock | null {
  const text = textOf(part[part['type'] === 'refusal' ? 'refusal' : 'text'])
  if (text === '' || (part['type'] !== 'refusal' && part['type'] !== 'output_text')) return null
  if (part['type'] === 'refusal') return { kind: 'refusal', text }
  const logprobs = logprobsOf(part['logprobs'])
  return { kind: 'text', text, ...(logprobs.length === 0 ? {} : { logprobs }) }
}

/** Null for one without a name, which could not be run. */
export function callOf(item: JsonObject): ToolCallBlock | null {
  const [name, isCustom] = [item['name'], item['type'] === 'custom_tool_call']
  const id = textOf(item['call_id']) || textOf(item['id'])
  if (typeof name !== 'string' || name === '') return null
  return { kind: 'tool_call', id, name, input: isCustom ? textOf(item['input']) : argumentsOf(item), isCustom }
}

/** Some upstreams send the object itself instead of its text. */
function argumentsOf({ arguments: given }: JsonObject): string {
  return isObject(given) ? writeJson(() => given) : textOf(given)
}

/** `from` is the field that was shown until now; null: the reasoning itself where it is given, else its summary. */
export function reasoningTextOf(item: JsonObject, from: 'summary' | 'content' | null): string {
  const textIn = (field: 'summary' | 'content'): string =>
    joinedReasoning(listOf(item[field]).map((part) => textOf(fieldsOf(part)['text'])))
  return from === null ? textIn('content') || textIn('summary') : textIn(from)
}

export function opaqueOf(item: JsonObject): ProviderSignature | null {
  const [encrypted, id] = [item['encrypted_content'], item['id']]
  if (typeof encrypted !== 'string' || encrypted === '') return null
  return openOpaque(encrypted, 'openai', typeof id === 'string' ? { id } : {})
}

/** Why an answer is over, from the response as it is at its end. */
export function stopOf(response: JsonObject, hasCalls: boolean): Stop {
  if (response['status'] === 'incomplete') {
    const reason = stopReasonOf(fieldsOf(response['incomplete_details'])['reason'])
    return { reason: reason === 'filtered' || reason === 'paused' ? reason : 'length', sequence: null }
  }
  return { reason: hasCalls ? 'tool_calls' : 'end', sequence: null }
}

export function logprobsOf(value: unknown): readonly TokenLogprob[] {
  return listOf(value).flatMap((each) => {
    const one = logprobOf(fieldsOf(each))
    if (one === null) return []
    const top = listOf(fieldsOf(each)['top_logprobs']).flatMap((other) => logprobOf(fieldsOf(other)) ?? [])
    return [{ ...one, top }]
  })
}

function logprobOf({ token, logprob, bytes }: JsonObject): Omit<TokenLogprob, 'top'> | null {
  if (typeof token !== 'string' || typeof logprob !== 'number') return null
  const isBytes = Array.isArray(bytes) && bytes.every((each) => typeof each === 'number')
  return { token, logprob, bytes: isBytes ? bytes : null }
}
