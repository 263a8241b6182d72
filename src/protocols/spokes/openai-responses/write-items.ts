import type { JsonObject } from '../../json/json-object.ts'
import type {
  AssistantPart,
  AssistantTurn,
  ContentPart,
  ToolResultPart,
  Turn,
  UserTurn,
} from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { urlOf } from './data-url.ts'

/** The conversation as items of the input. */
export function writeItems(turns: readonly Turn[], notes: Notes): readonly JsonObject[] {
  const writer = new ItemWriter(notes)
  for (const turn of turns) {
    if (turn.role === 'assistant') writer.addAnswer(turn)
    else if (turn.role === 'user') writer.addUser(turn)
    else writer.addMessage(turn.role, turn.parts)
  }
  return writer.items
}

class ItemWriter {
  readonly #items: JsonObject[] = []
  readonly #notes: Notes
  /** Items of reasoning, each with its place in the client's body. */
  readonly #reasoned = new Map<JsonObject, string>()
  /** The ids and the cipher texts of reasoning that is written. */
  readonly #known = new Set<string>()
  /** Calls of custom tools: their results are of another type. */
  readonly #customCalls = new Set<string>()

  constructor(notes: Notes) {
    this.#notes = notes
  }

  /**
   * The items, without reasoning behind which no item of the same answer stands: OpenAI refuses the whole request for it. What
   * followed is gone where a client shortened the conversation, or was a step of a tool that ran at the provider.
   */
  get items(): readonly JsonObject[] {
    let isFollowed = false
    const kept = this.#items.toReversed().filter((item) => {
      const at = this.#reasoned.get(item)
      if (at === undefined) isFollowed = isOfAnswer(item)
      else if (!isFollowed) this.#notes.drop(`${at}.reasoning`)
      return at === undefined || isFollowed
    })
    return kept.toReversed()
  }

  addMessage(role: string, parts: readonly ContentPart[]): void {
    if (parts.length === 0) return
    this.#items.push({ type: 'message', role, content: parts.map((part) => this.#content(part)) })
  }

  addUser({ parts }: UserTurn): void {
    let said: ContentPart[] = []
    for (const part of parts) {
      if (part.kind !== 'tool_result') {
        said.push(part)
        continue
      }
      this.addMessage('user', said)
      said = []
      this.#items.push(this.#result(part))
    }
    this.addMessage('user', said)
  }

  addAnswer({ parts }: AssistantTurn): void {
    for (const part of parts) {
      this.#notes.dropCache(part)
      const item = this.#answerItem(part)
      if (item !== null) this.#items.push(item)
    }
  }

  #answerItem(part: AssistantPart): JsonObject | null {
    if (part.kind === 'reasoning') return this.#reasoning(part)
    if (part.kind === 'tool_call') return this.#call(part)
    if (part.kind === 'refusal') return answer({ type: 'refusal', refusal: part.text })
    return part.text === '' ? null : answer({ type: 'output_text', text: part.text, annotations: [] })
  }

  /** Only what OpenAI encrypted itself is of use to it, and once: it refuses an item that it knows already. */
  #reasoning({ text, opaque, at }: AssistantPart & { kind: 'reasoning' }): JsonObject | null {
    const names = opaque === null ? [] : [opaque.data, opaque.id ?? opaque.data]
    if (opaque?.vendor !== 'openai' || names.some((name) => this.#known.has(name))) {
      this.#notes.drop(`${at}.reasoning`)
      return null
    }
    for (const name of names) this.#known.add(name)
    const id = opaque.id === undefined ? {} : { id: opaque.id }
    const summary = text === '' ? [] : [{ type: 'summary_text', text }]
    const item = { type: 'reasoning', ...id, summary, encrypted_content: opaque.data }
    this.#reasoned.set(item, at)
    return item
  }

  #call({ id, name, input, isCustom }: AssistantPart & { kind: 'tool_call' }): JsonObject {
    const called = { call_id: id, name }
    if (!isCustom) return { type: 'function_call', ...called, arguments: input === '' ? '{}' : input }
    this.#customCalls.add(id)
    return { type: 'custom_tool_call', ...called, input }
  }

  #result(part: ToolResultPart): JsonObject {
    this.#notes.dropCache(part)
    const type = this.#customCalls.has(part.callId) ? 'custom_tool_call_output' : 'function_call_output'
    return { type, call_id: part.callId, output: this.#output(part) }
  }

  /** One text where it is all text, as not every upstream knows lists. This wire has no mark for a tool that failed. */
  #output({ parts, isError }: ToolResultPart): string | readonly JsonObject[] {
    const texts = parts.map((part) => (part.kind === 'text' ? part.text : null))
    if (!texts.includes(null)) {
      for (const part of parts) this.#notes.dropCache(part)
      return (isError ? FAILED : '') + texts.join('\n')
    }
    const content = parts.map((part) => this.#content(part))
    return isError ? [{ type: 'input_text', text: FAILED.trim() }, ...content] : content
  }

  #content(part: ContentPart): JsonObject {
    this.#notes.dropCache(part)
    switch (part.kind) {
      case 'text':
        return { type: 'input_text', text: part.text }
      case 'image':
        return { type: 'input_image', image_url: urlOf(part.source), detail: part.detail ?? 'auto' }
      case 'file':
        return part.source.kind === 'url'
          ? { type: 'input_file', file_url: part.source.url }
          : { type: 'input_file', filename: part.name ?? nameOf(part.source.mediaType), file_data: urlOf(part.source) }
      case 'audio':
        return this.#notes.refuse(part.at, 'it takes no sound')
    }
  }
}

function isOfAnswer({ type, role }: JsonObject): boolean {
  return type === 'function_call' || type === 'custom_tool_call' || (type === 'message' && role === 'assistant')
}

const FAILED = 'The tool failed:\n'

function answer(part: JsonObject): JsonObject {
  return { type: 'message', role: 'assistant', content: [part] }
}

/** OpenAI wants a name for every file, and tells by it what is inside. */
function nameOf(mediaType: string): string {
  return `document.${mediaType === 'application/pdf' ? 'pdf' : 'txt'}`
}
