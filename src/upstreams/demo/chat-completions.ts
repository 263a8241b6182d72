import { countInputTokens, refuseLongInput } from './input-tokens.ts'
import { type JsonObject, objectOf, objectsIn, stringOf } from './json.ts'
import * as request from './question.ts'
import { Refusal } from './refusal.ts'
import { type Ending, type Part, type Thought, partText, think } from './thought.ts'
import { wordsOf } from './tokens.ts'
import { type WireAnswer, type WireCall, jsonAnswer, streamAnswer } from './wire-answer.ts'

/** The chat completions wire: `POST /chat/completions`. */
export function answerChat(call: WireCall): WireAnswer {
  const thought = think(readQuestion(call.body))
  return call.body['stream'] === true ? streamAnswer(chunks(call, thought)) : jsonAnswer(completion(call, thought))
}

function readQuestion(body: JsonObject): request.Question {
  const model = request.readModel(body)
  const messages = request.readList(body, 'messages')
  if ((body['n'] ?? 1) !== 1) throw new Refusal('n takes 1 here: there is one answer to a question.', { param: 'n' })
  const results = trailingResults(messages)
  const tokens = countInputTokens({ conversation: messages, tools: body['tools'] })
  refuseLongInput(tokens, 'openai')
  return {
    model,
    userText: request.lastUserText(messages),
    toolResult: results.length === 0 ? null : results.join('\n'),
    tools: readTools(body),
    mayReason: body['reasoning_effort'] !== 'none',
    outputTokensLimit: request.readOutputLimit(body, ['max_completion_tokens', 'max_tokens']),
    stopSequences: request.readStopSequences(body['stop']),
    inputTokens: tokens,
  }
}

function trailingResults(messages: readonly JsonObject[]): readonly string[] {
  const last = messages.findLastIndex((message) => message['role'] !== 'tool')
  return messages.slice(last + 1).map((message) => request.textsOf(message['content']).join('\n'))
}

function readTools(body: JsonObject): request.Tool[] {
  const tools = objectsIn(body['tools']).map((tool): request.Tool => {
    const definition = objectOf(tool['function'])
    return {
      kind: 'function',
      name: stringOf(definition['name']),
      schema: objectOf(definition['parameters']),
      namespace: null,
    }
  })
  return request.choosable(tools, body['tool_choice'], (choice) => objectOf(choice['function'])['name'])
}

const FINISH_REASONS = {
  stop: 'stop',
  stop_sequence: 'stop',
  tool_call: 'tool_calls',
  length: 'length',
} as const satisfies Record<Ending, string>

function head(call: WireCall, object: string): JsonObject {
  const { model } = call.body
  return { id: `chatcmpl-${call.serial}`, object, created: call.nowSeconds(), model, service_tier: 'default' }
}

function completion(call: WireCall, thought: Thought): JsonObject {
  const calls = thought.parts.flatMap((part) => (part.kind === 'tool_call' ? [toolCall(call, part)] : []))
  const message = {
    role: 'assistant',
    content: textOf(thought, 'text') ?? (calls.length === 0 ? '' : null),
    refusal: null,
    annotations: [],
    ...(thought.reasoningTokens === 0 ? {} : { reasoning_content: textOf(thought, 'reasoning') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: FINISH_REASONS[thought.ending] }
  return { ...head(call, 'chat.completion'), choices: [choice], usage: usage(thought), system_fingerprint: null }
}

/** Null where nothing of the kind was written. */
function textOf(thought: Thought, kind: Part['kind']): string | null {
  const texts = thought.parts.filter((part) => part.kind === kind).map(partText)
  return texts.length === 0 ? null : texts.join('')
}

function toolCall(call: WireCall, part: Part & { kind: 'tool_call' }): JsonObject {
  return { id: `call_${call.serial}`, type: 'function', function: { name: part.tool.name, arguments: part.input } }
}

/** Usage comes only when `stream_options.include_usage` asks: null in every chunk, then in a last one without choices. */
function* chunks(call: WireCall, thought: Thought): Generator<string> {
  const base = { ...head(call, 'chat.completion.chunk'), system_fingerprint: null }
  const wantsUsage = objectOf(call.body['stream_options'])['include_usage'] === true
  const write = (choices: readonly JsonObject[], used: JsonObject | null = null): string =>
    `data: ${JSON.stringify({ ...base, choices, ...(wantsUsage ? { usage: used } : {}) })}\n\n`
  const choose = (delta: JsonObject, reason: string | null = null): string =>
    write([{ index: 0, delta, logprobs: null, finish_reason: reason }])

  const isCall = thought.ending === 'tool_call'
  yield choose({ role: 'assistant', content: isCall ? null : '', refusal: null })
  for (const part of thought.parts) yield* deltas(call, part, choose)
  const last = choose({}, FINISH_REASONS[thought.ending])
  yield `${last}${wantsUsage ? write([], usage(thought)) : ''}data: [DONE]\n\n`
}

function* deltas(call: WireCall, part: Part, choose: (delta: JsonObject) => string): Generator<string> {
  if (part.kind !== 'tool_call') {
    const field = part.kind === 'reasoning' ? 'reasoning_content' : 'content'
    for (const word of wordsOf(part.text)) yield choose({ [field]: word })
    return
  }
  const opening = toolCall(call, { ...part, input: '' })
  yield choose({ tool_calls: [{ index: 0, ...opening }] })
  for (const word of wordsOf(part.input)) yield choose({ tool_calls: [{ index: 0, function: { arguments: word } }] })
}

function usage(thought: Thought): JsonObject {
  const { inputTokens, outputTokens, reasoningTokens } = thought
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}
