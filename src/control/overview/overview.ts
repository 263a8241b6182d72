import type { WatchedKey } from '../../access/key-list.ts'
import type { Overview } from '../../contract/overview.ts'
import type { Group } from '../../access/group.ts'
import { isRunning, type Subscription } from '../../access/subscription.ts'
import { DAY_MS } from '../../core/durations.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import { balanceBudget } from '../../metering/budgets/budget.ts'
import type { UsageTotals } from '../../metering/usage/usage-totals.ts'
import { type Actor, ownAccount } from '../who/actor.ts'
import { viewerOf } from '../who/viewer.ts'
import type { ControlParts } from '../parts.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'
import { alertView } from '../views/alert-view.ts'
import { subscriptionViews } from '../views/subscription-view.ts'
import { stepView } from '../views/usage-step-view.ts'
import { balancePace, overviewSpans } from './overview-spans.ts'

const WATCHED_DAYS = 7
const WATCHED_PERCENT = 80
const REQUESTS_SHOWN = 10
const ALERTS_SHOWN = 5
const ALERTS_OF_MS = 14 * DAY_MS

/** Everything of an account that is seen first. A fixed number of statements, whatever it has. Throws Problem. */
export async function readOverview(
  actor: Actor,
  { nowMs, offset_minutes: offsetMinutes }: { readonly nowMs: number; readonly offset_minutes: number },
  { store, instance, isDraining }: ControlParts,
): Promise<Overview> {
  const { id: accountId, createdAt } = ownAccount(actor)
  const { today, week, month, pace, daysFromMs } = overviewSpans(nowMs, offsetMinutes)
  const spans = [today.now, today.before, week.now, week.before, month.now, month.before, pace]
  const [sums, days, hasAnswered, [balance], subscriptions, groups, keys, requests, alerts] = await Promise.all([
    store.usage.totalsInSpans(accountId, spans),
    store.usage.summary({
      accountId,
      fromMs: daysFromMs,
      toMs: nowMs + 1,
      by: 'day',
      split: null,
      top: 1,
      offsetMinutes,
    }),
    store.usage.hasAnswered(accountId),
    store.budgets.states([balanceBudget(accountId)], nowMs),
    store.subscriptions.live(accountId, nowMs),
    store.groups.groups(),
    store.keys.toWatch({
      accountId,
      nowMs,
      endedAfterMs: nowMs - WATCHED_DAYS * DAY_MS,
      endsBeforeMs: nowMs + WATCHED_DAYS * DAY_MS,
      percent: WATCHED_PERCENT,
    }),
    store.usage.list({ accountId }, { after: null, limit: REQUESTS_SHOWN }),
    store.alerts.list(ALERTS_SHOWN, { accountId, after: null }),
  ])
  const left = nanoUsd(balance === undefined ? 0n : balance.limit - balance.used)
  const running = subscriptions.filter((each) => isRunning(each, nowMs))
  const compared = (span: { readonly now: { readonly fromMs: number } }, at: number) => ({
    from: timeOnWire(span.now.fromMs),
    now: figuresOf(sums[at]),
    before: figuresOf(sums[at + 1]),
  })
  return {
    as_of: timeOnWire(nowMs),
    has_answered: hasAnswered,
    balance: {
      amount: formatUsd(left),
      held: formatUsd(balance?.held ?? nanoUsd(0n)),
      ...balancePace({ balance: left, paid: sums[6]?.balancePaid ?? nanoUsd(0n), openForMs: nowMs - createdAt }),
    },
    spend: { today: compared(today, 0), last_7_days: compared(week, 2), this_month: compared(month, 4) },
    days: days.buckets.map(({ startsAt, totals }) => ({ at: timeOnWire(startsAt), ...figuresOf(totals) })),
    subscriptions: running.length === 0 ? [] : await viewsOf(running, groups, { actor, nowMs, store }),
    keys: keys.map(watchedOnWire),
    requests: requests.records.map(stepView),
    alerts: alerts.filter(({ alert }) => alert.createdAt > nowMs - ALERTS_OF_MS).map(alertView),
    gateway: { state: isDraining() ? 'draining' : 'serving', version: instance.version },
  }
}

async function viewsOf(
  running: readonly Subscription[],
  groups: readonly Group[],
  { actor, nowMs, store }: { readonly actor: Actor; readonly nowMs: number; readonly store: ControlParts['store'] },
): Promise<Overview['subscriptions']> {
  const [plans, viewer] = await Promise.all([store.plans.plans(), viewerOf(actor, store, nowMs)])
  return subscriptionViews(running, { budgets: store.budgets, plans, groups, viewer, nowMs })
}

function figuresOf(totals: UsageTotals | undefined): Overview['spend']['today']['now'] {
  return {
    requests: totals?.requests ?? 0,
    failed: totals?.failed ?? 0,
    cost: formatUsd(totals?.cost ?? nanoUsd(0n)),
  }
}

function watchedOnWire(key: WatchedKey): Overview['keys'][number] {
  const { id, name, why } = key
  if (key.why === 'expiry') return { id, name, why, window: null, used: null, limit: null, at: timeOnWire(key.at) }
  const { used, limit, window, resetsAt } = key
  return { id, name, why, window, used: formatUsd(used), limit: formatUsd(limit), at: timeOrNull(resetsAt) }
}
