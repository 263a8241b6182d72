import type { SetLimits } from '../core/account-limits.ts'
import { DAY_MS } from '../core/durations.ts'
import type { ListPlace } from '../core/list-place.ts'
import type { NanoUsd } from '../core/money.ts'
import type { SubscriptionWindow } from '../core/quota-window.ts'
import type { Change } from './changes.ts'

/**
 * An account's running plan. What was sold is written into it, so that a later change of the plan changes no subscription
 * that runs. Times are epoch milliseconds.
 */
export interface Subscription {
  readonly id: string
  readonly accountId: string
  readonly planId: string
  readonly planName: string
  /** The groups whose requests it pays for. */
  readonly groupIds: readonly string[]
  /** Opens those of its groups that are closed to its account while it runs. Else it pays in them and opens none. */
  readonly opensGroups: boolean
  /** Empty: it pays for everything while it runs. */
  readonly quotas: readonly SubscriptionQuota[]
  /** Limits of the account while it runs, in place of the installation's. Absent: none. */
  readonly limits?: SetLimits
  readonly startsAt: number
  readonly endsAt: number
  readonly cancelledAt: number | null
  readonly createdAt: number
  /** The most that it is renewed for from the balance before it ends. Absent: it ends. */
  readonly renewsUpTo?: NanoUsd
}

/** A quota of at most `usd` in any one window. That of `term` grows with each renewal. */
export interface SubscriptionQuota {
  readonly window: SubscriptionWindow
  readonly usd: NanoUsd
}

export function isRunning(
  subscription: Pick<Subscription, 'cancelledAt' | 'startsAt' | 'endsAt'>,
  nowMs: number,
): boolean {
  return subscription.cancelledAt === null && subscription.startsAt <= nowMs && nowMs < subscription.endsAt
}

/**
 * The subscriptions of a caller that pay for requests in this group at this moment, in the order in which they pay: the
 * one that ends first comes first, as it does among the caller's. For the hot path: an account without subscriptions, and
 * one whose subscriptions all pay, cost no allocation.
 */
export function payingSubscriptions(
  caller: { readonly subscriptions: readonly Subscription[] },
  groupId: string,
  nowMs: number,
): readonly Subscription[] {
  const { subscriptions } = caller
  for (const each of subscriptions) {
    if (!pays(each, groupId, nowMs)) return subscriptions.filter((other) => pays(other, groupId, nowMs))
  }
  return subscriptions
}

/** Whether any of them opens this group at this moment, if it is closed. One that only pays in it does not. */
export function isOpenedBy(subscriptions: readonly Subscription[], groupId: string, nowMs: number): boolean {
  for (const each of subscriptions) if (each.opensGroups && pays(each, groupId, nowMs)) return true
  return false
}

function pays(subscription: Subscription, groupId: string, nowMs: number): boolean {
  return isRunning(subscription, nowMs) && subscription.groupIds.includes(groupId)
}

/** What a subscription takes over from the plan that was sold. */
export interface PlanTerms {
  readonly id: string
  readonly name: string
  readonly groupIds: readonly string[]
  readonly opensGroups: boolean
  readonly days: number
  readonly quotas: readonly SubscriptionQuota[]
  readonly limits?: SetLimits
}

/** The subscription that a plan becomes when it is sold; `days` is the plan's unless given. */
export function subscriptionTo(
  plan: PlanTerms,
  sale: { id: string; accountId: string; nowMs: number; startsAt?: number; days?: number },
): Subscription {
  const startsAt = sale.startsAt ?? sale.nowMs
  return {
    id: sale.id,
    accountId: sale.accountId,
    planId: plan.id,
    planName: plan.name,
    groupIds: plan.groupIds,
    opensGroups: plan.opensGroups,
    quotas: plan.quotas,
    ...(plan.limits === undefined ? {} : { limits: plan.limits }),
    startsAt,
    endsAt: laterByDays(startsAt, sale.days ?? plan.days),
    cancelledAt: null,
    createdAt: sale.nowMs,
  }
}

/** Days of 24 hours: a subscription does not end at midnight. */
export function laterByDays(fromMs: number, days: number): number {
  return fromMs + days * DAY_MS
}

export type SubscriptionStatus = 'running' | 'upcoming' | 'ended' | 'cancelled'

/** What a subscription is at a moment; nothing changes in the database when it begins or ends. */
export function subscriptionStatus(subscription: Subscription, nowMs: number): SubscriptionStatus {
  if (subscription.cancelledAt !== null) return 'cancelled'
  if (nowMs < subscription.startsAt) return 'upcoming'
  return nowMs < subscription.endsAt ? 'running' : 'ended'
}

/** `termUsd`: what is added to the quota for the whole term, of a subscription that was sold with one; null: nothing. */
export interface Renewal {
  readonly days: number
  readonly termUsd: NanoUsd | null
}

/** What a renewal by this plan adds. */
export function renewalBy({ days, quotas }: Pick<PlanTerms, 'days' | 'quotas'>): Renewal {
  return { days, termUsd: quotas.find(({ window }) => window === 'term')?.usd ?? null }
}

export interface SubscriptionStore {
  find(id: string): Promise<Subscription | null>
  /** Subscriptions of one account, newest first; behind a place where one is given. */
  list(accountId: string, limit: number, after?: ListPlace | null): Promise<readonly Subscription[]>
  /** The account's that were neither cancelled nor over by then, also those yet to begin; the one that ends first first. */
  live(accountId: string, nowMs: number): Promise<readonly Subscription[]>
  /** Counts by the plan's id: of all accounts, those that run at a moment, and how many of them end by another. */
  countsByPlan(nowMs: number, endingByMs: number): Promise<ReadonlyMap<string, PlanCounts>>
  /** null: there is no such account. One with this id that is there already stays as it is. */
  open(subscription: Subscription): Promise<Change | null>
  /**
   * Lets it run for longer: from its end while it runs, from `nowMs` when it has ended; what is left of a quota for the whole
   * term stays, and more is added. null: unknown or cancelled.
   */
  renew(id: string, by: Renewal, nowMs: number): Promise<Change | null>
  /** What a renewal from the balance may cost; null: it is to end. false: unknown or cancelled. No gateway needs to hear of it. */
  setRenewal(id: string, upTo: NanoUsd | null): Promise<boolean>
  /**
   * Renews from the balance what ends within the hour, each end once however often and on however many nodes it is called:
   * the price leaves the balance in the transaction that renews. From a day before its end, an owner of whose balance or
   * plan that cannot be done is alerted, once for each end. One that ended while no gateway ran is renewed up to a day late,
   * unless its owner was alerted. At most `limit` at a time; returns those that were renewed.
   */
  renewDue(by: { readonly nowMs: number; readonly limit: number; newId(): string }): Promise<readonly string[]>
  /** Cancels a subscription: it pays for nothing that begins after this. null: unknown, or cancelled already. */
  cancel(id: string, nowMs: number): Promise<Change | null>
}

export interface PlanCounts {
  readonly running: number
  readonly ending: number
}
