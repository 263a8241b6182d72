import type { Account } from '../../access/account.ts'
import { stopOf } from '../../access/key-stop.ts'
import { payingSubscriptions } from '../../access/subscription.ts'
import type { FaultCode } from '../../core/faults.ts'
import { quotaPeriod } from '../../core/quota-period.ts'
import {
  balanceBudget,
  type Budget,
  type BudgetState,
  keyQuotaBudget,
  keySpendBudget,
  subscriptionBudget,
} from '../../metering/budgets/budget.ts'
import type { BudgetStore } from '../../metering/budgets/budget.ts'
import { callableModels, type KeyOfOwner, namedGroups, servingGroups } from './callable-models.ts'
import type { Catalogue } from './catalogue.ts'
import { timeOnWire } from '../api/wire-forms.ts'

export interface KeyVerdict {
  /** The fault that a request would get now; null: it would be let through. */
  readonly fault: FaultCode | null
  readonly detail: string
  /** Names of what it can call now, whatever is left of its money. */
  readonly models: readonly string[]
}

/**
 * Whether a key could call now, as the gateway would judge it, without sending anything: its own state and its owner's, its
 * groups, then its money. Limits by the minute are not looked at, since they pass by themselves.
 */
export async function judgeKey(
  of: KeyOfOwner & { readonly account: Account },
  catalogue: Catalogue,
  budgets: BudgetStore,
): Promise<KeyVerdict> {
  const models = callableModels(of, catalogue).map(({ name }) => name)
  const stopped = stopOf(of, of.nowMs)
  if (stopped !== null) return { fault: stopped.code, detail: stopped.message, models: [] }
  const groupless = withoutGroup(of, catalogue)
  if (groupless !== null) return { ...groupless, models }
  if (models.length === 0) {
    return {
      fault: 'model_not_in_group',
      detail:
        'None of the models that this key allows can be called in its groups now: change its models or its group.',
      models,
    }
  }
  const broke = await withoutMoney(of, catalogue, budgets)
  return broke === null ? { fault: null, detail: goodNews(of, models), models } : { ...broke, models }
}

type Refusal = Omit<KeyVerdict, 'models' | 'fault'> & { readonly fault: FaultCode }

function withoutGroup(of: KeyOfOwner, catalogue: Catalogue): Refusal | null {
  if (servingGroups(of, catalogue).length > 0) return null
  const named = namedGroups(of, catalogue)
  const closed = named.find((group) => group.isEnabled)
  if (closed !== undefined) {
    return {
      fault: 'group_forbidden',
      detail: `The group "${closed.name}" is only for accounts with a plan that covers it, and none runs. Get such a plan, or choose another group.`,
    }
  }
  const name = named[0]?.name
  return {
    fault: 'group_disabled',
    detail: `${name === undefined ? 'The group of this key' : `The group "${name}"`} is disabled. Choose another group for this key.`,
  }
}

async function withoutMoney(of: KeyOfOwner, catalogue: Catalogue, store: BudgetStore): Promise<Refusal | null> {
  const groups = servingGroups(of, catalogue)
  // What costs nothing needs no money.
  if (groups.every((group) => group.multiplier === 0n)) return null
  const { key, nowMs } = of
  const quota =
    key.quotaLimit === null
      ? []
      : [keyQuotaBudget(key.id, key.quotaLimit, { reset: key.quotaReset, ...quotaPeriod(key.quotaReset, nowMs) })]
  const spend = (key.rateLimit?.spend ?? []).map(({ window, usd }) => keySpendBudget(key.id, usd, window))
  const paying = [...new Set(groups.flatMap((group) => payingSubscriptions(of, group.id, nowMs)))]
  const windows = paying.map(({ id, quotas }) => quotas.map(({ window, usd }) => subscriptionBudget(id, usd, window)))
  const balance = balanceBudget(key.accountId)
  const all = [...quota, ...spend, ...windows.flat(), balance]
  const states = await store.states(all, nowMs)
  const stateOf = (budget: Budget): BudgetState | undefined => states[all.indexOf(budget)]
  const isSpent = (budget: Budget) => {
    const state = stateOf(budget)
    return state !== undefined && state.used >= state.limit
  }
  const spentQuota = quota.find(isSpent)
  if (spentQuota !== undefined) {
    return {
      fault: 'key_quota_exhausted',
      detail: `The key's quota is used up. ${resetOf(stateOf(spentQuota))} Raise it, or use another key.`,
    }
  }
  const spentWindow = spend.find(isSpent)
  if (spentWindow !== undefined) {
    const { window } = spentWindow
    return {
      fault: 'rate_limited',
      detail: `What the key may spend in ${window} is spent. ${resetOf(stateOf(spentWindow))}`,
    }
  }
  const isPaidBySubscription = windows.some((budgets) => !budgets.some(isSpent))
  if (isPaidBySubscription || !isSpent(balance)) return null
  return paying.length === 0
    ? { fault: 'balance_exhausted', detail: "The account's balance is used up. Top it up." }
    : {
        fault: 'subscription_quota_exhausted',
        detail:
          "The subscription's quota and the account's balance are used up. Wait for the window to reset, or top up the balance.",
      }
}

function resetOf(state: BudgetState | undefined): string {
  return state?.endsAt == null ? 'It does not reset by itself.' : `It resets at ${timeOnWire(state.endsAt)}.`
}

function goodNews({ key }: KeyOfOwner, models: readonly string[]): string {
  const count = models.length === 1 ? '1 model' : `${models.length} models`
  const where = key.allowedIps.length === 0 ? '' : ' from one of its allowed addresses'
  return `A request with this key${where} would be let through now, to ${count}.`
}
