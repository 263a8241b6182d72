import type { NanoUsd } from '../../core/money.ts'
import type { QuotaReset } from '../../core/quota-period.ts'
import type { QuotaWindow, SubscriptionWindow } from '../../core/quota-window.ts'

/**
 * Anything that can run out: an account's balance, a key's quota in its period, a subscription's window. A request needs
 * all of its budgets. At any moment `used + held ≤ limit`, but for the stated bound of one step for each running request.
 */
export interface Budget {
  /**
   * Made from what it is of, so that it can be named without a look-up. A budget with a window has a row for each window,
   * numbered from 1 (see `windowRowId`); every other is one row of this id.
   */
  readonly id: string
  readonly kind: BudgetKind
  /** The account, key or subscription. */
  readonly subjectId: string
  /** What a row that does not exist yet is opened with. null for balances: their row is opened with the account. */
  readonly openingLimit: NanoUsd | null
  /** When the period ends and a new budget begins; null for one that never resets or has a window. Epoch milliseconds. */
  readonly endsAt: number | null
  /** The window it lasts for, from the first charge on: its row's end is not known before. null: none. */
  readonly window: QuotaWindow | null
}

export type BudgetKind = 'balance' | 'key_quota' | 'key_spend' | 'account_spend' | 'subscription'

export function balanceBudget(accountId: string): Budget {
  return {
    id: `balance:${accountId}`,
    kind: 'balance',
    subjectId: accountId,
    openingLimit: null,
    endsAt: null,
    window: null,
  }
}

/** The kind of period is part of the id: on a Monday a day and a week begin at the same time. */
export function keyQuotaBudgetId(
  keyId: string,
  period: { readonly reset: QuotaReset; readonly startsAt: number },
): string {
  return `key:${keyId}:${period.reset}:${period.startsAt}`
}

/** The quota of a key in one of its periods: each period is a budget of its own, so nothing needs to be reset. */
export function keyQuotaBudget(
  keyId: string,
  limit: NanoUsd,
  period: { reset: QuotaReset; startsAt: number; endsAt: number | null },
): Budget {
  return {
    id: keyQuotaBudgetId(keyId, period),
    kind: 'key_quota',
    subjectId: keyId,
    openingLimit: limit,
    endsAt: period.endsAt,
    window: null,
  }
}

/** What a key may spend in one window. */
export function keySpendBudget(keyId: string, limit: NanoUsd, window: QuotaWindow): Budget {
  return {
    id: `spend:${keyId}:${window}`,
    kind: 'key_spend',
    subjectId: keyId,
    openingLimit: limit,
    endsAt: null,
    window,
  }
}

/** What all keys of an account together may spend in one window. */
export function accountSpendBudget(accountId: string, limit: NanoUsd, window: QuotaWindow): Budget {
  return { ...keySpendBudget(accountId, limit, window), kind: 'account_spend' }
}

/** What a subscription pays for in one window; that of its whole term is one row, which is never over. */
export function subscriptionBudget(subscriptionId: string, limit: NanoUsd, window: SubscriptionWindow): Budget {
  return {
    id: `sub:${subscriptionId}:${window}`,
    kind: 'subscription',
    subjectId: subscriptionId,
    openingLimit: limit,
    endsAt: null,
    window: window === 'term' ? null : window,
  }
}

/** So far may the clocks of two nodes stand apart, or one be put back, before a window's end is taken for a mistake. */
const CLOCKS_APART_MS = 3_600_000

/**
 * Whether a row is over by `nowMs`. Its window, if it has one, lasts `windowMs`: an end that is further away than that was
 * written by a clock that was wrong, and would keep the window shut for as long as that clock was ahead.
 */
export function isOverAt(endsAt: number | null, windowMs: number | null, nowMs: number): boolean {
  if (endsAt === null) return false
  return endsAt <= nowMs || (windowMs !== null && endsAt > nowMs + windowMs + CLOCKS_APART_MS)
}

const WINDOW_NUMBER_DIGITS = 8

/** The row of a budget's n-th window, from 1. The rows of one budget sort by their number. */
export function windowRowId(budgetId: string, number: number): string {
  return `${budgetId}:${String(number).padStart(WINDOW_NUMBER_DIGITS, '0')}`
}

/** How a budget stands in the database. */
export interface BudgetState {
  readonly limit: NanoUsd
  readonly used: NanoUsd
  /** What leases hold of it: part of it may be spent by now and not yet in the books. */
  readonly held: NanoUsd
  /** null: never, or the window has not opened. */
  readonly endsAt: number | null
}

export interface BudgetStore {
  /** One state for each budget, in order. A window that is over, or a row that does not exist, reads as unused. */
  states(budgets: readonly Budget[], nowMs: number): Promise<readonly BudgetState[]>
}

/**
 * A lease: a slice of one budget granted to one node. A node has at most one lease of a budget's row at a time. It lasts
 * as long as the node renews its life: see `NodeStore`.
 */
export interface Lease {
  readonly id: string
  /** The row it is a slice of: for a budget with a window, one of its windows. */
  readonly budgetId: string
  /** Everything ever granted on this lease and not given back. */
  readonly granted: NanoUsd
}

export interface GrantRequest {
  readonly nodeId: string
  readonly budget: Budget
  /** The id that a new lease gets when the node has none running. */
  readonly newLeaseId: string
  /** Less than this is useless: refuse rather than grant less. More than zero. */
  readonly need: NanoUsd
  /** More than this is not wanted. At least `need`. */
  readonly want: NanoUsd
  /** What the request needs in all that is refused if this is: the node's own lease may cover a part. null: none waits. */
  readonly forRequest: NanoUsd | null
  readonly nowMs: number
}

/** A lease's row as it stands in the database. */
export interface LeasedRow {
  /** When the period or window ends; null: never, or the window has not opened. */
  readonly endsAt: number | null
  /** What is used of the row beside what was charged to this lease. */
  readonly usedElsewhere: NanoUsd
}

/** `used`: of the row, by all nodes. */
export type GrantAnswer =
  | ({ readonly kind: 'granted'; readonly lease: Lease } & LeasedRow)
  | {
      readonly kind: 'refused'
      readonly limit: NanoUsd
      readonly available: NanoUsd
      readonly used: NanoUsd
      readonly endsAt: number | null
    }

/** `from`: the grant of the lease that the node knows. */
export interface ShrinkWish {
  readonly leaseId: string
  readonly from: NanoUsd
  readonly to: NanoUsd
}

/**
 * Leases in the database. Each call is one transaction. `held` of a budget is the sum over its active leases of
 * `max(0, granted − charged)`.
 */
export interface LeaseStore {
  /**
   * Grants `min(want, max(need, available / 8))` where `available = limit − used − held`, by raising the node's active
   * lease on that row (its `granted` becomes `max(granted, charged) + amount`) or opening one. For a budget with a window
   * the row is that of the newest window; one that is over by `nowMs` is followed by the next.
   */
  grant(request: GrantRequest): Promise<GrantAnswer>
  /** The leases of the node, of these, that are still active, each with how its row stands. */
  active(nodeId: string, leaseIds: readonly string[]): Promise<ReadonlyMap<string, LeasedRow>>
  /**
   * Lowers what these leases of the node are granted, never below what was charged to them; one whose `from` is not what it
   * is granted now stays as it is. Returns what each that is still active is granted then.
   */
  shrink(nodeId: string, wishes: readonly ShrinkWish[]): Promise<ReadonlyMap<string, NanoUsd>>
  /** Closes active leases of this node and gives what is left of them back. */
  close(nodeId: string, leaseIds: readonly string[]): Promise<void>
  /** Closes all leases of nodes that are known to be dead, or are leaving. Returns how many it closed. */
  closeOfNodes(nodeIds: readonly string[]): Promise<number>
}
