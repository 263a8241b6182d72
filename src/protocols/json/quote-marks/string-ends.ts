import { isEscaped, nextQuote } from '../json-bytes.ts'
import { openCode } from '../wasm-code.ts'
import { QUOTE_MARKS_CODE } from './quote-marks-code.ts'

/** Where the strings of one JSON text end, and where characters are written as `\uXXXX`. */
export interface StringEnds {
  /**
   * The offset of the quote that ends the string in which `from` stands; no backslash before it escapes that byte. -1: the
   * string is never closed. Less than -1: `~offset` of where the search goes on, since it has come to an escaped quote behind
   * `until`.
   */
  endFrom(from: number, until: number): number
  /** Whether `\u` is between these offsets, of a string that has just been passed over. */
  hasUnicodeEscape(start: number, end: number): boolean
}

/** Below it marking takes as long as looking, or longer: measured in a gateway under load, whose code is not at hand. */
const MARKED_BYTES = 2_048

/** `words`: the same bytes, where they are at hand. */
export function stringEndsOf(bytes: Buffer, words?: DataView): StringEnds {
  return bytes.length < MARKED_BYTES || QUOTE_MARKS === null
    ? new SoughtEnds(bytes, words)
    : new MarkedEnds(bytes, QUOTE_MARKS)
}

/** The ends in a short text, which is searched from quote to quote. */
class SoughtEnds implements StringEnds {
  readonly #bytes: Buffer
  readonly #words: DataView

  constructor(bytes: Buffer, words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)) {
    this.#bytes = bytes
    this.#words = words
  }

  endFrom(from: number, until: number): number {
    const bytes = this.#bytes
    let at = nextQuote(bytes, this.#words, from)
    while (at > 0 && bytes[at - 1] === BACKSLASH && isEscaped(bytes, at)) {
      if (at > until) return ~(at + 1)
      at = nextQuote(bytes, this.#words, at + 1)
    }
    return at
  }

  hasUnicodeEscape(start: number, end: number): boolean {
    return this.#bytes.subarray(start, end).includes(UNICODE)
  }
}

/**
 * The ends in a longer text, by marks that are made by the vectors of WebAssembly, up to 64 KB at a time (decision 0177): text of an
 * agent has an escaped quote every 30 bytes, and to look from one to the next took five times as long. What has none for a
 * long way, as a picture, is left to the native search.
 */
export class MarkedEnds implements StringEnds {
  readonly #bytes: Buffer
  readonly #marks: QuoteMarks
  readonly #id = newTextId()

  constructor(bytes: Buffer, marks: QuoteMarks) {
    this.#bytes = bytes
    this.#marks = marks
  }

  endFrom(from: number, until: number): number {
    const marks = this.#marks
    if (!marks.holds(this.#id, from)) marks.mark(this.#id, this.#bytes, from)
    let at = marks.nextQuote(from)
    while (at < 0) {
      const quote = this.#bytes.indexOf(QUOTE, marks.end)
      if (quote < 0 || !isEscaped(this.#bytes, quote)) return quote
      if (quote > until) return ~(quote + 1)
      marks.mark(this.#id, this.#bytes, quote + 1)
      at = marks.nextQuote(quote + 1)
    }
    return at
  }

  hasUnicodeEscape(start: number, end: number): boolean {
    const marks = this.#marks
    return marks.holds(this.#id, start) && end <= marks.end
      ? marks.hasUnicode(start, end)
      : this.#bytes.subarray(start, end).includes(UNICODE)
  }
}

/** The marks of one window of a text. A thread has one: what finds another text or place in it marks its own anew. */
export class QuoteMarks {
  readonly #code: Code
  readonly #input: Uint8Array
  readonly #quotes: Offsets
  readonly #unicodes: Offsets
  /** The number of the text: to hold the text itself would keep the last body of a thread in memory. */
  #of = 0
  #start = 0
  /** How much is marked: more where one window follows another than behind a picture, which has no quotes to mark. */
  #size = LEAST_BYTES
  /** The offset behind the window. */
  end = 0

  constructor(code: Code) {
    this.#code = code
    const { buffer } = code.memory
    this.#input = new Uint8Array(buffer, 0, WINDOW_BYTES)
    this.#quotes = new Offsets(new Int32Array(buffer, WINDOW_BYTES, WINDOW_BYTES))
    this.#unicodes = new Offsets(new Int32Array(buffer, UNICODES_AT, WINDOW_BYTES / 2))
  }

  holds(id: number, offset: number): boolean {
    return this.#of === id && offset >= this.#start && offset < this.end
  }

  /** Marks what begins at `start`, of which no backslash escapes the first byte. */
  mark(id: number, bytes: Buffer, start: number): void {
    const goesOn = this.#of === id && start >= this.end && start - this.end < LEAST_BYTES
    this.#size = goesOn ? Math.min(WINDOW_BYTES, this.#size * 4) : LEAST_BYTES
    const end = Math.min(bytes.length, start + this.#size)
    const length = end - start
    this.#input.set(bytes.subarray(start, end))
    if (length % BLOCK_BYTES > 0) this.#input.fill(0, length, Math.min(WINDOW_BYTES, length + BLOCK_BYTES))
    this.#quotes.reset(this.#code.mark(length))
    this.#unicodes.reset(this.#code.unicode.value)
    this.#of = id
    this.#start = start
    this.end = end
  }

  /** The offset of the first quote from there that is not escaped; -1: the window has none. Asked with ever larger offsets. */
  nextQuote(from: number): number {
    const offset = this.#quotes.firstFrom(from - this.#start)
    return offset < 0 ? -1 : this.#start + offset
  }

  /** Asked with ever larger offsets as well. */
  hasUnicode(start: number, end: number): boolean {
    const offset = this.#unicodes.firstFrom(start - this.#start)
    return offset >= 0 && offset < end - this.#start
  }
}

/** Sorted offsets, of which what was passed is not looked at again: a text may have thousands. */
class Offsets {
  readonly #all: Int32Array
  #count = 0
  #next = 0

  constructor(all: Int32Array) {
    this.#all = all
  }

  reset(count: number): void {
    this.#count = count
    this.#next = 0
  }

  /** The first that is not below `least`; -1: there is none. */
  firstFrom(least: number): number {
    const all = this.#all
    let next = this.#next
    if (next > 0 && Number(all[next - 1]) >= least) next = 0
    while (next < this.#count && Number(all[next]) < least) next++
    this.#next = next
    return next < this.#count ? Number(all[next]) : -1
  }
}

let texts = 0

function newTextId(): number {
  texts += 1
  return texts
}

/** What `quote-marks.wat` exports. */
interface Code {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly unicode: { readonly value: number }
  mark(length: number): number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const UNICODE = Buffer.from(String.raw`\u`)
/** The memory as `quote-marks.wat` lays it out. */
const WINDOW_BYTES = 0x10000
const UNICODES_AT = 0x50000
const BLOCK_BYTES = 64
const LEAST_BYTES = 4_096

/** The marks of this thread; null where its processor or its Node has no vectors. */
export const QUOTE_MARKS: QuoteMarks | null = openMarks()

function openMarks(): QuoteMarks | null {
  const code = openCode(QUOTE_MARKS_CODE)
  return code === null ? null : new QuoteMarks(code as Code)
}
