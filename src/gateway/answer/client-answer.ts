import type { ClientResponse } from '../client-connection.ts'
import type { Clock } from '../../core/clock.ts'
import { maintenanceSentence, type SaidMaintenance } from '../../access/announcement.ts'
import { Fault } from '../../core/faults.ts'
import { formatUsd, type NanoUsd } from '../../core/money.ts'
import type { WireFamily } from '../../core/wire.ts'
import type { LimitState } from '../../metering/limits/limit-terms.ts'
import type { RequestCapture } from '../request/trace.ts'
import { ChunkedStream } from './chunked-stream.ts'
import { limitHeaders } from './limit-headers.ts'
import { CAP_HEADERS, type ShownCap } from '../../protocols/cap-headers.ts'
import { REQUEST_ID_HEADERS, writeFault, writeFaultForDevice } from '../../protocols/fault-body.ts'

const SMALL_BODY_BYTES = 16_384

/** Answers stand on the console's origin, and what is in them was written elsewhere. */
const NO_SNIFFING = ['x-content-type-options', 'nosniff'] as const
/** What an answer is said to be: never a page, whatever its upstream calls it. */
const HARMLESS_TYPE =
  /^(?:audio\/|video\/|application\/(?:[\w.-]+\+)?json|application\/octet-stream|text\/(?:plain|vtt|event-stream))/i

/**
 * How long a client may read nothing of an answer that is complete. What it has read of one large write cannot be seen, so
 * it gets the time in which a slow line carries the rest, too.
 */
const UNREAD_MS = 60_000
const SLOWEST_BYTES_PER_MS = 16

/** A broken stream's last event gets this long to reach a client that reads slowly, before its connection is destroyed. */
const LAST_EVENT_MS = 5_000

/** Some servers in between take no longer headers. */
const LISTED_CHARACTERS = 2_000

export interface AnswerOf {
  readonly requestId: string
  readonly family: WireFamily
  /** The base URL that was meant, when the client entered another. */
  readonly hint: string | null
  readonly clock: Clock
  /** Announced, past and to come. */
  maintenance(): readonly SaidMaintenance[]
}

/** The gateway's side of the connection to one client: everything that is ever written to it passes here. */
export class ClientAnswer {
  readonly #response: ClientResponse
  readonly #of: AnswerOf
  #limitHeaders: readonly string[] | null = null
  #dropped: string | null = null
  #outputLimit: number | null = null
  #callLimit: number | null = null
  #isEstimated = false
  #isOfDevice = false
  #cap: (() => ShownCap | null) | null = null
  #cache: 'hit' | 'miss' | null = null
  #capture: RequestCapture | null = null
  #stream: ChunkedStream | null = null
  #onFull: () => void = () => {}
  #onDrain: () => void = () => {}

  constructor(response: ClientResponse, of: AnswerOf) {
    this.#response = response
    this.#of = of
  }

  /** How the caller's own limits stood at `atMs`, for the head of the answer. To be called before it is sent. */
  limits(states: readonly LimitState[], atMs: number): void {
    if (states.length > 0) this.#limitHeaders = limitHeaders(this.#of.family, states, atMs)
  }

  /** The fields that were dropped in translation, for the head of the answer. To be called before it is sent. */
  dropped(paths: readonly string[]): void {
    const listed = paths.join(', ').slice(0, LISTED_CHARACTERS)
    // Paths hold names that the client chose.
    this.#dropped = listed === '' ? null : listed.replace(/[^\x20-\x7e]/g, '?')
  }

  /**
   * Each answer may have so many output tokens, and make so many calls of each of the provider's tools, fewer than the client
   * asked for; null: as many. To be called before it.
   */
  bounds({ tokens, calls }: { readonly tokens: number | null; readonly calls: number | null }): void {
    this.#outputLimit = tokens
    this.#callLimit = calls
  }

  /** What the answer used was counted here, and not by the model's provider. To be called before the answer. */
  estimated(): void {
    this.#isEstimated = true
  }

  /** Whether the group's response cache had the answer. To be called before it. */
  cache(said: 'hit' | 'miss'): void {
    this.#cache = said
  }

  /** All that is written from now on is kept. */
  captureBy(recording: RequestCapture): void {
    this.#capture = recording
  }

  get hasBegun(): boolean {
    return this.#stream !== null || this.#response.headersSent
  }

  /** The client is gone, or has everything. */
  get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  whole(contentType: string, body: Buffer, cost: NanoUsd | null): void {
    if (this.isOver || this.hasBegun) return
    const headers = this.#headers(harmlessType(contentType, body))
    headers.push('content-length', String(body.length))
    if (cost !== null) headers.push('x-tollgate-cost', formatUsd(cost))
    this.#response.writeHead(200, headers)
    this.#captured(200, headers, body)
    // As text the body leaves together with the head: one write where a Buffer would make two.
    if (body.length <= SMALL_BODY_BYTES) this.#response.end(body.toString('latin1'), 'latin1')
    else this.#response.end(body)
    this.#watchReading()
  }

  /** An answer of the gateway's own making. */
  json(status: number, value: object): void {
    this.own(Buffer.from(JSON.stringify(value)), status)
  }

  /** JSON that depends on the key: nothing in between may keep it for another. `etag`: what it is asked again by. */
  own(body: Buffer, status = 200, etag: string | null = null): void {
    if (this.isOver || this.hasBegun) return
    const headers = this.#headers('application/json')
    headers.push('content-length', String(body.length), 'cache-control', 'no-store')
    if (etag !== null) headers.push('etag', etag)
    this.#response.writeHead(status, headers)
    this.#captured(status, headers, body)
    this.#response.end(body)
    this.#watchReading()
  }

  /** The client has it already. */
  unchanged(etag: string): void {
    if (this.isOver || this.hasBegun) return
    this.#response.writeHead(304, ['etag', etag, 'cache-control', 'no-store'])
    this.#response.end()
  }

  beginStream(): void {
    const isFramed = this.#response.req.httpVersionMinor > 0
    const headers = this.#headers('text/event-stream; charset=utf-8')
    headers.push('cache-control', 'no-cache', 'x-accel-buffering', 'no')
    if (isFramed) headers.push('transfer-encoding', 'chunked')
    this.#response.writeHead(200, headers)
    this.#capture?.answered(200, headers)
    this.#response.on('drain', this.#onDrain)
    this.#stream = new ChunkedStream(this.#response, { isFramed, onFull: this.#onFull })
  }

  /** Says that the caller is a signed-in device, which is refused in a shape of its own where money has run out. */
  ofDevice(): void {
    this.#isOfDevice = true
  }

  /** The cap of a signed-in device, which is read when the head of its answer is sent. */
  capped(cap: () => ShownCap | null): void {
    this.#cap = cap
  }

  /** Sends the head although there is nothing to send behind it yet. */
  flushHead(): void {
    if (!this.isOver) this.#response.flushHeaders()
  }

  send(bytes: Buffer): void {
    this.#stream?.send(bytes)
    this.#capture?.send(bytes)
  }

  /** `onFull`: the client reads more slowly than it is sent to; `onDrain`: it has caught up. */
  onPressure(onFull: () => void, onDrain: () => void): void {
    this.#onFull = onFull
    this.#onDrain = onDrain
  }

  endStream(bytes: Buffer): void {
    if (this.isOver) return
    this.#stream?.end(bytes)
    this.#capture?.send(bytes)
    this.#watchReading()
  }

  /** A client that stops reading keeps the answer in our memory: it is cut off when nothing of it moves any more. */
  #watchReading(): void {
    const { socket } = this.#response
    if (socket === null || socket.writableLength === 0) return
    let read = socket.bytesWritten - socket.writableLength
    const timer = setInterval(
      () => {
        const now = socket.bytesWritten - socket.writableLength
        if (socket.destroyed || socket.writableLength === 0) clearInterval(timer)
        else if (now === read) socket.destroy()
        read = now
      },
      UNREAD_MS + socket.writableLength / SLOWEST_BYTES_PER_MS,
    )
    timer.unref()
  }

  /** Refuses or fails a request of which the client has got nothing yet. */
  fault(fault: Fault): void {
    if (this.isOver) return
    const { family, requestId, hint } = this.#of
    const write = this.#isOfDevice ? writeFaultForDevice : writeFault
    const { status, headers, body } = write(family, this.#withMaintenance(fault), requestId)
    if (hint !== null && headers['x-tollgate-hint'] === undefined) headers['x-tollgate-hint'] = hint
    this.#addLimitsTo(headers)
    const list = Object.entries(headers).flat()
    this.#response.writeHead(status, [...list, ...NO_SNIFFING, 'content-length', String(body.length)])
    this.#captured(status, list, body)
    this.#response.end(body)
  }

  /** Ends a stream that cannot go on: the protocol's error event, then the connection is destroyed, never a clean end. */
  abort(last: Buffer): void {
    if (this.isOver) return
    const destroy = () => this.#response.destroy()
    setTimeout(destroy, LAST_EVENT_MS).unref()
    this.#capture?.send(last)
    this.#stream?.abort(last, destroy)
  }

  /** A 503 says what maintenance there is: that, not the gateway, is what its reader has to wait for. */
  #withMaintenance(fault: Fault): Fault {
    if (fault.policy.status !== 503) return fault
    const said = maintenanceSentence(this.#of.maintenance(), this.#of.clock.now())
    return said === null ? fault : new Fault(fault.code, `${fault.message} ${said}`, fault.details)
  }

  #captured(status: number, headers: readonly string[], body: Buffer): void {
    this.#capture?.answered(status, headers)
    this.#capture?.send(body)
  }

  #headers(contentType: string): string[] {
    const { family, requestId, hint } = this.#of
    const headers = ['content-type', contentType, ...NO_SNIFFING]
    for (const name of REQUEST_ID_HEADERS[family]) headers.push(name, requestId)
    if (hint !== null) headers.push('x-tollgate-hint', hint)
    if (this.#limitHeaders !== null) headers.push(...this.#limitHeaders)
    if (this.#cap !== null) headers.push(...this.#capHeaders(this.#cap))
    if (this.#dropped !== null) headers.push('x-tollgate-dropped-fields', this.#dropped)
    if (this.#outputLimit !== null) headers.push('x-tollgate-output-limit', String(this.#outputLimit))
    if (this.#callLimit !== null) headers.push('x-tollgate-call-limit', String(this.#callLimit))
    if (this.#isEstimated) headers.push('x-tollgate-usage-source', 'estimated')
    if (this.#cache !== null) headers.push('x-tollgate-cache', this.#cache)
    return headers
  }

  #capHeaders(read: () => ShownCap | null): readonly string[] {
    const write = CAP_HEADERS[this.#of.family]
    const cap = write === undefined ? null : read()
    return write === undefined || cap === null ? [] : write(cap)
  }

  #addLimitsTo(headers: Record<string, string>): void {
    const pairs = this.#limitHeaders ?? []
    for (let i = 0; i < pairs.length; i += 2) headers[pairs[i] ?? ''] = pairs[i + 1] ?? ''
  }
}

/** The content type that the upstream names, unless a browser would run it. */
function harmlessType(contentType: string, body: Buffer): string {
  if (HARMLESS_TYPE.test(contentType)) return contentType
  const first = body.toString('latin1', 0, FIRST_BYTES).trimStart().charAt(0)
  return first === '{' || first === '[' ? 'application/json' : 'application/octet-stream'
}

const FIRST_BYTES = 64
