import type { NodeMembership } from '../../cluster/node-membership.ts'
import type { StoreFailure } from '../../core/store-failures.ts'
import type { LeaseBook } from '../../metering/budgets/lease-book.ts'
import type { SettleQueue } from '../../metering/settle/settle-queue.ts'
import { storeFailureOf } from '../../store/store-failure.ts'
import type { Store } from '../../store/store.ts'

/** A load balancer asks every second or two, and waits about as long. */
const ANSWERS_WITHIN_MS = 2_000

export interface StoreStandingParts {
  readonly store: Pick<Store, 'check' | 'lost'>
  readonly settleQueue: Pick<SettleQueue, 'accepts' | 'failure'>
  readonly membership: { readonly life: Pick<NodeMembership['life'], 'isAlive'>; readonly failure: unknown }
  readonly leases: Pick<LeaseBook, 'failure'>
}

/**
 * What keeps this node from using its database: the one source of what the gate, `/readyz`, the console API, the metrics and
 * the alerts say of it. It heals without a request: settlements that wait are tried again, and the node renews its life.
 */
export class StoreStanding {
  readonly #parts: StoreStandingParts

  constructor(parts: StoreStandingParts) {
    this.#parts = parts
  }

  /** Why no call is taken on at present; null: calls are. Asked at every request. */
  get closed(): StoreFailure | null {
    const { store, settleQueue, membership } = this.#parts
    if (store.lost) return 'files_moved'
    if (!settleQueue.accepts) return settleQueue.failure === null ? 'behind' : storeFailureOf(settleQueue.failure)
    if (membership.life.isAlive) return null
    return membership.failure === null ? 'unreachable' : storeFailureOf(membership.failure)
  }

  /**
   * Why the next call would be refused, as far as can be known without one; null: it would not. What was written last is known;
   * whether anything can be read is asked for.
   */
  async failure(): Promise<StoreFailure | null> {
    const known = this.#written
    if (known !== null) return known
    try {
      await this.#parts.store.check(ANSWERS_WITHIN_MS)
    } catch (error) {
      return storeFailureOf(error)
    }
    return this.#written
  }

  get #written(): StoreFailure | null {
    const { failure } = this.#parts.leases
    return this.closed ?? (failure === null ? null : storeFailureOf(failure))
  }
}
