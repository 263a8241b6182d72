import { isWhite, LineEnds } from './line-ends.ts'

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
