import { ConnectionError } from '../connection-error.ts'
import { Connection } from './connection.ts'
import type { Dial } from './dial.ts'
import type { HttpExchange } from './http-exchange.ts'

/** How often connections are looked through. */
const SWEEP_MS = 1_000

/**
 * Sweeps that a connection may be used for: two to three minutes, so that a name that leads elsewhere is followed however many
 * requests keep coming. Those that were opened together end at other times, by steps that meet every second once.
 */
const USED_SWEEPS = 120
const SPREAD_SWEEPS = 60
const STEP_SWEEPS = 37

/** A connection that waits for a request. */
interface Idle {
  readonly connection: Connection
  /** Sweeps that are left; the connection is closed at the one that makes this 0. */
  sweepsLeft: number
}

/**
 * The connections to one upstream: as many as there are requests at a time, kept for the next ones while idle, the one that was
 * used last first, so that a pool grown by a burst shrinks again.
 *
 * Requests leave at the end of the turn of the event loop in which they come, on connections that were idle before the turn
 * began: by then it was read what else came on those, so that bytes left there by an earlier answer are never taken for the
 * answer to a request, and a connection that the other side has closed is not used.
 */
export class ConnectionPool {
  readonly #dial: Dial
  readonly #all = new Set<Connection>()
  #waiting: HttpExchange[] = []
  readonly #idle: Idle[] = []
  /** Idle since this turn. */
  #fresh: Idle[] = []
  #isTurnEnding = false
  #opened = 0
  #sweeper: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(dial: Dial) {
    this.#dial = dial
  }

  /** Sends the request of `exchange` at the end of this turn. */
  send(exchange: HttpExchange): void {
    this.#waiting.push(exchange)
    this.#awaitEndOfTurn()
  }

  /** Closes all connections; what runs on them or is waiting for one fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    const retired = new ConnectionError('UPSTREAM_RETIRED', 'the gateway closed its connections to this upstream')
    for (const connection of this.#all) connection.close(retired)
    for (const exchange of this.#waiting.splice(0)) exchange.failed(retired)
    this.#idle.length = 0
    this.#fresh.length = 0
    this.#stopSweeping()
  }

  released(connection: Connection, idleMs: number): void {
    const sweepsLeft = Math.floor(idleMs / SWEEP_MS)
    if (sweepsLeft === 0 || this.#isClosed || connection.isWorn) return connection.cancel()
    this.#fresh.push({ connection, sweepsLeft })
    this.#awaitEndOfTurn()
  }

  lost(exchange: HttpExchange): void {
    if (exchange.isOver) return
    if (this.#isClosed) return exchange.failed(new ConnectionError('UPSTREAM_RETIRED', 'the upstream was retired'))
    exchange.goesOutAgain()
    this.#open(exchange)
  }

  closed(connection: Connection): void {
    this.#all.delete(connection)
    if (this.#all.size === 0) this.#stopSweeping()
  }

  #awaitEndOfTurn(): void {
    if (this.#isTurnEnding) return
    this.#isTurnEnding = true
    setImmediate(() => this.#endTurn())
  }

  #endTurn(): void {
    this.#isTurnEnding = false
    const sending = this.#waiting
    this.#waiting = []
    for (const exchange of sending) if (!exchange.isOver) this.#carry(exchange)
    // What came on these since will have been read by the end of the next turn.
    this.#idle.push(...this.#fresh)
    this.#fresh = []
    if (this.#waiting.length > 0) this.#awaitEndOfTurn()
  }

  #carry(exchange: HttpExchange): void {
    if (this.#isClosed) return exchange.failed(new ConnectionError('UPSTREAM_RETIRED', 'the upstream was retired'))
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.connection.isOpen) return idle.connection.carry(exchange)
    }
    // One of those that just became idle will be as good, in a moment.
    if (this.#waiting.length < this.#fresh.length) this.#waiting.push(exchange)
    else this.#open(exchange)
  }

  #open(exchange: HttpExchange): void {
    exchange.dials()
    const sweepsLeft = USED_SWEEPS + ((this.#opened++ * STEP_SWEEPS) % SPREAD_SWEEPS)
    this.#all.add(new Connection(this, { dial: this.#dial, sweepsLeft }, exchange))
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  #sweep(): void {
    for (const connection of this.#all) connection.swept()
    let kept = 0
    for (const idle of this.#idle) {
      idle.sweepsLeft -= 1
      if (!idle.connection.isOpen) continue
      if (idle.sweepsLeft <= 0 || idle.connection.isWorn) idle.connection.cancel()
      else this.#idle[kept++] = idle
    }
    this.#idle.length = kept
  }

  #stopSweeping(): void {
    if (this.#sweeper !== null) clearInterval(this.#sweeper)
    this.#sweeper = null
  }
}
