import type { ApiKey } from '../../access/api-key.ts'
import type { AuditEntry } from '../../access/audit.ts'
import type { KeyReport } from '../../contract/key-report.ts'
import { quotaBudgetOf, spendBudgetsOf } from '../../entitlement/funding.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { startOfDays } from '../overview/overview-spans.ts'
import type { ControlParts } from '../parts.ts'
import { usageOfDay, figuresOf, limitsOnWire } from './key-figures.ts'
import { readKeyView } from '../views/key-view.ts'
import { stepView } from '../views/usage-step-view.ts'

const REQUESTS_SHOWN = 10
const FAILED_SHOWN = 5
const HISTORY_SHOWN = 20
const DAYS_SHOWN = 30

/** How a key stands, what it did and what was done with it. A fixed number of statements, whatever its past. */
export async function readKeyReport(
  key: ApiKey,
  { nowMs, offsetMinutes }: { readonly nowMs: number; readonly offsetMinutes: number },
  { store, limitStates }: ControlParts,
): Promise<KeyReport> {
  const quota = quotaBudgetOf(key, nowMs)
  const spend = spendBudgetsOf(key)
  const of = { accountId: key.accountId, keyId: key.id }
  const fromMs = startOfDays(nowMs, { offsetMinutes, days: DAYS_SHOWN })
  const [view, states, days, totals, requests, failed, activity, history, counted] = await Promise.all([
    readKeyView(key, store, nowMs),
    store.budgets.states([...(quota === null ? [] : [quota]), ...spend], nowMs),
    store.usage.daysOfKeys([key.id], { fromMs, offsetMinutes }),
    store.usage.totalsOfKey(key.id, nowMs),
    store.usage.list(of, { after: null, limit: REQUESTS_SHOWN }),
    store.usage.list({ ...of, fault: 'any' }, { after: null, limit: FAILED_SHOWN }),
    store.keys.activityOf(key),
    store.audit.page({ subject: key.id, after: null, limit: HISTORY_SHOWN }),
    limitStates({ id: key.id, rateLimit: key.rateLimit }),
  ])
  return {
    key: view,
    limits: limitsOnWire(key, {
      counted,
      quota: (quota === null ? undefined : states[0]) ?? null,
      spend: quota === null ? states : states.slice(1),
    }),
    days: (days.get(key.id) ?? []).map(usageOfDay),
    last_address: activity.lastAddress,
    ever: figuresOf(totals.ever),
    requests: requests.records.map(stepView),
    failed: failed.records.map(stepView),
    history: history.map((entry) => historyView(entry, key)),
  }
}

/** An entry without the addresses of others, which the owner is not shown. */
function historyView(entry: AuditEntry, { accountId }: ApiKey): KeyReport['history'][number] {
  const isOwn = entry.actor === accountId
  return {
    id: entry.id,
    created_at: timeOnWire(entry.createdAt),
    action: entry.action,
    actor: isOwn ? 'you' : 'an admin',
    via: entry.via,
    address: isOwn ? entry.address : null,
    changes: { ...entry.changes },
  }
}
