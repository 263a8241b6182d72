/** One client: opens a stream on a connection of its own, and leaves it at its point. */
import { connect, type Socket } from 'node:net'
import type { SoakWire, StreamOrder } from './stream-menu.ts'

/** A point that is not reached by then is left all the same. Far more than any takes on a busy machine. */
const LEAVES_WITHIN_MS = 60_000
/** The last words of a short stream stand within so many bytes. */
const KEPT_CHARACTERS = 20_000

export interface StreamEnd {
  readonly order: StreamOrder
  /** The head of an answer with status 200 came. */
  readonly wasAnswered: boolean
  /** The client waited so long for its point that it left without. */
  readonly isOverdue: boolean
  /** Why the client did not get to leave: it was refused, or the gateway closed the connection. */
  readonly failure: string | null
}

export interface StreamEvents {
  /** The request, or what is sent of it, was handed to the socket. */
  sent(): void
  over(end: StreamEnd): void
}

/** `tag`: what the client calls itself. */
export function openAndLeave(order: StreamOrder, target: { port: number; tag: string }, events: StreamEvents): void {
  const socket = connect({ host: '127.0.0.1', port: target.port, noDelay: true })
  const stream = new LeftStream(order, socket, events)
  socket.once('connect', () => stream.send(requestOf(order, target.tag)))
}

class LeftStream {
  readonly #order: StreamOrder
  readonly #events: StreamEvents
  readonly #socket: Socket
  readonly #overdue: NodeJS.Timeout
  #leaving: NodeJS.Timeout | undefined
  readonly #beganAt = performance.now()
  #wasAnswered = false
  #eventsSeen = 0
  #text = ''
  #isOver = false

  constructor(order: StreamOrder, socket: Socket, events: StreamEvents) {
    this.#order = order
    this.#events = events
    this.#socket = socket
    this.#overdue = setTimeout(() => this.#leave({ isOverdue: true }), LEAVES_WITHIN_MS)
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', (error) => this.#fail(error.message))
    socket.on('close', () => this.#fail('the gateway closed the connection'))
  }

  send(request: Buffer): void {
    const { leave } = this.#order
    const part = leave.kind === 'in_body' ? request.subarray(0, request.length - 40) : request
    this.#socket.write(part, () => {
      if (this.#isOver) return
      this.#events.sent()
      if (leave.kind === 'in_body' || (leave.kind === 'after_ms' && leave.delayMs === 0)) this.#leave()
      else if (leave.kind === 'after_ms') this.#leaveIn(leave.delayMs)
    })
  }

  #read(bytes: Buffer): void {
    if (this.#isOver) return
    if (!this.#wasAnswered && !this.#readStatus(bytes)) return
    const { leave } = this.#order
    if (leave.kind === 'after_events') {
      this.#eventsSeen += countEvents(bytes)
      if (this.#eventsSeen >= leave.events) this.#leave()
    } else if (leave.kind === 'at_text') {
      this.#text = (this.#text + bytes.toString('latin1')).slice(-KEPT_CHARACTERS)
      if (this.#text.includes(leave.text)) this.#leave()
    } else if (leave.kind === 'unread') {
      this.#socket.pause()
      this.#leaveIn(leave.delayMs)
    }
  }

  #readStatus(bytes: Buffer): boolean {
    const line = bytes.toString('latin1', 0, 12)
    this.#wasAnswered = line === 'HTTP/1.1 200'
    if (!this.#wasAnswered) this.#fail(bytes.toString('latin1'))
    return this.#wasAnswered
  }

  #leaveIn(delayMs: number): void {
    this.#leaving = setTimeout(() => this.#leave(), delayMs)
  }

  #leave(how: { isOverdue: boolean } = { isOverdue: false }): void {
    this.#end({ ...how, failure: null })
  }

  #fail(what: string): void {
    const state = this.#wasAnswered ? `with ${this.#eventsSeen} events counted` : 'unanswered'
    const failure = `${what}, ${state} after ${(performance.now() - this.#beganAt).toFixed(0)} ms`
    this.#end({ isOverdue: false, failure })
  }

  #end(how: { isOverdue: boolean; failure: string | null }): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#overdue)
    clearTimeout(this.#leaving)
    if (this.#order.isReset) this.#socket.resetAndDestroy()
    else this.#socket.destroy()
    this.#events.over({ order: this.#order, wasAnswered: this.#wasAnswered, ...how })
  }
}

function countEvents(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf('\n\n'); at !== -1; at = bytes.indexOf('\n\n', at + 2)) count++
  return count
}

const PATHS: Record<SoakWire, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
}

const QUESTION = 'Who pays at the gate, how much, and where is it written down? '.repeat(16)

function requestOf({ wire, model, secret }: StreamOrder, tag: string): Buffer {
  const messages = [{ role: 'user', content: QUESTION }]
  const fields: Record<SoakWire, object> = {
    'openai-chat': { messages, max_tokens: 128_000 },
    'openai-responses': { input: QUESTION, max_output_tokens: 128_000 },
    'anthropic-messages': { messages, max_tokens: 128_000 },
  }
  const body = JSON.stringify({ model, stream: true, ...fields[wire] })
  const credential =
    wire === 'anthropic-messages'
      ? `x-api-key: ${secret}\r\nanthropic-version: 2023-06-01`
      : `authorization: Bearer ${secret}`
  return Buffer.from(
    `POST ${PATHS[wire]} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: ${tag}\r\n${credential}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
