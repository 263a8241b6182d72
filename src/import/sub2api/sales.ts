import type { SubscriptionQuota } from '../../access/subscription.ts'
import { ZERO_NANO_USD } from '../../core/money.ts'
import { type QuotaWindow, windowMs } from '../../core/quota-window.ts'
import type { ImportNotes, PlannedAccount, PlannedCode, PlannedPlan, PlannedSubscription } from '../import-plan.ts'
import { integerIn, isTrueIn, momentIn, type Row, type SourceReader, textIn, words } from '../source.ts'
import { isSold, type Sub2apiGroups } from './groups.ts'
import { limitIn, usdIn } from './money.ts'
import { freeName, plannedRows } from '../planned-rows.ts'

const WINDOWS = { daily: '1d', weekly: '7d', monthly: '30d' } as const satisfies Record<string, QuotaWindow>
const PERIODS = Object.keys(WINDOWS) as (keyof typeof WINDOWS)[]
const DAYS_OF: Readonly<Record<string, number>> = {
  day: 1,
  days: 1,
  week: 7,
  weeks: 7,
  month: 30,
  months: 30,
  year: 365,
}
const STANDARD_DAYS = 30
const MOST_DAYS = 36_500
const LONGEST_NAME = 80

interface SalesAbout {
  readonly groups: Sub2apiGroups
  readonly accounts: readonly PlannedAccount[]
  readonly notes: ImportNotes
  readonly nowMs: number
}

/** The name of the plan of a group, by the group's name here. */
type PlanOf = ReadonlyMap<string, string>

/** Groups that are sold as plans, who has them, and codes that are unused. */
export async function planSales(source: SourceReader, about: SalesAbout) {
  const plans = await readPlans(source, about)
  const planOf = new Map(plans.toReversed().map(({ plan }) => [plan.groups[0] ?? '', plan.name]))
  return {
    plans: plans.map(({ plan }) => plan),
    subscriptions: await readSubscriptions(source, { ...about, planOf }),
    codes: await readCodes(source, { ...about, planOf }),
  }
}

async function readPlans(
  source: SourceReader,
  { groups, notes }: SalesAbout,
): Promise<readonly { readonly groupId: string; readonly plan: PlannedPlan }[]> {
  const plans: { groupId: string; plan: PlannedPlan }[] = []
  const names = new Set<string>()
  const add = (groupId: string, id: string, of: { name: string; days: number; price: PlannedPlan['price'] }) => {
    const group = groups.nameOf(groupId)
    const row = groups.rows.get(groupId)
    if (group === undefined || row === undefined) return
    const nameFor = (wished: string, itsId: string) =>
      freeName(wished.trim().slice(0, LONGEST_NAME) || group, itsId, names)
    const name = nameFor(of.name, id)
    const isFirst = !plans.some((each) => each.groupId === groupId)
    plans.push({ groupId, plan: { ...of, id, name, groups: [group], quotas: quotasOf(row) } })
    if (!isFirst) return
    // Who buys the plan must not get the multiplier that others have of their own.
    for (const own of groups.ownOf(groupId)) {
      const ownId = `${id} ${own}`
      const ownPlan = { id: ownId, name: nameFor(`${name} ${own}`, ownId), groups: [own], quotas: quotasOf(row) }
      plans.push({ groupId, plan: { ...of, ...ownPlan, price: ZERO_NANO_USD } })
    }
  }
  for await (const row of source.rows(
    'subscription_plans',
    words('group_id name price validity_days validity_unit for_sale'),
  )) {
    const id = textIn(row, 'id')
    const unit = textIn(row, 'validity_unit').toLowerCase() || 'day'
    const days = Number(integerIn(row, 'validity_days') ?? 0n) * (DAYS_OF[unit] ?? 0)
    if (days < 1 || days > MOST_DAYS) {
      notes.note('subscription_plans', id, 'have no number of days: not carried')
      continue
    }
    if (unit.startsWith('month') || unit.startsWith('year')) notes.approximate('months', `subscription_plans ${id}`)
    const isWithdrawn = row['for_sale'] != null && !isTrueIn(row, 'for_sale')
    if (isWithdrawn)
      notes.note('subscription_plans', id, 'are not on sale: their price is 0 here, so nor are they here')
    const price = isWithdrawn ? ZERO_NANO_USD : usdIn(row, 'price')
    add(textIn(row, 'group_id'), id, { name: textIn(row, 'name'), days, price })
  }
  for (const [groupId, row] of groups.rows) {
    if (!isSold(row) || plans.some((each) => each.groupId === groupId)) continue
    notes.note('groups', groupId, `are sold without a plan: one of ${STANDARD_DAYS} days for $0 is made, to be changed`)
    add(groupId, `group ${groupId}`, { name: textIn(row, 'name'), days: STANDARD_DAYS, price: ZERO_NANO_USD })
  }
  return plans
}

function quotasOf(group: Row): readonly SubscriptionQuota[] {
  return PERIODS.flatMap((period) => {
    const usd = limitIn(group, `${period}_limit_usd`)
    return usd === null ? [] : [{ window: WINDOWS[period], usd }]
  })
}

const SUBSCRIPTION_COLUMNS = words(
  'user_id group_id starts_at expires_at status deleted_at',
  ...PERIODS.flatMap((period) => [`${period}_window_start`, `${period}_usage_usd`]),
)

function readSubscriptions(
  source: SourceReader,
  { accounts, groups, notes, nowMs, planOf }: SalesAbout & { planOf: PlanOf },
): Promise<readonly PlannedSubscription[]> {
  const owners = new Set(accounts.map(({ id }) => id))
  return plannedRows(source, { table: 'user_subscriptions', columns: SUBSCRIPTION_COLUMNS, notes }, (row, id) => {
    const endsAt = momentIn(row, 'expires_at')
    const plan = planOf.get(groups.nameFor(textIn(row, 'user_id'), textIn(row, 'group_id')) ?? '')
    const isOver = endsAt === null || endsAt <= nowMs || row['deleted_at'] != null
    if (isOver || !owners.has(textIn(row, 'user_id'))) return 'are over, or of a user that is deleted: not carried'
    if (textIn(row, 'status') !== 'active') return 'are suspended: not carried before a run that finds them active'
    if (plan === undefined) return 'are of a group without a plan: not carried'
    return {
      id,
      accountId: textIn(row, 'user_id'),
      plan,
      // The same at each run.
      startsAt: momentIn(row, 'starts_at') ?? 0,
      endsAt,
      spent: PERIODS.map((period) => {
        const window = WINDOWS[period]
        const start = momentIn(row, `${period}_window_start`)
        const used = usdIn(row, `${period}_usage_usd`)
        return { window, used, endsAt: start === null ? null : start + windowMs(window) }
      }),
    }
  })
}

/** What to do in place of kinds of codes that nothing here redeems. */
const INSTEAD: Readonly<Record<string, string>> = {
  invitation: ': invite people by links of this gateway’s own',
  concurrency: ': an admin sets that limit on the page of the account',
}
const CODE_COLUMNS = ['code', 'type', 'value', 'status', 'group_id', 'validity_days', 'expires_at']

function readCodes(
  source: SourceReader,
  { groups, notes, planOf }: SalesAbout & { planOf: PlanOf },
): Promise<readonly PlannedCode[]> {
  return plannedRows(source, { table: 'redeem_codes', columns: CODE_COLUMNS, notes }, (row, id) => {
    if (textIn(row, 'status') !== 'unused') return 'are used or disabled: not carried'
    const plan = planOf.get(groups.nameOf(textIn(row, 'group_id')) ?? '')
    const days = Number(integerIn(row, 'validity_days') ?? 0n)
    const usd = usdIn(row, 'value')
    const common = { id, code: textIn(row, 'code').trim(), expiresAt: momentIn(row, 'expires_at') }
    const kind = textIn(row, 'type')
    if (kind === 'balance' && usd > 0n) return { ...common, grants: { usd } }
    if (kind === 'subscription' && plan !== undefined && days > 0) return { ...common, grants: { plan, days } }
    const instead = Object.hasOwn(INSTEAD, kind) ? INSTEAD[kind] : ''
    return `are of the kind ${kind}, which is not carried${instead}`
  })
}
