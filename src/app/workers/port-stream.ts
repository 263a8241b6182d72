import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'

/** What goes over the port besides bytes. */
const TAKEN = 'taken'
const ENDED = 'ended'

/**
 * A connection between two threads that looks like a socket to Node's HTTP server and client. One piece of bytes is under way
 * each way at a time, so a slow reader holds the writer up and nothing piles up between them.
 */
export class PortStream extends Duplex {
  /** The client's address: what `socket.remoteAddress` was where the connection came in. */
  readonly remoteAddress: string | undefined
  readonly #port: MessagePort
  #onTaken: ((error?: Error | null) => void) | null = null
  /** The last piece that came has not been asked for yet. */
  #owesTaken = false

  constructor(port: MessagePort, remoteAddress?: string) {
    super({ allowHalfOpen: true })
    this.#port = port
    this.remoteAddress = remoteAddress
    port.on('message', (message: unknown) => this.#hear(message))
    port.on('close', () => this.destroy())
  }

  // A thread that is there at all answers: there is nothing to keep alive, and the HTTP server keeps its own times.
  setKeepAlive(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  setTimeout(): this {
    return this
  }

  ref(): this {
    this.#port.ref()
    return this
  }

  unref(): this {
    this.#port.unref()
    return this
  }

  override _write(chunk: Buffer, _encoding: string, onTaken: (error?: Error | null) => void): void {
    this.#onTaken = onTaken
    // A copy: a piece of a pool would take its whole pool along.
    const bytes = new Uint8Array(chunk)
    this.#port.postMessage(bytes, [bytes.buffer])
  }

  override _final(onDone: () => void): void {
    this.#port.postMessage(ENDED)
    onDone()
  }

  override _read(): void {
    this.#confirm()
  }

  #confirm(): void {
    if (!this.#owesTaken) return
    this.#owesTaken = false
    this.#port.postMessage(TAKEN)
  }

  override _destroy(error: Error | null, onDone: (error?: Error | null) => void): void {
    this.#port.close()
    onDone(error)
  }

  #hear(message: unknown): void {
    if (message === TAKEN) {
      const onTaken = this.#onTaken
      this.#onTaken = null
      onTaken?.()
    } else if (message === ENDED) this.push(null)
    else if (message instanceof Uint8Array) {
      this.#owesTaken = true
      if (this.push(Buffer.from(message.buffer, message.byteOffset, message.byteLength))) this.#confirm()
    }
  }
}
