import { writeJson } from '../../json/exact-json.ts'
import { parseExactText } from '../../json/exact-reader.ts'
import type { CallFields } from './call-fields.ts'
import { JsonProgress } from './json-progress.ts'

/**
 * One call as its pieces come. Most upstreams send id and name once and the arguments in pieces. Others repeat id and name in
 * each piece, change the id, cut the name, send all arguments so far in each piece, send `{}` before the arguments, or send
 * them once more when they are whole.
 */
export class StreamedCall {
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
