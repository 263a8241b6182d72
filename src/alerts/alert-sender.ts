import type { Clock } from '../core/clock.ts'
import { ALERT_KEPT_MS, type AlertDelivery, type AlertStore } from './alert.ts'
import type { AlertCarrier, SendOutcome } from './carrier.ts'
import { pauseAfter, TRIES_LIMIT } from './retry-schedule.ts'

export interface AlertSenderOptions {
  readonly store: AlertStore
  /** The ways that are configured; none: nothing is ever sent. */
  readonly carriers: readonly AlertCarrier[]
  readonly clock: Clock
  readonly random: () => number
  /** How long alerts are kept; default: `ALERT_KEPT_MS`. */
  readonly keptMs?: number
  /** What is under way when the gateway stops gets this long to end by itself. */
  readonly graceMs?: number
  /** Hears that a delivery was given up, without anything that is secret. */
  onGivenUp(what: { readonly alertId: string; readonly way: string; readonly failure: string }): void
  onError(error: unknown): void
}

const LOOK_EVERY_MS = 5_000
/** So many are under way at a time. */
const BATCH = 8
/** A flood of alerts does not keep one look going for ever; the next one goes on. */
const BATCHES_A_LOOK = 25
/** Then ends are announced, and what is too old to be of use is deleted in small portions: more often than alerts come up. */
const ROUND_EVERY_MS = 10 * 60_000
const ANNOUNCED_AT_ONCE = 500
const FORGOTTEN_AT_ONCE = 500
/** Longer than any carrier may take, so that no other node tries what is still being tried. */
const TAKEN_FOR_MS = 60_000
const GRACE_MS = 2_000

/** Brings alerts out of the database to their receivers, aside from all requests. */
export class AlertSender {
  readonly #options: AlertSenderOptions
  readonly #end = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null
  #isStopped = false
  #roundAt = 0

  constructor(options: AlertSenderOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref()
  }

  /**
   * Sends what is due, and every ten minutes announces ends and deletes what is old. Called again meanwhile, it returns the look that is under way.
   * Never rejects.
   */
  look(): Promise<void> {
    const isIdle = this.#options.carriers.length === 0 && !this.#isTimeForRound()
    if (this.#isStopped || isIdle) return this.#looking ?? Promise.resolve()
    this.#looking ??= this.#round()
      .catch(this.#options.onError)
      .then(() => this.#sendDue())
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#looking = null
      })
    return this.#looking
  }

  /** Resolves when nothing is under way any more; the store is not touched after that. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer !== null) clearInterval(this.#timer)
    const cutting = setTimeout(() => this.#end.abort(), this.#options.graceMs ?? GRACE_MS)
    await this.#looking
    clearTimeout(cutting)
  }

  #isTimeForRound(): boolean {
    return this.#options.clock.elapsed() >= this.#roundAt
  }

  /** Every node does so, by its own clock: the second finds less. */
  async #round(): Promise<void> {
    const { store, clock } = this.#options
    if (!this.#isTimeForRound() || this.#isStopped) return
    this.#roundAt = clock.elapsed() + ROUND_EVERY_MS
    await store.announceEnds(clock.now(), ANNOUNCED_AT_ONCE)
    await store.forget(clock.now() - (this.#options.keptMs ?? ALERT_KEPT_MS), FORGOTTEN_AT_ONCE)
  }

  async #sendDue(): Promise<void> {
    const { store, carriers, clock } = this.#options
    if (carriers.length === 0) return
    for (let batches = 0; batches < BATCHES_A_LOOK && !this.#isStopped; batches++) {
      const nowMs = clock.now()
      const ways = carriers.map(({ way }) => way)
      const taken = await store.take({ ways, nowMs, untilMs: nowMs + TAKEN_FOR_MS, limit: BATCH })
      await Promise.all(taken.map((delivery) => this.#deliver(delivery).catch(this.#options.onError)))
      if (taken.length < BATCH) return
    }
  }

  async #deliver(delivery: AlertDelivery): Promise<void> {
    const { store, clock } = this.#options
    const outcome = await this.#tryOnce(delivery)
    const atMs = clock.now()
    const failure = outcome.kind === 'delivered' ? null : outcome.failure
    const pauseMs = outcome.kind === 'failed' ? this.#pause(outcome, delivery.tries) : null
    const nextTryAt = pauseMs === null ? null : atMs + pauseMs
    await store.record({ alertId: delivery.alert.id, way: delivery.way }, { atMs, failure, nextTryAt })
    if (failure !== null && nextTryAt === null) {
      this.#options.onGivenUp({ alertId: delivery.alert.id, way: delivery.way, failure })
    }
  }

  #tryOnce({ alert, way, tries }: AlertDelivery): Promise<SendOutcome> | SendOutcome {
    const carrier = this.#options.carriers.find((each) => each.way === way)
    // The node that took it last died over it; whether it arrived is unknown.
    if (carrier === undefined || tries > TRIES_LIMIT) return { kind: 'refused', failure: 'the last try was cut off' }
    return carrier.send(alert, this.#end.signal)
  }

  /** What a stopping gateway cut off failed by no fault of its receiver: it is due at once, for the next life or another node. */
  #pause({ retryAfterMs }: { retryAfterMs: number | null }, tries: number): number | null {
    const pauseMs = pauseAfter(tries, { random: this.#options.random, retryAfterMs })
    return pauseMs !== null && this.#end.signal.aborted ? 0 : pauseMs
  }
}
