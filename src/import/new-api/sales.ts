import type { SubscriptionQuota } from '../../access/subscription.ts'
import { nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { SubscriptionWindow } from '../../core/quota-window.ts'
import type { ImportNotes, PlannedAccount, PlannedCode, PlannedPlan, PlannedSubscription } from '../import-plan.ts'
import { floorOf, times, NANO } from '../rational.ts'
import { decimalIn, integerIn, isTrueIn, type Row, secondsIn, type SourceReader, textIn, words } from '../source.ts'
import type { GroupsOfUsers } from './groups.ts'
import type { QuotaInUsd } from './options.ts'
import { freeName, plannedRows } from '../planned-rows.ts'

const WINDOWS: Readonly<Record<string, SubscriptionWindow>> = {
  daily: '1d',
  weekly: '7d',
  monthly: '30d',
  never: 'term',
  '': 'term',
}
const DAYS_OF: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 }
const DAY_S = 86_400
const MOST_DAYS = 36_500
const LONGEST_NAME = 80
const UNUSED = 1n

interface NewApiSalesAbout {
  readonly groups: GroupsOfUsers
  readonly accounts: readonly PlannedAccount[]
  readonly quota: QuotaInUsd
  readonly notes: ImportNotes
  readonly nowMs: number
}

/** Plans, who has them, and codes that were not redeemed. */
export async function planSales(source: SourceReader, about: NewApiSalesAbout) {
  const { plans, windows } = await readPlans(source, about)
  return {
    plans,
    subscriptions: await readSubscriptions(source, { ...about, plans, windows }),
    codes: await readCodes(source, about),
  }
}

const PLAN_COLUMNS = words(
  'title name price_amount price currency duration_unit duration_value custom_seconds total_amount',
  'quota_reset_period enabled',
)

const NOT_A_PLAN = 'have no whole number of days, no amount that is known, or windows of another length: not carried'

/** `windows`: of what is used of each, by its id. */
async function readPlans(source: SourceReader, { groups, quota, notes }: NewApiSalesAbout) {
  const windows = new Map<string, SubscriptionWindow>()
  const names = new Set<string>()
  const table = { table: 'subscription_plans', columns: PLAN_COLUMNS, notes }
  const plans = await plannedRows(source, table, (row, id): PlannedPlan | string => {
    const days = daysOf(row)
    const window = WINDOWS[textIn(row, 'quota_reset_period')]
    const quotas = quotasOf(integerIn(row, 'total_amount'), window, quota)
    if (days === null || quotas === null) return NOT_A_PLAN
    if (['month', 'year'].includes(textIn(row, 'duration_unit')) || quotas[0]?.window === '30d') {
      notes.approximate('months', `subscription_plans ${id}`)
    }
    if (!['', 'USD'].includes(textIn(row, 'currency').toUpperCase())) {
      notes.note('subscription_plans', id, 'are priced in another currency: their price is 0 here')
    }
    const isWithdrawn = row['enabled'] != null && !isTrueIn(row, 'enabled')
    if (isWithdrawn)
      notes.note('subscription_plans', id, 'are not on sale: their price is 0 here, so nor are they here')
    const title = (textIn(row, 'title') || textIn(row, 'name')).trim().slice(0, LONGEST_NAME)
    const name = freeName(title || `plan ${id}`, id, names)
    if (window !== undefined) windows.set(id, window)
    return {
      id,
      name,
      // It pays wherever a user may go there, and lets them go nowhere else.
      groups: groups.groups.map((group) => group.name),
      opensGroups: false,
      days,
      price: isWithdrawn ? ZERO_NANO_USD : priceOf(row),
      quotas,
    }
  })
  return { plans, windows }
}

/** An amount of 0 has no bound there. null: there is none, or its window has a length that none has here. */
function quotasOf(
  amount: bigint | null,
  window: SubscriptionWindow | undefined,
  quota: QuotaInUsd,
): readonly SubscriptionQuota[] | null {
  if (amount === 0n) return []
  return amount === null || amount < 0n || window === undefined ? null : [{ window, usd: quota.nano(amount) }]
}

/** null: no whole number of days. */
function daysOf(row: Row): number | null {
  const unit = textIn(row, 'duration_unit')
  const seconds = Number(integerIn(row, 'custom_seconds') ?? 0n)
  const days =
    unit === 'custom' ? seconds / DAY_S : Number(integerIn(row, 'duration_value') ?? 0n) * (DAYS_OF[unit] ?? 0)
  return Number.isInteger(days) && days >= 1 && days <= MOST_DAYS ? days : null
}

function priceOf(row: Row) {
  const price = decimalIn(row, 'price_amount') ?? decimalIn(row, 'price')
  const isUsd = ['', 'USD'].includes(textIn(row, 'currency').toUpperCase())
  if (price === null || !isUsd || price.over < 0n) return ZERO_NANO_USD
  return nanoUsd(floorOf(times(price, NANO)))
}

const SUBSCRIPTION_COLUMNS = words(
  'user_id plan_id start_time end_time status amount_total amount_used next_reset_time upgrade_group',
)

function readSubscriptions(
  source: SourceReader,
  { plans, windows, ...about }: NewApiSalesAbout & Awaited<ReturnType<typeof readPlans>>,
): Promise<readonly PlannedSubscription[]> {
  const { quota, notes, nowMs } = about
  const owners = new Set(about.accounts.map(({ id }) => id))
  return plannedRows(source, { table: 'user_subscriptions', columns: SUBSCRIPTION_COLUMNS, notes }, (row, id) => {
    const endsAt = secondsIn(row, 'end_time')
    const plan = plans.find((each) => each.id === textIn(row, 'plan_id'))
    if (textIn(row, 'status') !== 'active' || endsAt === null || endsAt <= nowMs)
      return 'are over or cancelled: not carried'
    if (plan === undefined || !owners.has(textIn(row, 'user_id')))
      return 'are of a plan or a user that is not imported: not carried'
    if (textIn(row, 'upgrade_group') !== '') {
      notes.note('user_subscriptions', id, 'put their user into another group until they end: here that stays')
    }
    const used = integerIn(row, 'amount_used') ?? 0n
    // What was sold holds, whatever the plan has become since. An older source has no such column.
    const window = windows.get(plan.id) ?? 'term'
    const sold = quotasOf(integerIn(row, 'amount_total'), window, quota)
    return {
      id,
      accountId: textIn(row, 'user_id'),
      plan: plan.name,
      // The same at each run.
      startsAt: secondsIn(row, 'start_time') ?? 0,
      endsAt,
      ...(sold === null ? {} : { quotas: sold }),
      spent: [{ window, used: quota.nano(used > 0n ? used : 0n), endsAt: secondsIn(row, 'next_reset_time') }],
    }
  })
}

const CODE_COLUMNS = ['key', 'status', 'quota', 'expired_time', 'deleted_at']

function readCodes(source: SourceReader, { quota, notes }: NewApiSalesAbout): Promise<readonly PlannedCode[]> {
  return plannedRows(source, { table: 'redemptions', columns: CODE_COLUMNS, notes }, (row, id) => {
    if (row['deleted_at'] != null || integerIn(row, 'status') !== UNUSED)
      return 'are used, disabled or deleted: not carried'
    const amount = integerIn(row, 'quota') ?? 0n
    if (amount <= 0n) return 'are worth nothing: not carried'
    const expiresAt = secondsIn(row, 'expired_time')
    return { id, code: textIn(row, 'key').trim(), grants: { usd: quota.nano(amount) }, expiresAt }
  })
}
