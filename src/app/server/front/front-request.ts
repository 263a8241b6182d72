import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { ClientRequest } from '../../../gateway/client-connection.ts'
import type { FrontRequestHead } from './request-head.ts'

/** A request that the front read itself. Its body waits here until it is listened to. */
export class FrontRequest implements ClientRequest {
  readonly httpVersionMinor = 1
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly rawHeaders: readonly string[]
  readonly socket: Socket
  readonly arrived: Buffer | undefined
  complete: boolean
  destroyed = false
  /** Most bodies come with their heads, and then there are no events. */
  #events: EventEmitter | null = null
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #isFlowing = false
  #isFlowPlanned = false
  #hasEnded = false
  readonly #onRead: () => void

  /** `arrived`: the whole body, if it has come. `onRead`: what waited has been taken. */
  constructor(head: FrontRequestHead, about: { socket: Socket; arrived: Buffer | undefined; onRead: () => void }) {
    this.method = head.method
    this.url = head.url
    this.headers = head.headers
    this.rawHeaders = head.rawHeaders
    this.socket = about.socket
    this.arrived = about.arrived
    this.complete = about.arrived !== undefined
    this.#onRead = about.onRead
  }

  /** Bytes of the body that have come and are not read. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  on(event: string, listener: (...given: never[]) => void): this {
    this.#events ??= new EventEmitter()
    this.#events.on(event, listener as (...given: unknown[]) => void)
    if (event === 'data') this.resume()
    return this
  }

  removeAllListeners(event: 'data'): this {
    this.#events?.removeAllListeners(event)
    return this
  }

  resume(): this {
    if (this.#isFlowing || this.#isFlowPlanned) return this
    this.#isFlowPlanned = true
    // By then the handler listens to the end of the bytes as well.
    process.nextTick(() => this.#flow())
    return this
  }

  destroy(): this {
    this.socket.destroy()
    return this
  }

  /** The next bytes of the body have come. */
  push(bytes: Buffer): void {
    if (this.#isFlowing) this.#events?.emit('data', bytes)
    else {
      this.#waiting.push(bytes)
      this.#waitingBytes += bytes.length
    }
  }

  /** The body has come whole. */
  finish(): void {
    this.complete = true
    this.#endIfRead()
  }

  /** The client is gone. */
  leave(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.#waiting = []
    this.#waitingBytes = 0
    const events = this.#events
    if (events === null) return
    if (!this.complete && events.listenerCount('error') > 0) events.emit('error', new Error('the client left'))
    events.emit('close')
  }

  #flow(): void {
    if (this.destroyed) return
    this.#isFlowing = true
    const waiting = this.arrived === undefined ? this.#waiting : [this.arrived]
    this.#waiting = []
    this.#waitingBytes = 0
    for (const bytes of waiting) this.#events?.emit('data', bytes)
    this.#endIfRead()
    this.#onRead()
  }

  #endIfRead(): void {
    if (!this.complete || !this.#isFlowing || this.#hasEnded || this.destroyed) return
    this.#hasEnded = true
    this.#events?.emit('end')
  }
}
