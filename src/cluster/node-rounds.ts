import type { Clock } from '../core/clock.ts'
import { NODE_BEAT_MS } from '../core/limits.ts'
import type { NodeLife } from './node-life.ts'
import type { NodeWatch } from './node-watch.ts'

/** What a dead node held comes free this much later than its life is over. */
const WATCH_MS = 1_000
/** A node that may serve nothing tries more often to get well. */
const RETRY_MS = 500

export interface NodeRoundsOptions {
  readonly life: Pick<NodeLife, 'isAlive' | 'renew'>
  readonly watch: Pick<NodeWatch, 'look'>
  readonly clock: Clock
  /** Called after each renewal. */
  maintain(): Promise<void>
  onInterrupted(count: number): void
  onError(error: unknown): void
}

/** Keeps this node among the living, and looks after the others. */
export class NodeRounds {
  readonly #options: NodeRoundsOptions
  #renewing: Round
  #watching: Round
  #failure: unknown = null

  constructor(options: NodeRoundsOptions) {
    this.#options = options
    // The caller has just joined, and looked.
    const startedAt = options.clock.elapsed()
    this.#renewing = { startedAt, running: null }
    this.#watching = { startedAt, running: null }
  }

  /** Called several times a second. */
  tick(): void {
    const { life, clock } = this.#options
    const elapsed = clock.elapsed()
    this.#renewing = this.#next(this.#renewing, {
      isDue: elapsed - this.#renewing.startedAt >= (life.isAlive ? NODE_BEAT_MS : RETRY_MS),
      work: () => this.#renew(),
    })
    this.#watching = this.#next(this.#watching, {
      isDue: elapsed - this.#watching.startedAt >= WATCH_MS,
      work: () => this.#watch(),
    })
  }

  /** What kept this node from renewing its life the last time; null: it was renewed. */
  get failure(): unknown {
    return this.#failure
  }

  /** Resolves when nothing is under way. To be called after the last tick, before the node leaves. */
  async idle(): Promise<void> {
    await Promise.all([this.#renewing.running, this.#watching.running])
  }

  /** One of each kind is under way at a time. */
  #next(round: Round, { isDue, work }: { isDue: boolean; work: () => Promise<void> }): Round {
    if (!isDue || round.running !== null) return round
    const next: Round = { startedAt: this.#options.clock.elapsed(), running: null }
    next.running = work()
      .catch(this.#options.onError)
      .finally(() => {
        next.running = null
      })
    return next
  }

  async #renew(): Promise<void> {
    const { life, maintain } = this.#options
    try {
      await life.renew()
      this.#failure = null
    } catch (error) {
      this.#failure = error
      throw error
    }
    await maintain()
  }

  async #watch(): Promise<void> {
    const interrupted = await this.#options.watch.look()
    if (interrupted > 0) this.#options.onInterrupted(interrupted)
  }
}

interface Round {
  /** A reading of `Clock.elapsed`. */
  readonly startedAt: number
  running: Promise<void> | null
}
