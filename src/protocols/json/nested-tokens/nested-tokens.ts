import { isEscaped } from '../json-bytes.ts'
import { openCode } from '../wasm-code.ts'
import { NESTED_TOKENS_CODE } from './nested-tokens-code.ts'

/** The names that a reader has to see. More may be shown to it. */
export interface NameFilter {
  /** 1 for each length, first and last letter of a name that it has to see; `signOf` says where. Names with escapes are always shown. */
  readonly signs: Uint8Array
  /** Whether it has to see all names below a field at the top; `?` is a key that is long or has escapes. */
  wantsAll(key: string | null): boolean
}

/** The place of a name in `NameFilter.signs`. Of both letters it has five bits, in which capitals and small ones are alike. */
export function signOf(length: number, first: number, last: number): number {
  return ((length & 15) << 10) | ((first & 31) << 5) | (last & 31)
}

export const SIGNS = 1 << 14

/** Where a walk over nested values stops. */
export const STOP = {
  /** The walk has come to the offset where it was to pause. */
  pause: 0,
  /** A string of 512 bytes or more. */
  longString: 1,
  /** A shorter one, which is a name if a colon follows. */
  mayBeName: 2,
  /** An object or list that stands in the value itself. */
  inside: 3,
  /** The value. */
  whole: 4,
  /** A bracket at `start` closes another one than is open or is one too deep, or a backslash stands there, outside of strings. */
  flaw: 5,
  /** The end of the text, in a string that began at `start`; -1: in none. */
  unclosed: 6,
} as const

export type NestedStop = (typeof STOP)[keyof typeof STOP]

/** What to stop at. */
export interface NestedWanted {
  readonly names: 'none' | NameFilter | 'all'
  /** The number of objects and lists in the value itself at which it stops. */
  readonly inside: number
}

/**
 * A walk over what is nested in one JSON text, by vectors: 64 bytes at a time, of which only the quotes and brackets outside of strings
 * are looked at, and only what a reader has to see is shown (decision 0180). The walk of another text may come between two stops.
 */
export class NestedTokens {
  readonly #bytes: Buffer
  readonly #code: TokenMemory
  /** Offsets of the brackets that are open. */
  readonly #openers: number[]
  #wanted: NestedWanted = { names: 'none', inside: 0 }
  #size = LEAST_BYTES
  /** Where it goes on, and the string in which that is; -1: in none. */
  #at = 0
  #string = -1
  #isEscaped = 0
  #hasUnicode = 0
  /** The string of which a part was left to the native search. */
  #sought = -1
  readonly #id = newWalkId()
  #windowEnd = 0
  start = 0
  end = 0

  /** `openers`: the offsets of the brackets that are open, which it keeps as they are at each stop. */
  constructor(bytes: Buffer, openers: number[], code: TokenMemory) {
    this.#bytes = bytes
    this.#openers = openers
    this.#code = code
  }

  /** How far it has come. */
  get at(): number {
    return this.#at
  }

  /** Whether `\u` may be in the long string at which it stopped; null: not known. */
  get hasUnicode(): boolean | null {
    return this.start === this.#sought ? null : this.#hasUnicode !== 0
  }

  /** A value begins at this bracket. */
  begin(at: number, wanted: NestedWanted): void {
    this.#wanted = wanted
    this.#at = at
    this.#string = -1
    this.#isEscaped = 0
    this.#size = LEAST_BYTES
    this.#code.holder = 0
  }

  /** Goes on to the next stop, of which `start` and `end` say where it is. */
  next(until: number): NestedStop {
    const code = this.#code
    for (;;) {
      if (code.holder !== this.#id) this.#openWindow(until)
      const stop = code.next()
      this.#read(stop)
      if (stop !== STOP.pause) return stop
      if (this.#at === this.#bytes.length) {
        this.start = this.#string
        return STOP.unclosed
      }
      if (this.#string >= 0 && this.#passesString()) return this.end < 0 ? STOP.unclosed : STOP.longString
      if (this.#at >= until) return STOP.pause
    }
  }

  #openWindow(until: number): void {
    const start = this.#at
    const most = Math.min(this.#size, Math.max(until - start, 1))
    // An escape may lead from one window into the next, and is known at the end of a block.
    this.#windowEnd = Math.min(this.#bytes.length, start + Math.ceil(most / BLOCK_BYTES) * BLOCK_BYTES)
    this.#size = Math.min(WINDOW_BYTES, this.#size * 4)
    this.#code.fill(this.#bytes, start, this.#windowEnd)
    this.#code.open(this.#id, {
      base: start,
      length: this.#windowEnd - start,
      openers: this.#openers,
      bytes: this.#bytes,
      string: this.#string,
      hasUnicode: this.#hasUnicode,
      isEscaped: this.#isEscaped,
      wanted: this.#wanted,
    })
  }

  /** Takes over what the code says of the stop. */
  #read(stop: number): void {
    const { state, brackets } = this.#code
    const openers = this.#openers
    const depth = Number(state[2])
    while (openers.length > depth) openers.pop()
    for (let level = 0; level < depth; level++) openers[level] = Number(brackets[level])
    this.start = Number(state[0])
    this.end = Number(state[1])
    this.#hasUnicode = Number(state[3])
    if (stop === STOP.pause) {
      this.#string = Number(state[4])
      this.#isEscaped = Number(state[5])
      this.#at = this.#windowEnd
      this.#code.holder = 0
    } else {
      this.#at = this.end
      this.#string = -1
      this.#isEscaped = 0
    }
  }

  /**
   * A string goes on behind the window: where its next quote is far, as in a picture, the native search finds it faster. Returns
   * whether the string ends there, or has no end.
   */
  #passesString(): boolean {
    const bytes = this.#bytes
    const quote = bytes.indexOf(QUOTE, this.#at)
    this.start = this.#string
    this.end = -1
    if (quote < 0) return true
    if (quote - this.#at < FAR_BYTES) return false
    this.#sought = this.#string
    this.#size = LEAST_BYTES
    this.#at = quote + 1
    const isEnd = !isEscaped(bytes, quote)
    this.#isEscaped = 0
    if (!isEnd) return false
    this.#string = -1
    this.end = this.#at
    return true
  }
}

/** Where a window begins, and what is known there. */
interface Window {
  readonly base: number
  readonly length: number
  readonly openers: readonly number[]
  readonly bytes: Buffer
  readonly string: number
  readonly hasUnicode: number
  readonly isEscaped: number
  readonly wanted: NestedWanted
}

/** The code of one thread, with its memory. */
class TokenMemory {
  readonly #code: NestedTokensCode
  readonly #input: Uint8Array
  readonly #kinds: Uint8Array
  readonly #signs: Uint8Array
  #filter: NameFilter | null = null
  readonly state: Int32Array
  readonly brackets: Int32Array
  /** The number of the walk whose window it has: to hold the walk itself would keep the last body of a thread in memory. */
  holder = 0

  constructor(code: NestedTokensCode) {
    this.#code = code
    const { buffer } = code.memory
    this.#input = new Uint8Array(buffer, 0, WINDOW_BYTES + BLOCK_BYTES)
    this.state = new Int32Array(buffer, STATE_AT, 6)
    this.brackets = new Int32Array(buffer, BRACKETS_AT, MOST_OPEN)
    this.#kinds = new Uint8Array(buffer, KINDS_AT, MOST_OPEN)
    this.#signs = new Uint8Array(buffer, SIGNS_AT, SIGNS)
  }

  fill(bytes: Buffer, start: number, end: number): void {
    const length = end - start
    this.#input.set(bytes.subarray(start, end))
    if (length % BLOCK_BYTES > 0) this.#input.fill(0, length, length + BLOCK_BYTES)
  }

  open(holder: number, window: Window): void {
    const { base, length, openers, bytes, string, hasUnicode, isEscaped: escaped, wanted } = window
    const { names, inside } = wanted
    for (let level = 0; level < openers.length; level++) {
      const opener = openers[level] ?? 0
      this.brackets[level] = opener
      this.#kinds[level] = bytes[opener] ?? 0
    }
    if (typeof names === 'object' && names !== this.#filter) {
      this.#signs.set(names.signs)
      this.#filter = names
    }
    const shown = names === 'none' ? 0 : names === 'all' ? 2 : 1
    this.#code.open(base, length, openers.length, string, hasUnicode, escaped, shown, inside)
    this.holder = holder
  }

  next(): NestedStop {
    return this.#code.next()
  }
}

/** What `nested-tokens.wat` exports. */
interface NestedTokensCode {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly open: (...state: readonly number[]) => void
  readonly next: () => NestedStop
}

const QUOTE = 0x22
/** The memory as `nested-tokens.wat` lays it out. */
const WINDOW_BYTES = 0x10000
const STATE_AT = 0x10100
const BRACKETS_AT = 0x10200
const KINDS_AT = 0x10600
const SIGNS_AT = 0x10800
const MOST_OPEN = 201
const BLOCK_BYTES = 64
const LEAST_BYTES = 1_024
/** A search for a quote that is nearer takes longer than marking what is before it. */
const FAR_BYTES = 4_096

/** Below it a walk byte by byte is faster. Measured. */
const LEAST_TEXT_BYTES = 4_096

let walks = 0

function newWalkId(): number {
  walks += 1
  return walks
}

const CODE = openTokens()

function openTokens(): TokenMemory | null {
  const code = openCode(NESTED_TOKENS_CODE)
  return code === null ? null : new TokenMemory(code as NestedTokensCode)
}

/** The walk over a text by vectors; null where it is shorter than `least`, and where there are none. See `NestedTokens`. */
export function nestedTokensOf(bytes: Buffer, openers: number[], least = LEAST_TEXT_BYTES): NestedTokens | null {
  return bytes.length < least || CODE === null ? null : new NestedTokens(bytes, openers, CODE)
}
