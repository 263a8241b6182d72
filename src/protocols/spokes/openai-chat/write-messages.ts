import type { ModelFacts } from '../../../models/facts.ts'
import { append, mergedTurns } from '../../hub/merged-turns.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type {
  AssistantPart,
  AssistantTurn,
  AudioPart,
  ContentPart,
  FilePart,
  ImagePart,
  ProviderSignature,
  Source,
  TextPart,
  ToolCallBlock,
  ToolResultPart,
  Turn,
  UserTurn,
} from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { readChatOpaque } from './reasoning-detail.ts'

/**
 * The conversation as messages. Results of tools have to follow their calls at once, so system text between them
 * comes behind. `developer` is written `system`, which every provider knows and OpenAI reads as the same.
 */
export function writeMessages(turns: readonly Turn[], context: MessagesContext): readonly JsonObject[] {
  const { facts } = context
  const messages = messagesOf(turns, context)
  return begun(facts.system_messages === 'one' ? withOneSystemMessage(messages) : messages, facts)
}

/** Some providers refuse a second message of the system; what it says goes into the first. */
function withOneSystemMessage(messages: readonly JsonObject[]): readonly JsonObject[] {
  const instructions = messages.filter(({ role }) => role === 'system')
  if (instructions.length === 0 || (instructions.length === 1 && messages[0]?.['role'] === 'system')) return messages
  const content = instructions.map((message) => String(message['content'])).join(BETWEEN_PARTS)
  return [{ role: 'system', content }, ...messages.filter(({ role }) => role !== 'system')]
}

/** An answer that the model is to go on with is marked, where its provider wants that. */
function begun(messages: readonly JsonObject[], { prefill }: ModelFacts): readonly JsonObject[] {
  const last = messages.at(-1)
  if (prefill !== 'prefix' && prefill !== 'partial') return messages
  if (last?.['role'] !== 'assistant' || last['tool_calls'] !== undefined) return messages
  return [...messages.slice(0, -1), { ...last, [prefill]: true }]
}

function messagesOf(turns: readonly Turn[], context: MessagesContext): readonly JsonObject[] {
  const messages: JsonObject[] = []
  let held: JsonObject[] = []
  let callsAreOpen = false
  for (const turn of mergedTurns(turns)) {
    if (turn.role !== 'assistant' && turn.role !== 'user') {
      const message = { role: context.facts.system_role, content: joinTexts(turn.parts, context.notes) }
      ;(callsAreOpen ? held : messages).push(message)
    } else if (turn.role === 'assistant') {
      append(messages, [...held, ...writeAssistant(turn, context)])
      held = []
      callsAreOpen = turn.parts.some(({ kind }) => kind === 'tool_call')
    } else {
      const { results, rest } = writeUser(turn, context.notes)
      append(messages, [...results, ...held, ...rest])
      held = []
      callsAreOpen = false
    }
  }
  return [...messages, ...held]
}

function writeUser({ parts }: UserTurn, notes: Notes): { results: JsonObject[]; rest: JsonObject[] } {
  const results: JsonObject[] = []
  const content: ContentPart[] = []
  for (const part of parts) {
    if (part.kind !== 'tool_result') continue
    const { text, behind } = writeResult(part, notes)
    results.push({ role: 'tool', tool_call_id: part.callId, content: text })
    append(content, behind)
  }
  for (const part of parts) if (part.kind !== 'tool_result') content.push(part)
  if (content.length === 0 && results.length > 0) return { results, rest: [] }
  return { results, rest: [{ role: 'user', content: writeContent(content, notes) }] }
}

/**
 * A tool's message holds text alone. What else the tool gave follows in a message of the user, behind the results of all
 * tools, and the text says so. A failed call has no field either: its text begins with `Error: `.
 */
function writeResult(part: ToolResultPart, notes: Notes): { text: string; behind: readonly ContentPart[] } {
  notes.dropCache(part)
  const { callId, isError, at } = part
  const parts = part.parts.map(asText)
  const texts = parts.filter((each) => each.kind === 'text')
  const behind = parts.filter((each) => each.kind !== 'text')
  const pointing = behind.map(({ kind }) => `[${KINDS[kind]} follows in the next message of the user.]`)
  const pointers = pointing.map((text) => ({ kind: 'text', text, at }) as const)
  const text = joinTexts([...texts, ...pointers], notes)
  const heading = `Given by the tool call ${callId}:`
  return {
    text: isError ? `Error: ${text}` : text,
    behind: behind.length === 0 ? [] : [{ kind: 'text', text: heading, at }, ...behind],
  }
}

const KINDS = { image: 'An image', file: 'A file', audio: 'Sound' } as const

interface MessagesContext {
  readonly facts: ModelFacts
  readonly notes: Notes
  readonly hasTools: boolean
}

/** One message for all that the model said in a turn; none where nothing of it can be said here. */
function writeAssistant({ parts }: AssistantTurn, context: MessagesContext): readonly JsonObject[] {
  const { notes } = context
  for (const part of parts) notes.dropCache(part)
  const calls = writeCalls(parts, context)
  const text = textOf(parts)
  const refusal = parts.flatMap((part) => (part.kind === 'refusal' ? [part.text] : [])).join('')
  const reasoning = writeReasoning(parts, { ...context, hasCalls: calls.length > 0 })
  if (calls.length === 0 && text === '' && refusal === '') return []
  return [
    {
      role: 'assistant',
      content: text === '' && calls.length > 0 && context.facts.empty_content ? null : text,
      ...(refusal === '' ? {} : { refusal }),
      ...reasoning,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ]
}

/** Texts side by side are one; where a call stood between them, a blank line keeps them apart. */
function textOf(parts: readonly AssistantPart[]): string {
  let text = ''
  let isApart = false
  for (const part of parts) {
    if (part.kind !== 'text') isApart = text !== ''
    else {
      text += isApart ? `\n\n${part.text}` : part.text
      isApart = false
    }
  }
  return text
}

/** The calls, at Google's compatible endpoint with the signature that stood before them: Gemini refuses calls without it. */
function writeCalls(parts: readonly AssistantPart[], { facts }: MessagesContext): readonly JsonObject[] {
  const calls: JsonObject[] = []
  let signature: string | null = null
  for (const part of parts) {
    if (part.kind === 'tool_call') {
      const extra = signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }
      calls.push({ ...writeCall(part), ...extra })
    }
    signature = facts.signed_calls !== 'no' && isGoogles(part) ? part.opaque.data : null
  }
  return calls
}

function isGoogles(part: AssistantPart): part is AssistantPart & { readonly opaque: ProviderSignature } {
  return part.kind === 'reasoning' && part.opaque?.vendor === 'google'
}

function writeCall({ id, name, input }: ToolCallBlock): JsonObject {
  return { id, type: 'function', function: { name, arguments: input === '' ? '{}' : input } }
}

/**
 * Reasoning goes back to those who made it: DeepSeek, Kimi and others refuse the results of tools without the reasoning that
 * led to their calls, and some want the field even where it is empty. Others know no field for it, as OpenAI's own endpoint.
 * Any other vendor's is left out.
 */
function writeReasoning(
  parts: readonly AssistantPart[],
  { facts, notes, hasTools, hasCalls }: MessagesContext & { readonly hasCalls: boolean },
): JsonObject {
  const isWanted = (hasTools || hasCalls) && facts.past_reasoning !== 'refused'
  let text = ''
  let field = 'reasoning_content'
  const details: unknown[] = []
  for (const [index, part] of parts.entries()) {
    if (part.kind !== 'reasoning') continue
    if (facts.signed_calls !== 'no' && isGoogles(part) && parts[index + 1]?.kind === 'tool_call') continue
    if (!isWanted || (part.opaque !== null && part.opaque.vendor !== 'chat')) {
      notes.drop(`${part.at}.reasoning`)
      continue
    }
    const own = readChatOpaque(part.opaque, part.text)
    text += part.text
    if (own.field === 'reasoning') field = 'reasoning'
    append(details, own.details)
  }
  return {
    ...(text !== '' || (isWanted && facts.past_reasoning === 'with_tools') ? { [field]: text } : {}),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  }
}

/** Stands between texts that were parts of their own: many providers take text only as one string. */
const BETWEEN_PARTS = '\n\n'

/** The content of a user's message: one text where it is all text, else a list of parts. */
function writeContent(parts: readonly ContentPart[], notes: Notes): string | readonly JsonObject[] {
  const readable = parts.map(asText)
  if (readable.every((part) => part.kind === 'text')) return joinTexts(readable, notes)
  return readable.map((part) => writePart(part, notes))
}

/** Texts as one. Marks for the cache are left out: this wire has none. */
function joinTexts(parts: readonly TextPart[], notes: Notes): string {
  for (const part of parts) notes.dropCache(part)
  return parts.map(({ text }) => text).join(BETWEEN_PARTS)
}

/** A document of plain text is text; others stay as they are. */
function asText(part: ContentPart): ContentPart {
  if (part.kind !== 'file' || part.source.kind !== 'data' || !part.source.mediaType.startsWith('text/')) return part
  const { name, at, source, cache } = part
  const text = Buffer.from(source.base64, 'base64').toString()
  const titled = name === null ? text : `${name}:${BETWEEN_PARTS}${text}`
  return { kind: 'text', text: titled, at, ...(cache === undefined ? {} : { cache }) }
}

function writePart(part: ContentPart, notes: Notes): JsonObject {
  notes.dropCache(part)
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return writeImage(part)
    case 'file':
      return writeFile(part, notes)
    case 'audio':
      return writeAudio(part, notes)
  }
}

function writeImage({ source, detail }: ImagePart): JsonObject {
  const url = source.kind === 'url' ? source.url : dataUrl(source)
  return { type: 'image_url', image_url: { url, ...(detail === null ? {} : { detail }) } }
}

/** OpenAI takes a file with its name and as a data URL, never by a link. */
function writeFile({ source, name, at }: FilePart, notes: Notes): JsonObject {
  if (source.kind === 'url') return notes.refuse(at, 'it takes files as data, not by a link')
  const filename = name ?? (source.mediaType === 'application/pdf' ? 'document.pdf' : 'document')
  return { type: 'file', file: { filename, file_data: dataUrl(source) } }
}

const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

function writeAudio({ source, at }: AudioPart, notes: Notes): JsonObject {
  if (source.kind === 'url') return notes.refuse(at, 'it takes sound as data, not by a link')
  const format = AUDIO_FORMATS[source.mediaType]
  if (format === undefined) return notes.refuse(at, 'it takes sound as WAV or MP3')
  return { type: 'input_audio', input_audio: { data: source.base64, format } }
}

function dataUrl({ mediaType, base64 }: Extract<Source, { kind: 'data' }>): string {
  return `data:${mediaType};base64,${base64}`
}
