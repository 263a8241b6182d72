import type { AdmissionRequest, FundingSource } from '../../src/metering/admission/admission-request.ts'
import { type Budget, windowRowId } from '../../src/metering/budgets/budget.ts'
import { windowMs } from '../../src/core/quota-window.ts'

/** One row of a budget, in the plainest words: nothing of leases, nodes or memory. */
interface ModelRow {
  readonly id: string
  limit: bigint
  used: bigint
  reserved: bigint
  endsAt: number | null
}

interface ModelPart {
  readonly rows: readonly { readonly row: ModelRow; readonly budget: Budget }[]
  readonly subscriptionId: string | null
  amount: bigint
}

/** A running request as the model sees it: who holds how much for it. */
export interface ModelReservation {
  readonly request: AdmissionRequest
  readonly caps: readonly ModelPart[]
  readonly paying: ModelPart[]
  source: number
}

export type ModelRefusal = 'balance_exhausted' | 'subscription_quota_exhausted' | 'key_quota_exhausted' | 'rate_limited'

/**
 * The admission as the documentation tells it: a request is admitted when every cap, and those who pay together, have what it
 * asks for left, or as much as it can do with. The reference that the real one (memory, leases, grants, database) is held against.
 */
export class AdmissionModel {
  readonly rows = new Map<string, ModelRow>()
  readonly #windows = new Map<string, number>()

  open(budget: Budget, limit: bigint): void {
    this.#row(budget.id, limit)
  }

  /** The budget has another limit from now on: `openingLimit`. Windows that are over keep theirs. */
  move(budget: Budget, nowMs: number): void {
    const number = this.#windows.get(budget.id) ?? 1
    const row = this.rows.get(budget.window === null ? budget.id : windowRowId(budget.id, number))
    if (row === undefined || (row.endsAt !== null && row.endsAt <= nowMs)) return
    row.limit = budget.openingLimit ?? 0n
  }

  admit(request: AdmissionRequest, nowMs: number): ModelReservation | ModelRefusal {
    const { caps, sources, amount } = request
    const less = request.less?.() ?? { least: amount, comfortable: null }
    const stopped = caps.find((cap) => available(this.#current(cap, nowMs)) < less.least)
    if (stopped !== undefined) return capRefusal(stopped)
    const most = smallest(amount, ...caps.map((cap) => available(this.#current(cap, nowMs))))
    const there = smallest(
      most,
      sources.reduce((sum, { budgets }) => sum + this.#room(budgets, nowMs), 0n),
    )
    if (there < less.least) return fundsRefusal(sources)
    const held = there < amount ? shareOf(there, less.comfortable) : there
    const paying: ModelPart[] = []
    let rest = held
    let source = 0
    for (const [index, { budgets, subscriptionId }] of sources.entries()) {
      const taken = smallest(rest, this.#room(budgets, nowMs))
      if (taken === 0n) continue
      const part = this.#part(budgets, subscriptionId, nowMs)
      raise(part, taken)
      paying.push(part)
      rest -= taken
      source = index
    }
    const capped = caps.map((cap) => this.#part([cap], null, nowMs))
    for (const part of capped) raise(part, held)
    return { request, caps: capped, paying, source }
  }

  /** Whether one of the windows that this request draws on is over. */
  hasEnded(reservation: ModelReservation, nowMs: number): boolean {
    return parts(reservation).some(({ rows }) => rows.some(({ row }) => row.endsAt !== null && row.endsAt <= nowMs))
  }

  /** What of it is lacking, and why. */
  extend(reservation: ModelReservation, amount: bigint, nowMs: number): readonly [bigint, ModelRefusal | null] {
    const { caps, paying, request } = reservation
    const rooms = caps.map((part) => roomOf(part))
    const goal = smallest(amount, ...rooms)
    let rest = goal
    for (;;) {
      const newest = paying.at(-1)
      const taken = newest === undefined ? 0n : smallest(rest, roomOf(newest))
      if (newest !== undefined) raise(newest, taken)
      for (const cap of caps) raise(cap, taken)
      rest -= taken
      if (rest === 0n) break
      const next = request.sources[reservation.source + 1]
      if (next === undefined) return [amount - goal + rest, fundsRefusal(request.sources)]
      reservation.source += 1
      paying.push(this.#part(next.budgets, next.subscriptionId, nowMs))
    }
    const stopped = caps[rooms.indexOf(goal)]?.rows[0]
    return goal < amount && stopped !== undefined ? [amount - goal, capRefusal(stopped.budget)] : [0n, null]
  }

  /** Returns what each row is charged, and who paid. */
  settle(reservation: ModelReservation, cost: bigint, chargedAtMs: number) {
    this.release(reservation)
    const charged = new Map<string, bigint>()
    const charge = (part: ModelPart, share: bigint) => {
      for (const { row, budget } of part.rows) {
        row.used += share
        charged.set(row.id, (charged.get(row.id) ?? 0n) + share)
        if (share > 0n && budget.window !== null) row.endsAt ??= chargedAtMs + windowMs(budget.window)
      }
    }
    for (const cap of reservation.caps) charge(cap, cost)
    const paid = new Map<string | null, bigint>()
    let rest = cost
    const holding = reservation.paying.filter((part) => part.amount > 0n)
    for (const part of holding) {
      const isLast = part === holding.at(-1)
      const share = isLast || rest < part.amount ? rest : part.amount
      rest -= share
      charge(part, share)
      if (share > 0n) paid.set(part.subscriptionId, (paid.get(part.subscriptionId) ?? 0n) + share)
    }
    return { charged, paid }
  }

  release(reservation: ModelReservation): void {
    for (const part of parts(reservation)) for (const { row } of part.rows) row.reserved -= part.amount
  }

  #room(budgets: readonly Budget[], nowMs: number): bigint {
    return smallest(...budgets.map((budget) => available(this.#current(budget, nowMs))))
  }

  #part(budgets: readonly Budget[], subscriptionId: string | null, nowMs: number): ModelPart {
    return {
      rows: budgets.map((budget) => ({ row: this.#current(budget, nowMs), budget })),
      subscriptionId,
      amount: 0n,
    }
  }

  /** The row that a request draws on which begins now. */
  #current(budget: Budget, nowMs: number): ModelRow {
    const limit = budget.openingLimit ?? 0n
    if (budget.window === null) return this.#row(budget.id, limit)
    const number = this.#windows.get(budget.id) ?? 1
    const row = this.#row(windowRowId(budget.id, number), limit)
    if (row.endsAt === null || nowMs < row.endsAt) return row
    this.#windows.set(budget.id, number + 1)
    return this.#row(windowRowId(budget.id, number + 1), limit)
  }

  #row(id: string, limit: bigint): ModelRow {
    let row = this.rows.get(id)
    if (row === undefined) {
      row = { id, limit, used: 0n, reserved: 0n, endsAt: null }
      this.rows.set(id, row)
    }
    return row
  }
}

function parts({ caps, paying }: ModelReservation): readonly ModelPart[] {
  return [...caps, ...paying]
}

function raise(part: ModelPart, amount: bigint): void {
  part.amount += amount
  for (const { row } of part.rows) row.reserved += amount
}

function roomOf({ rows }: ModelPart): bigint {
  return smallest(...rows.map(({ row }) => available(row)))
}

/** All of it up to a comfortable amount, three quarters of what is beyond it and more. */
function shareOf(there: bigint, comfortable: bigint | null): bigint {
  if (comfortable === null || there <= comfortable) return there
  return (there * 3n) / 4n > comfortable ? (there * 3n) / 4n : comfortable
}

/** Never less than nothing: rows may be overdrawn. */
function smallest(...amounts: readonly bigint[]): bigint {
  const least = amounts.reduce((smaller, amount) => (amount < smaller ? amount : smaller))
  return least < 0n ? 0n : least
}

function available({ limit, used, reserved }: ModelRow): bigint {
  return limit - used - reserved
}

function capRefusal(budget: Budget): ModelRefusal {
  return budget.kind === 'key_quota' ? 'key_quota_exhausted' : 'rate_limited'
}

function fundsRefusal(sources: readonly FundingSource[]): ModelRefusal {
  const hasSubscription = sources.some(({ subscriptionId }) => subscriptionId !== null)
  return hasSubscription ? 'subscription_quota_exhausted' : 'balance_exhausted'
}
