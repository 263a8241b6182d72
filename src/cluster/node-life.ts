import type { NodeStore } from './nodes.ts'
import type { Clock } from '../core/clock.ts'
import { NODE_LIFE_MS, NODE_USABLE_PART } from '../core/limits.ts'
import type { ThisProcess } from './dead-nodes.ts'

export interface NodeLifeOptions {
  readonly nodes: Pick<NodeStore, 'join' | 'beat'>
  readonly clock: Clock
  readonly process: ThisProcess
  newId(): string
  /** The others buried this node: nothing that was held in the name of its old id may be used any more. */
  onRetired(): void
  /** The node was silent for so long that others may have stopped waiting for it: what it remembers may be false. */
  forgetEverything(): Promise<void>
}

/**
 * The membership of a process among the nodes. Revoking a key waits for every living node, and what a dead one holds
 * is given to others; in return a node that could not renew its life in time (frozen, suspended with its machine, or cut
 * off from the database) serves nothing and spends nothing until it has.
 */
export class NodeLife {
  readonly #options: NodeLifeOptions
  #id: string
  /** When the last renewal that succeeded was asked for. null: not registered. */
  #renewed: { readonly elapsed: number; readonly now: number } | null = null

  constructor(options: NodeLifeOptions) {
    this.#options = options
    this.#id = options.newId()
  }

  /** Another one after the node was buried. */
  get id(): string {
    return this.#id
  }

  /**
   * Time counts by whichever clock went further. The one that only grows stands still while the machine is suspended; the
   * wall clock shows that, and when it jumps forward for another reason that costs one renewal.
   */
  get isAlive(): boolean {
    if (this.#renewed === null) return false
    const { clock } = this.#options
    const age = Math.max(clock.elapsed() - this.#renewed.elapsed, clock.now() - this.#renewed.now)
    return age < NODE_LIFE_MS * NODE_USABLE_PART
  }

  /** Registers this process among the nodes, and returns the change it starts from. */
  async join(): Promise<{ seq: number }> {
    const { nodes, process } = this.#options
    const askedAt = this.#reading()
    const joined = await nodes.join({ id: this.#id, ...process })
    this.#renewed = askedAt
    return joined
  }

  /** Called several times in a life, and one at a time. Rejects when the database does not answer. */
  async renew(): Promise<void> {
    const { nodes, forgetEverything } = this.#options
    const askedAt = this.#reading()
    if (!(await nodes.beat(this.#id))) return this.#beginAgain()
    if (!this.isAlive) await forgetEverything()
    this.#renewed = askedAt
  }

  async #beginAgain(): Promise<void> {
    const { nodes, process, newId, onRetired, forgetEverything } = this.#options
    this.#renewed = null
    this.#id = newId()
    onRetired()
    const askedAt = this.#reading()
    await nodes.join({ id: this.#id, ...process })
    // A revoking process waits for this node from now on; what was revoked before must not be remembered otherwise.
    await forgetEverything()
    this.#renewed = askedAt
  }

  #reading(): { readonly elapsed: number; readonly now: number } {
    const { clock } = this.#options
    return { elapsed: clock.elapsed(), now: clock.now() }
  }
}
