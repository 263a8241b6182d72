/**
 * The least of an HTTP/1.1 client: finds where an answer ends and counts what arrived. It shares a core with the fake
 * upstream, so it looks at each byte at most once and keeps none but the last few.
 */

/** What one answer was. */
export interface Answer {
  readonly status: number
  /** Bytes of body, without the framing of chunks. */
  readonly bodyBytes: number
  /** Blank lines in the body: events, in a stream of them. */
  readonly events: number
  /** The last bytes of the body, at most TAIL_BYTES. */
  readonly tail: string
  /** False when the server says that it closes the connection after this answer. */
  readonly keepsAlive: boolean
}

/** Long enough for `data: [DONE]` and its blank line. */
const TAIL_BYTES = 14
/** An answer's head larger than this is taken for garbage. */
const LARGEST_HEAD_BYTES = 32_768
const NEW_LINE = 0x0a
const CARRIAGE_RETURN = 0x0d

type State = 'head' | 'fixed' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailer'

export class ResponseReader {
  #state: State = 'head'
  #head = ''
  #status = 0
  #keepsAlive = true
  /** Bytes that the body, or the present chunk, still has. */
  #left = 0
  #bodyBytes = 0
  #events = 0
  #endsWithNewLine = false
  readonly #tail = Buffer.alloc(TAIL_BYTES)
  #tailBytes = 0

  /** True between two answers. */
  get idle(): boolean {
    return this.#state === 'head' && this.#head === ''
  }

  /** Events of the answer that is under way. */
  get events(): number {
    return this.#events
  }

  /**
   * Takes the next bytes; they may be overwritten afterwards. Returns the answer when it is complete, else null. Bytes
   * after a complete answer are a fault of the server, since nothing is sent ahead. Throws an Error that says what is
   * wrong when the bytes are not an answer.
   */
  read(bytes: Buffer): Answer | null {
    let at = 0
    while (at < bytes.length) {
      at = this.#step(bytes, at)
      if (at < 0) {
        if (-at !== bytes.length) throw new Error(`${bytes.length + at} bytes after the end of the answer`)
        return this.#finish()
      }
    }
    return null
  }

  /** One state's worth of bytes. The next position; negative (-position) when the answer ends there. */
  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at)
      case 'fixed':
        return this.#readFixed(bytes, at)
      case 'chunk-size':
        return this.#readChunkSize(bytes, at)
      case 'chunk-data':
        return this.#readChunkData(bytes, at)
      case 'trailer':
        return this.#readTrailer(bytes, at)
      case 'chunk-end':
    }
    if (bytes[at] === NEW_LINE) this.#state = 'chunk-size'
    return at + 1
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = this.#head === '' ? bytes.indexOf('\r\n\r\n', at, 'latin1') : -1
    if (end === -1) return this.#gatherHead(bytes, at)
    return this.#startBody(bytes.toString('latin1', at, end + 2), end + 4)
  }

  /** The rare head that comes in pieces. */
  #gatherHead(bytes: Buffer, at: number): number {
    const before = this.#head.length
    this.#head += bytes.toString('latin1', at, bytes.length)
    const end = this.#head.indexOf('\r\n\r\n')
    if (end !== -1) return this.#startBody(this.#head.slice(0, end + 2), at + end + 4 - before)
    if (this.#head.length > LARGEST_HEAD_BYTES) throw new Error('the head of the answer has no end')
    return bytes.length
  }

  #startBody(head: string, at: number): number {
    this.#head = ''
    this.#status = Number(head.slice(9, 12))
    if (!head.startsWith('HTTP/1.1 ') || !(this.#status >= 200)) throw new Error(`not an answer: ${head.slice(0, 40)}`)
    const names = head.toLowerCase()
    this.#keepsAlive = !names.includes('\r\nconnection: close\r\n')
    const length = names.indexOf('\r\ncontent-length:')
    if (length !== -1) {
      this.#left = Number.parseInt(names.slice(length + 17, length + 34), 10)
      this.#state = 'fixed'
      return this.#left === 0 ? -at : at
    }
    if (!names.includes('\r\ntransfer-encoding: chunked\r\n')) throw new Error('the answer names no length')
    this.#left = 0
    this.#state = 'chunk-size'
    return at
  }

  #readFixed(bytes: Buffer, at: number): number {
    const end = Math.min(at + this.#left, bytes.length)
    this.#take(bytes, at, end)
    this.#left -= end - at
    return this.#left === 0 ? -end : end
  }

  #readChunkSize(bytes: Buffer, at: number): number {
    let position = at
    while (position < bytes.length) {
      const code = bytes[position++] ?? 0
      if (code === NEW_LINE) {
        this.#state = this.#left === 0 ? 'trailer' : 'chunk-data'
        return position
      }
      if (code !== CARRIAGE_RETURN) this.#left = this.#left * 16 + hexDigit(code)
    }
    return position
  }

  #readChunkData(bytes: Buffer, at: number): number {
    const end = Math.min(at + this.#left, bytes.length)
    this.#take(bytes, at, end)
    this.#left -= end - at
    if (this.#left === 0) this.#state = 'chunk-end'
    return end
  }

  /** Neither nginx nor the gateway sends trailers: the next line must be the empty one. */
  #readTrailer(bytes: Buffer, at: number): number {
    if (bytes[at] === NEW_LINE) return -(at + 1)
    if (bytes[at] !== CARRIAGE_RETURN) throw new Error('the answer has trailers')
    return at + 1
  }

  /** Counts a piece of body, and keeps its end. */
  #take(bytes: Buffer, from: number, to: number): void {
    if (to === from) return
    this.#bodyBytes += to - from
    let at = from
    if (this.#endsWithNewLine && bytes[from] === NEW_LINE) {
      this.#events++
      at++
    }
    at = this.#countEvents(bytes, at, to)
    // A line feed that already closed an event must not open the next one.
    this.#endsWithNewLine = at < to && bytes[to - 1] === NEW_LINE
    this.#keepTail(bytes, from, to)
  }

  /** Counts pairs of line feeds. Returns the position after the last pair, or the first one when there is none. */
  #countEvents(bytes: Buffer, from: number, to: number): number {
    let counted = from
    let at = bytes.indexOf(NEW_LINE, from)
    while (at !== -1 && at + 1 < to) {
      if (bytes[at + 1] === NEW_LINE) {
        this.#events++
        counted = at + 2
        at++
      }
      at = bytes.indexOf(NEW_LINE, at + 1)
    }
    return counted
  }

  #keepTail(bytes: Buffer, from: number, to: number): void {
    const piece = Math.min(to - from, TAIL_BYTES)
    const kept = Math.min(this.#tailBytes, TAIL_BYTES - piece)
    if (kept > 0) this.#tail.copyWithin(0, this.#tailBytes - kept, this.#tailBytes)
    for (let i = 0; i < piece; i++) this.#tail[kept + i] = bytes[to - piece + i] ?? 0
    this.#tailBytes = kept + piece
  }

  #finish(): Answer {
    const answer: Answer = {
      status: this.#status,
      bodyBytes: this.#bodyBytes,
      events: this.#events,
      tail: this.#tail.toString('latin1', 0, this.#tailBytes),
      keepsAlive: this.#keepsAlive,
    }
    this.#state = 'head'
    this.#left = 0
    this.#bodyBytes = 0
    this.#events = 0
    this.#endsWithNewLine = false
    this.#tailBytes = 0
    return answer
  }
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  if (lower >= 0x61 && lower <= 0x66) return lower - 0x57
  throw new Error('a chunk without a length')
}
