import { Fault } from '../../../core/faults.ts'
import { ANSWER_ARGUMENTS_LIMIT_CHARACTERS } from '../../../core/limits.ts'
import type { StreamPart } from '../../hub/neutral-answer.ts'
import { type CallFields, readCallFields } from './message-fields.ts'
import { writeJson } from '../../json/exact-json.ts'
import { parseExactText } from '../../json/exact-reader.ts'

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

/**
 * One call as its pieces come. Most upstreams send id and name once and the arguments in pieces. Others repeat id and name in
 * each piece, change the id, cut the name, send all arguments so far in each piece, send `{}` before the arguments, or send
 * them once more when they are whole.
 */
class StreamedCall {
  readonly index: number | null
  /** The number of its block in the stream; null until it has begun there. */
  block: number | null = null
  name = ''
  isCustom = false
  readonly #ids = new Set<string>()
  readonly #progress = new JsonProgress()
  /** The arguments so far. Only looked at beside pieces that may repeat all of it, since to look at it takes as long as it is. */
  #text = ''
  /** What of them was not taken yet. */
  #waiting = ''
  #hasPassed = false
  /** Each piece has all that came before it. */
  #isCumulative = false
  /** Whether its name came again behind its arguments, so that those of another call may follow. */
  #isNamedAgain = false

  constructor(index: number | null) {
    this.index = index
  }

  /** The first that it was given; empty where there was none. */
  get id(): string {
    const [first = ''] = this.#ids
    return first
  }

  get length(): number {
    return this.#text.length
  }

  hasId(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Whether a piece that was taken for one of this call begins another. */
  isOver({ index, id, name, input }: CallFields): boolean {
    const hasOtherId = id !== '' && this.#ids.size > 0 && !this.#ids.has(id)
    const hasOtherName = name !== '' && this.name !== '' && name !== this.name
    if (this.isCustom) return hasOtherId && name !== ''
    if (this.#text === '') return hasOtherId ? name !== '' : hasOtherName && index === null
    const begins = BEGINS.test(input)
    if (!this.#progress.isComplete) {
      return (hasOtherId && name !== '' && (input === '' || begins)) || (hasOtherName && begins)
    }
    if (hasOtherId || hasOtherName) return begins || input === ''
    return begins && (name !== '' || this.#isNamedAgain) && !this.#isPlaceholder && !this.#isSame(input)
  }

  /** Takes a piece of it. */
  add({ index, id, name, input, isCustom }: CallFields): void {
    if (id !== '' && this.#ids.size < IDS_LIMIT) this.#ids.add(id)
    if (isCustom) this.isCustom = true
    if (name !== '') this.#addName(name, index)
    const more = this.isCustom ? input : this.#newIn(input)
    if (more === '') return
    this.#text += more
    this.#waiting += more
    if (!this.isCustom) this.#progress.add(more)
  }

  /** The text that has come since. `{}` alone waits, since some upstreams begin with it. */
  take(): string {
    return this.#isPlaceholder ? '' : this.#taken()
  }

  /** The rest, when nothing more comes. A call that was given nothing has no arguments, which is an empty object, unless it was cut. */
  takeRest(isWhole: boolean): string {
    return this.#text === '' && isWhole && !this.isCustom ? '{}' : this.#taken()
  }

  #taken(): string {
    const text = this.#waiting
    this.#waiting = ''
    this.#hasPassed ||= text !== ''
    return text
  }

  get #isPlaceholder(): boolean {
    return !this.#hasPassed && this.#text.length < LONGEST_PLACEHOLDER && /^\s*\{\s*\}\s*$/.test(this.#text)
  }

  /** Pieces of a name come before the arguments, by the same index. */
  #addName(name: string, index: number | null): void {
    if (name === this.name) this.#isNamedAgain ||= this.#progress.isComplete
    else if (this.name === '' || name.startsWith(this.name)) this.name = name
    else if (this.#text === '' && index !== null && this.block === null) this.name += name
  }

  /** What of a piece did not come before. */
  #newIn(input: string): string {
    if (this.#text === '') return input.trim() === 'null' ? '' : input
    if (this.#isPlaceholder && BEGINS.test(input)) this.#forget()
    else if (this.#progress.isComplete && (input.trim() === '' || this.#isSame(input))) return ''
    else if (this.#isCumulative && this.#text.startsWith(input)) return ''
    else if (this.#repeatsAll(input)) {
      this.#isCumulative = true
      return input.slice(this.#text.length)
    }
    return input
  }

  #forget(): void {
    this.#text = ''
    this.#waiting = ''
    this.#progress.restart()
  }

  /** Where an object may stand the piece may be one that begins like the whole, unless it is whole itself. */
  #repeatsAll(input: string): boolean {
    if (input.length <= this.#text.length || !input.startsWith(this.#text)) return false
    if (this.#isCumulative) return true
    return BEGINS.test(this.#text) && (!this.#progress.mayHoldObject || closes(input))
  }

  /** Whether a piece is the whole object once more, be it written in another way. Only to be asked of a whole one. */
  #isSame(input: string): boolean {
    if (!BEGINS.test(input)) return false
    return input === this.#text || compact(input) === compact(this.#text)
  }
}

const BEGINS = /^\s*\{/
const LONGEST_PLACEHOLDER = 16
/** Upstreams that give another one in each piece are not known by them. */
const IDS_LIMIT = 16

function closes(input: string): boolean {
  const progress = new JsonProgress()
  progress.add(input)
  return progress.isComplete
}

/** The JSON in one way of writing it; itself where it is none. */
function compact(text: string): string {
  try {
    return writeJson(() => parseExactText(text, null))
  } catch {
    return text
  }
}

/** How far a JSON object has come that arrives in pieces. It is believed to be one: nothing is checked. */
class JsonProgress {
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The last character that was neither in a string nor white space. */
  #last = 0

  /** The last bracket is closed: nothing of the object can follow. */
  get isComplete(): boolean {
    return this.#depth === 0 && this.#last === CLOSE_BRACE
  }

  /** Whether another object may begin here, within this one. */
  get mayHoldObject(): boolean {
    return !this.#isInString && (this.#last === COLON || this.#last === COMMA || this.#last === OPEN_BRACKET)
  }

  restart(): void {
    this.#depth = 0
    this.#isInString = false
    this.#isEscaped = false
    this.#last = 0
  }

  add(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at)
      if (this.#isInString) this.#inString(character)
      else if (character > SPACE) this.#outside(character)
    }
  }

  #inString(character: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (character === BACKSLASH) this.#isEscaped = true
    else if (character === QUOTE) this.#isInString = false
  }

  #outside(character: number): void {
    this.#last = character
    if (character === QUOTE) this.#isInString = true
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) this.#depth += 1
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) this.#depth -= 1
  }
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
