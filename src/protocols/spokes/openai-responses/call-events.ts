import { callItem, type ItemStatus, type WrittenCall } from './answer-items.ts'
import type { DoneItem, ItemEvents, ItemPlace } from './item-events.ts'

/** A call of a function or a custom tool. A search for tools has no events of its own and is sent whole. */
export class CallEvents implements ItemEvents {
  readonly #place: ItemPlace
  readonly #call: WrittenCall
  #input = ''

  constructor(place: ItemPlace, call: WrittenCall) {
    this.#place = place
    this.#call = call
  }

  added(): string {
    return this.#place.added(callItem(this.#place.id, 'in_progress', { call: this.#call, input: '' }))
  }

  delta(text: string): string {
    this.#input += text
    if (this.#call.tool.isToolSearch) return ''
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
    return this.#place.done(begin + this.#inputDone(), item)
  }

  #inputDone(): string {
    const { tool, isCustom } = this.#call
    if (tool.isToolSearch) return ''
    const input = JSON.stringify(this.#input)
    if (isCustom) return this.#place.event('response.custom_tool_call_input.done', `"input":${input}`)
    const name = JSON.stringify(tool.name)
    return this.#place.event('response.function_call_arguments.done', `"name":${name},"arguments":${input}`)
  }
}
