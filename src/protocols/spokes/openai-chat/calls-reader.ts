import type { StreamPart } from '../../hub/neutral-answer.ts'
import { madeUpCallId } from '../../hub/tool-call-id.ts'
import { readCallFields, type CallFields } from './call-fields.ts'

export interface ChoiceOptions {
  readonly index: number
  /** The `id` of the answer, or of the request where it has none: ids that are missing are made from it. */
  readonly answerId: string
  /** The next number of a block, of all choices together. */
  readonly nextBlock: () => number
}

/** No model calls more tools in one answer; further ones are passed over, so that a stream cannot fill the memory. */
const CALLS_LIMIT = 1024

/** Arguments that may wait for the name of their tool, which all but a few upstreams send first. */
const WAITING_LIMIT_CHARACTERS = 1024 * 1024

interface Call {
  /** Null until the name of its tool is known. */
  block: number | null
  id: string
  name: string
  isCustom: boolean
  waiting: string
  hasInput: boolean
}

/**
 * The calls of tools in one choice of a stream, pieced together by `index`. Upstreams differ: some repeat id and name in each
 * piece, some give every call the index 0 and a new id, some give no index or no id at all.
 */
export class CallsReader {
  readonly #options: ChoiceOptions
  readonly #byIndex = new Map<number, Call>()
  /** In the order in which they came. */
  readonly #all: Call[] = []
  hasBegun = false

  constructor(options: ChoiceOptions) {
    this.#options = options
  }

  /** Takes one entry of a delta's `tool_calls`. */
  read(entry: unknown, parts: StreamPart[]): void {
    const fields = readCallFields(entry)
    const call = this.#callOf(fields)
    if (call === null) return
    if (call.id === '') call.id = fields.id
    if (fields.isCustom) call.isCustom = true
    if (fields.signature !== '') this.#writeSignature(fields.signature, parts)
    if (call.block !== null) {
      this.#write(call, fields.input, parts)
      return
    }
    if (call.waiting.length + fields.input.length <= WAITING_LIMIT_CHARACTERS) call.waiting += fields.input
    call.name = fields.name
    if (call.name !== '') this.#begin(call, parts)
  }

  /** Ends all of them. A call that was given nothing has no arguments, which is an empty object, unless it was cut. */
  end(parts: StreamPart[], { isWhole }: { readonly isWhole: boolean }): void {
    for (const call of this.#all) {
      if (call.block === null) continue
      if (isWhole && !call.hasInput && !call.isCustom) this.#write(call, '{}', parts)
      parts.push({ kind: 'end', block: call.block })
    }
  }

  #callOf({ index, id, name }: CallFields): Call | null {
    const known = index === null ? this.#withoutIndex(id, name) : this.#byIndex.get(index)
    const isAnother = known !== undefined && id !== '' && known.id !== '' && id !== known.id && name !== ''
    if (known !== undefined && !isAnother) return known
    if (this.#all.length >= CALLS_LIMIT) return null
    const call: Call = { block: null, id: '', name: '', isCustom: false, waiting: '', hasInput: false }
    this.#all.push(call)
    if (index !== null) this.#byIndex.set(index, call)
    return call
  }

  /** The call of that id; without an id the last one, unless a name says that the next begins. */
  #withoutIndex(id: string, name: string): Call | undefined {
    if (id !== '') return this.#all.find((call) => call.id === id)
    const last = this.#all.at(-1)
    return name !== '' && last?.block !== null ? undefined : last
  }

  #begin(call: Call, parts: StreamPart[]): void {
    const { index, answerId, nextBlock } = this.#options
    const block = nextBlock()
    call.block = block
    if (call.id === '') call.id = madeUpCallId(`${answerId} ${index} ${this.#all.indexOf(call)}`)
    this.hasBegun = true
    const { id, name, isCustom, waiting } = call
    parts.push({ kind: 'begin', block, choice: index, of: { kind: 'tool_call', id, name, isCustom } })
    call.waiting = ''
    this.#write(call, waiting, parts)
  }

  #write(call: Call, text: string, parts: StreamPart[]): void {
    const { block } = call
    if (text === '' || block === null) return
    call.hasInput = true
    parts.push({ kind: 'delta', block, text })
  }

  /** Google's signature comes with the first piece of its call, and stands before it in the neutral form. */
  #writeSignature(data: string, parts: StreamPart[]): void {
    const block = this.#options.nextBlock()
    parts.push({ kind: 'begin', block, choice: this.#options.index, of: { kind: 'reasoning' } })
    parts.push({ kind: 'opaque', block, opaque: { vendor: 'google', data } })
    parts.push({ kind: 'end', block })
  }
}
