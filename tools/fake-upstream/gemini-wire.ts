/** Google Gemini: `POST /v1beta/models/{model}:generateContent`, `:streamGenerateContent?alt=sse`. */
import { callOf } from './answer.ts'
import type { JsonObject } from './json.ts'
import { listOf, numberOf, objectOf, stringOf, textOf, writeWithUnknown } from './json.ts'
import type { Usage } from './usage.ts'
import { halfOfOutput, promptTokens } from './usage.ts'
import type { Answer, Ask, StreamEvent, ToolCall, Wire } from './wire.ts'
import { MID_STREAM_ERROR, isMiddlePiece } from './wire.ts'

/** Model and kind of answer stand in the path of this wire, so `stream` of what it reads is always false. */
export const geminiWire: Wire = {
  name: 'gemini',
  readAsk,
  writeWhole: (answer) => writeWithUnknown(chunkFields(answer, { parts: wholeParts(answer), ends: true })),
  writeStream,
  writeErrorEvent: () =>
    `data: ${JSON.stringify({ error: { code: 503, message: MID_STREAM_ERROR, status: 'UNAVAILABLE' } })}\r\n\r\n`,
}

function readAsk(body: JsonObject): Ask {
  const last = listOf(body['contents']).map(objectOf).at(-1)
  const parts = listOf(last?.['parts']).map(objectOf)
  const result = parts.find((part) => part['functionResponse'] !== undefined)
  const mode = objectOf(objectOf(body['toolConfig'])['functionCallingConfig'])['mode']
  return {
    stream: false,
    includeUsage: true,
    lastText: result === undefined ? textOf(parts) : resultText(result),
    lastIsToolResult: result !== undefined,
    tool: mode === 'NONE' ? null : firstTool(body),
    outputLimit: numberOf(objectOf(body['generationConfig'])['maxOutputTokens']),
  }
}

/** What a function answered: its `output` or `result`, as clients name it, else all of it. */
export function resultText(part: JsonObject): string {
  const response = objectOf(objectOf(part['functionResponse'])['response'])
  const said = response['output'] ?? response['result'] ?? response['content']
  return typeof said === 'string' ? said : JSON.stringify(said ?? response)
}

function firstTool(body: JsonObject): ToolCall | null {
  const [first] = listOf(body['tools']).flatMap((tool) => listOf(objectOf(tool)['functionDeclarations']))
  if (first === undefined) return null
  const declaration = objectOf(first)
  return callOf(stringOf(declaration['name']), declaration['parametersJsonSchema'] ?? declaration['parameters'])
}

function wholeParts(answer: Answer): JsonObject[] {
  const { tool } = answer
  return [tool === null ? { text: answer.pieces.join('') } : callPart(answer, tool)]
}

function callPart(answer: Answer, tool: ToolCall): JsonObject {
  return { functionCall: { id: `fc-${answer.id}`, name: tool.name, args: objectOf(JSON.parse(tool.argumentsJson)) } }
}

/** Thoughts are counted apart from the candidates here; the prompt's count holds what was cached. */
export function geminiUsage(usage: Usage): JsonObject {
  const prompt = promptTokens(usage)
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: usage.output - usage.reasoning,
    totalTokenCount: prompt + usage.output,
    ...(usage.cached === 0 ? {} : { cachedContentTokenCount: usage.cached }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
    thoughtsTokenCount: usage.reasoning,
  }
}

interface ChunkParts {
  readonly parts: readonly JsonObject[]
  readonly ends: boolean
  /** Absent: the answer's own. */
  readonly usage?: Usage | null
}

function chunkFields(answer: Answer, chunk: ChunkParts): JsonObject {
  const { usage = answer.usage } = chunk
  const finish = chunk.ends ? { finishReason: answer.isCut ? 'MAX_TOKENS' : 'STOP' } : {}
  return {
    candidates: [{ content: { role: 'model', parts: chunk.parts }, ...finish, index: 0 }],
    ...(usage === null ? {} : { usageMetadata: geminiUsage(usage) }),
    modelVersion: answer.model,
    responseId: answer.id,
  }
}

/** Every chunk reports what was used until then. A function call comes in one piece, as the provider sends it. */
function writeStream(answer: Answer): StreamEvent[] {
  const { tool, pieces } = answer
  const texts = tool === null ? pieces.map((text) => [{ text }]) : [[callPart(answer, tool)]]
  const events: StreamEvent[] = texts.map((parts, index) => {
    const grows = answer.sentinel === 'usage-twice' && isMiddlePiece(answer, index)
    return event(answer, { parts, ends: false, usage: answer.usage && known(answer.usage, grows) })
  })
  events.push(event(answer, { parts: [{ text: '' }], ends: true }))
  return events
}

/** Input is counted when the answer begins; of the output only what has been written. */
function known(usage: Usage, grows: boolean): Usage {
  return grows ? halfOfOutput(usage) : { ...usage, output: Math.min(usage.output, 1), reasoning: 0 }
}

function event(answer: Answer, chunk: ChunkParts): StreamEvent {
  const { usage = answer.usage } = chunk
  const text = `data: ${writeWithUnknown(chunkFields(answer, chunk))}\r\n\r\n`
  return { text, ...(usage === null ? {} : { reports: usage }) }
}
