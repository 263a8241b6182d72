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
  /** Of several the first, as of `retryAfter`. */
  contentType: string | undefined
  retryAfter: string | undefined
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
    this.contentType = undefined
    this.retryAfter = undefined
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

  /** For how many milliseconds the connection may be idle after it and then carry another request; 0: it can carry none. */
  get idleMs(): number {
    if (!this.#staysOpen) return 0
    if (this.#keepAliveSeconds === null) return LONGEST_IDLE_MS
    return Math.max(0, Math.min(this.#keepAliveSeconds * 1000 - MARGIN_MS, LONGEST_IDLE_MS))
  }

  /**
   * Whether the other side leaves the connection open. That is not believed where content was announced that
   * an answer of this status has none of, in case it comes all the same; nor where HTTP/1.0 spoke of chunks, unknown to it.
   */
  get #staysOpen(): boolean {
    if (this.#saysClose || this.framing === 'close') return false
    if (this.#isWithoutContent && (this.#isChunked || this.length > 0)) return false
    return !this.#isOld || (this.#saysKeepAlive && !this.#isChunked)
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

  /** Takes what a line says that concerns us; false: the answer is to be refused. */
  take(bytes: Buffer, at: number, line: FieldLine): boolean {
    const { valueStart, valueEnd } = line
    switch (line.nameEnd - at) {
      case CONNECTION.length:
        if (isWord(bytes, at, CONNECTION)) this.#takeConnection(bytes.toString('latin1', valueStart, valueEnd))
        else if (isWord(bytes, at, KEEP_ALIVE)) this.#takeKeepAlive(bytes.toString('latin1', valueStart, valueEnd))
        return true
      case RETRY_AFTER.length:
        if (isWord(bytes, at, RETRY_AFTER)) this.retryAfter ??= bytes.toString('latin1', valueStart, valueEnd)
        return true
      case CONTENT_TYPE.length:
        if (isWord(bytes, at, CONTENT_TYPE)) this.contentType ??= bytes.toString('latin1', valueStart, valueEnd)
        return true
      case CONTENT_LENGTH.length:
        return !isWord(bytes, at, CONTENT_LENGTH) || this.#takeLength(digits(bytes, valueStart, valueEnd))
      case TRANSFER_ENCODING.length:
        if (!isWord(bytes, at, TRANSFER_ENCODING)) return true
        return this.#takeEncoding(valueEnd - valueStart === CHUNKED.length && isWord(bytes, valueStart, CHUNKED))
      default:
        return true
    }
  }

  /** A second one is refused even where it says the same, and so is one beside an encoding. */
  #takeLength(length: number): boolean {
    if (length === -1 || this.length !== -1 || this.#isChunked) return false
    this.length = length
    return true
  }

  /** `chunked` and nothing else: a coding that is not undone would reach the client as if it were the content. */
  #takeEncoding(isChunked: boolean): boolean {
    if (!isChunked || this.#isChunked || this.length !== -1) return false
    this.#isChunked = true
    return true
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
/** More digits are no size of anything, and no safe integer. */
const MOST_DIGITS = 15

const CONNECTION = Buffer.from('connection')
const KEEP_ALIVE = Buffer.from('keep-alive')
const RETRY_AFTER = Buffer.from('retry-after')
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
