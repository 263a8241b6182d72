import { Fault } from '../../src/core/faults.ts'
import type { NanoUsd } from '../../src/core/money.ts'
import { Admission } from '../../src/metering/admission/admission.ts'
import type { AdmissionRequest } from '../../src/metering/admission/admission-request.ts'
import type { LeaseStore } from '../../src/metering/budgets/budget.ts'
import { KeyLimits } from '../../src/metering/limits/key-limits.ts'
import { LeaseBook } from '../../src/metering/budgets/lease-book.ts'
import type { Reservation } from '../../src/metering/admission/reservation.ts'
import type { Store } from '../../src/store/store.ts'
import type { ModelRefusal } from './admission-model.ts'
import { aRecord } from './store-fixtures.ts'

/** One gateway's admission on a store, with a clock in the test's hand. */
export class NodeUnderTest {
  readonly leases: LeaseBook
  readonly admission: Admission
  readonly #store: Store
  /** Grants that were asked for and are not answered. */
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(store: Store, time: { now: number; elapsed: number }, nodeId: string) {
    const clock = { now: () => time.now, elapsed: () => time.elapsed }
    const limits = new KeyLimits({ clock, share: () => ({ index: 0, count: 1 }) })
    this.leases = new LeaseBook({ store: this.#watched(store.leases), clock, node: { id: nodeId, isAlive: true } })
    this.admission = new Admission({ leases: this.leases, limits, clock })
    this.#store = store
  }

  /** Resolves when nothing is asked for any more, and what was answered is known here. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** An admin gave the key other limits, and this node hears of it. */
  follow(keyId: string): Promise<void> {
    return this.leases.reconsider(({ subjectId }) => subjectId === keyId)
  }

  #watched(leases: LeaseStore): LeaseStore {
    return {
      grant: (request) => {
        const granting = leases.grant(request)
        this.#underWay.add(granting)
        void granting.finally(() => this.#underWay.delete(granting)).catch(() => {})
        return granting
      },
      active: (nodeId, ids) => leases.active(nodeId, ids),
      shrink: (nodeId, wishes) => leases.shrink(nodeId, wishes),
      close: (nodeId, ids) => leases.close(nodeId, ids),
      closeOfNodes: (ids) => leases.closeOfNodes(ids),
    }
  }

  async admit(request: AdmissionRequest): Promise<Reservation | ModelRefusal> {
    try {
      return await this.admission.admit(request)
    } catch (error) {
      return codeOf(error)
    }
  }

  /** What of it is lacking, and why. */
  async extend(reservation: Reservation, amount: NanoUsd): Promise<readonly [bigint, ModelRefusal | null]> {
    const extension = await this.admission.extend(reservation, amount)
    if (extension === null) return [0n, null]
    return [extension.lacking, extension.fault === null ? null : codeOf(extension.fault)]
  }

  /** Brings it into the books, and returns what was charged where and who paid. */
  async settle(reservation: Reservation, cost: NanoUsd, about: { accountId: string; keyId: string; nowMs: number }) {
    const closing = reservation.settle(cost, { chargedAtMs: about.nowMs, tokens: 0 })
    const record = aRecord(about.accountId, cost, {
      createdAt: about.nowMs,
      keyId: about.keyId,
      totalMs: 0,
      balancePaid: closing.balancePaid,
      subscriptionsPaid: closing.subscriptionsPaid,
    })
    await this.#store.settlements.settle([{ record, charges: closing.charges }])
    reservation.settled()
    return closing
  }
}

function codeOf(error: unknown): ModelRefusal {
  if (error instanceof Fault) return error.code as ModelRefusal
  throw error
}
