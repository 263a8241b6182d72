import { ALERT_KINDS } from '../core/alert-kinds.ts'
import { formatUsd, type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../core/money.ts'
import type { BudgetAlert } from './alert.ts'
import { isEndingAlert } from './ending-alert.ts'
import type { OutgoingAlert, TrialAlert } from './carrier.ts'

/** An alert as a webhook's receiver and `alert list --json` read it: money in decimal strings of USD, times in RFC 3339. */
export function alertOnWire(alert: OutgoingAlert) {
  return {
    id: alert.id,
    type: alert.kind === 'trial' ? ('alert.test' as const) : ALERT_KINDS[alert.kind].type,
    created_at: timeOnWire(alert.createdAt),
    // The database is away, and whose alert it is cannot be read.
    account: alert.accountId === '' ? null : { id: alert.accountId, email: alert.accountEmail },
    ...(alert.kind === 'trial' ? trial(alert) : figures(alert)),
  }
}

function figures(alert: BudgetAlert) {
  return {
    subject: { kind: ALERT_KINDS[alert.kind].subject, id: alert.subjectId, name: alert.subjectName || null },
    percent: alert.percent,
    limit: formatUsd(alert.limit),
    used: formatUsd(alert.used),
    remaining: formatUsd(remainingOf(alert)),
    window: alert.window,
    ...timesOnWire(alert),
  }
}

/** `resetsAt` of an alert is when a quota is full again, or when what it is about ends. */
export function timesOnWire({ kind, resetsAt }: Pick<BudgetAlert, 'kind' | 'resetsAt'>): {
  readonly resets_at: string | null
  readonly ends_at: string | null
} {
  const time = resetsAt === null ? null : timeOnWire(resetsAt)
  return isEndingAlert(kind) ? { resets_at: null, ends_at: time } : { resets_at: time, ends_at: null }
}

/** A trial has the fields of an alert, so that a receiver needs one form for everything. */
function trial({ accountId }: TrialAlert): ReturnType<typeof figures> {
  const subject = { kind: 'account', id: accountId, name: null } as const
  return { subject, percent: null, limit: '0', used: '0', remaining: '0', window: null, resets_at: null, ends_at: null }
}

/** Never below zero, though the last request may have gone one step further. */
export function remainingOf({ limit, used }: Pick<BudgetAlert, 'limit' | 'used'>): NanoUsd {
  return limit > used ? nanoUsd(limit - used) : ZERO_NANO_USD
}

/** Whether it counts as used up because a request needed more than what was left of it. */
export function hasTooLittleLeft({ percent, limit, used }: BudgetAlert): boolean {
  return percent === 100 && used < limit
}

/** RFC 3339, in UTC. */
export function timeOnWire(ms: number): string {
  return new Date(ms).toISOString()
}
