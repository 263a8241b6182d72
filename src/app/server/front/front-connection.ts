import type { Socket } from 'node:net'
import { FRONT_AHEAD_LIMIT_BYTES } from '../../../core/limits.ts'
import type { GatewayListener } from '../../../gateway/client-connection.ts'
import { FrontRequest } from './front-request.ts'
import { type AnswerHeads, FrontResponse } from './front-response.ts'
import { readHead, type FrontRequestHead } from './request-head.ts'

/** What the connections of one server share. */
export interface FrontConnectionOptions {
  readonly heads: AnswerHeads
  /** Epoch-free milliseconds: `Clock.elapsed`. */
  elapsed(): number
  /** How long an idle connection is kept, the first request may keep it waiting, and a request may take to come, in milliseconds. */
  readonly keepAliveMs: number
  readonly headersMs: number
  readonly requestMs: number
  /** Whether connections are closed after the answers whose heads are written from now on. */
  isClosing(): boolean
  /** Whether the front may serve it; all others are Node's. */
  isServed(head: FrontRequestHead): boolean
  readonly listener: GatewayListener
  /** Gives the connection to Node's own HTTP server, for good. What was read is in front of what comes. */
  toNode(socket: Socket): void
  /** Answers what cannot be read, as Node's server has it answered. */
  refuse(error: Error & { code: string }, socket: Socket): void
  /** The connection is closed, or Node's. */
  onLeft(connection: FrontConnection): void
}

/** The states of a connection. */
type ConnectionState =
  /** The next request may come. */
  | 'idle'
  /** A request came, and its body or its answer is not whole. */
  | 'busy'
  /** The request is answered, and the client is still to read it. */
  | 'flushing'
  /** Refused, or closed by the client: nothing is read any more. */
  | 'over'

/**
 * One client's connection. Requests that are plain and whole in their heads are read and answered here, one after the other;
 * with the first that is not, the connection goes over to Node's HTTP server, which reads that request from its first byte.
 */
export class FrontConnection {
  readonly #socket: Socket
  readonly #options: FrontConnectionOptions
  #state: ConnectionState = 'idle'
  #request: FrontRequest | null = null
  #response: FrontResponse | null = null
  /** How many bytes of the body are still to come. */
  #missing = 0
  /** What the client sent behind a request that is not answered yet. */
  #ahead: Buffer | null = null
  #hasServed = false
  #since: number

  constructor(socket: Socket, options: FrontConnectionOptions) {
    this.#socket = socket
    this.#options = options
    this.#since = options.elapsed()
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('drain', this.#onDrain)
    socket.on('error', ignore)
    socket.on('close', this.#onClose)
  }

  /** A request is under way. */
  get isBusy(): boolean {
    return this.#state === 'busy'
  }

  /** Closes it when nothing was under way on it after `since`. Returns whether it waits for a request still. */
  closeIdle(since: number): boolean {
    if (this.#state !== 'idle') return false
    if (this.#ahead !== null || this.#since > since) return true
    this.#close()
    return false
  }

  /** Ends what takes too long; called every few seconds. */
  look(elapsed: number): void {
    const { keepAliveMs, headersMs, requestMs } = this.#options
    const age = elapsed - this.#since
    const state = this.#state
    if (state === 'over') this.#lookAfter(age)
    else if (state === 'idle' && this.#hasServed && age >= keepAliveMs) this.#socket.destroy()
    else if (state === 'idle' && !this.#hasServed && age >= headersMs) this.#refuse(TOO_SLOW)
    else if (this.#missing > 0 && age >= requestMs) this.#refuse(TOO_SLOW)
  }

  /** The last words get some time to arrive before the rest of what the client sends is cut off. */
  #lookAfter(age: number): void {
    const isSent = this.#socket.writableLength === 0
    if (age >= (isSent ? LAST_WORDS_MS : this.#options.requestMs)) this.#socket.destroy()
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#state === 'idle' && this.#ahead === null) this.#begin(bytes)
    else if (this.#missing > 0) this.#takeBody(bytes)
    else if (this.#state !== 'over') this.#keepAhead(bytes)
  }

  #begin(bytes: Buffer): void {
    const head = readHead(bytes)
    if (head === null || !this.#options.isServed(head)) return this.#leaveToNode(bytes)
    const socket = this.#socket
    const end = head.bytes + head.bodyBytes
    const isWhole = bytes.length >= end
    const arrived = isWhole ? bytes.subarray(head.bytes, end) : undefined
    const request = new FrontRequest(head, { socket, arrived, onRead: this.#onRead })
    const { heads } = this.#options
    const response = new FrontResponse(socket, { heads, isLast: this.#isLast, onEnd: this.#onAnswered })
    this.#state = 'busy'
    this.#since = this.#options.elapsed()
    this.#hasServed = true
    this.#request = request
    this.#response = response
    this.#missing = isWhole ? 0 : end - bytes.length
    if (bytes.length > end) this.#keepAhead(bytes.subarray(end))
    if (!isWhole && bytes.length > head.bytes) request.push(bytes.subarray(head.bytes))
    this.#options.listener(request, response)
  }

  #takeBody(bytes: Buffer): void {
    const request = this.#request
    const body = bytes.length > this.#missing ? bytes.subarray(0, this.#missing) : bytes
    this.#missing -= body.length
    if (bytes.length > body.length) this.#keepAhead(bytes.subarray(body.length))
    request?.push(body)
    if (this.#missing === 0) request?.finish()
    if (this.#missing === 0 && this.#response?.writableEnded === true) this.#next()
    else if (this.#missing > 0 && (request?.waitingBytes ?? 0) > FRONT_AHEAD_LIMIT_BYTES) this.#socket.pause()
  }

  /** Kept for Node, up to a bound: then the client waits. */
  #keepAhead(bytes: Buffer): void {
    this.#ahead = this.#ahead === null ? bytes : Buffer.concat([this.#ahead, bytes])
    if (this.#ahead.length > FRONT_AHEAD_LIMIT_BYTES) this.#socket.pause()
  }

  /** What waited of the body has been taken. */
  readonly #onRead = (): void => {
    if (this.#missing > 0 && this.#state === 'busy') this.#socket.resume()
  }

  /** A client that has sent its next request already is to have an answer to that as well. */
  readonly #isLast = (): boolean => this.#options.isClosing() && this.#ahead === null

  readonly #onAnswered = (): void => {
    process.nextTick(closed, this.#response)
    // A handler that reads the body goes on; otherwise what still comes of it is forgotten.
    if (this.#missing > 0) this.#request?.resume()
    else if (this.#state === 'busy') this.#next()
  }

  /** A request is over, in both directions. */
  #next(): void {
    const closes = this.#response?.closesConnection === true
    this.#request = null
    this.#response = null
    if (closes) return this.#close()
    this.#since = this.#options.elapsed()
    this.#state = this.#socket.writableNeedDrain ? 'flushing' : 'idle'
    if (this.#state === 'idle' && this.#ahead !== null) process.nextTick(this.#leaveAhead)
  }

  readonly #leaveAhead = (): void => {
    const ahead = this.#ahead
    if (this.#state !== 'idle' || ahead === null) return
    this.#ahead = null
    this.#leaveToNode(ahead)
  }

  readonly #onDrain = (): void => {
    this.#response?.drained()
    if (this.#state !== 'flushing') return
    this.#state = 'idle'
    this.#since = this.#options.elapsed()
    this.#leaveAhead()
  }

  /** The client sends nothing more. As with Node, nothing more is sent to it either. */
  readonly #onEnd = (): void => {
    if (this.#missing > 0) return this.#refuse(CUT_SHORT)
    if (this.#state === 'busy') this.#ahead = null
    else this.#leaveOff()
    this.#socket.end()
  }

  /** What was written leaves first. What the client sends from now on is read and forgotten: unread, it would cut that off. */
  #close(): void {
    this.#leaveOff()
    this.#socket.end()
  }

  #leaveOff(): void {
    this.#state = 'over'
    this.#ahead = null
    this.#since = this.#options.elapsed()
  }

  readonly #onClose = (): void => {
    this.#state = 'over'
    this.#options.onLeft(this)
    this.#request?.leave()
    this.#response?.close()
  }

  #refuse({ code, message }: { code: string; message: string }): void {
    const response = this.#response
    const hasBegun = response !== null && response.headersSent && !response.writableEnded
    this.#leaveOff()
    this.#missing = 0
    if (hasBegun) this.#socket.destroy()
    else this.#options.refuse(Object.assign(new Error(message), { code }), this.#socket)
  }

  #leaveToNode(bytes: Buffer): void {
    const socket = this.#socket
    this.#state = 'over'
    this.#options.onLeft(this)
    if (socket.destroyed || socket.readableEnded) return
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('drain', this.#onDrain)
    socket.off('error', ignore)
    socket.off('close', this.#onClose)
    // Nothing flows until Node listens.
    socket.pause()
    socket.unshift(bytes)
    this.#options.toNode(socket)
    socket.resume()
  }
}

const LAST_WORDS_MS = 5_000

/** Refusals with the codes that Node has for the same. */
const TOO_SLOW = { code: 'ERR_HTTP_REQUEST_TIMEOUT', message: 'the request took too long' }
const CUT_SHORT = { code: 'HPE_INVALID_EOF_STATE', message: 'the connection ended within a request' }

/** `close` follows, and says all there is to know. */
function ignore(): void {}

function closed(response: FrontResponse | null): void {
  response?.close()
}
