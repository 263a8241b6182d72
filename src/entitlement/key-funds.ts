import type { KeyWithOwner } from '../access/api-key.ts'
import { isRunning, type Subscription } from '../access/subscription.ts'
import type { AccountLimits } from '../core/account-limits.ts'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../core/money.ts'
import type { SpendWindow, SubscriptionWindow } from '../core/quota-window.ts'
import {
  accountSpendBudget,
  balanceBudget,
  type Budget,
  type BudgetState,
  type BudgetStore,
  subscriptionBudget,
} from '../metering/budgets/budget.ts'
import { accountLimitsAt } from './account-limits.ts'
import { namedGroups } from './callable-models.ts'
import type { Catalogue } from './catalogue.ts'
import { accountSpendBudgetsOf, quotaBudgetOf, spendBudgetsOf, windowBudgetsOf } from './funding.ts'

/** How everything stands at one moment that a key's requests are paid from or limited by. */
export interface KeyFunds {
  /** May be below zero. */
  readonly balance: NanoUsd
  /** The quota in the period that runs; null: unlimited. */
  readonly quota: BudgetState | null
  readonly spend: readonly WindowState[]
  /** What all keys of its account together may spend. */
  readonly accountSpend: readonly WindowState[]
  /** The running ones that pay for a group of this key, in the order in which they are drawn. */
  readonly subscriptions: readonly SubscriptionState[]
}

export interface WindowState {
  readonly window: SubscriptionWindow
  readonly state: BudgetState
}

export interface SubscriptionState {
  readonly subscription: Subscription
  /** Empty: it pays for everything. */
  readonly windows: readonly WindowState[]
}

/** Rejects with what the database said. `nowMs`: epoch milliseconds. */
export async function readFunds(
  of: Pick<KeyWithOwner, 'key' | 'subscriptions' | 'limiting'>,
  from: { readonly catalogue: Pick<Catalogue, 'groupsById'>; readonly budgets: BudgetStore },
  nowMs: number,
): Promise<KeyFunds> {
  const { key } = of
  const balance = balanceBudget(key.accountId)
  const quota = quotaBudgetOf(key, nowMs)
  const spend = spendBudgetsOf(key)
  const accountSpend = accountSpendBudgetsOf(key.accountId, accountLimitsAt(of, nowMs))
  const paying = payingFor(of, from.catalogue, nowMs)
  const windows = paying.flatMap(windowBudgetsOf)
  const stateOf = await readStates(
    from.budgets,
    [balance, ...(quota === null ? [] : [quota]), ...spend, ...accountSpend, ...windows],
    nowMs,
  )
  return {
    balance: nanoUsd(stateOf(balance).limit - stateOf(balance).used),
    quota: quota === null ? null : stateOf(quota),
    spend: inWindows(spend, stateOf),
    accountSpend: limitedAnew(accountSpend, stateOf),
    subscriptions: paying.map((subscription) => ({
      subscription,
      windows: windowsOf(subscription, stateOf),
    })),
  }
}

/** How each window of these subscriptions stands, whether they run or not, with one query for all. In their order. */
export async function readSubscriptions(
  subscriptions: readonly Subscription[],
  budgets: BudgetStore,
  nowMs: number,
): Promise<readonly SubscriptionState[]> {
  const stateOf = await readStates(budgets, subscriptions.flatMap(windowBudgetsOf), nowMs)
  return subscriptions.map((subscription) => ({
    subscription,
    windows: windowsOf(subscription, stateOf),
  }))
}

async function readStates(
  store: BudgetStore,
  budgets: readonly Budget[],
  nowMs: number,
): Promise<(budget: Budget) => BudgetState> {
  const states = budgets.length === 0 ? [] : await store.states(budgets, nowMs)
  const stateById = new Map(budgets.map(({ id }, i) => [id, states[i]]))
  return ({ id }) => stateById.get(id) ?? UNUSED
}

/** How these windows of an account stand, read with one query. */
export async function readAccountSpend(
  accountId: string,
  limits: AccountLimits,
  on: { readonly budgets: BudgetStore; readonly nowMs: number },
): Promise<readonly { readonly window: SpendWindow; readonly state: BudgetState }[]> {
  const stateOf = await readStates(on.budgets, accountSpendBudgetsOf(accountId, limits), on.nowMs)
  return limits.spend.map(({ window, usd }) => ({
    window,
    state: { ...stateOf(accountSpendBudget(accountId, usd, window)), limit: usd },
  }))
}

/** A plan that began or ended since the last grant has another limit than the row. */
function limitedAnew(budgets: readonly Budget[], stateOf: (budget: Budget) => BudgetState): readonly WindowState[] {
  return inWindows(budgets, (budget) => {
    const state = stateOf(budget)
    return { ...state, limit: budget.openingLimit ?? state.limit }
  })
}

const UNUSED: BudgetState = { limit: ZERO_NANO_USD, used: ZERO_NANO_USD, held: ZERO_NANO_USD, endsAt: null }

function windowsOf(
  { id, quotas }: Pick<Subscription, 'id' | 'quotas'>,
  stateOf: (budget: Budget) => BudgetState,
): readonly WindowState[] {
  return quotas.map(({ window, usd }) => ({ window, state: stateOf(subscriptionBudget(id, usd, window)) }))
}

function inWindows(budgets: readonly Budget[], stateOf: (budget: Budget) => BudgetState): readonly WindowState[] {
  return budgets.flatMap((budget) =>
    budget.window === null ? [] : [{ window: budget.window, state: stateOf(budget) }],
  )
}

/** Disabled groups count as well: what pays for a group is shown even while nothing is served in it. */
function payingFor(
  { key, subscriptions }: Pick<KeyWithOwner, 'key' | 'subscriptions'>,
  catalogue: Pick<Catalogue, 'groupsById'>,
  nowMs: number,
): readonly Subscription[] {
  const groups = namedGroups(key, catalogue)
  return subscriptions.filter(
    (each) => isRunning(each, nowMs) && groups.some((group) => each.groupIds.includes(group.id)),
  )
}

/** What may still be spent of a budget. What leases hold is not spent, and comes back where it is not needed. */
export function leftOf({ limit, used }: BudgetState): NanoUsd {
  return atLeastNothing(nanoUsd(limit - used))
}

/** What a subscription still pays for now: the least that is left in one of its windows. null: everything. */
export function leftOfSubscription({ windows }: SubscriptionState): NanoUsd | null {
  return least(windows.map(({ state }) => leftOf(state)))
}

/** What the key may spend now: the least of its quota, its spend windows, its account's, and what pays for it. null: no end to it. */
export function remainingFor(funds: KeyFunds): NanoUsd | null {
  const paid = payable(funds)
  const caps = [...funds.spend, ...funds.accountSpend].map(({ state }) => leftOf(state))
  if (funds.quota !== null) caps.push(leftOf(funds.quota))
  return least(paid === null ? caps : [...caps, paid])
}

/** What subscriptions and balance together pay for now; null: everything. */
function payable({ balance, subscriptions }: KeyFunds): NanoUsd | null {
  let sum: bigint = atLeastNothing(balance)
  for (const subscription of subscriptions) {
    const left = leftOfSubscription(subscription)
    if (left === null) return null
    sum += left
  }
  return nanoUsd(sum)
}

function least(amounts: readonly NanoUsd[]): NanoUsd | null {
  return amounts.reduce<NanoUsd | null>((so, amount) => (so === null || amount < so ? amount : so), null)
}

function atLeastNothing(amount: NanoUsd): NanoUsd {
  return amount > 0n ? amount : ZERO_NANO_USD
}
