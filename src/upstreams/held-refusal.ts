import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../core/faults.ts'
import { ERROR_ANSWER_LIMIT_BYTES } from '../core/limits.ts'
import type { UpstreamHandler } from './upstream-client.ts'

/** The status by which a provider refuses a request for something that stands in it. */
const BAD_REQUEST = 400

/** Hears an answer. One that refuses the request is held until its end, when it may be left aside for another one. */
export class HeldRefusal implements UpstreamHandler {
  readonly #handler: UpstreamHandler
  readonly #isLeftAside: (body: Buffer) => boolean
  #headers: IncomingHttpHeaders | null = null
  #held: Buffer[] = []
  #size = 0

  /** `isLeftAside`: whether a refusal of this body is not to be heard, as the request was sent again. */
  constructor(handler: UpstreamHandler, isLeftAside: (body: Buffer) => boolean) {
    this.#handler = handler
    this.#isLeftAside = isLeftAside
  }

  onConnected(): void {
    this.#handler.onConnected?.()
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    if (status === BAD_REQUEST) this.#headers = headers
    else this.#handler.onHead(status, headers)
  }

  onData(chunk: Buffer): void {
    if (this.#headers === null) return this.#handler.onData(chunk)
    this.#held.push(chunk)
    this.#size += chunk.length
    if (this.#size > ERROR_ANSWER_LIMIT_BYTES) this.#pass()
  }

  onEnd(): void {
    if (this.#headers !== null && this.#isLeftAside(Buffer.concat(this.#held))) return
    this.#pass()
    this.#handler.onEnd()
  }

  onFailure(fault: Fault): void {
    this.#pass()
    this.#handler.onFailure(fault)
  }

  #pass(): void {
    const headers = this.#headers
    if (headers === null) return
    this.#headers = null
    this.#handler.onHead(BAD_REQUEST, headers)
    for (const piece of this.#held) this.#handler.onData(piece)
    this.#held = []
  }
}
