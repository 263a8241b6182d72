import { type NanoUsd, nanoUsd } from '../../src/core/money.ts'
import { windowMs } from '../../src/core/quota-window.ts'
import {
  type Budget,
  type GrantAnswer,
  type GrantRequest,
  type LeasedRow,
  type LeaseStore,
  isOverAt,
  type ShrinkWish,
  windowRowId,
} from '../../src/metering/budgets/budget.ts'
import type { Charge } from '../../src/metering/settle/settlement.ts'

interface Row {
  readonly id: string
  readonly windowMs: number | null
  limit: bigint
  used: bigint
  held: bigint
  endsAt: number | null
}

interface StoredLease {
  readonly id: string
  readonly budgetId: string
  readonly nodeId: string
  granted: bigint
  charged: bigint
}

const ZERO = nanoUsd(0n)

/** The leases of a database, in memory and by the letter of `LeaseStore`. */
export class LeasesInMemory implements LeaseStore {
  readonly rows = new Map<string, Row>()
  /** The active ones. */
  readonly leases = new Map<string, StoredLease>()
  grants = 0
  /** Charged where no active lease held it, and what was used beyond limits that were lowered. */
  overrun = 0n
  /** What the rows of a budget are opened with after its limit was moved, by the budget's id. */
  readonly #moved = new Map<string, bigint>()
  /** `silent`: it answers nothing and does nothing. `unheard`: it does what it is asked, and the answer is lost. */
  trouble: 'none' | 'silent' | 'unheard' = 'none'
  /** The way there, and the way back, of every question. */
  way: () => Promise<void> = async () => {}

  open(budget: Budget, limit: bigint): Row {
    return this.#openRow(budget, budget.id, limit)
  }

  row(id: string): Row {
    const row = this.rows.get(id)
    if (row === undefined) throw new Error(`there is no budget ${id}`)
    return row
  }

  grant(request: GrantRequest): Promise<GrantAnswer> {
    this.grants += 1
    return this.#answer(() => this.#grant(request))
  }

  active(nodeId: string, leaseIds: readonly string[]): Promise<ReadonlyMap<string, LeasedRow>> {
    return this.#answer(() => {
      const leases = leaseIds.flatMap((id) => this.leases.get(id) ?? []).filter((lease) => lease.nodeId === nodeId)
      return new Map(leases.map((lease) => [lease.id, standingOf(this.row(lease.budgetId), lease)]))
    })
  }

  shrink(nodeId: string, wishes: readonly ShrinkWish[]): Promise<ReadonlyMap<string, NanoUsd>> {
    return this.#answer(() => {
      const granted = new Map<string, NanoUsd>()
      for (const { leaseId, from, to } of wishes) {
        const lease = this.leases.get(leaseId)
        if (lease?.nodeId !== nodeId) continue
        const before = rest(lease)
        if (lease.granted === from) lease.granted = to > lease.charged ? to : lease.charged
        this.row(lease.budgetId).held -= before - rest(lease)
        granted.set(leaseId, nanoUsd(lease.granted))
      }
      return granted
    })
  }

  /** An admin gives the budget another limit, at once. */
  move({ id, window }: Budget, limit: bigint, nowMs: number): void {
    this.#moved.set(id, limit)
    for (const row of this.rows.values()) {
      if (!(window === null ? row.id === id : row.id.startsWith(`${id}:`)) || isOver(row, nowMs)) continue
      const isTooMuch = limit !== row.limit && row.used + row.held > limit
      const leases = [...this.leases.values()].filter(({ budgetId }) => isTooMuch && budgetId === row.id)
      for (const lease of leases) this.#close(lease.id)
      row.limit = limit
      if (row.used + row.held > limit) this.overrun += row.used + row.held - limit
    }
  }

  close(nodeId: string, leaseIds: readonly string[]): Promise<void> {
    return this.#answer(() => {
      for (const id of leaseIds) if (this.leases.get(id)?.nodeId === nodeId) this.#close(id)
    })
  }

  closeOfNodes(nodeIds: readonly string[]): Promise<number> {
    return this.#answer(() => nodeIds.reduce((sum, nodeId) => sum + this.rob(nodeId), 0))
  }

  /** The leases of a node that others think dead are closed, whatever it does at that moment. */
  rob(nodeId: string): number {
    const theirs = [...this.leases.values()].filter((lease) => lease.nodeId === nodeId)
    for (const { id } of theirs) this.#close(id)
    return theirs.length
  }

  /** What the settle does with one charge. */
  charge({ budgetId, leaseId, cost }: Charge, chargedAtMs: number): void {
    const row = this.row(budgetId)
    const lease = this.leases.get(leaseId ?? '')
    const before = lease?.budgetId === budgetId ? rest(lease) : 0n
    if (lease?.budgetId === budgetId) lease.charged += cost
    const freed = lease?.budgetId === budgetId ? before - rest(lease) : 0n
    row.used += cost
    row.held -= freed
    this.overrun += cost - freed
    if (cost > 0n && row.windowMs !== null) row.endsAt ??= chargedAtMs + row.windowMs
  }

  #grant({ budget, nodeId, newLeaseId, need, want, nowMs }: GrantRequest): GrantAnswer {
    const row = this.#rowOf(budget, nowMs)
    if (row === undefined) return { kind: 'refused', limit: ZERO, available: ZERO, used: ZERO, endsAt: null }
    const { endsAt } = row
    const available = row.limit - row.used - row.held
    if (available < need) {
      const [limit, used] = [nanoUsd(row.limit), nanoUsd(row.used)]
      return { kind: 'refused', limit, available: available > 0n ? nanoUsd(available) : ZERO, used, endsAt }
    }
    const slice = available / 8n > need ? available / 8n : need
    const amount = slice < want ? slice : want
    const own = [...this.leases.values()].find((each) => each.budgetId === row.id && each.nodeId === nodeId)
    if (own === undefined && this.leases.has(newLeaseId)) throw new Error('no answer: there is such a lease')
    const lease = own ?? { id: newLeaseId, budgetId: row.id, nodeId, granted: 0n, charged: 0n }
    this.leases.set(lease.id, lease)
    lease.granted = (lease.granted > lease.charged ? lease.granted : lease.charged) + amount
    row.held += amount
    const granted = { id: lease.id, budgetId: row.id, granted: nanoUsd(lease.granted) }
    return { kind: 'granted', lease: granted, ...standingOf(row, lease) }
  }

  #rowOf(budget: Budget, nowMs: number): Row | undefined {
    if (budget.window === null) return this.rows.get(budget.id)
    let number = 1
    while (this.rows.has(windowRowId(budget.id, number + 1))) number += 1
    const newest = this.rows.get(windowRowId(budget.id, number))
    if (newest === undefined) return this.#openRow(budget, windowRowId(budget.id, 1), budget.openingLimit ?? 0n)
    if (!isOver(newest, nowMs)) return newest
    return this.#openRow(budget, windowRowId(budget.id, number + 1), budget.openingLimit ?? 0n)
  }

  #openRow({ id: budgetId, window, endsAt }: Budget, id: string, opening: bigint): Row {
    const limit = this.#moved.get(budgetId) ?? opening
    const row = { id, windowMs: window === null ? null : windowMs(window), limit, used: 0n, held: 0n, endsAt }
    this.rows.set(id, row)
    return row
  }

  #close(id: string): void {
    const lease = this.leases.get(id)
    if (lease === undefined) return
    this.row(lease.budgetId).held -= rest(lease)
    this.leases.delete(id)
  }

  async #answer<T>(work: () => T): Promise<T> {
    await this.way()
    if (this.trouble === 'silent') throw new Error('no answer')
    const answer = work()
    const isLost = this.trouble === 'unheard'
    await this.way()
    if (isLost) throw new Error('the answer was lost')
    return answer
  }
}

function standingOf({ endsAt, used }: Row, { charged }: StoredLease): LeasedRow {
  return { endsAt, usedElsewhere: nanoUsd(used - charged) }
}

function isOver({ endsAt, windowMs: lengthMs }: Row, nowMs: number): boolean {
  return isOverAt(endsAt, lengthMs, nowMs)
}

function rest({ granted, charged }: StoredLease): bigint {
  return granted > charged ? granted - charged : 0n
}
