import type { ClientResponse } from '../client-connection.ts'

/** What waits for it runs behind the work of this moment, as `process.nextTick` would run it, and takes Node less time. */
const SOON = Promise.resolve()
const LAST_CHUNK = Buffer.from('0\r\n\r\n')
const RETURN = 0x0d
const LINE_FEED = 0x0a
/** The longest size line: eight hexadecimal digits and a line end, and the line end behind the bytes. */
const FRAME_BYTES = 12

/**
 * The body of a streamed answer. What is sent in one turn of the event loop leaves in one chunk and one system call: an
 * upstream's packet often carries several events, and each write of its own would cost as much as everything else that
 * is done with an event. The frames are written here because Node would make three writes of each.
 */
export class ChunkedStream {
  readonly #response: ClientResponse
  readonly #isFramed: boolean
  readonly #onFull: () => void
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #isFirst = true

  /** The head must be written already, with `transfer-encoding: chunked` unless the client speaks HTTP/1.0. */
  constructor(response: ClientResponse, options: { isFramed: boolean; onFull: () => void }) {
    this.#response = response
    this.#isFramed = options.isFramed
    this.#onFull = options.onFull
    // Node's own framing is off from here on.
    if (options.isFramed) response.chunkedEncoding = false
  }

  send(bytes: Buffer): void {
    if (this.#waiting.length === 0) void SOON.then(this.#flush)
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
  }

  /** Sends the last bytes and ends the body the way the protocol ends it. */
  end(bytes: Buffer): void {
    this.#add(bytes)
    this.#write()
    if (this.#isFramed) this.#response.end(LAST_CHUNK)
    else this.#response.end()
  }

  /** Sends the last bytes and leaves the body without its end; `then` is called when they are with the system. */
  abort(bytes: Buffer, then: () => void): void {
    this.#add(bytes)
    const frame = this.#frame()
    if (frame === null) then()
    else this.#response.write(frame, then)
  }

  readonly #flush = (): void => {
    if (!this.#write()) this.#onFull()
  }

  #add(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
  }

  /** False when the client reads more slowly than it is written to. */
  #write(): boolean {
    if (this.#response.destroyed || this.#response.writableEnded) {
      this.#waiting = []
      this.#waitingBytes = 0
      return true
    }
    const frame = this.#frame()
    if (frame === null) return true
    if (!this.#isFirst) return this.#response.write(frame)
    this.#isFirst = false
    // As text the first bytes leave together with the head.
    return this.#response.write(frame.toString('latin1'), 'latin1')
  }

  /** Everything that waits, as one chunk; null when nothing does. */
  #frame(): Buffer | null {
    const [first] = this.#waiting
    if (first === undefined) return null
    const bytes = this.#waitingBytes
    const parts = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    if (!this.#isFramed) return parts.length === 1 ? first : Buffer.concat(parts, bytes)
    const frame = Buffer.allocUnsafe(bytes + FRAME_BYTES)
    let at = writeSize(frame, bytes)
    at = writeLineEnd(frame, at)
    for (const part of parts) at += part.copy(frame, at)
    at = writeLineEnd(frame, at)
    return frame.subarray(0, at)
  }
}

/** Writes the size as hexadecimal digits, byte by byte: to enter the native code for so few takes as long as all else that is done here. */
function writeSize(frame: Buffer, size: number): number {
  let at = 0
  for (let shift = (31 - Math.clz32(size)) & ~3; shift >= 0; shift -= 4) {
    frame[at++] = DIGITS.charCodeAt((size >>> shift) & 0xf)
  }
  return at
}

const DIGITS = '0123456789abcdef'

function writeLineEnd(frame: Buffer, at: number): number {
  frame[at] = RETURN
  frame[at + 1] = LINE_FEED
  return at + 2
}
