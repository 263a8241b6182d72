import type { JsonObject } from '../../json/json-object.ts'
import type { ProviderSignature, TokenLogprob } from '../../hub/neutral-request.ts'
import {
  callItem,
  type ItemStatus,
  messageItem,
  reasoningItem,
  refusalPart,
  textPart,
  writeLogprob,
  type WrittenCall,
} from './answer-items.ts'
import { writeJson } from '../../json/exact-json.ts'

/** One item of the output while it is written: the events of its life, in the order that clients need. */
export abstract class ItemEvents {
  protected readonly place: ItemPlace

  constructor(place: ItemPlace) {
    this.place = place
  }

  abstract added(): string
  abstract delta(text: string): string
  /** The last events of an item, and the item itself as JSON. */
  abstract done(status: ItemStatus): DoneItem

  /** Events for the logprobs of the text before them, or of the text behind them. */
  logprobs(_logprobs: readonly TokenLogprob[]): string {
    return ''
  }

  opaque(_opaque: ProviderSignature): void {}
}

interface DoneItem {
  readonly events: string
  readonly item: string
}

/** Where an item stands in its stream, and what all of its events have in common. */
export class ItemPlace {
  readonly id: string
  readonly #index: number
  readonly #log: EventLog
  /** The fields by which each event names its item, as JSON. */
  readonly #at: string

  constructor(id: string, index: number, log: EventLog) {
    this.id = id
    this.#index = index
    this.#log = log
    this.#at = `"item_id":${JSON.stringify(id)},"output_index":${index},`
  }

  /** `fields` is JSON without its braces. */
  event(type: string, fields: string): string {
    return this.#log.event(type, this.#at + fields)
  }

  added(item: JsonObject): string {
    return this.#log.event(
      'response.output_item.added',
      `"output_index":${this.#index},"item":${writeJson(() => item)}`,
    )
  }

  /** `before`: the events that close what is in the item. */
  done(before: string, item: JsonObject): DoneItem {
    const json = writeJson(() => item)
    const last = this.#log.event('response.output_item.done', `"output_index":${this.#index},"item":${json}`)
    return { events: before + last, item: json }
  }
}

/** A message with one part: text, or a refusal. */
export class MessageEvents extends ItemEvents {
  readonly #isRefusal: boolean
  /** Whether deltas wait for the probabilities that belong to them. */
  readonly #wantsLogprobs: boolean
  readonly #all: TokenLogprob[] = []
  #text = ''
  #waitingText = ''
  #waitingLogprobs: TokenLogprob[] = []

  constructor(place: ItemPlace, how: { readonly isRefusal: boolean; readonly wantsLogprobs: boolean }) {
    super(place)
    this.#isRefusal = how.isRefusal
    this.#wantsLogprobs = how.wantsLogprobs && !how.isRefusal
  }

  added(): string {
    const events = this.place.added(messageItem(this.place.id, 'in_progress', []))
    return events + this.#event('response.content_part.added', `"part":${JSON.stringify(this.#part('', []))}`)
  }

  delta(text: string): string {
    this.#text += text
    if (this.#isRefusal) return this.#event('response.refusal.delta', `"delta":${JSON.stringify(text)}`)
    if (!this.#wantsLogprobs) return this.#textDelta(text, [])
    const before = this.#flush()
    this.#waitingText = text
    return this.#waitingLogprobs.length > 0 ? before + this.#flush() : before
  }

  override logprobs(logprobs: readonly TokenLogprob[]): string {
    if (!this.#wantsLogprobs) return ''
    for (const each of logprobs) {
      this.#all.push(each)
      this.#waitingLogprobs.push(each)
    }
    return this.#flush()
  }

  done(status: ItemStatus): DoneItem {
    const part = this.#part(this.#text, this.#all)
    const whole = JSON.stringify(this.#text)
    const events =
      this.#flush() +
      (this.#isRefusal
        ? this.#event('response.refusal.done', `"refusal":${whole}`)
        : this.#event('response.output_text.done', `"text":${whole},"logprobs":${JSON.stringify(part['logprobs'])}`)) +
      this.#event('response.content_part.done', `"part":${JSON.stringify(part)}`)
    return this.place.done(events, messageItem(this.place.id, status, [part]))
  }

  /** The text that waits, with the probabilities that have come. */
  #flush(): string {
    if (this.#waitingText === '') return ''
    const [text, logprobs] = [this.#waitingText, this.#waitingLogprobs]
    this.#waitingText = ''
    this.#waitingLogprobs = []
    return this.#textDelta(text, logprobs)
  }

  #textDelta(text: string, logprobs: readonly TokenLogprob[]): string {
    const written = logprobs.length === 0 ? '[]' : JSON.stringify(logprobs.map(writeLogprob))
    return this.#event('response.output_text.delta', `"delta":${JSON.stringify(text)},"logprobs":${written}`)
  }

  #event(type: string, fields: string): string {
    return this.place.event(type, `"content_index":0,${fields}`)
  }

  #part(text: string, logprobs: readonly TokenLogprob[]): JsonObject {
    return this.#isRefusal ? refusalPart(text) : textPart(text, logprobs)
  }
}

/** Reasoning: what is shown of it is one part of a summary, which is there once there is text. */
export class ReasoningEvents extends ItemEvents {
  #text = ''
  #opaque: ProviderSignature | null = null

  added(): string {
    return this.place.added(reasoningItem(this.place.id, '', null))
  }

  delta(text: string): string {
    const begin = this.#text === '' ? this.#event('response.reasoning_summary_part.added', PART_BEGIN) : ''
    this.#text += text
    return begin + this.#event('response.reasoning_summary_text.delta', `"delta":${JSON.stringify(text)}`)
  }

  override opaque(opaque: ProviderSignature): void {
    this.#opaque = opaque
  }

  done(): DoneItem {
    const item = reasoningItem(this.place.id, this.#text, this.#opaque)
    if (this.#text === '') return this.place.done('', item)
    const text = JSON.stringify(this.#text)
    const textDone = this.#event('response.reasoning_summary_text.done', `"text":${text}`)
    const part = `"part":{"type":"summary_text","text":${text}}`
    return this.place.done(textDone + this.#event('response.reasoning_summary_part.done', part), item)
  }

  #event(type: string, fields: string): string {
    return this.place.event(type, `"summary_index":0,${fields}`)
  }
}

const PART_BEGIN = '"part":{"type":"summary_text","text":""}'

/**
 * A call of a function or a custom tool. One of a tool with items of its own type has no other events and is sent whole: what
 * it is to do is known at its end, and clients look for it when the item is added.
 */
export class CallEvents extends ItemEvents {
  readonly #call: WrittenCall
  #input = ''

  constructor(place: ItemPlace, call: WrittenCall) {
    super(place)
    this.#call = call
  }

  added(): string {
    return this.#isWhole ? '' : this.#addedWith('')
  }

  delta(text: string): string {
    this.#input += text
    if (this.#isWhole) return ''
    const type = this.#call.isCustom
      ? 'response.custom_tool_call_input.delta'
      : 'response.function_call_arguments.delta'
    return this.place.event(type, `"delta":${JSON.stringify(text)}`)
  }

  done(status: ItemStatus): DoneItem {
    // Arguments are the JSON of an object, where there are none as well.
    const begin = this.#input === '' && !this.#call.isCustom ? this.delta('{}') : ''
    const item = callItem(this.place.id, status, { call: this.#call, input: this.#input })
    const before = this.#isWhole ? this.#addedWith(this.#input) : begin + this.#inputDone()
    return this.place.done(before, item)
  }

  get #isWhole(): boolean {
    return this.#call.tool.kind !== 'plain'
  }

  #addedWith(input: string): string {
    return this.place.added(callItem(this.place.id, 'in_progress', { call: this.#call, input }))
  }

  #inputDone(): string {
    const { tool, isCustom } = this.#call
    const input = JSON.stringify(this.#input)
    if (isCustom) return this.place.event('response.custom_tool_call_input.done', `"input":${input}`)
    const name = JSON.stringify(tool.name)
    return this.place.event('response.function_call_arguments.done', `"name":${name},"arguments":${input}`)
  }
}

/** Events of one stream, numbered from 0. */
export class EventLog {
  #next = 0

  /** The number of the last event; 0 before the first. */
  get last(): number {
    return Math.max(0, this.#next - 1)
  }

  /** `fields` is JSON without its braces. */
  event(type: string, fields: string): string {
    const number = this.#next
    this.#next += 1
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${number},${fields}}\n\n`
  }
}
