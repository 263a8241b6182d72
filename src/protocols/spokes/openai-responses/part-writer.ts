import { Fault } from '../../../core/faults.ts'
import { KEPT_PARTS_LIMIT_BYTES } from '../../../core/limits.ts'
import { openaiError } from '../../fault-body.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { BeginOf, StreamPart } from '../../hub/neutral-answer.ts'
import type { StopReason } from '../../reading/stop-words.ts'
import type { ClientCall, PartWriter, StreamUsage } from '../../hub/spoke.ts'
import { itemId, prefixOf, writtenCall, type ItemPrefix, type ItemStatus } from './answer-items.ts'
import { CallEvents } from './call-events.ts'
import { KEEP_ALIVE_COMMENT } from '../../stream/keep-alive-comment.ts'
import { EventLog } from './event-log.ts'
import { ItemPlace, type ItemEvents } from './item-events.ts'
import { MessageEvents } from './message-events.ts'
import { ReasoningEvents } from './reasoning-events.ts'
import { endOf, sameFields, writeUsage } from './response-fields.ts'
import { clientTools, type ClientTool } from './tool-names.ts'

/** How a response stands, beside what stays the same. */
interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  /** The items as JSON. */
  readonly output: readonly string[]
  readonly usage?: JsonObject
  readonly details?: JsonObject | null
  readonly error?: JsonObject
}

/**
 * Writes a stream of the responses wire: every event of every item, numbered, and the whole output once more in the last
 * one, for which all of it is kept. Codex lives on `output_item.done`, OpenAI's own libraries on each step before it.
 */
export class ResponsesPartWriter implements PartWriter {
  readonly takesMixedBlocks = false
  readonly #call: ClientCall
  readonly #tools: ReadonlyMap<string, ClientTool>
  readonly #log = new EventLog()
  /** What every event about the response repeats, as JSON without its last brace. */
  readonly #same: string
  readonly #output: string[] = []
  #open: { readonly block: number; readonly item: ItemEvents } | null = null
  #room = KEPT_PARTS_LIMIT_BYTES
  #hasBegun = false
  #stop: StopReason = 'end'

  constructor(call: ClientCall) {
    this.#call = call
    this.#tools = clientTools(call.request.tools, call.asked)
    this.#same = JSON.stringify(sameFields(call)).slice(0, -1)
  }

  write(part: StreamPart): string {
    return this.#begin() + this.#written(part)
  }

  end({ reported, estimatedOutputTokens }: StreamUsage): string {
    let events = this.#begin() + this.#close('incomplete')
    const { status, details } = endOf(this.#stop)
    // An answer without a word. Without any item, OpenAI's Agents SDK asks again and again.
    if (this.#output.length === 0 && status === 'completed')
      events += this.#openItem(-1, { kind: 'text' }) + this.#close('completed')
    const usage = writeUsage(reported, estimatedOutputTokens)
    return events + this.#about(`response.${status}`, { status, details, usage, output: this.#output })
  }

  /** OpenAI's libraries break on any event before `response.created`. Behind it, it has the number of the event before it. */
  keepAlive(): string {
    if (!this.#hasBegun) return KEEP_ALIVE_COMMENT
    return `event: keepalive\ndata: {"type":"keepalive","sequence_number":${this.#log.last}}\n\n`
  }

  writeFault(fault: Fault): string {
    const { code, message, param } = openaiError(fault, this.#call.requestId).error
    if (this.#hasBegun) {
      return this.#about('response.failed', { status: 'failed', error: { code, message }, output: [] })
    }
    return this.#log.event('error', JSON.stringify({ code, message, param }).slice(1, -1))
  }

  #begin(): string {
    if (this.#hasBegun) return ''
    this.#hasBegun = true
    const begun: ResponseState = { status: 'in_progress', output: [] }
    return this.#about('response.created', begun) + this.#about('response.in_progress', begun)
  }

  #written(part: StreamPart): string {
    if (part.kind === 'stop') {
      if (part.choice === 0) this.#stop = part.stop.reason
      return ''
    }
    if (part.kind === 'begin') {
      return part.choice === 0 ? this.#close('incomplete') + this.#openItem(part.block, part.of) : ''
    }
    if (this.#open?.block !== part.block) return ''
    const { item } = this.#open
    switch (part.kind) {
      case 'delta':
        this.#take(part.text.length)
        return item.delta(part.text)
      case 'logprobs':
        this.#take(part.logprobs.length * LOGPROB_BYTES)
        return item.logprobs(part.logprobs)
      case 'opaque':
        this.#take(part.opaque.data.length)
        item.opaque(part.opaque)
        return ''
      case 'end':
        return this.#close('completed')
    }
  }

  #openItem(block: number, of: BeginOf): string {
    this.#take(ITEM_BYTES)
    const item = this.#itemOf(of)
    this.#open = { block, item }
    return item.added()
  }

  #itemOf(of: BeginOf): ItemEvents {
    if (of.kind === 'reasoning') return new ReasoningEvents(this.#place('rs'))
    if (of.kind === 'tool_call') {
      const call = writtenCall(of, this.#tools)
      return new CallEvents(this.#place(prefixOf(call)), call)
    }
    const wantsLogprobs = this.#call.request.settings.get('logprobs') !== null
    return new MessageEvents(this.#place('msg'), { isRefusal: of.kind === 'refusal', wantsLogprobs })
  }

  #place(prefix: ItemPrefix): ItemPlace {
    const index = this.#output.length
    return new ItemPlace(itemId(prefix, this.#call.requestId, index), index, this.#log)
  }

  #close(status: ItemStatus): string {
    if (this.#open === null) return ''
    const { events, item } = this.#open.item.done(status)
    this.#open = null
    this.#output.push(item)
    return events
  }

  #about(type: string, { status, output, usage, details, error }: ResponseState): string {
    const state = JSON.stringify({
      status,
      // The clock was not read since the request.
      completed_at: null,
      error: error ?? null,
      incomplete_details: details ?? null,
      usage: usage ?? null,
    }).slice(1, -1)
    return this.#log.event(type, `"response":${this.#same},${state},"output":[${output.join(',')}]}`)
  }

  /** All of the answer is kept, and sent once more in one event: so there is an end to it. */
  #take(bytes: number): void {
    this.#room -= bytes
    if (this.#room < 0) throw new Fault('upstream_malformed', 'The model’s answer is longer than the gateway supports.')
  }
}

/** What an item and a probability take beside their text, about. */
const ITEM_BYTES = 256
const LOGPROB_BYTES = 128
