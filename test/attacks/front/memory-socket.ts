import { Duplex } from 'node:stream'

/** A connection without a system below it: what Node's HTTP server and ours use of a socket, and no more. */
export class MemorySocket extends Duplex {
  readonly remoteAddress = '192.0.2.1'
  bytesWritten = 0
  readonly #written: Buffer[] = []

  constructor() {
    super({ allowHalfOpen: true })
    // As on any socket: an error closes it, and `close` follows.
    this.on('error', () => {})
  }

  /** All that the server wrote. */
  get answer(): string {
    return Buffer.concat(this.#written).toString('latin1')
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#written.push(bytes)
    this.bytesWritten += bytes.length
    done()
  }

  setTimeout(): this {
    return this
  }

  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }
}
