import { ConnectionError, isLostConnection } from '../connection-error.ts'
import { AnswerReader } from './answer-reader.ts'
import type { Dial, UpstreamSocket } from './dial.ts'
import type { ExchangeCarrier, HttpExchange } from './http-exchange.ts'

/** What keeps connections. */
export interface ConnectionOwner {
  /** The connection's answer is whole, and it can carry another request within `idleMs`. */
  released(connection: Connection, idleMs: number): void
  /**
   * The exchange may go out once more, on a new connection: the kept one that took it was lost before anything was heard on
   * it, as one that the other side closed just then.
   */
  lost(exchange: HttpExchange): void
  /** The connection is closed; called once. */
  closed(connection: Connection): void
}

/** Sweeps of its owner, a second each, after which a lost connection was not lost for having been kept. */
const LOST_SOON_SWEEPS = 2

/**
 * One connection to an upstream and the exchange that it carries, one at a time. It closes itself after whatever leaves in doubt
 * where the next answer would begin: bytes that were not asked for, an answer before its request is written, a refused answer.
 */
export class Connection implements ExchangeCarrier {
  readonly #owner: ConnectionOwner
  readonly #socket: UpstreamSocket
  readonly #answer = new AnswerReader()
  /** The exchange that waits for the connection to be ready, or for its answer; null: it is idle, or closed. */
  #exchange: HttpExchange | null
  #isReady = false
  /** The connection was idle before it took its exchange. */
  #isKept = false
  /** Something came since. */
  #hasHeard = false
  #sweepsSinceSent = 0
  #sweepsLeft: number
  /** Came while the consumer made it wait: what a read brings stops the next one, though over TLS some more may come. */
  #unread: Buffer | null = null
  /** The other side closed it, which counts once `unread` is read. */
  #hasEnded = false

  /** Dials. The connection may be used for `sweepsLeft` sweeps of its owner. */
  constructor(
    owner: ConnectionOwner,
    { dial, sweepsLeft }: { readonly dial: Dial; readonly sweepsLeft: number },
    first: HttpExchange,
  ) {
    this.#owner = owner
    this.#sweepsLeft = sweepsLeft
    this.#exchange = first
    first.takes(this)
    this.#socket = dial({
      onReady: () => this.#ready(),
      onRead: (bytes) => this.#read(bytes),
    })
    this.#socket.on('error', (error) => this.close(error))
    this.#socket.once('end', () => this.#ended())
    this.#socket.once('close', () => {
      if (this.#unread === null) this.close(new ConnectionError('UPSTREAM_CLOSED', 'the connection was closed'))
      owner.closed(this)
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** The connection was used for as long as it may be: what runs on it goes on, and nothing new begins. */
  get isWorn(): boolean {
    return this.#sweepsLeft <= 0
  }

  /** Another second has passed. */
  swept(): void {
    this.#sweepsLeft -= 1
    if (this.#exchange !== null && ++this.#sweepsSinceSent > LOST_SOON_SWEEPS) this.#exchange.goesOutOnce()
  }

  /** Sends the request. To be called of an idle connection alone. */
  carry(exchange: HttpExchange): void {
    this.#isKept = true
    this.#hasHeard = false
    this.#sweepsSinceSent = 0
    this.#exchange = exchange
    exchange.takes(this)
    this.#socket.ref()
    this.#send(exchange)
  }

  /** Reading goes on: what has come meanwhile is taken at once. */
  resume(): void {
    if (!this.#isReady) return
    const unread = this.#unread
    this.#unread = null
    if (unread !== null) this.#read(unread)
    if (this.#exchange?.isPaused === true) return
    if (this.#hasEnded) this.#ended()
    else if (this.isOpen) this.#socket.resume()
  }

  /** Closes it at once; its exchange fails by the error. */
  close(error: Error): void {
    const exchange = this.#exchange
    this.#exchange = null
    this.#socket.destroy()
    if (exchange !== null) this.#fails(exchange, error)
  }

  #fails(exchange: HttpExchange, error: Error): void {
    const isStale = this.#isKept && !this.#hasHeard && isLostConnection(error)
    if (isStale && exchange.mayGoOutAgain) this.#owner.lost(exchange)
    else exchange.failed(error)
  }

  cancel(): void {
    this.#exchange = null
    this.#socket.destroy()
  }

  #ready(): void {
    this.#isReady = true
    if (this.#exchange !== null) this.#send(this.#exchange)
  }

  #send(exchange: HttpExchange): void {
    if (!this.#isKept) exchange.goesOutOnce()
    this.#answer.begin()
    this.#answer.head.wantsDate = exchange.wantsDate
    const socket = this.#socket
    const pieces = exchange.takeRequest()
    if (pieces.length > 1) socket.cork()
    for (const piece of pieces) socket.write(piece)
    if (pieces.length > 1) socket.uncork()
  }

  #read(bytes: Buffer): boolean {
    const exchange = this.#exchange
    if (exchange === null) {
      // Nothing was asked: whatever this is, it must not be taken for the next answer.
      this.#socket.destroy()
      return true
    }
    this.#hasHeard = true
    if (exchange.isPaused) {
      this.#unread = this.#unread === null ? Buffer.from(bytes) : Buffer.concat([this.#unread, bytes])
      return false
    }
    try {
      this.#take(bytes, exchange)
    } catch (error) {
      // A defect in what takes the answer costs this answer, not the process.
      this.close(error instanceof Error ? error : new Error('the answer could not be taken', { cause: error }))
    }
    return exchange !== this.#exchange || !exchange.isPaused
  }

  /** All is read before anything of it is passed on, since the bytes are not ours for longer than that. */
  #take(bytes: Buffer, exchange: HttpExchange): void {
    const answer = this.#answer
    const hadHead = answer.hasHead
    const content = answer.read(bytes)
    const { isComplete, objection } = answer
    if (isComplete) this.#letGo(exchange)
    if (answer.hasHead && !hadHead) exchange.head(answer.head)
    if (content !== null) exchange.data(content)
    if (isComplete) exchange.end()
    else if (objection !== null) this.close(new ConnectionError('UPSTREAM_MALFORMED', `the upstream sent ${objection}`))
  }

  /** The answer is whole. The connection goes back, or is closed where it cannot be known that nothing is left on it. */
  #letGo(exchange: HttpExchange): void {
    this.#exchange = null
    exchange.leaves()
    const { head, objection } = this.#answer
    const idleMs = head.idleMs
    if (objection !== null || idleMs <= 0 || this.#socket.writableLength > 0) return void this.#socket.destroy()
    this.#socket.unref()
    this.#owner.released(this, idleMs)
  }

  /** The other side closed it. */
  #ended(): void {
    const exchange = this.#exchange
    this.#hasEnded = true
    if (exchange === null || this.#unread !== null) return
    this.#exchange = null
    this.#socket.destroy()
    if (this.#answer.endsWithConnection()) return exchange.end()
    const why = 'the upstream closed the connection before its answer was whole'
    this.#fails(exchange, new ConnectionError('UPSTREAM_CLOSED', why))
  }
}
