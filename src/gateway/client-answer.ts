import type { ServerResponse } from 'node:http'
import type { Fault } from '../core/faults.ts'
import { formatUsd, type NanoUsd } from '../core/money.ts'
import type { WireFamily } from '../core/wire.ts'
import { writeFault } from '../protocols/fault-body.ts'

/** A broken stream's last event gets this long to reach a client that reads slowly, before its connection is destroyed. */
const LAST_EVENT_MS = 5_000

/** The gateway's side of the connection to one client: everything that is ever written to it passes here. */
export class ClientAnswer {
  readonly #response: ServerResponse
  readonly #requestId: string
  readonly #family: WireFamily
  readonly #hint: string | null

  constructor(response: ServerResponse, about: { requestId: string; family: WireFamily; hint: string | null }) {
    this.#response = response
    this.#requestId = about.requestId
    this.#family = about.family
    this.#hint = about.hint
  }

  get hasBegun(): boolean {
    return this.#response.headersSent
  }

  /** The client is gone, or has everything. */
  get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  /** The answer as a whole. */
  whole(contentType: string, body: Buffer, cost: NanoUsd | null): void {
    if (this.isOver) return
    const headers = this.#headers(contentType)
    headers.push('content-length', String(body.length))
    if (cost !== null) headers.push('x-tollgate-cost', formatUsd(cost))
    this.#response.writeHead(200, headers)
    this.#response.end(body)
  }

  beginStream(): void {
    const headers = this.#headers('text/event-stream; charset=utf-8')
    headers.push('cache-control', 'no-cache', 'x-accel-buffering', 'no')
    this.#response.writeHead(200, headers)
  }

  /** Sends bytes of a stream; false: the client reads slowly, wait for `onDrain`. */
  send(bytes: Buffer): boolean {
    return this.isOver || this.#response.write(bytes)
  }

  onDrain(listener: () => void): void {
    this.#response.on('drain', listener)
  }

  endStream(bytes: Buffer): void {
    if (!this.isOver) this.#response.end(bytes)
  }

  /** Refuses or fails a request of which the client has got nothing yet. */
  fault(fault: Fault): void {
    if (this.isOver) return
    const { status, headers, body } = writeFault(this.#family, fault, this.#requestId)
    if (this.#hint !== null && headers['x-tollgate-hint'] === undefined) headers['x-tollgate-hint'] = this.#hint
    this.#response.writeHead(status, { ...headers, 'content-length': String(body.length) })
    this.#response.end(body)
  }

  /** Ends a stream that can't go on: the protocol's error event, then the connection is destroyed, never a clean end. */
  breakOff(last: Buffer): void {
    if (this.isOver) return
    const destroy = () => this.#response.destroy()
    setTimeout(destroy, LAST_EVENT_MS).unref()
    this.#response.write(last, destroy)
  }

  #headers(contentType: string): string[] {
    const headers = ['content-type', contentType, 'x-request-id', this.#requestId]
    if (this.#family === 'anthropic') headers.push('request-id', this.#requestId)
    if (this.#hint !== null) headers.push('x-tollgate-hint', this.#hint)
    return headers
  }
}
