import type { IncomingHttpHeaders } from 'node:http'
import { CR, FieldLine, IS_TEXT, LF } from './field-line.ts'

/** Where a content ends. `length`: after so many bytes; `close`: with the connection. */
export type Framing = 'none' | 'length' | 'chunked' | 'close'

/**
 * The head of one answer, line by line (RFC 9112, sections 4 to 6). What could be understood in two ways is not understood at
 * all: each method that reads says where the answer is to be refused.
 */
export class AnswerHead {
  /** 0 until its line has come. */
  status = 0
  /**
   * The first header of each name in lower case. Of a good answer there is the content type alone: nothing else of it is read,
   * and most answers are good. An error says in others when to come back.
   */
  headers: IncomingHttpHeaders = {}
  /** Set after `begin`, it has the date of a good answer read too. */
  wantsDate = false
  /** Bytes of the content; -1: not named. */
  length = -1
  #isChunked = false
  /** HTTP/1.0, which closes the connection unless it says otherwise. */
  #isOld = false
  #saysClose = false
  #saysKeepAlive = false
  /** How long the other side keeps the idle connection, in seconds; null: it does not say. */
  #keepAliveSeconds: number | null = null

  begin(): void {
    this.status = 0
    this.headers = {}
    this.#keepAliveSeconds = null
    this.length = -1
    this.#isChunked = false
    this.#isOld = false
    this.#saysClose = false
    this.#saysKeepAlive = false
  }

  /** How its content is delimited. A 204 or 304 has none, whatever its head announces. */
  get framing(): Framing {
    if (this.#isWithoutContent) return 'none'
    if (this.#isChunked) return 'chunked'
    if (this.length === -1) return 'close'
    return this.length === 0 ? 'none' : 'length'
  }

  /** Milliseconds that the connection may be idle after the answer and then carry another request; 0: it can carry none. */
  get idleMs(): number {
    if (!this.#staysOpen) return 0
    if (this.#keepAliveSeconds === null) return LONGEST_IDLE_MS
    return Math.max(0, Math.min(this.#keepAliveSeconds * 1000 - MARGIN_MS, LONGEST_IDLE_MS))
  }

  /** Whether the other side closes the connection after it, by what it says. */
  get saysClose(): boolean {
    return this.#saysClose || (this.#isOld && !this.#saysKeepAlive)
  }

  /**
   * Whether the other side leaves the connection open. That is not believed where content was announced that
   * an answer of this status has none of, in case it comes all the same; nor where HTTP/1.0 spoke of chunks, unknown to it.
   */
  get #staysOpen(): boolean {
    if (this.saysClose || this.framing === 'close') return false
    if (this.#isWithoutContent && (this.#isChunked || this.length > 0)) return false
    return !this.#isOld || !this.#isChunked
  }

  get #isWithoutContent(): boolean {
    return this.status === 204 || this.status === 304
  }

  /**
   * Reads `HTTP/1.1 200 OK` at `at`: returns where the next line begins, INCOMPLETE where more has to come, BAD where this is
   * not HTTP. That is seen as early as it can be, since a server of another protocol may say no more before it is answered.
   */
  readStatus(bytes: Uint8Array, at: number): number {
    const { length } = bytes
    const known = Math.min(length - at, VERSION.length)
    for (let i = 0; i < known; i++) if (bytes[at + i] !== VERSION[i]) return BAD
    if (length - at < SHORTEST_STATUS_LINE) return INCOMPLETE
    const minor = bytes[at + 7]
    const status = digits(bytes, at + 9, at + 12)
    if ((minor !== ZERO && minor !== ZERO + 1) || bytes[at + 8] !== SPACE || status < 100) return BAD
    let i = at + 12
    if (bytes[i] === SPACE) while (i < length && IS_TEXT[bytes[i] ?? 0] === 1) i += 1
    if (i < length && bytes[i] !== CR) return BAD
    if (i + 1 >= length) return INCOMPLETE
    if (bytes[i + 1] !== LF) return BAD
    this.status = status
    this.#isOld = minor === ZERO
    return i + 2
  }

  /** Takes what a line says that concerns us. Returns why the answer is to be refused; null: it is not. */
  take(bytes: Buffer, at: number, line: FieldLine): string | null {
    const { valueStart, valueEnd } = line
    // Of what decides the length, no blanks behind it: there are readers that take such a value for another one.
    const isExact = bytes[valueEnd] === CR
    if (this.status >= 300 || (this.wantsDate && line.nameEnd - at === DATE.length && isWord(bytes, at, DATE))) {
      this.#note(bytes, at, line)
    }
    switch (line.nameEnd - at) {
      case CONNECTION.length:
        if (isWord(bytes, at, CONNECTION)) this.#takeConnection(bytes.toString('latin1', valueStart, valueEnd))
        else if (isWord(bytes, at, KEEP_ALIVE)) this.#takeKeepAlive(bytes.toString('latin1', valueStart, valueEnd))
        return null
      case CONTENT_TYPE.length:
        if (isWord(bytes, at, CONTENT_TYPE)) {
          this.headers['content-type'] ??= bytes.toString('latin1', valueStart, valueEnd)
        }
        return null
      case CONTENT_LENGTH.length:
        return isWord(bytes, at, CONTENT_LENGTH)
          ? this.#takeLength(isExact ? digits(bytes, valueStart, valueEnd) : -1)
          : null
      case TRANSFER_ENCODING.length:
        if (!isWord(bytes, at, TRANSFER_ENCODING)) return null
        return this.#takeEncoding(
          isExact && valueEnd - valueStart === CHUNKED.length && isWord(bytes, valueStart, CHUNKED),
        )
      default:
        return null
    }
  }

  /** The objection to a line behind the content, which must not speak of its length any more. All else in it is of no interest. */
  objectionToTrailer(bytes: Buffer, at: number, { nameEnd }: FieldLine): string | null {
    const isFraming =
      (nameEnd - at === CONTENT_LENGTH.length && isWord(bytes, at, CONTENT_LENGTH)) ||
      (nameEnd - at === TRANSFER_ENCODING.length && isWord(bytes, at, TRANSFER_ENCODING))
    return isFraming ? 'a length behind its content' : null
  }

  #note(bytes: Buffer, at: number, { nameEnd, valueStart, valueEnd }: FieldLine): void {
    const name = bytes.toString('latin1', at, nameEnd).toLowerCase()
    // It may come several times, and is of no use here.
    if (name !== 'set-cookie') this.headers[name] ??= bytes.toString('latin1', valueStart, valueEnd)
  }

  /** A second one is refused even where it says the same, and so is one beside an encoding. */
  #takeLength(length: number): string | null {
    if (length === -1) return 'a length that is not a number'
    if (this.length !== -1) return 'two lengths'
    if (this.#isChunked) return 'a length and an encoding'
    this.length = length
    return null
  }

  /** `chunked` and nothing else: a coding that is not undone would reach the client as if it were the content. */
  #takeEncoding(isChunked: boolean): string | null {
    if (!isChunked || this.#isChunked) return 'an encoding other than chunked'
    if (this.length !== -1) return 'a length and an encoding'
    this.#isChunked = true
    return null
  }

  #takeConnection(value: string): void {
    for (const option of value.toLowerCase().split(',')) {
      const name = option.trim()
      if (name === 'close') this.#saysClose = true
      if (name === 'keep-alive') this.#saysKeepAlive = true
    }
  }

  #takeKeepAlive(value: string): void {
    const seconds = /timeout=(\d{1,9})/.exec(value)?.[1]
    if (seconds !== undefined) this.#keepAliveSeconds = Number(seconds)
  }
}

/** Idle connections are kept this long; shorter than the 60 s and more after which common servers close them. */
const LONGEST_IDLE_MS = 30_000
/** A connection is given up so long before the other side does: a request takes time to get there. */
const MARGIN_MS = 2_000

export const INCOMPLETE = -1
export const BAD = -2

const VERSION = Buffer.from('HTTP/1.')
/** `HTTP/1.1 200`, and one character to see what comes next. */
const SHORTEST_STATUS_LINE = 13
const SPACE = 0x20
const ZERO = 0x30
/** Nothing is larger, and more digits make no safe integer. */
const MOST_DIGITS = 15

const DATE = Buffer.from('date')
const CONNECTION = Buffer.from('connection')
const KEEP_ALIVE = Buffer.from('keep-alive')
const CONTENT_TYPE = Buffer.from('content-type')
const CONTENT_LENGTH = Buffer.from('content-length')
const TRANSFER_ENCODING = Buffer.from('transfer-encoding')
const CHUNKED = Buffer.from('chunked')

/** Whether `word` stands at `at`, in any case. It has letters and hyphens alone, of which bit 5 is the case. */
function isWord(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (((bytes[at + i] ?? 0) | 0x20) !== word[i]) return false
  return true
}

/** The decimal number that is all of `from` to `to`; -1: it is none, or too large. */
function digits(bytes: Uint8Array, from: number, to: number): number {
  if (from === to || to - from > MOST_DIGITS) return -1
  let value = 0
  for (let i = from; i < to; i++) {
    const digit = (bytes[i] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}
