import { UPSTREAM_HEAD_LIMIT_BYTES, UPSTREAM_INTERIM_LIMIT } from '../../core/limits.ts'
import { AnswerHead, BAD, INCOMPLETE } from './answer-head.ts'
import { ChunkLine } from './chunk-line.ts'
import { CR, FieldLine, LF } from './field-line.ts'

/** What is to come next of an answer. */
type ReadState =
  | 'status'
  | 'header'
  /** Content by its length, or up to the end of the connection. */
  | 'content'
  | 'chunk-line'
  | 'chunk'
  | 'chunk-end'
  | 'trailer'
  | 'complete'
  | 'refused'

/**
 * Reads the answers that come on one connection, one after the other, from the bytes of each read of its socket. Knows nothing
 * of sockets and calls nothing: what a read brought is looked up here afterwards. How strict it is, and why: decision 0031.
 */
export class AnswerReader {
  readonly head = new AnswerHead()
  /** The head of the answer itself has come, not only announcements of it. */
  hasHead = false
  /** Why it is refused, in words for the log; null: it is not. */
  objection: string | null = null
  #state: ReadState = 'complete'
  /** Bytes of content or chunk that are still to come; Infinity: until the connection ends. */
  #left = 0
  /** A line whose end has not come yet. */
  #begun: Buffer | null = null
  /** Bytes of head, extensions of chunks and trailers. */
  #lineBytes = 0
  #interims = 0
  readonly #line = new FieldLine()
  readonly #chunk = new ChunkLine()
  /** Where the content stands in the bytes that are being read, and how much of it there is. */
  #contentAt = 0
  #contentBytes = 0

  /** Makes ready for the next answer. */
  begin(): void {
    this.head.begin()
    this.hasHead = false
    this.objection = null
    this.#state = 'status'
    this.#left = 0
    this.#begun = null
    this.#lineBytes = 0
    this.#interims = 0
  }

  get isComplete(): boolean {
    return this.#state === 'complete'
  }

  /** The connection ended; whether the answer is whole by that. */
  endsWithConnection(): boolean {
    if (this.#state === 'content' && this.#left === Infinity) this.#state = 'complete'
    return this.isComplete
  }

  /**
   * Reads what has come, and returns the content in it, as a copy: `bytes` may be written over afterwards. Content of several
   * chunks is moved together, inside of `bytes`. Bytes behind the end of the answer are an objection, but it is complete.
   */
  read(bytes: Buffer): Buffer | null {
    let input = bytes
    if (this.#begun !== null) {
      input = Buffer.concat([this.#begun, bytes])
      this.#begun = null
    }
    this.#contentBytes = 0
    let at = 0
    while (at < input.length) {
      if (this.#state === 'complete') {
        this.objection = 'bytes after the end of the answer'
        break
      }
      const next = this.#step(input, at)
      if (next === INCOMPLETE) {
        this.#keep(input, at)
        break
      }
      if (next === BAD) {
        this.objection ??= `a ${this.#state} that is not well formed`
        this.#state = 'refused'
        break
      }
      at = next
    }
    if (this.#contentBytes === 0) return null
    const content = Buffer.allocUnsafe(this.#contentBytes)
    input.copy(content, 0, this.#contentAt, this.#contentAt + this.#contentBytes)
    return content
  }

  /** Reads one thing at `at`: returns where the next one begins, INCOMPLETE or BAD. */
  #step(input: Buffer, at: number): number {
    switch (this.#state) {
      case 'status':
        return this.#readStatus(input, at)
      case 'header':
      case 'trailer':
        return this.#readField(input, at)
      case 'chunk-line':
        return this.#readChunkLine(input, at)
      case 'content':
      case 'chunk':
        return this.#readContent(input, at)
      case 'chunk-end':
        if (input[at] !== CR) return BAD
        if (at + 1 === input.length) return INCOMPLETE
        this.#state = 'chunk-line'
        return input[at + 1] === LF ? at + 2 : BAD
      case 'complete':
      case 'refused':
        return BAD
    }
  }

  #readStatus(input: Buffer, at: number): number {
    const next = this.head.readStatus(input, at)
    if (next < 0) return next
    this.#state = 'header'
    return this.#countLine(next - at) ? next : BAD
  }

  #readField(input: Buffer, at: number): number {
    const found = this.#line.scan(input, at)
    if (found === 'incomplete') return INCOMPLETE
    const { next } = this.#line
    if (found === 'bad' || !this.#countLine(next - at)) return BAD
    const isTrailer = this.#state === 'trailer'
    if (found === 'field') {
      const { head } = this
      this.objection = isTrailer ? head.objectionToTrailer(input, at, this.#line) : head.take(input, at, this.#line)
      return this.objection === null ? next : BAD
    }
    if (isTrailer) this.#state = 'complete'
    else if (!this.#endHead()) return BAD
    return next
  }

  #endHead(): boolean {
    const { head } = this
    if (head.status < 200) {
      this.#interims += 1
      // 100 answers a question that we never ask. After 101 the connection would speak another protocol.
      const isAskedFor = head.status > 101 && !head.saysClose && this.#interims <= UPSTREAM_INTERIM_LIMIT
      if (!isAskedFor) this.objection = `a status ${head.status} that was not asked for`
      if (!isAskedFor) return false
      head.begin()
      this.#state = 'status'
      return true
    }
    this.hasHead = true
    switch (head.framing) {
      case 'none':
        this.#state = 'complete'
        return true
      case 'length':
        this.#state = 'content'
        this.#left = head.length
        return true
      case 'close':
        this.#state = 'content'
        this.#left = Infinity
        return true
      case 'chunked':
        this.#state = 'chunk-line'
        return true
    }
  }

  #readChunkLine(input: Buffer, at: number): number {
    const next = this.#chunk.read(input, at)
    if (next < 0) return next
    if (this.#chunk.extensionBytes > 0 && !this.#countLine(this.#chunk.extensionBytes)) return BAD
    this.#left = this.#chunk.size
    this.#state = this.#left === 0 ? 'trailer' : 'chunk'
    return next
  }

  #readContent(input: Buffer, at: number): number {
    const next = Math.min(input.length, at + this.#left)
    if (this.#contentBytes === 0) this.#contentAt = at
    else input.copyWithin(this.#contentAt + this.#contentBytes, at, next)
    this.#contentBytes += next - at
    this.#left -= next - at
    if (this.#left === 0) this.#state = this.#state === 'chunk' ? 'chunk-end' : 'complete'
    return next
  }

  #countLine(bytes: number): boolean {
    this.#lineBytes += bytes
    if (this.#lineBytes <= UPSTREAM_HEAD_LIMIT_BYTES) return true
    this.objection = TOO_LONG
    return false
  }

  #keep(input: Buffer, at: number): void {
    if (this.#countLine(input.length - at)) {
      this.#begun = Buffer.from(input.subarray(at))
      // Counted when it is whole.
      this.#lineBytes -= this.#begun.length
    } else this.#state = 'refused'
  }
}

const TOO_LONG = 'a head that is too long'
