import { callItem, type ItemStatus, type WrittenCall } from './answer-items.ts'
import type { DoneItem, ItemEvents, ItemPlace } from './item-events.ts'

/**
 * A call of a function or a custom tool. One of a tool with items of its own type has no other events and is sent whole: what
 * it is to do is known at its end, and clients look for it when the item is added.
 */
export class CallEvents implements ItemEvents {
  readonly #place: ItemPlace
  readonly #call: WrittenCall
  #input = ''

  constructor(place: ItemPlace, call: WrittenCall) {
    this.#place = place
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
    return this.#place.event(type, `"delta":${JSON.stringify(text)}`)
  }

  logprobs(): string {
    return ''
  }

  opaque(): void {}

  done(status: ItemStatus): DoneItem {
    // Arguments are the JSON of an object, where there are none as well.
    const begin = this.#input === '' && !this.#call.isCustom ? this.delta('{}') : ''
    const item = callItem(this.#place.id, status, { call: this.#call, input: this.#input })
    const before = this.#isWhole ? this.#addedWith(this.#input) : begin + this.#inputDone()
    return this.#place.done(before, item)
  }

  get #isWhole(): boolean {
    return this.#call.tool.kind !== 'plain'
  }

  #addedWith(input: string): string {
    return this.#place.added(callItem(this.#place.id, 'in_progress', { call: this.#call, input }))
  }

  #inputDone(): string {
    const { tool, isCustom } = this.#call
    const input = JSON.stringify(this.#input)
    if (isCustom) return this.#place.event('response.custom_tool_call_input.done', `"input":${input}`)
    const name = JSON.stringify(tool.name)
    return this.#place.event('response.function_call_arguments.done', `"name":${name},"arguments":${input}`)
  }
}
