import type { NanoUsd } from '../core/money.ts'
import type { QuotaReset } from '../core/quota-period.ts'

/**
 * Anything that can run out: an account's balance, a key's quota in its period. A request needs all of its budgets.
 * At any moment `used + held ≤ limit`, but for the stated bound of one step for each running request.
 */
export interface Budget {
  /** Made from what it is of, so that it can be named without a look-up: see `balanceBudget` and `keyQuotaBudget`. */
  readonly id: string
  readonly kind: BudgetKind
  /** The account or key. */
  readonly subjectId: string
  /** What a row that does not exist yet is opened with. null for balances: their row is opened with the account. */
  readonly openingLimit: NanoUsd | null
  /** When the period ends and a new budget begins; null for one that never resets. Epoch milliseconds. */
  readonly endsAt: number | null
}

export type BudgetKind = 'balance' | 'key_quota'

export function balanceBudget(accountId: string): Budget {
  return { id: `balance:${accountId}`, kind: 'balance', subjectId: accountId, openingLimit: null, endsAt: null }
}

/** The quota of a key in one of its periods: each period is a budget of its own, so nothing needs to be reset. */
export function keyQuotaBudget(
  keyId: string,
  limit: NanoUsd,
  period: { reset: QuotaReset; startsAt: number; endsAt: number | null },
): Budget {
  return {
    // The kind of period is part of the name: on a Monday a day and a week begin at the same time.
    id: `key:${keyId}:${period.reset}:${period.startsAt}`,
    kind: 'key_quota',
    subjectId: keyId,
    openingLimit: limit,
    endsAt: period.endsAt,
  }
}

/** A lease: a slice of one budget granted to one node. A node has at most one lease of a budget at a time. */
export interface Lease {
  readonly id: string
  readonly budgetId: string
  /** Everything ever granted on this lease. */
  readonly granted: NanoUsd
  readonly expiresAt: number
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
  readonly nowMs: number
  readonly expiresAtMs: number
}

export type GrantAnswer =
  | { readonly kind: 'granted'; readonly lease: Lease }
  | { readonly kind: 'refused'; readonly limit: NanoUsd; readonly available: NanoUsd }

/**
 * Leases in the database. Each call is one transaction. `held` of a budget is the sum over its active leases of
 * `max(0, granted − charged)`.
 */
export interface LeaseStore {
  /**
   * Grants `min(want, max(need, available / 8))` where `available = limit − used − held`, by raising the node's active
   * lease on that budget (its `granted` becomes `max(granted, charged) + amount`) or opening one; extends its expiry.
   * Expired leases of that budget are closed first.
   */
  grant(request: GrantRequest): Promise<GrantAnswer>
  /** Extends those that are still active; returns the ids of those that were. */
  renew(nodeId: string, leaseIds: readonly string[], expiresAtMs: number): Promise<readonly string[]>
  /** Closes active leases of this node and gives what is left of them back. */
  close(nodeId: string, leaseIds: readonly string[]): Promise<void>
  /** Any node may close leases whose time is over, and those of nodes known to be dead. Returns how many it closed. */
  closeExpired(nowMs: number): Promise<number>
  closeOfNode(nodeId: string): Promise<number>
}
