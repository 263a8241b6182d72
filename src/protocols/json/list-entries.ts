import { BODY_STEP_BYTES } from '../../core/limits.ts'
import type { Steps } from '../../core/turns.ts'
import type { Range } from './json-bytes.ts'

/** What a list of JSON has directly in it. */
export interface ListEntries {
  /** How many there are, or the `most` that were asked about. */
  readonly count: number
  /** Every one of them is a number. */
  readonly areNumbers: boolean
}

/** Counts the entries of the list at that place, in steps and without building them. */
export function* listEntries(body: Buffer, list: Range, most: number): Steps<ListEntries> {
  const walk = new ListWalk(body, list)
  while (!walk.advance(BODY_STEP_BYTES)) {
    if (walk.count >= most && !walk.areNumbers) break
    yield
  }
  return { count: Math.min(walk.count, most), areNumbers: walk.areNumbers }
}

class ListWalk {
  readonly #body: Buffer
  readonly #end: number
  #at: number
  #depth = 0
  #commas = 0
  #isEmpty = true
  #isInString = false
  areNumbers = true

  constructor(body: Buffer, { start, end }: Range) {
    this.#body = body
    this.#at = start
    this.#end = end
  }

  get count(): number {
    return this.#isEmpty ? 0 : this.#commas + 1
  }

  /** Walks over so many bytes more; returns whether that was all. */
  advance(bytes: number): boolean {
    const stop = Math.min(this.#end, this.#at + bytes)
    while (this.#at < stop) {
      const byte = this.#body[this.#at] ?? 0
      if (this.#isInString) this.#inString(byte)
      else this.#outside(byte)
      this.#at++
    }
    return this.#at >= this.#end
  }

  #inString(byte: number): void {
    if (byte === BACKSLASH) this.#at++
    else if (byte === QUOTE) this.#isInString = false
  }

  #outside(byte: number): void {
    this.#isInString = byte === QUOTE
    if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) this.#depth--
    else if (this.#depth === 1 && byte === COMMA) this.#commas++
    else if (this.#depth === 1 && byte > SPACE) this.#entry(byte)
    if (byte === OPEN_BRACKET || byte === OPEN_BRACE) this.#depth++
  }

  #entry(byte: number): void {
    this.#isEmpty = false
    this.areNumbers &&= isOfNumber(byte)
  }
}

function isOfNumber(byte: number): boolean {
  return (
    (byte >= ZERO && byte <= NINE) || byte === MINUS || byte === PLUS || byte === POINT || (byte | SMALL) === LETTER_E
  )
}

const SPACE = 0x20
const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LETTER_E = 0x65
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
/** Sets the bit by which capitals differ from small letters. */
const SMALL = 0x20
