import { FieldReader, missing, readersOf, wrongKind } from '../../hub/field-reader.ts'
import { inputText } from '../../hub/call-input.ts'
import type {
  AssistantPart,
  ContentPart,
  FunctionTool,
  NeutralRequest,
  Source,
  SystemTurn,
  TextPart,
  ToolChoice,
  ToolResultPart,
  Turn,
  UserPart,
} from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { openOpaque } from '../../hub/opaque-reasoning.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { readCachePoint } from './cache-point.ts'
import { readSettings } from './read-settings.ts'
import { MEDIA_TYPES } from './write-media.ts'

/** Reads a request as the models behind the demo and the fake provider mean it: no client of the gateway sends one. */
export function readRequest(json: JsonObject, notes: Notes): NeutralRequest {
  const body = new FieldReader(json, '', notes)
  body.raw('modelId')
  const system = readSystem(body)
  const turns = body.objects('messages')?.map(readMessage)
  if (turns === undefined) throw missing('messages', 'a list of messages')
  const config = body.object('toolConfig')
  const tools = config === null ? [] : readTools(config)
  const toolChoice = config === null ? null : readToolChoice(config)
  config?.end()
  const settings = readSettings(body)
  return body.ended({ turns: [...system, ...turns], tools, toolChoice, settings })
}

function readSystem(body: FieldReader): SystemTurn[] {
  const parts = marked<TextPart>(body.objects('system') ?? [], (block) => {
    const text = block.string('text')
    return text === null ? [] : [{ kind: 'text', text, at: block.at }]
  })
  return parts.length === 0 ? [] : [{ role: 'system', parts, at: 'system' }]
}

/** Parts of blocks. The point of a cache is a mark on the part before it. */
function marked<Part extends { readonly at: string }>(
  blocks: readonly FieldReader[],
  read: (block: FieldReader) => Part[],
): Part[] {
  const parts: Part[] = []
  for (const block of blocks) {
    const cache = readCachePoint(block.raw('cachePoint'))
    const last = cache === null ? undefined : parts.pop()
    if (cache !== null && last !== undefined) parts.push({ ...last, cache })
    parts.push(...block.ended(read(block)))
  }
  return parts
}

function readMessage(message: FieldReader): Turn {
  const role = message.requiredString('role')
  const { at } = message
  const content = message.objects('content')
  if (content === null) throw missing(message.path('content'), 'a list of blocks')
  if (role === 'user') return message.ended({ role, parts: marked<UserPart>(content, userBlock), at })
  if (role === 'assistant') return message.ended({ role, parts: marked<AssistantPart>(content, answerBlock), at })
  throw wrongKind(message.path('role'), '"user" or "assistant"')
}

function userBlock(block: FieldReader): UserPart[] {
  const result = block.object('toolResult')
  return result === null ? contentBlock(block) : [toolResult(result)]
}

function toolResult(result: FieldReader): ToolResultPart {
  const blocks = readersOf(result.list('content') ?? [], result.path('content'), result.notes)
  return result.ended({
    kind: 'tool_result',
    callId: result.requiredString('toolUseId'),
    parts: blocks.flatMap((block) => block.ended(resultContent(block))),
    isError: result.string('status') === 'error',
    at: result.at,
  })
}

function resultContent(block: FieldReader): ContentPart[] {
  const json = block.raw('json')
  return json === null ? contentBlock(block) : [{ kind: 'text', text: inputText(json), at: block.at }]
}

function contentBlock(block: FieldReader): ContentPart[] {
  const { at } = block
  const text = block.string('text')
  if (text !== null) return [{ kind: 'text', text, at }]
  const image = block.object('image')
  if (image !== null) return [image.ended({ kind: 'image', source: sourceOf(image), detail: null, at })]
  const audio = block.object('audio')
  if (audio !== null) return [audio.ended({ kind: 'audio', source: sourceOf(audio), at })]
  const document = block.object('document')
  if (document === null) return []
  return [document.ended({ kind: 'file', source: sourceOf(document), name: document.string('name'), at })]
}

function sourceOf(media: FieldReader): Source {
  const format = media.string('format') ?? ''
  const mediaType = MEDIA_TYPES.get(format) ?? `application/${format}`
  const source = media.object('source')
  const location = source?.object('s3Location') ?? null
  if (source === null) throw missing(media.path('source'), 'an object')
  if (location !== null) return source.ended({ kind: 'url', url: location.requiredString('uri'), mediaType })
  return source.ended({ kind: 'data', mediaType, base64: source.requiredString('bytes') })
}

function answerBlock(block: FieldReader): AssistantPart[] {
  const { at } = block
  const text = block.string('text')
  if (text !== null) return [{ kind: 'text', text, at }]
  const reasoning = block.object('reasoningContent')
  if (reasoning !== null) return reasoning.ended(reasoningPart(reasoning))
  const call = block.object('toolUse')
  if (call === null) return []
  const [id, name] = [call.requiredString('toolUseId'), call.requiredString('name')]
  const input = inputText(call.raw('input'))
  return [call.ended({ kind: 'tool_call', id, name, input, isCustom: false, at })]
}

function reasoningPart(reasoning: FieldReader): AssistantPart[] {
  const { at } = reasoning
  const redacted = reasoning.string('redactedContent')
  if (redacted !== null) {
    return [{ kind: 'reasoning', text: '', opaque: openOpaque(redacted, 'bedrock', { isRedacted: true }), at }]
  }
  const said = reasoning.object('reasoningText')
  if (said === null) return []
  const signature = said.string('signature') ?? ''
  const opaque = signature === '' ? null : openOpaque(signature, 'bedrock')
  return [said.ended({ kind: 'reasoning', text: said.string('text') ?? '', opaque, at })]
}

function readTools(config: FieldReader): FunctionTool[] {
  return marked<FunctionTool>(config.objects('tools') ?? [], (tool) => {
    const spec = tool.object('toolSpec')
    if (spec === null) return []
    const schema = spec.object('inputSchema')?.rawObject('json') ?? null
    return [
      spec.ended({
        kind: 'function',
        name: spec.requiredString('name'),
        description: spec.string('description'),
        schema,
        isStrict: spec.boolean('strict'),
        at: spec.at,
      }),
    ]
  })
}

function readToolChoice(config: FieldReader): ToolChoice | null {
  const choice = config.object('toolChoice')
  if (choice === null) return null
  const { at } = choice
  const one = choice.object('tool')
  if (one !== null) return { kind: 'one', name: one.requiredString('name'), at }
  return choice.raw('any') === null ? { kind: 'auto', at } : { kind: 'required', at }
}
