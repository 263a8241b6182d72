import type { NodeStore } from '../access/nodes.ts'
import type { Clock } from '../core/clock.ts'
import { LEASE_LIFE_MS, LEASE_USABLE_PART } from '../core/limits.ts'

export interface NodeLifeOptions {
  readonly nodeId: string
  readonly nodes: NodeStore
  readonly clock: Clock
  /** The node was silent for so long that others may have stopped waiting for it: what it remembers may be false. */
  forgetEverything(): Promise<void>
}

/**
 * This process's membership among the nodes. Whoever revokes a key waits for every living node; in return a node that
 * could not renew its life in time (frozen, or cut off from the database) serves nothing until it has.
 */
export class NodeLife {
  readonly #options: NodeLifeOptions
  #renewedAt: number

  constructor(options: NodeLifeOptions) {
    this.#options = options
    this.#renewedAt = options.clock.elapsed()
  }

  get isAlive(): boolean {
    return this.#options.clock.elapsed() - this.#renewedAt < LEASE_LIFE_MS * LEASE_USABLE_PART
  }

  /** To be called several times in a life. Rejects when the database does not answer. */
  async renew(): Promise<void> {
    const { nodes, nodeId, clock, forgetEverything } = this.#options
    const wasAlive = this.isAlive
    const askedAt = clock.elapsed()
    await nodes.extend(nodeId, clock.now() + LEASE_LIFE_MS)
    if (!wasAlive) await forgetEverything()
    this.#renewedAt = askedAt
  }
}
