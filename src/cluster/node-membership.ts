import type { ClusterStores } from './nodes.ts'
import type { Clock } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import type { Logger } from '../core/log.ts'
import { retireOwnPreviousNodes, type ThisProcess } from './dead-nodes.ts'
import { NodeLife } from './node-life.ts'
import { NodeRounds } from './node-rounds.ts'
import { NodeWatch } from './node-watch.ts'

export interface MembershipOptions {
  readonly store: ClusterStores
  readonly clock: Clock
  readonly log: Logger
  readonly process: ThisProcess
  /** Another node of this process has joined before: only that one clears up after earlier lives of the process. */
  readonly isLaterOfProcess?: boolean
  /** Hears of each id that this node is about to join under. */
  onNewId?(id: string): void
  /** See `NodeLife`. */
  onRetired(): void
  forgetEverything(): Promise<void>
  /** Looks after the leases; called after each renewal of this node's life. */
  maintainLeases(): Promise<void>
}

/** Makes a gateway one of several nodes on one database: it joins, stays alive, looks after the others, and leaves. */
export class NodeMembership {
  readonly life: NodeLife
  readonly watch: NodeWatch
  readonly #options: MembershipOptions
  readonly #rounds: NodeRounds

  constructor(options: MembershipOptions) {
    const { store, clock, log, process } = options
    this.#options = options
    this.life = new NodeLife({
      nodes: store.nodes,
      clock,
      process,
      newId: () => {
        const id = newId('nod', clock.now())
        options.onNewId?.(id)
        return id
      },
      onRetired: () => {
        log.warn('joining again as a new node: this one was cut off for too long and taken for dead')
        options.onRetired()
      },
      forgetEverything: options.forgetEverything,
    })
    this.watch = new NodeWatch({ store, clock, node: this.life, ...process })
    this.#rounds = new NodeRounds({
      life: this.life,
      watch: this.watch,
      clock,
      maintain: options.maintainLeases,
      onInterrupted: (count) => this.#reportInterrupted(count),
      onError: (error) => log.error({ err: error }, 'failed to renew the life of this node; will retry'),
    })
  }

  /** Registers this process, clears up after a crash, and returns the change that it starts from. */
  async join(): Promise<{ seq: number }> {
    const { store, process, isLaterOfProcess } = this.#options
    if (isLaterOfProcess !== true) await retireOwnPreviousNodes(store.nodes, process)
    const joined = await this.life.join()
    this.#reportInterrupted(await this.watch.look())
    return joined
  }

  /** What kept this node from renewing its life the last time; null: it was renewed. */
  get failure(): unknown {
    return this.#rounds.failure
  }

  /** Called several times a second. */
  tick(): void {
    this.#rounds.tick()
  }

  /** Resolves when this node renews nothing more. To be called after the last tick, before it gives back what it holds. */
  async stop(): Promise<void> {
    await this.#rounds.idle()
  }

  /** Takes this node off the list. To be called when it holds nothing any more. */
  async leave(): Promise<void> {
    await this.#options.store.nodes.remove([this.life.id])
  }

  #reportInterrupted(interrupted: number): void {
    if (interrupted === 0) return
    this.#options.log.warn({ interrupted }, 'recorded requests of dead nodes as interrupted')
  }
}
