/**
 * The beginning of what an upstream sends in answer to a request: takes a byte order mark off, reads the kind of line ends, and
 * tells a stream of events from JSON, whatever the content type says. White space and comments may stand before either.
 */
export class StreamOpening {
  readonly #lineEnds = new LineEnds()
  /** The beginning of what may become a byte order mark; null from then on. */
  #mark: Buffer | null = NOTHING
  #isInComment = false
  #form: 'unknown' | 'events' | 'json' = 'unknown'

  get form(): 'unknown' | 'events' | 'json' {
    return this.#form
  }

  /** What comes from here on are events, and passes as it is. */
  get isOver(): boolean {
    return this.#form === 'events' && this.#lineEnds.isPlain
  }

  /** The bytes to go on with, without what stands before JSON; the same ones where nothing has to change. */
  take(chunk: Buffer): Buffer {
    const bytes = this.#lineEnds.take(this.#mark === null ? chunk : this.#withoutMark(this.#mark, chunk))
    if (this.#form !== 'unknown') return bytes
    const first = this.#firstOfContent(bytes)
    if (first < 0) return bytes
    this.#form = bytes[first] === OPEN_BRACE || bytes[first] === OPEN_BRACKET ? 'json' : 'events'
    return this.#form === 'json' ? bytes.subarray(first) : bytes
  }

  /** Empty as long as the mark may still become one. */
  #withoutMark(before: Buffer, chunk: Buffer): Buffer {
    const bytes = before.length === 0 ? chunk : Buffer.concat([before, chunk])
    const length = Math.min(bytes.length, BYTE_ORDER_MARK.length)
    if (bytes.compare(BYTE_ORDER_MARK, 0, length, 0, length) !== 0) {
      this.#mark = null
      return bytes
    }
    this.#mark = length < BYTE_ORDER_MARK.length ? bytes : null
    return bytes.subarray(length)
  }

  /** The offset of the first byte that is neither white space nor in a comment; -1 where there is none. */
  #firstOfContent(bytes: Buffer): number {
    for (const [at, byte] of bytes.entries()) {
      if (this.#isInComment) this.#isInComment = byte !== LINE_FEED
      else if (byte === COLON) this.#isInComment = true
      else if (!isWhite(byte)) return at
    }
    return -1
  }
}

const NOTHING = Buffer.alloc(0)
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const LINE_FEED = 0x0a
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const OPEN_BRACE = 0x7b

/**
 * Makes line feeds of the line ends of a stream that ends its lines with a lone carriage return, as the standard of event streams
 * allows. The first line tells; all other streams pass as they are, from their first line end on without a look.
 */
class LineEnds {
  #kind: 'unknown' | 'plain' | 'returns' = 'unknown'
  /** A character that is not white space has come. */
  #hasBegun = false
  /** A carriage return waits for the byte behind it. */
  #waits = false
  /** The last byte was a carriage return, which went on as a line feed. */
  #isBehindReturn = false

  /** Nothing has to be looked at any more. */
  get isPlain(): boolean {
    return this.#kind === 'plain'
  }

  /** The bytes to go on with; the same ones where nothing has to change. */
  take(chunk: Buffer): Buffer {
    if (this.#kind === 'plain' || chunk.length === 0) return chunk
    if (this.#kind === 'returns') return this.#converted(chunk)
    const bytes = this.#waits ? Buffer.concat([RETURN_ALONE, chunk]) : chunk
    this.#waits = false
    const end = this.#endOfLine(bytes)
    if (end < 0) return bytes
    if (bytes[end] === RETURN) {
      if (end + 1 === bytes.length) {
        this.#waits = true
        return bytes.subarray(0, end)
      }
      if (bytes[end + 1] !== LINE_FEED) {
        this.#kind = 'returns'
        return this.#converted(bytes)
      }
    }
    this.#kind = 'plain'
    return bytes
  }

  /** The offset of the first line end behind something else than white space; -1 where there is none. */
  #endOfLine(bytes: Buffer): number {
    let at = 0
    if (!this.#hasBegun) {
      while (isWhite(bytes[at])) at++
      this.#hasBegun = at < bytes.length
    }
    for (; at < bytes.length; at++) if (bytes[at] === LINE_FEED || bytes[at] === RETURN) return at
    return -1
  }

  #converted(chunk: Buffer): Buffer {
    const bytes = this.#isBehindReturn && chunk[0] === LINE_FEED ? chunk.subarray(1) : chunk
    this.#isBehindReturn = bytes.at(-1) === RETURN
    if (!bytes.includes(RETURN)) return bytes
    return Buffer.from(bytes.toString('latin1').replace(/\r\n?/g, '\n'), 'latin1')
  }
}

/** White space of JSON, which may stand before anything. */
function isWhite(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB
}

const TAB = 0x09
const RETURN = 0x0d
const SPACE = 0x20
const RETURN_ALONE = Buffer.from('\r')
