import type { ProviderSignature } from '../../hub/neutral-request.ts'
import { reasoningItem } from './answer-items.ts'
import type { DoneItem, ItemEvents, ItemPlace } from './item-events.ts'

/** Reasoning: what is shown of it is one part of a summary, which is there once there is text. */
export class ReasoningEvents implements ItemEvents {
  readonly #place: ItemPlace
  #text = ''
  #opaque: ProviderSignature | null = null

  constructor(place: ItemPlace) {
    this.#place = place
  }

  added(): string {
    return this.#place.added(reasoningItem(this.#place.id, '', null))
  }

  delta(text: string): string {
    const begin = this.#text === '' ? this.#event('response.reasoning_summary_part.added', PART_BEGIN) : ''
    this.#text += text
    return begin + this.#event('response.reasoning_summary_text.delta', `"delta":${JSON.stringify(text)}`)
  }

  logprobs(): string {
    return ''
  }

  opaque(opaque: ProviderSignature): void {
    this.#opaque = opaque
  }

  done(): DoneItem {
    const item = reasoningItem(this.#place.id, this.#text, this.#opaque)
    if (this.#text === '') return this.#place.done('', item)
    const text = JSON.stringify(this.#text)
    const textDone = this.#event('response.reasoning_summary_text.done', `"text":${text}`)
    const part = `"part":{"type":"summary_text","text":${text}}`
    return this.#place.done(textDone + this.#event('response.reasoning_summary_part.done', part), item)
  }

  #event(type: string, fields: string): string {
    return this.#place.event(type, `"summary_index":0,${fields}`)
  }
}

const PART_BEGIN = '"part":{"type":"summary_text","text":""}'
