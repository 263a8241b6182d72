import { keyActivity, keyActivityQuery, keyReport, type KeyReport, keyReportQuery } from '../../contract/key-report.ts'
import { fieldProblem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { figuresOf, limitsOnWire, usageOfDay } from '../keys/key-figures.ts'
import { ownedKey } from '../keys/owned-key.ts'
import { startOfDays } from '../overview/overview-spans.ts'
import { accountIdOf, isStaff } from '../who/actor.ts'
import type { ApiKey } from '../../access/api-key.ts'
import type { AuditEntry } from '../../access/audit.ts'
import { quotaBudgetOf, spendBudgetsOf } from '../../entitlement/funding.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import type { ControlParts } from '../parts.ts'
import { readKeyView } from '../views/key-view.ts'
import { stepView } from '../views/usage-step-view.ts'

const route = routesOf('Keys')

/** The most that a page of keys may have. */
const MOST_KEYS = 200
const DAYS_SHOWN = 30

const report = route('get /api/keys/{id}/report', {
  summary: 'Read how an API key stands, and what it did',
  description:
    'Its limits and how full they are, its last thirty days, its newest requests and faults, and its history.',
  who: 'account',
  query: keyReportQuery,
  answer: keyReport,
  async handle(call, parts) {
    const key = await ownedKey(call, parts)
    return readKeyReport(key, { nowMs: call.nowMs, offsetMinutes: call.query.offset_minutes }, parts)
  },
})

const activity = route('get /api/keys/activity', {
  summary: 'Read what API keys used in the last thirty days',
  description: 'For a page of a list: up to 200 keys in one answer. Keys that are not yours are left out.',
  who: 'account',
  query: keyActivityQuery,
  answer: keyActivity,
  async handle(call, { store }) {
    const { offset_minutes: offsetMinutes } = call.query
    const ids = [...new Set(call.query.ids.split(',').filter((id) => id !== ''))]
    if (ids.length === 0 || ids.length > MOST_KEYS) {
      throw fieldProblem('ids', `ids must be the ids of 1 to ${MOST_KEYS} keys, separated by commas.`)
    }
    const found = await store.usage.daysOfKeys(ids, {
      accountId: isStaff(call.actor) ? null : accountIdOf(call.actor),
      fromMs: startOfDays(call.nowMs, { offsetMinutes, days: DAYS_SHOWN }),
      offsetMinutes,
    })
    return { data: [...found].map(([id, days]) => ({ id, days: days.map(usageOfDay) })) }
  },
})

/** Routes that come before those of one key: the first path that fits serves. */
export const keyReportRoutes: readonly ApiRoute[] = [activity, report]

const REQUESTS_SHOWN = 10
const FAILED_SHOWN = 5
const HISTORY_SHOWN = 20

/** How a key stands, what it did and what was done with it. A fixed number of statements, whatever its past. */
async function readKeyReport(
  key: ApiKey,
  { nowMs, offsetMinutes }: { readonly nowMs: number; readonly offsetMinutes: number },
  { store, limitStates }: ControlParts,
): Promise<KeyReport> {
  const quota = quotaBudgetOf(key, nowMs)
  const spend = spendBudgetsOf(key)
  const of = { accountId: key.accountId, keyId: key.id }
  const fromMs = startOfDays(nowMs, { offsetMinutes, days: DAYS_SHOWN })
  const [view, states, days, totals, requests, failed, lastUse, history, counted] = await Promise.all([
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
    last_address: lastUse.lastAddress,
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
