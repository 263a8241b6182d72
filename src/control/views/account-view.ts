import { setLimitsOnWire } from '../../access/account-limits-on-wire.ts'
import type { Account, ListedAccount } from '../../access/account.ts'
import type { AccountView } from '../../contract/accounts.ts'
import { formatUsd } from '../../core/money.ts'
import { timeOnWire } from '../api/wire-forms.ts'

/** An account as admins see it. */
export function accountView({ account, name, balance }: ListedAccount): AccountView {
  return {
    id: account.id,
    email: account.email,
    name,
    ...accountSettings(account),
    balance: formatUsd(balance),
    created_at: timeOnWire(account.createdAt),
    managed: account.isManaged,
  }
}

/** What admins change about an account, as it is written. */
export function accountSettings({ role, status, limits }: Account) {
  return { role, status, limits: setLimitsOnWire(limits) }
}
