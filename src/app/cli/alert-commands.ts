import { formatUsd } from '../../core/money.ts'
import { ALERT_NEWS_MS, type RecordedAlert } from '../../alerts/alert.ts'
import { readAlertTemplate } from '../../control/settings/alert-template.ts'
import { alertCarriers } from '../../alerts/alert-carriers.ts'
import { alertOnWire, hasTooLittleLeft, timeOnWire } from '../../alerts/alert-on-wire.ts'
import { mailText } from '../../alerts/mail-texts.ts'
import type { TrialAlert } from '../../alerts/carrier.ts'
import { readEnvironment } from '../installation/environment.ts'
import { wholeNumber } from '../declarative/fields.ts'
import { accountByEmail } from './account-commands.ts'
import type { CommandRun } from './command.ts'
import { textTable } from './print-rows.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure, UsageError } from './cli-host.ts'

/** What became of the newest alerts. */
export const listAlerts: CommandRun = (call, host) => {
  const limit = wholeNumber({ least: 1, most: LISTED_AT_MOST, unit: 'count' }).safeParse(call.text('limit') ?? LISTED)
  if (!limit.success)
    throw new UsageError(
      `--limit is ${JSON.stringify(call.text('limit'))}, but it must be from 1 to ${LISTED_AT_MOST}.`,
    )
  return withStore(host, async (store) => {
    const recorded = await store.alerts.list(limit.data)
    const nowMs = host.nowMs()
    if (call.has('json')) {
      const rows = recorded.map((each) => ({ ...alertOnWire(each.alert), deliveries: deliveriesOnWire(each, nowMs) }))
      host.print(`${JSON.stringify(rows)}\n`)
    } else {
      host.print(textTable([HEADING, ...recorded.map((each) => cellsOf(each, nowMs))]))
    }
    return 0
  })
}

/** Sends a trial on every way that is configured, and says what came of it. Nothing is recorded. */
export const testAlerts: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const clock = { now: () => host.nowMs(), elapsed: () => host.nowMs() }
    const carriers = await alertCarriers(readEnvironment(host.environment), clock, () =>
      readAlertTemplate(store.settings),
    )
    if (carriers.length === 0) {
      throw new CommandFailure(
        'Alerts go nowhere: set TOLLGATE_ALERT_WEBHOOK_URL, or TOLLGATE_SMTP_URL, in the environment of this command too.',
      )
    }
    const account = await accountByEmail(store.accounts, call.required('account'))
    const createdAt = host.nowMs()
    const about = { accountId: account.id, accountEmail: account.email, createdAt }
    const trial: TrialAlert = { kind: 'trial', id: `test_${host.randomBytes(10).toString('hex')}`, ...about }
    let code = 0
    for (const carrier of carriers) {
      const outcome = await carrier.send(trial, new AbortController().signal)
      if (outcome.kind !== 'delivered') code = 1
      host.print(`${carrier.way}: ${outcome.kind === 'delivered' ? 'delivered' : `failed, ${outcome.failure}`}\n`)
    }
    return code
  })

const LISTED = 50
const LISTED_AT_MOST = 1000
const HEADING = ['TIME', 'ACCOUNT', 'ABOUT', 'USED', 'OF', 'REACHED', 'DELIVERIES']

type Delivery = RecordedAlert['deliveries'][number]

function cellsOf({ alert, deliveries }: RecordedAlert, nowMs: number): readonly string[] {
  const { subject } = alertOnWire(alert)
  const isOfAmounts = isOfBudget(alert)
  const about = [subject.kind, subject.name, alert.window && `(${alert.window})`].filter(Boolean).join(' ')
  return [
    timeOnWire(alert.createdAt),
    alert.accountEmail,
    about,
    isOfAmounts ? formatUsd(alert.used) : '–',
    isOfAmounts ? formatUsd(alert.limit) : '–',
    reachedText(alert),
    deliveries.map((each) => deliveryText(each, statusOf(each, { alert, nowMs }))).join('; ') || 'none',
  ]
}

/** Others are about what has ended or gone wrong, and have no amounts, or a price at most. */
function isOfBudget({ kind, percent }: RecordedAlert['alert']): boolean {
  return percent !== null || kind === 'low_balance'
}

/** What was reached; of those without amounts what they say, as in the subject of their mail. */
function reachedText(alert: RecordedAlert['alert']): string {
  if (!isOfBudget(alert)) return mailText(alert).subject.replace(/^Tollgate: /, '')
  if (alert.percent === null) return 'low balance'
  return hasTooLittleLeft(alert) ? 'used up, too little left' : `${alert.percent}%`
}

function deliveryText({ way, failure }: Delivery, status: DeliveryStatus): string {
  const text = `${way} ${status.replace('_', ' ')}`
  return status === 'delivered' || failure === null ? text : `${text} (${failure})`
}

function deliveriesOnWire({ alert, deliveries }: RecordedAlert, nowMs: number) {
  return deliveries.map((each) => {
    const status = statusOf(each, { alert, nowMs })
    return {
      way: each.way,
      status,
      tries: each.tries,
      next_try_at: status === 'waiting' && each.nextTryAt !== null ? timeOnWire(each.nextTryAt) : null,
      delivered_at: each.deliveredAt === null ? null : timeOnWire(each.deliveredAt),
      failure: each.failure,
    }
  })
}

type DeliveryStatus = 'delivered' | 'waiting' | 'given_up'

function statusOf(
  { deliveredAt, nextTryAt }: Delivery,
  { alert, nowMs }: { alert: RecordedAlert['alert']; nowMs: number },
): DeliveryStatus {
  if (deliveredAt !== null) return 'delivered'
  return nextTryAt === null || alert.createdAt + ALERT_NEWS_MS <= nowMs ? 'given_up' : 'waiting'
}
