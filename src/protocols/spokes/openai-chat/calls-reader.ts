import { Fault } from '../../../core/faults.ts'
import { ANSWER_ARGUMENTS_LIMIT_CHARACTERS } from '../../../core/limits.ts'
import type { StreamPart } from '../../hub/neutral-answer.ts'
import { readCallFields, type CallFields } from './call-fields.ts'
import { StreamedCall } from './streamed-call.ts'

export interface ChoiceOptions {
  readonly index: number
  /** The next number of a block, of all choices together. */
  readonly nextBlock: () => number
  /** How many characters of arguments are kept, of all choices together. */
  readonly kept: { characters: number }
}

/** No model calls more tools in one answer. */
const CALLS_LIMIT = 1024

/**
 * The calls of tools in one choice of a stream, pieced together by `index`, and by id and name where upstreams give all of
 * them the same one, another one in each piece, or none. A call begins with its first arguments, with the next call or at the
 * end, since its name may come in pieces.
 */
export class CallsReader {
  readonly #options: ChoiceOptions
  readonly #byIndex = new Map<number, StreamedCall>()
  /** All calls in the order in which they came. */
  readonly #all: StreamedCall[] = []

  constructor(options: ChoiceOptions) {
    this.#options = options
  }

  /** Whether there is a call at all, begun or not. */
  get hasCalls(): boolean {
    return this.#all.some(({ name }) => name !== '')
  }

  /** Takes one entry of a delta's `tool_calls`. Throws the fault `upstream_malformed` for more than there is room for. */
  read(entry: unknown, parts: StreamPart[]): void {
    const fields = readCallFields(entry)
    const call = this.#callOf(fields, parts)
    if (fields.signature !== '') this.#writeSignature(fields.signature, parts)
    const before = call.length
    call.add(fields)
    const { kept } = this.#options
    kept.characters += call.length - before
    if (kept.characters > ANSWER_ARGUMENTS_LIMIT_CHARACTERS) throw tooMuch()
    if (call.name !== '') this.#write(call, call.take(), parts)
  }

  /** Ends all of them. `isWhole`: nothing of them was cut. */
  end(parts: StreamPart[], { isWhole }: { readonly isWhole: boolean }): void {
    for (const call of this.#all) {
      if (call.name === '') continue
      this.#begin(call, parts)
      this.#write(call, call.takeRest(isWhole), parts)
      if (call.block !== null) parts.push({ kind: 'end', block: call.block })
    }
  }

  #callOf(fields: CallFields, parts: StreamPart[]): StreamedCall {
    const known = this.#known(fields)
    if (known !== undefined && !known.isOver(fields)) return known
    if (this.#all.length >= CALLS_LIMIT) throw tooMuch()
    for (const before of this.#all) if (before.name !== '') this.#begin(before, parts)
    const { index } = fields
    const call = new StreamedCall(index)
    if (fields.name === '' && known !== undefined) call.name = known.name
    this.#all.push(call)
    if (index !== null) this.#byIndex.set(index, call)
    return call
  }

  /** The call that a piece seems to be of. What says neither where it belongs nor what is called goes on with the last one. */
  #known({ index, id, name }: CallFields): StreamedCall | undefined {
    const byId = id === '' ? undefined : this.#all.findLast((call) => call.hasId(id))
    const last = this.#all.at(-1)
    if (index === null) return byId ?? (id === '' || name === '' ? last : undefined)
    const byIndex = this.#byIndex.get(index)
    if (byIndex === undefined && name !== '') return undefined
    if (byIndex === undefined) return id === '' ? last : byId
    return byId?.index === index ? byId : byIndex
  }

  #begin(call: StreamedCall, parts: StreamPart[]): void {
    if (call.block !== null) return
    const { index, nextBlock } = this.#options
    call.block = nextBlock()
    const { block, id, name, isCustom } = call
    parts.push({ kind: 'begin', block, choice: index, of: { kind: 'tool_call', id, name, isCustom } })
  }

  #write(call: StreamedCall, text: string, parts: StreamPart[]): void {
    if (text === '') return
    this.#begin(call, parts)
    if (call.block !== null) parts.push({ kind: 'delta', block: call.block, text })
  }

  /** Google's signature comes with the first piece of its call, and stands before it in the neutral form. */
  #writeSignature(data: string, parts: StreamPart[]): void {
    const block = this.#options.nextBlock()
    parts.push({ kind: 'begin', block, choice: this.#options.index, of: { kind: 'reasoning' } })
    parts.push({ kind: 'opaque', block, opaque: { vendor: 'google', data } })
    parts.push({ kind: 'end', block })
  }
}

function tooMuch(): Fault {
  return new Fault('upstream_malformed', 'The model sent more parallel tool calls than the gateway supports.')
}
