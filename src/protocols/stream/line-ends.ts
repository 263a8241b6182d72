/**
 * Makes line feeds of the line ends of a stream that ends its lines with a lone carriage return, as the standard of event streams
 * allows. The first line tells; all other streams pass as they are, from their first line end on without a look.
 */
export class LineEnds {
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
export function isWhite(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB
}

const TAB = 0x09
const LINE_FEED = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const RETURN_ALONE = Buffer.from('\r')
