import type { ClusterStores, RegisteredNode } from './nodes.ts'
import type { Clock } from '../core/clock.ts'
import type { NodeShare } from '../metering/limits/limit-terms.ts'
import { Heartbeats } from './heartbeats.ts'
import { clearUpAfterDead, hasEnded } from './dead-nodes.ts'

export interface NodeWatchOptions {
  readonly store: ClusterStores
  readonly clock: Clock
  /** The node that watches: it never buries itself. Its id may change. */
  readonly node: { readonly id: string; readonly isAlive: boolean }
  /** See `thisHost`. */
  readonly host: string
  readonly processId: number
  isProcessAlive?(processId: number): boolean
}

/** Watches all nodes: buries those that died, clears up after them, and knows how many live. */
export class NodeWatch {
  readonly #options: NodeWatchOptions
  readonly #beats = new Heartbeats()
  #living: readonly RegisteredNode[] = []
  #share: NodeShare = { index: 0, count: 1 }
  /** The id that `#share` was worked out for; null: what lives has been looked at since. */
  #sharedBy: string | null = null

  constructor(options: NodeWatchOptions) {
    this.#options = options
  }

  /** Called about once a second, one at a time. Returns how many requests were recorded as interrupted. */
  async look(): Promise<number> {
    const { store, clock, node: own } = this.#options
    // What keeps this node from renewing its life may keep the others too: they get as much time again as it has had.
    if (!own.isAlive) this.#beats.forget()
    const askedAt = clock.elapsed()
    const nodes = await store.nodes.all()
    const still = this.#beats.staleNodes(nodes, { askedAt, answeredAt: clock.elapsed() })
    const dead = new Set(nodes.filter((node) => this.#isDead(node, still)))
    this.#living = nodes.filter((node) => !dead.has(node))
    this.#sharedBy = null
    if (dead.size > 0) await store.nodes.retire([...dead])
    return clearUpAfterDead(store)
  }

  /**
   * Returns the share of this process among those that live: each can only limit by itself what they share. Nodes that are
   * threads of one process count together; the first of their ids gives the order.
   */
  share(): NodeShare {
    const ownId = this.#options.node.id
    if (this.#sharedBy !== ownId) this.#share = this.#placeAmong(ownId)
    this.#sharedBy = ownId
    return this.#share
  }

  #placeAmong(ownId: string): NodeShare {
    const own = processName(this.#options)
    let firstOwn = ownId
    const firstOfOthers = new Map<string, string>()
    for (const node of this.#living) {
      const name = processName(node)
      if (name === own) firstOwn = smaller(firstOwn, node.id)
      else firstOfOthers.set(name, smaller(firstOfOthers.get(name) ?? node.id, node.id))
    }
    const others = [...firstOfOthers.values()]
    return { index: others.filter((id) => id < firstOwn).length, count: others.length + 1 }
  }

  #isDead(node: RegisteredNode, still: ReadonlySet<string>): boolean {
    const { node: own, host, isProcessAlive } = this.#options
    return node.id !== own.id && (still.has(node.id) || hasEnded(node, host, isProcessAlive))
  }
}

function processName({ host, processId }: Pick<RegisteredNode, 'host' | 'processId'>): string {
  return `${processId} ${host}`
}

function smaller(one: string, other: string): string {
  return one < other ? one : other
}
