import type { Socket } from 'node:net'
import type { Clock } from '../../../core/clock.ts'
import { STATUS_CODES } from '../../../core/node-http.ts'
import type { ClientResponse } from '../../../gateway/client-connection.ts'

/** A small body leaves together with its head, in one write; the copy costs less than a write of its own. */
const JOINED_BYTES = 16_384

/** What all answers of one server have in common. */
export interface AnswerHeads {
  /** The lines that end every head: when it was made, and how long the connection is kept. `closes`: it is not kept. */
  lastLines(closes: boolean): string
}

/** `keepAliveMs`: how long an idle connection is kept, which the head says in whole seconds. */
export function answerHeads(clock: Clock, keepAliveMs: number): AnswerHeads {
  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n\r\n`
  let second = -1
  let date = ''
  let lines = ''
  return {
    lastLines(closes) {
      const now = Math.floor(clock.now() / 1_000)
      if (now !== second) {
        second = now
        date = `Date: ${new Date(now * 1_000).toUTCString()}\r\n`
        lines = date + kept
      }
      return closes ? `${date}Connection: close\r\n\r\n` : lines
    },
  }
}

/**
 * The answer to a request that the front read itself: HTTP/1.1, on a connection that is kept, but for `isLast`. Its body is written as it comes, so its head has to say its length, or that it comes in chunks. A head without either is refused with an Error, as is one with
 * characters that would end a line.
 */
export class FrontResponse implements ClientResponse {
  readonly req = ASKED
  readonly socket: Socket
  headersSent = false
  destroyed = false
  writableEnded = false
  /** Never framed here. */
  chunkedEncoding = false
  /** Whether the head says that the connection closes after it. */
  closesConnection = false
  readonly #heads: AnswerHeads
  readonly #isLast: () => boolean
  readonly #onEnd: () => void
  #early: string[] | null = null
  /** The head, until the first bytes leave with it. */
  #head: string | null = null
  #onClose: (() => void)[] = []
  #onDrain: (() => void)[] = []
  #hasClosed = false

  /** `isLast`: asked as the head is written, whether the connection closes after it. `onEnd`: all of it was written. */
  constructor(socket: Socket, about: { heads: AnswerHeads; isLast: () => boolean; onEnd: () => void }) {
    this.socket = socket
    this.#heads = about.heads
    this.#isLast = about.isLast
    this.#onEnd = about.onEnd
  }

  on(event: 'close' | 'drain', listener: () => void): this {
    if (event === 'close') this.#onClose.push(listener)
    else this.#onDrain.push(listener)
    return this
  }

  once(_event: 'close', listener: () => void): this {
    this.#onClose.push(listener)
    return this
  }

  setHeader(name: string, value: string): this {
    this.#early ??= []
    this.#early.push(name, value)
    return this
  }

  writeHead(status: number, headers: string[]): this {
    if (this.headersSent) throw new Error('the head of this answer was written already')
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
    let isFramed = false
    const all = this.#early === null ? headers : overridden(this.#early, headers)
    for (let i = 0; i + 1 < all.length; i += 2) {
      const name = all[i] ?? ''
      const value = all[i + 1] ?? ''
      if (!isName(name) || !VALUE.test(value)) throw new Error(`the header "${name}" cannot be sent`)
      if (name === 'content-length' || name === 'transfer-encoding') isFramed = true
      text += name + ': ' + value + '\r\n'
    }
    if (!isFramed) throw new Error('an answer has to say where it ends')
    this.closesConnection = this.#isLast()
    this.#head = text + this.#heads.lastLines(this.closesConnection)
    this.headersSent = true
    return this
  }

  flushHeaders(): void {
    const head = this.#takeHead()
    if (head !== '') this.#send(head)
  }

  write(data: Buffer | string, then?: (() => void) | 'latin1'): boolean {
    if (this.writableEnded) return false
    return this.#send(data, typeof then === 'function' ? then : undefined)
  }

  end(data?: Buffer | string, _encoding?: 'latin1'): this {
    if (this.writableEnded) return this
    if (data !== undefined && data.length > 0) this.#send(data)
    else this.flushHeaders()
    this.writableEnded = true
    this.#onEnd()
    return this
  }

  destroy(): this {
    if (!this.#hasClosed) this.socket.destroy()
    return this
  }

  /** The answer is with the system, or its client is gone. */
  close(): void {
    if (this.#hasClosed) return
    this.#hasClosed = true
    this.destroyed = true
    for (const listener of this.#onClose) listener()
  }

  /** What was written has left. */
  drained(): void {
    if (this.writableEnded) return
    for (const listener of this.#onDrain) listener()
  }

  #takeHead(): string {
    const head = this.#head
    this.#head = null
    return head ?? ''
  }

  #send(data: Buffer | string, then?: () => void): boolean {
    const { socket } = this
    if (!socket.writable) return false
    const head = this.#takeHead()
    if (typeof data === 'string') return socket.write(head + data, 'latin1', then)
    if (head === '') return socket.write(data, then)
    if (data.length <= JOINED_BYTES) return socket.write(head + data.toString('latin1'), 'latin1', then)
    socket.cork()
    socket.write(head, 'latin1')
    const hasRoom = socket.write(data, then)
    socket.uncork()
    return hasRoom
  }
}

const ASKED = { httpVersionMinor: 1 } as const
const TOKEN = /^[\w!#$%&'*+\-.^`|~]+$/

/** Answers have the same few names again and again. */
const KNOWN_NAMES_LIMIT = 200
const knownNames = new Set<string>()

function isName(text: string): boolean {
  if (knownNames.has(text)) return true
  const isOne = TOKEN.test(text)
  if (isOne && knownNames.size < KNOWN_NAMES_LIMIT) knownNames.add(text)
  return isOne
}

/** What Node lets through as well: all of Latin-1 but control characters. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** The early ones that are not among the later ones, and those. */
function overridden(early: readonly string[], later: readonly string[]): string[] {
  const all: string[] = []
  for (let i = 0; i + 1 < early.length; i += 2) {
    const name = early[i] ?? ''
    const isLater = later.some((other, at) => at % 2 === 0 && other.toLowerCase() === name.toLowerCase())
    if (!isLater) all.push(name, early[i + 1] ?? '')
  }
  return [...all, ...later]
}
