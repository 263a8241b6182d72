/** What the audit says of changes of balances, plans, subscriptions and redeem codes, whichever way they are made. */
import { type AuditNote, changesBetween } from '../../access/audit.ts'
import type { Subscription } from '../../access/subscription.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { LedgerEntry } from '../../metering/funds/ledger.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import type { RedeemAnswer, RedeemCode, RedeemGrant } from '../../metering/funds/redeem-code.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'
import { ledgerEntryView } from '../views/ledger-entry-view.ts'
import { planSettings } from '../views/plan-view.ts'
import { redeemCodeView } from '../views/redeem-code-view.ts'

export function ledgerPosted(entry: LedgerEntry): AuditNote {
  const { id, kind, amount, reason, reference, balance_after: after } = ledgerEntryView(entry, { isStaff: true })
  const before = formatUsd(nanoUsd(entry.balanceAfter - entry.amount))
  const changes = {
    ...changesBetween({}, { id, kind, amount, reason, ...(reference === null ? {} : { reference }) }),
    balance: { before, after },
  }
  return { action: 'ledger.post', subject: id, accountId: entry.accountId, changes }
}

/** `before`: null where it is new. `nameOfGroup` puts names to the ids of groups. */
export function planNote(before: Plan | null, after: Plan, nameOfGroup: (id: string) => string): AuditNote {
  const settings = before === null ? {} : planSettings(before, nameOfGroup)
  const changes = changesBetween(settings, planSettings(after, nameOfGroup))
  return { action: before === null ? 'plan.create' : 'plan.update', subject: after.id, accountId: null, changes }
}

/** A beginning is said where it is another than the moment at which it was opened. */
export function subscriptionOpened(made: Subscription): AuditNote {
  const { id: subject, accountId, planName: plan, startsAt, endsAt, createdAt } = made
  const starts = startsAt === createdAt ? {} : { starts_at: timeOnWire(startsAt) }
  const changes = changesBetween({}, { plan, ...starts, ends_at: timeOnWire(endsAt) })
  return { action: 'subscription.open', subject, accountId, changes }
}

/** `subscription.renew`: by a term of its plan. `subscription.extend`: by other days, which nothing is paid for. */
export function subscriptionLengthened(
  before: Subscription,
  endsAt: number,
  action: 'subscription.renew' | 'subscription.extend' = 'subscription.renew',
): AuditNote {
  const changes = changesBetween({ ends_at: timeOnWire(before.endsAt) }, { ends_at: timeOnWire(endsAt) })
  return { action, subject: before.id, accountId: before.accountId, changes }
}

/** `cancelledAt`: epoch milliseconds. */
export function subscriptionCancelled({ id, accountId }: Subscription, cancelledAt: number): AuditNote {
  const changes = changesBetween({ cancelled_at: null }, { cancelled_at: timeOnWire(cancelledAt) })
  return { action: 'subscription.cancel', subject: id, accountId, changes }
}

/** Codes of one kind that are made together. One entry stands for all, and names the first. */
export function redeemCodesCreated(codes: readonly RedeemCode[]): AuditNote {
  const [first] = codes
  const view = first === undefined ? null : redeemCodeView(first)
  const expires = { expires_at: timeOrNull(first?.expiresAt ?? null) }
  const terms = { count: codes.length, amount: view?.amount, plan: view?.plan, note: view?.note, ...expires }
  return {
    action: 'redeem_code.create',
    subject: first?.id ?? null,
    accountId: null,
    changes: changesBetween({}, terms),
  }
}

export function redeemCodeDeleted(before: RedeemCode): AuditNote {
  const { kind, amount, plan, note } = redeemCodeView(before)
  const changes = changesBetween({ kind, amount, plan, note }, {})
  return { action: 'redeem_code.delete', subject: before.id, accountId: null, changes }
}

/** What a redeemed code granted. */
export function codeRedeemed(
  granted: Extract<RedeemAnswer, { readonly kind: RedeemGrant['kind'] }>,
  accountId: string,
): AuditNote {
  const isPlan = granted.kind === 'plan'
  const changes = changesBetween(
    {},
    {
      kind: granted.kind,
      amount: isPlan ? null : formatUsd(granted.amount),
      plan: isPlan ? granted.planName : null,
      ends_at: isPlan ? timeOnWire(granted.endsAt) : null,
    },
  )
  return { action: 'code.redeem', subject: isPlan ? granted.subscriptionId : null, accountId, changes }
}
