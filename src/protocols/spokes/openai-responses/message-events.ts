import type { JsonObject } from '../../json/json-object.ts'
import type { TokenLogprob } from '../../hub/neutral-request.ts'
import { messageItem, refusalPart, textPart, writeLogprob, type ItemStatus } from './answer-items.ts'
import type { DoneItem, ItemEvents, ItemPlace } from './item-events.ts'

/** A message with one part: text, or a refusal. */
export class MessageEvents implements ItemEvents {
  readonly #place: ItemPlace
  readonly #isRefusal: boolean
  /** Whether deltas wait for the probabilities that belong to them. */
  readonly #wantsLogprobs: boolean
  readonly #all: TokenLogprob[] = []
  #text = ''
  #waitingText = ''
  #waitingLogprobs: TokenLogprob[] = []

  constructor(place: ItemPlace, how: { readonly isRefusal: boolean; readonly wantsLogprobs: boolean }) {
    this.#place = place
    this.#isRefusal = how.isRefusal
    this.#wantsLogprobs = how.wantsLogprobs && !how.isRefusal
  }

  added(): string {
    const events = this.#place.added(messageItem(this.#place.id, 'in_progress', []))
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

  logprobs(logprobs: readonly TokenLogprob[]): string {
    if (!this.#wantsLogprobs) return ''
    for (const each of logprobs) {
      this.#all.push(each)
      this.#waitingLogprobs.push(each)
    }
    return this.#flush()
  }

  opaque(): void {}

  done(status: ItemStatus): DoneItem {
    const part = this.#part(this.#text, this.#all)
    const whole = JSON.stringify(this.#text)
    const events =
      this.#flush() +
      (this.#isRefusal
        ? this.#event('response.refusal.done', `"refusal":${whole}`)
        : this.#event('response.output_text.done', `"text":${whole},"logprobs":${JSON.stringify(part['logprobs'])}`)) +
      this.#event('response.content_part.done', `"part":${JSON.stringify(part)}`)
    return this.#place.done(events, messageItem(this.#place.id, status, [part]))
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
    return this.#place.event(type, `"content_index":0,${fields}`)
  }

  #part(text: string, logprobs: readonly TokenLogprob[]): JsonObject {
    return this.#isRefusal ? refusalPart(text) : textPart(text, logprobs)
  }
}
