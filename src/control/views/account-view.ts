import { setLimitsOnWire } from '../../contract/objects/account-limits.ts'
import {
  type Account,
  type AccountFigures,
  type BalanceChange,
  isClosed,
  type ListedAccount,
} from '../../access/account.ts'
import type { AccountView, ListedAccountView } from '../../contract/accounts.ts'
import { formatMultiplier, formatUsd, type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { existing } from '../problem.ts'
import { versionOf } from '../api/version.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'
import type { ControlStores } from '../parts.ts'

/** An account as admins see it. */
export function accountView({ account, name, balance }: ListedAccount): AccountView {
  return {
    id: account.id,
    version: versionOf(accountSettings(account)),
    email: account.email,
    name,
    ...accountSettings(account),
    balance: formatUsd(balance),
    created_at: timeOnWire(account.createdAt),
    managed: account.isManaged,
    closed: isClosed(account),
  }
}

/** What an account did lately, where it is listed. `balance`: what it is now. */
export function figuresView(figures: AccountFigures | undefined, balance: NanoUsd) {
  return {
    spend_30d: formatUsd(figures?.spent ?? ZERO_NANO_USD),
    keys: figures?.keys ?? 0,
    last_seen_at: timeOrNull(figures?.lastSeenAt ?? null),
    balance_30d: walkedBack(balance, figures?.balanceChanges ?? []),
  }
}

/** `changes`: the newest first. */
function walkedBack(balance: NanoUsd, changes: readonly BalanceChange[]): ListedAccountView['balance_30d'] {
  const days: { at: string; balance: string }[] = []
  let before = balance
  for (const { at, amount } of changes) {
    days.push({ at: timeOnWire(at), balance: formatUsd(before) })
    before = nanoUsd(before - amount)
  }
  return { before: formatUsd(before), days: days.toReversed() }
}

/** What admins change about an account, as it is written. */
export function accountSettings({ role, status, limits, raise, openGroupIds, ownMultipliers }: Account) {
  const raised =
    raise === undefined ? null : { limits: setLimitsOnWire(raise.limits) ?? {}, ends_at: timeOnWire(raise.endsAt) }
  return {
    role,
    status,
    limits: setLimitsOnWire(limits),
    raise: raised,
    open_groups: [...(openGroupIds ?? [])],
    multipliers: Object.entries(ownMultipliers ?? {})
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, multiplier]) => ({ group, multiplier: formatMultiplier(multiplier) })),
  }
}

/** Throws the Problem that there is none. */
export async function listed(
  id: string,
  { accounts, ledger }: Pick<ControlStores, 'accounts' | 'ledger'>,
): Promise<ListedAccount> {
  const own = existing(await accounts.findOwn(id), 'account')
  return { account: own.account, name: own.profile.name, balance: await ledger.balance(id) }
}
