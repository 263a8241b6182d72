import { isUncut, type NeutralAnswer, type NeutralChoice, type StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock, ProviderSignature } from '../../hub/neutral-request.ts'
import { fieldsOf, isObject, type JsonObject, listOf } from '../../json/json-object.ts'
import { readCallFields, readFinishReason, readLogprobs, readSaid } from './message-fields.ts'
import type { PartReader } from '../../hub/spoke.ts'
import { CHOICES_LIMIT } from '../../reading/request-head.ts'
import type { FreeFields } from '../../json/json-survey.ts'
import { exactJsonOf, jsonOf, type ServerEvent } from '../../reading/server-event.ts'
import { CallsReader, type ChoiceOptions } from './calls-reader.ts'
import { type ReasoningField, writeChatOpaque } from './reasoning-detail.ts'

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

const NOTHING: readonly StreamPart[] = []

/** What a call is given, at upstreams that send it as an object and not as its text. */
export const ARGUMENTS: FreeFields = new Map([['arguments', 'data']])

/** Reads the chunks of a streamed chat completion, whose choices may be mixed. */
export class ChatPartReader implements PartReader {
  readonly #choices = new Map<number, ChoiceReader>()
  readonly #kept = { characters: 0 }
  #blocks = 0

  read(event: ServerEvent): readonly StreamPart[] {
    const { choices } = chunkOf(event)
    if (!Array.isArray(choices) || choices.length === 0) return NOTHING
    const parts: StreamPart[] = []
    for (const choice of listOf(choices)) {
      const fields = fieldsOf(choice)
      const index = typeof fields['index'] === 'number' ? fields['index'] : 0
      this.#reader(index)?.read(fields, parts)
    }
    return parts
  }

  get hasCutCall(): boolean {
    return this.#choices.values().some((choice) => choice.hasCutCall)
  }

  end(): readonly StreamPart[] {
    const parts: StreamPart[] = []
    for (const choice of this.#choices.values()) choice.cut(parts)
    return parts
  }

  #reader(index: number): ChoiceReader | null {
    const known = this.#choices.get(index)
    if (known !== undefined) return known
    if (this.#choices.size >= CHOICES_LIMIT) return null
    const reader = new ChoiceReader({ index, nextBlock: () => this.#blocks++, kept: this.#kept })
    this.#choices.set(index, reader)
    return reader
  }
}

function chunkOf(event: ServerEvent): JsonObject {
  const chunk = fieldsOf(jsonOf(event))
  return hasObjectArguments(chunk) ? fieldsOf(exactJsonOf(event, ARGUMENTS)) : chunk
}

function hasObjectArguments({ choices }: JsonObject): boolean {
  return listOf(choices).some((choice) => {
    const { tool_calls: calls, function_call: legacy } = fieldsOf(fieldsOf(choice)['delta'])
    if (calls === undefined && legacy === undefined) return false
    const called = [legacy, ...listOf(calls).map((call) => fieldsOf(call)['function'])]
    return called.some((each) => isObject(fieldsOf(each)['arguments']))
  })
}

type TextKind = 'text' | 'refusal' | 'reasoning'

/**
 * One choice of a stream. Deltas have no borders between blocks: one of text, refusal or reasoning ends when another kind
 * begins, and calls of tools, which may be mixed, when the choice finishes.
 */
class ChoiceReader {
  readonly #index: number
  readonly #nextBlock: () => number
  readonly #calls: CallsReader
  readonly #details = new DetailList()
  #hasDetails = false
  #field: ReasoningField = 'reasoning_content'
  #open: { readonly kind: TextKind; readonly block: number } | null = null
  #hasRefusal = false
  #hasFinished = false
  /** Whether a call was begun and never finished. */
  hasCutCall = false

  constructor(options: ChoiceOptions) {
    this.#index = options.index
    this.#nextBlock = options.nextBlock
    this.#calls = new CallsReader(options)
  }

  /** Takes one entry of a chunk's `choices`. What comes behind its finish is passed over. */
  read(choice: Readonly<Record<string, unknown>>, parts: StreamPart[]): void {
    if (this.#hasFinished) return
    const { delta, finish_reason: reason, logprobs } = choice
    if (typeof delta === 'object' && delta !== null) this.#readDelta(delta as Readonly<Record<string, unknown>>, parts)
    if (typeof logprobs === 'object' && logprobs !== null) this.#readLogprobs(logprobs, parts)
    if (typeof reason === 'string' && reason !== '') this.#finish(reason, parts)
  }

  /** The stream ended before the choice did. */
  cut(parts: StreamPart[]): void {
    if (this.#hasFinished) return
    this.#hasFinished = true
    this.hasCutCall = this.#calls.hasCalls
    this.#close(parts)
    this.#calls.end(parts, { isWhole: false })
  }

  #readDelta(delta: Readonly<Record<string, unknown>>, parts: StreamPart[]): void {
    const said = readSaid(delta)
    if (said.details.length > 0) {
      this.#details.add(said.details)
      this.#hasDetails = true
    }
    if (said.reasoning !== '') {
      this.#field = said.field
      this.#write('reasoning', said.reasoning, parts)
    }
    if (said.text !== '') this.#write('text', said.text, parts)
    if (said.refusal !== '') {
      this.#hasRefusal = true
      this.#write('refusal', said.refusal, parts)
    }
    const { tool_calls: calls, function_call: legacy } = delta
    if (Array.isArray(calls)) for (const call of calls as readonly unknown[]) this.#readCall(call, parts)
    // The form of 2023, of one call at most.
    if (typeof legacy === 'object' && legacy !== null) this.#readCall({ index: -1, function: legacy }, parts)
  }

  #readCall(call: unknown, parts: StreamPart[]): void {
    this.#close(parts)
    this.#calls.read(call, parts)
  }

  #write(kind: TextKind, text: string, parts: StreamPart[]): void {
    if (this.#open?.kind !== kind) {
      this.#close(parts, kind === 'reasoning')
      this.#open = { kind, block: this.#nextBlock() }
      parts.push({ kind: 'begin', block: this.#open.block, choice: this.#index, of: { kind } })
    }
    parts.push({ kind: 'delta', block: this.#open.block, text })
  }

  #readLogprobs(logprobs: object, parts: StreamPart[]): void {
    if (this.#open?.kind !== 'text') return
    const tokens = readLogprobs(logprobs)
    if (tokens.length > 0) parts.push({ kind: 'logprobs', block: this.#open.block, logprobs: tokens })
  }

  /**
   * Ends what is open, reasoning with all that goes back to its vendor. Details without a block of their own (OpenRouter sends
   * Gemini's beside the call they belong to) get one, unless the reasoning that they are of is about to begin.
   */
  #close(parts: StreamPart[], beginsReasoning = false): void {
    const open = this.#open
    this.#open = null
    if (open !== null && open.kind !== 'reasoning') parts.push({ kind: 'end', block: open.block })
    if (open?.kind !== 'reasoning' && (!this.#hasDetails || beginsReasoning)) return
    const opaque = this.#details.take(this.#field, open?.kind === 'reasoning')
    this.#hasDetails = false
    if (open?.kind !== 'reasoning' && opaque === null) return
    const block = open?.kind === 'reasoning' ? open.block : this.#nextBlock()
    if (open?.kind !== 'reasoning') {
      parts.push({ kind: 'begin', block, choice: this.#index, of: { kind: 'reasoning' } })
    }
    if (opaque !== null) parts.push({ kind: 'opaque', block, opaque })
    parts.push({ kind: 'end', block })
  }

  #finish(reason: string, parts: StreamPart[]): void {
    this.#hasFinished = true
    this.#close(parts)
    const held = { hasCalls: this.#calls.hasCalls, hasRefusal: this.#hasRefusal }
    const stop = readFinishReason(reason, held)
    this.#calls.end(parts, { isWhole: isUncut(stop) })
    parts.push({ kind: 'stop', choice: this.#index, stop })
  }
}

/** More than any model signs; beyond it the reasoning goes on without what only its vendor can read. */
const LIMIT_CHARACTERS = 4 * 1024 * 1024

/**
 * The `reasoning_details` of one block, whole again: OpenRouter streams the text of an entry in pieces, which have the type
 * and `index` of the entry, and wants it back in one.
 */
class DetailList {
  #entries: JsonObject[] = []
  #characters = 0

  add(details: readonly unknown[]): void {
    for (const detail of details) {
      if (!isObject(detail)) continue
      this.#characters += sizeOf(detail)
      if (this.#characters > LIMIT_CHARACTERS) this.#entries = []
      else this.#addOne(detail)
    }
  }

  /**
   * What has to go back with this block, and an empty list for the next; null where its text alone says all. Entries that
   * only repeat the text are not kept.
   */
  take(field: ReasoningField, hasText: boolean): ProviderSignature | null {
    const isNeeded = this.#entries.some(({ signature, data }) => isText(signature) || isText(data))
    const details = isNeeded || !hasText ? this.#entries : []
    this.#entries = []
    this.#characters = 0
    if (details.length === 0 && !hasText) return null
    return writeChatOpaque({ field, details })
  }

  #addOne(detail: JsonObject): void {
    const last = this.#entries.at(-1)
    const isPiece =
      last !== undefined &&
      last['type'] === detail['type'] &&
      typeof detail['index'] === 'number' &&
      last['index'] === detail['index'] &&
      !isText(detail['data'])
    if (!isPiece) this.#entries.push({ ...detail })
    else this.#entries[this.#entries.length - 1] = joined(last, detail)
  }
}

function joined(past: JsonObject, next: JsonObject): JsonObject {
  const whole: Record<string, unknown> = { ...past }
  for (const [name, value] of Object.entries(next)) {
    if (value === null || value === undefined) continue
    const before = whole[name]
    const isPiece = (name === 'text' || name === 'summary') && typeof before === 'string' && typeof value === 'string'
    whole[name] = isPiece ? before + value : value
  }
  return whole
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function sizeOf(detail: JsonObject): number {
  let size = 0
  for (const value of Object.values(detail)) if (typeof value === 'string') size += value.length
  return size
}
