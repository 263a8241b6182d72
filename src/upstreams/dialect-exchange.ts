import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../core/faults.ts'
import type { UpstreamExchange, UpstreamHandler } from './upstream-client.ts'

/**
 * One exchange whose answer a dialect rewrites. A dialect may end or fail it before the connection does, and may have more to say
 * of one piece when the client has left: then the connection is closed, and nothing more is heard.
 */
export class DialectExchange implements UpstreamExchange, UpstreamHandler {
  readonly #handler: UpstreamHandler
  #exchange: UpstreamExchange | null = null
  #isOver = false

  /** `handler`: hears what the dialect makes of the answer. */
  constructor(handler: UpstreamHandler) {
    this.#handler = handler
  }

  /** The exchange that the request went out on. */
  goesBy(exchange: UpstreamExchange): this {
    this.#exchange = exchange
    return this
  }

  get isSent(): boolean {
    return this.#exchange?.isSent === true
  }

  get isRepeated(): boolean {
    return this.#exchange?.isRepeated === true
  }

  pause(): void {
    this.#exchange?.pause()
  }

  resume(): void {
    this.#exchange?.resume()
  }

  abort(): void {
    this.#isOver = true
    this.#exchange?.abort()
  }

  onConnected(): void {
    if (!this.#isOver) this.#handler.onConnected?.()
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    if (!this.#isOver) this.#handler.onHead(status, headers)
  }

  onData(chunk: Buffer): void {
    if (!this.#isOver) this.#handler.onData(chunk)
  }

  onEnd(): void {
    if (this.#isOver) return
    this.abort()
    this.#handler.onEnd()
  }

  onFailure(fault: Fault): void {
    if (this.#isOver) return
    this.abort()
    this.#handler.onFailure(fault)
  }
}
