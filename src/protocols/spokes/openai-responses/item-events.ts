import type { JsonObject } from '../../json/json-object.ts'
import type { ProviderSignature, TokenLogprob } from '../../hub/neutral-request.ts'
import type { ItemStatus } from './answer-items.ts'
import { writeJson } from '../../json/exact-json.ts'
import type { EventLog } from './event-log.ts'

/** One item of the output while it is written: the events of its life, in the order that clients need. */
export interface ItemEvents {
  added(): string
  delta(text: string): string
  /** Events for the logprobs of the text before them, or of the text behind them. */
  logprobs(logprobs: readonly TokenLogprob[]): string
  opaque(opaque: ProviderSignature): void
  /** The last events of an item, and the item itself as JSON. */
  done(status: ItemStatus): DoneItem
}

export interface DoneItem {
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
