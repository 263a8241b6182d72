import { windowMs } from '../../src/core/quota-window.ts'
import { type Budget, windowRowId } from '../../src/metering/budgets/budget.ts'

export interface ModelLease {
  readonly id: string
  readonly nodeId: string
  granted: bigint
  charged: bigint
}

/** One row of a budget. */
export interface ModelRow {
  readonly id: string
  limit: bigint
  used: bigint
  endsAt: number | null
  leases: ModelLease[]
  /** Leases that were closed, for charges that come too late. */
  readonly closed: string[]
  /** How far used + held may rightfully stand above the limit. */
  uncovered: bigint
}

export type ModelGrant =
  | { readonly kind: 'granted'; readonly row: ModelRow; readonly lease: ModelLease }
  | {
      readonly kind: 'refused'
      readonly limit: bigint
      readonly available: bigint
      readonly used: bigint
      readonly endsAt: number | null
    }

interface ModelRequest {
  readonly nodeId: string
  readonly newLeaseId: string
  readonly need: bigint
  readonly want: bigint
  readonly nowMs: number
}

/** A budget as the documentation tells it, in the plainest words. */
export class ModelBudget {
  readonly budget: Budget
  readonly rows: ModelRow[] = []
  /** What the next row begins with. */
  limit: bigint

  constructor(budget: Budget, limit: bigint) {
    this.budget = budget
    this.limit = limit
    if (budget.window === null) this.#open(budget.id, budget.endsAt)
  }

  /** The last row that there is. */
  get newest(): ModelRow | undefined {
    return this.rows.at(-1)
  }

  grant({ nodeId, newLeaseId, need, want, nowMs }: ModelRequest): ModelGrant {
    const row = this.#current(nowMs)
    const there = available(row)
    const { limit, used, endsAt } = row
    if (there < need) return { kind: 'refused', limit, available: atLeastZero(there), used, endsAt }
    const eighth = there / 8n
    const atLeast = need > eighth ? need : eighth
    const amount = want < atLeast ? want : atLeast
    let lease = row.leases.find((each) => each.nodeId === nodeId)
    if (lease === undefined) row.leases.push((lease = { id: newLeaseId, nodeId, granted: 0n, charged: 0n }))
    lease.granted = (lease.granted > lease.charged ? lease.granted : lease.charged) + amount
    return { kind: 'granted', row, lease }
  }

  /** True when the lease was active. */
  charge(row: ModelRow, from: { leaseId: string | null; cost: bigint; chargedAtMs: number }): boolean {
    const { leaseId, cost } = from
    const lease = row.leases.find(({ id }) => id === leaseId)
    const before = lease === undefined ? 0n : heldOf(lease)
    if (lease !== undefined) lease.charged += cost
    const covered = lease === undefined ? 0n : before - heldOf(lease)
    row.used += cost
    row.uncovered += cost - covered
    if (this.budget.window !== null && cost > 0n) row.endsAt ??= from.chargedAtMs + windowMs(this.budget.window)
    return lease !== undefined
  }

  move(limit: bigint, nowMs: number): void {
    this.limit = limit
    for (const row of this.rows) {
      if (this.#isOver(row, nowMs) || row.limit === limit) continue
      row.limit = limit
      if (row.used + held(row) > limit) closeIn(row, () => true)
      const beyond = row.used + held(row) - limit
      if (beyond > row.uncovered) row.uncovered = beyond
    }
  }

  /** Returns how many leases that were. */
  close(isClosed: (lease: ModelLease) => boolean): number {
    return this.rows.reduce((count, row) => count + closeIn(row, isClosed), 0)
  }

  /** Lowers what a lease is granted, when it is granted `from`; returns what it is granted then. */
  shrink(lease: ModelLease, { from, to }: { from: bigint; to: bigint }): bigint {
    const lowest = to > lease.charged ? to : lease.charged
    if (lease.granted === from && lowest < from) lease.granted = lowest
    return lease.granted
  }

  /** All active leases, with the row that each is a slice of. */
  leases(): readonly { readonly row: ModelRow; readonly lease: ModelLease }[] {
    return this.rows.flatMap((row) => row.leases.map((lease) => ({ row, lease })))
  }

  #current(nowMs: number): ModelRow {
    const { newest } = this
    if (newest !== undefined && (this.budget.window === null || !this.#isOver(newest, nowMs))) return newest
    return this.#open(windowRowId(this.budget.id, this.rows.length + 1), null)
  }

  /** Also one that ends an hour later than a window could: no clock that is right wrote that. */
  #isOver({ endsAt }: ModelRow, nowMs: number): boolean {
    if (endsAt === null) return false
    const { window } = this.budget
    return endsAt <= nowMs || (window !== null && endsAt - windowMs(window) > nowMs + 3_600_000)
  }

  #open(id: string, endsAt: number | null): ModelRow {
    const row: ModelRow = { id, limit: this.limit, used: 0n, endsAt, leases: [], closed: [], uncovered: 0n }
    this.rows.push(row)
    return row
  }
}

export function held(row: ModelRow): bigint {
  return row.leases.reduce((sum, lease) => sum + heldOf(lease), 0n)
}

export function available(row: ModelRow): bigint {
  return row.limit - row.used - held(row)
}

export function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}

function heldOf(lease: ModelLease): bigint {
  return lease.granted > lease.charged ? lease.granted - lease.charged : 0n
}

function closeIn(row: ModelRow, isClosed: (lease: ModelLease) => boolean): number {
  const gone = row.leases.filter(isClosed)
  row.closed.push(...gone.map((lease) => lease.id))
  row.leases = row.leases.filter((lease) => !isClosed(lease))
  return gone.length
}
