import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { codeOf } from '../connection-error.ts'
import { type Handshake, proxyFailed } from './tunnel-handshake.ts'

/**
 * A way through a proxy. What is written before it stands waits. Until then every failure is the proxy's
 * (`UPSTREAM_PROXY_FAILED`); afterwards it is a connection like any other.
 */
export class ProxyTunnel extends Duplex {
  readonly #socket: Socket
  readonly #handshake: Handshake
  #isOpen = false
  #waiting: (() => void) | null = null

  /** `connected`: the event by which `socket` stands. Emits `tunnel` when the way is open. */
  constructor(socket: Socket, connected: 'connect' | 'secureConnect', handshake: Handshake) {
    super()
    this.#socket = socket
    this.#handshake = handshake
    // The process lives on for its server, not for ways that nothing is sent on.
    socket.unref()
    socket.once(connected, () => socket.write(handshake.first))
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.on('error', (error) =>
      this.destroy(this.#isOpen ? error : proxyFailed(codeOf(error) || 'it cannot be reached')),
    )
    socket.once('end', () => (this.#isOpen ? this.push(null) : this.destroy(proxyFailed('it closed the connection'))))
    socket.once('close', () => this.destroy(this.#isOpen ? undefined : proxyFailed('it closed the connection')))
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {
    if (this.#isOpen) this.#socket.resume()
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const write = () => void this.#socket.write(bytes, done)
    if (this.#isOpen) write()
    else this.#waiting = write
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }

  #take(bytes: Buffer): void {
    if (this.#isOpen) return this.#pass(bytes)
    try {
      const step = this.#handshake.take(bytes)
      if (step.kind === 'send') this.#socket.write(step.bytes)
      if (step.kind !== 'open') return
      this.#isOpen = true
      this.emit('tunnel')
      if (step.rest.length > 0) this.#pass(step.rest)
      this.#waiting?.()
      this.#waiting = null
    } catch (error) {
      this.destroy(error instanceof Error ? error : proxyFailed('its answer could not be read'))
    }
  }

  #pass(bytes: Buffer): void {
    if (!this.push(bytes)) this.#socket.pause()
  }
}
