/** OpenAI chat completions: `POST /v1/chat/completions`. */
import { callOf } from './answer.ts'
import type { JsonObject } from './json.ts'
import { listOf, numberOf, objectOf, stringOf, textOf, writeWithUnknown } from './json.ts'
import type { Usage } from './usage.ts'
import { halfOfOutput, promptTokens } from './usage.ts'
import type { Answer, Ask, StreamEvent, ToolCall, Wire } from './wire.ts'
import { CREATED_AT_SECONDS, MID_STREAM_ERROR, isMiddlePiece } from './wire.ts'

export const chatWire: Wire = {
  name: 'chat',
  readAsk,
  writeWhole,
  writeStream,
  writeErrorEvent: () =>
    `data: ${JSON.stringify({ error: { message: MID_STREAM_ERROR, type: 'server_error', param: null, code: 'server_error' } })}\n\n`,
}

function readAsk(body: JsonObject): Ask {
  const messages = listOf(body['messages']).map(objectOf)
  const last = messages.at(-1)
  const spoken = messages.findLast((message) => message['role'] === 'user' || message['role'] === 'tool')
  return {
    stream: body['stream'] === true,
    includeUsage: objectOf(body['stream_options'])['include_usage'] === true,
    lastText: textOf(spoken?.['content']),
    lastIsToolResult: last?.['role'] === 'tool',
    tool: body['tool_choice'] === 'none' ? null : firstTool(body),
    outputLimit: numberOf(body['max_completion_tokens'] ?? body['max_tokens']),
  }
}

function firstTool(body: JsonObject): ToolCall | null {
  const tool = listOf(body['tools'])
    .map(objectOf)
    .find((one) => one['type'] === 'function')
  const description = objectOf(tool?.['function'])
  return tool === undefined ? null : callOf(stringOf(description['name']), description['parameters'])
}

function finishReason({ tool, isCut }: Answer): string {
  if (tool !== null) return 'tool_calls'
  return isCut ? 'length' : 'stop'
}

export function chatUsage(usage: Usage): JsonObject {
  const prompt = promptTokens(usage)
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.cacheWrite, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

function toolCallFields(answer: Answer, tool: ToolCall, argumentsJson: string): JsonObject {
  return { id: `call_${answer.id}`, type: 'function', function: { name: tool.name, arguments: argumentsJson } }
}

function writeWhole(answer: Answer): string {
  const { tool } = answer
  const said = {
    role: 'assistant',
    content: tool === null ? answer.pieces.join('') : null,
    refusal: null,
    annotations: [],
  }
  const message = tool === null ? said : { ...said, tool_calls: [toolCallFields(answer, tool, tool.argumentsJson)] }
  return writeWithUnknown({
    ...chatEnvelope(answer, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer) }],
    ...(answer.usage === null ? {} : { usage: chatUsage(answer.usage) }),
  })
}

export function chatEnvelope(answer: { readonly id: string; readonly model: string }, object: string): JsonObject {
  return {
    id: `chatcmpl-${answer.id}`,
    object,
    created: CREATED_AT_SECONDS,
    model: answer.model,
    service_tier: 'default',
    system_fingerprint: 'fp_fake',
  }
}

function writeStream(answer: Answer): StreamEvent[] {
  const { tool, usage } = answer
  const opening =
    tool === null
      ? { role: 'assistant', content: '', refusal: null }
      : { role: 'assistant', content: null, tool_calls: [{ index: 0, ...toolCallFields(answer, tool, '') }] }
  const events = [chunk(answer, { delta: opening })]
  for (const [index, text] of answer.pieces.entries()) {
    const delta = tool === null ? { content: text } : { tool_calls: [{ index: 0, function: { arguments: text } }] }
    const growing = answer.sentinel === 'usage-twice' && isMiddlePiece(answer, index)
    events.push(chunk(answer, { delta, padding: index, ...(growing && usage ? { usage: halfOfOutput(usage) } : {}) }))
  }
  events.push(chunk(answer, { delta: {}, finish: finishReason(answer) }))
  if (answer.includeUsage && usage !== null) {
    const closing = chunk(answer, { usage })
    events.push(closing, ...(answer.sentinel === 'usage-twice' ? [closing] : []))
  }
  if (answer.sentinel !== 'no-done') events.push({ text: 'data: [DONE]\n\n' })
  return events
}

interface ChunkParts {
  /** Absent: a chunk with no choices, as the one that brings usage. */
  readonly delta?: JsonObject
  readonly finish?: string
  readonly usage?: Usage
  /** Decides the length of the `obfuscation` field by which the provider hides token lengths. */
  readonly padding?: number
}

function chunk(answer: Answer, parts: ChunkParts): StreamEvent {
  const choice = { index: 0, delta: parts.delta, logprobs: null, finish_reason: parts.finish ?? null }
  const counts = parts.usage !== undefined && answer.includeUsage ? parts.usage : null
  const fields = {
    ...chatEnvelope(answer, 'chat.completion.chunk'),
    choices: parts.delta === undefined ? [] : [choice],
    ...(answer.includeUsage && answer.usage !== null ? { usage: counts && chatUsage(counts) } : {}),
    ...(parts.padding === undefined ? {} : { obfuscation: 'x'.repeat((parts.padding * 5) % 11) }),
  }
  return { text: `data: ${writeWithUnknown(fields)}\n\n`, ...(counts === null ? {} : { reports: counts }) }
}
