import type { KeyWithOwner } from '../access/api-key.ts'
import { stopOf } from '../access/key-stop.ts'
import { Fault } from '../core/faults.ts'
import { type Moment, usableGroups } from './callable-models.ts'
import { type KeyFunds, leftOf, leftOfSubscription } from './key-funds.ts'
import { refusalOfAll } from './refusals.ts'

/**
 * The Fault that every request of this key would meet now, whatever it asked for; null: there is none. Its own state and its
 * owner's come first, then its groups and models, then its money. Limits by the minute are left out: they pass by themselves.
 */
export function verdictOn(of: KeyWithOwner, funds: KeyFunds, moment: Moment): Fault | null {
  return stopOf(of, moment.nowMs) ?? refusalOfAll(of, moment) ?? shortageOf(of, funds, moment)
}

function shortageOf(
  of: KeyWithOwner,
  { quota, spend, accountSpend, balance, subscriptions }: KeyFunds,
  moment: Moment,
): Fault | null {
  const groups = usableGroups(of, moment)
  // What costs nothing needs no money.
  if (groups.every((group) => group.multiplier === 0n)) return null
  if (quota !== null && leftOf(quota) === 0n) {
    return new Fault('key_quota_exhausted', `The quota of this API key is used up. ${resetText(quota.endsAt)}`)
  }
  const spent = spend.find(({ state }) => leftOf(state) === 0n)
  if (spent !== undefined) {
    return new Fault(
      'rate_limited',
      `This API key has spent all that it may spend in ${spent.window}. ${resetText(spent.state.endsAt)}`,
    )
  }
  const spentByAll = accountSpend.find(({ state }) => leftOf(state) === 0n)
  if (spentByAll !== undefined) {
    return new Fault(
      'rate_limited',
      `The API keys of this account have spent all that they may spend together in ${spentByAll.window}. ${resetText(spentByAll.state.endsAt)} An admin can raise the account's limit.`,
    )
  }
  const payers = subscriptions.filter(({ subscription }) => groups.some(({ id }) => subscription.groupIds.includes(id)))
  if (balance > 0n || payers.some((each) => leftOfSubscription(each) !== 0n)) return null
  if (payers.length === 0) return new Fault('balance_exhausted', "The account's balance is used up. Top it up.")
  const resets = payers.flatMap(({ windows }) => windows.map(({ state }) => state.endsAt ?? Infinity))
  const first = Math.min(...resets)
  return new Fault(
    'subscription_quota_exhausted',
    `The subscription's quota and the account's balance are used up. ${resetText(Number.isFinite(first) ? first : null)}`,
  )
}

function resetText(endsAt: number | null): string {
  return endsAt === null ? 'It does not reset by itself.' : `It resets at ${new Date(endsAt).toISOString()}.`
}
