import { countInputTokens, refuseLongInput } from './input-tokens.ts'
import { type JsonObject, objectOf, objectsIn, stringOf } from './json.ts'
import * as request from './question.ts'
import { Refusal } from './refusal.ts'
import { type Ending, type Part, type Thought, partText, think } from './thought.ts'
import { wordsOf } from './tokens.ts'
import { type WireAnswer, type WireCall, jsonAnswer, namedEvent, streamAnswer } from './wire-answer.ts'

/** Anthropic's messages wire: `POST /messages`. */
export function answerMessages(call: WireCall): WireAnswer {
  const thought = think(readQuestion(call.body))
  return call.body['stream'] === true ? streamAnswer(events(call, thought)) : jsonAnswer(message(call, thought))
}

/** `POST /messages/count_tokens`. */
export function answerCountTokens(call: WireCall): WireAnswer {
  request.readModel(call.body)
  return jsonAnswer({ input_tokens: inputTokens(call.body, request.readList(call.body, 'messages')) })
}

function readQuestion(body: JsonObject): request.Question {
  const model = request.readModel(body)
  const messages = request.readList(body, 'messages')
  if ((body['max_tokens'] ?? null) === null) throw new Refusal('max_tokens: field required', { param: 'max_tokens' })
  const results = objectsIn(messages.at(-1)?.['content']).filter(({ type }) => type === 'tool_result')
  const tokens = inputTokens(body, messages)
  refuseLongInput(tokens, 'anthropic')
  return {
    model,
    userText: request.lastUserText(messages),
    toolResult: results.length === 0 ? null : results.flatMap(({ content }) => request.textsOf(content)).join('\n'),
    tools: readTools(body),
    mayReason: objectOf(body['thinking'])['type'] !== 'disabled',
    outputTokensLimit: request.readOutputLimit(body, ['max_tokens']),
    stopSequences: request.readStopSequences(body['stop_sequences']),
    inputTokens: tokens,
  }
}

function inputTokens(body: JsonObject, messages: readonly JsonObject[]): number {
  return countInputTokens({ conversation: [body['system'], ...messages], tools: body['tools'] })
}

/** Those with a schema; the others are run by the provider itself, and there is none here. */
function readTools(body: JsonObject): request.Tool[] {
  const tools = objectsIn(body['tools'])
    .filter((tool) => 'input_schema' in tool)
    .map((tool): request.Tool => {
      return { kind: 'function', name: stringOf(tool['name']), schema: objectOf(tool['input_schema']), namespace: null }
    })
  return request.choosable(tools, body['tool_choice'], (choice) => choice['name'])
}

const STOP_REASONS = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  tool_call: 'tool_use',
  length: 'max_tokens',
} as const satisfies Record<Ending, string>

function message(call: WireCall, thought: Thought): JsonObject {
  const content = thought.parts.map((part) => contentBlock(call, part))
  const ending = { stop_reason: STOP_REASONS[thought.ending], stop_sequence: thought.stopSequence }
  return { ...head(call), content, ...ending, usage: usage(thought) }
}

function head(call: WireCall): JsonObject {
  return { id: `msg_${call.serial}`, type: 'message', role: 'assistant', model: call.body['model'], container: null }
}

function contentBlock(call: WireCall, part: Part): JsonObject {
  if (part.kind === 'text') return { type: 'text', text: part.text, citations: null }
  if (part.kind === 'reasoning') return { type: 'thinking', thinking: part.text, signature: signature(call) }
  return { ...opening(call, part), input: JSON.parse(part.input) }
}

/** Real signatures are opaque; this one only has to come back unchanged. */
function signature(call: WireCall): string {
  return Buffer.from(`a thought of the simulator, ${call.serial}`).toString('base64')
}

function* events(call: WireCall, thought: Thought): Generator<string> {
  const nothingYet = { ...thought, outputTokens: 0, reasoningTokens: 0 }
  const ending = { stop_reason: null, stop_sequence: null }
  const begun = { ...head(call), content: [], ...ending, usage: usage(nothingYet) }
  yield namedEvent({ type: 'message_start', message: begun })
  for (const [index, part] of thought.parts.entries()) yield* blockEvents(call, part, index)
  const delta = { stop_reason: STOP_REASONS[thought.ending], stop_sequence: thought.stopSequence }
  const last = namedEvent({ type: 'message_delta', delta, usage: usage(thought) })
  yield last + namedEvent({ type: 'message_stop' })
}

function* blockEvents(call: WireCall, part: Part, index: number): Generator<string> {
  const delta = (content: JsonObject): string => namedEvent({ type: 'content_block_delta', index, delta: content })
  // The first delta of an input is empty at the real provider too.
  const first = part.kind === 'tool_call' ? delta(portion(part, '')) : ''
  yield namedEvent({ type: 'content_block_start', index, content_block: opening(call, part) }) + first
  for (const word of wordsOf(partText(part))) yield delta(portion(part, word))
  const signed = part.kind === 'reasoning' ? delta({ type: 'signature_delta', signature: signature(call) }) : ''
  yield signed + namedEvent({ type: 'content_block_stop', index })
}

function opening(call: WireCall, part: Part): JsonObject {
  if (part.kind === 'text') return { type: 'text', text: '' }
  if (part.kind === 'reasoning') return { type: 'thinking', thinking: '', signature: '' }
  return { type: 'tool_use', id: `toolu_${call.serial}`, name: part.tool.name, input: {} }
}

function portion(part: Part, word: string): JsonObject {
  if (part.kind === 'text') return { type: 'text_delta', text: word }
  if (part.kind === 'reasoning') return { type: 'thinking_delta', thinking: word }
  return { type: 'input_json_delta', partial_json: word }
}

function usage(thought: Thought): JsonObject {
  return {
    input_tokens: thought.inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: thought.outputTokens,
    output_tokens_details: { thinking_tokens: thought.reasoningTokens },
    server_tool_use: null,
    service_tier: 'standard',
  }
}
