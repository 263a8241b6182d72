import type { ClusterStores } from './cluster-stores.ts'
import type { RegisteredNode } from './nodes.ts'
import type { Clock } from '../core/clock.ts'
import type { NodeShare } from '../metering/limits/key-limits.ts'
import { Heartbeats } from './heartbeats.ts'
import { clearUpAfterDead, hasEnded } from './dead-nodes.ts'

export interface NodeWatchOptions {
  readonly store: ClusterStores
  readonly clock: Clock
  /** This node: it never buries itself. Its id may change. */
  readonly node: { readonly id: string; readonly isAlive: boolean }
  /** See `thisHost`. */
  readonly host: string
  isProcessAlive?(processId: number): boolean
}

/** Watches all nodes: buries those that died, clears up after them, and knows how many live. */
export class NodeWatch {
  readonly #options: NodeWatchOptions
  readonly #beats = new Heartbeats()
  #living: readonly string[] = []

  constructor(options: NodeWatchOptions) {
    this.#options = options
  }

  /** To be called about once a second, one at a time. Returns how many requests were recorded as interrupted. */
  async look(): Promise<number> {
    const { store, clock, node: own } = this.#options
    // What keeps this node from renewing its life may keep the others too: they get as much time again as it has had.
    if (!own.isAlive) this.#beats.forget()
    const askedAt = clock.elapsed()
    const nodes = await store.nodes.all()
    const still = this.#beats.staleNodes(nodes, { askedAt, answeredAt: clock.elapsed() })
    const dead = new Set(nodes.filter((node) => this.#isDead(node, still)))
    this.#living = nodes.filter((node) => !dead.has(node)).map(({ id }) => id)
    if (dead.size > 0) await store.nodes.retire([...dead])
    return clearUpAfterDead(store)
  }

  /** This node's place among those that live, by which they share what each can only limit by itself. */
  share(): NodeShare {
    const own = this.#options.node.id
    const others = this.#living.filter((id) => id !== own)
    return { index: others.filter((id) => id < own).length, count: others.length + 1 }
  }

  #isDead(node: RegisteredNode, still: ReadonlySet<string>): boolean {
    const { node: own, host, isProcessAlive } = this.#options
    return node.id !== own.id && (still.has(node.id) || hasEnded(node, host, isProcessAlive))
  }
}
