import { Fault } from '../../core/faults.ts'
import { faultOf } from '../connection-error.ts'
import type { UpstreamExchange, UpstreamHandler } from '../upstream-client.ts'
import type { AnswerHead } from './answer-head.ts'

/** The connection that carries an exchange. */
export interface ExchangeCarrier {
  /** The exchange is not paused any more. */
  resume(): void
  /** Closes it at once, and says nothing more. */
  cancel(): void
}

export interface ExchangeEnds {
  /** Called once, when it is over, before the handler hears of it. */
  onOver(): void
  /** Called with the date in its answer's head; null: it is not read. */
  readonly onDate?: ((date: string) => void) | null
  /** Writes the request anew; null: it goes out once, whatever becomes of its connection. */
  readonly again?: (() => readonly Buffer[]) | null
}

/** One attempt on the wire: what its connection reports, for the one who asked. */
export class HttpExchange implements UpstreamExchange {
  readonly #handler: UpstreamHandler
  readonly #onOver: () => void
  readonly #onDate: ((date: string) => void) | null
  #again: (() => readonly Buffer[]) | null
  /** The request, until it is written. */
  #request: readonly Buffer[]
  #connection: ExchangeCarrier | null = null
  #isSent = false
  #isRepeated = false
  #isDialling = false
  #isOver = false
  #isPaused = false

  constructor(
    request: readonly Buffer[],
    handler: UpstreamHandler,
    { onOver, onDate = null, again = null }: ExchangeEnds,
  ) {
    this.#request = request
    this.#handler = handler
    this.#onOver = onOver
    this.#onDate = onDate
    this.#again = again
  }

  /** Whether the date of its answer is to be read. */
  get wantsDate(): boolean {
    return this.#onDate !== null
  }

  get isSent(): boolean {
    return this.#isSent
  }

  get isRepeated(): boolean {
    return this.#isRepeated
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  get isOver(): boolean {
    return this.#isOver
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#connection?.resume()
  }

  abort(): void {
    if (this.#isOver) return
    this.#finish()?.cancel()
  }

  /** No connection is open for it, so that it waits for a new one. */
  dials(): void {
    this.#isDialling = true
  }

  /** The connection that took it was lost, and nothing was heard: it may be written to another one. */
  get mayGoOutAgain(): boolean {
    return this.#again !== null
  }

  /** Writes the request anew, for the connection that takes the exchange next. It does so no second time. */
  goesOutAgain(): void {
    this.#request = this.#again?.() ?? []
    this.#isRepeated = true
    this.#again = null
    this.#connection = null
  }

  /** Keeps the exchange with its connection, and lets go of what it could be written from. */
  goesOutOnce(): void {
    this.#again = null
  }

  /** Gives the exchange to the connection. */
  takes(connection: ExchangeCarrier): void {
    this.#connection = connection
  }

  /** The connection is not its own any more. */
  leaves(): void {
    this.#connection = null
  }

  /** The request's bytes, which are let go of with that. */
  takeRequest(): readonly Buffer[] {
    const request = this.#request
    this.#request = []
    this.#isSent = true
    if (this.#isDialling && !this.#isOver) this.#handler.onConnected?.()
    return request
  }

  head({ status, headers }: AnswerHead): void {
    this.#again = null
    if (this.#onDate !== null && headers.date !== undefined) this.#onDate(headers.date)
    if (!this.#isOver) this.#handler.onHead(status, headers)
  }

  data(content: Buffer): void {
    if (!this.#isOver) this.#handler.onData(content)
  }

  end(): void {
    if (this.#isOver) return
    this.#finish()
    this.#handler.onEnd()
  }

  failed(error: unknown): void {
    if (this.#isOver) return
    this.#finish()
    this.#handler.onFailure(error instanceof Fault ? error : faultOf(error))
  }

  #finish(): ExchangeCarrier | null {
    const connection = this.#connection
    this.#connection = null
    this.#request = []
    this.#again = null
    this.#isOver = true
    this.#onOver()
    return connection
  }
}
