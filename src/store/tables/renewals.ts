import { type Selectable, sql } from 'kysely'
import { renewalBy, type SubscriptionStore } from '../../access/subscription.ts'
import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import { isForSale, type Plan } from '../../metering/funds/plan.ts'
import { balanceBudget } from '../../metering/budgets/budget.ts'
import { insertAlerts } from '../books/alert-writes.ts'
import { availableIn } from '../books/budget-rows.ts'
import { postIn } from '../books/sql-ledger.ts'
import type { Database } from '../engine/database.ts'
import { lockRow, readRow } from '../engine/rows-by-id.ts'
import type { SubscriptionRow } from '../schema/tables.ts'
import { changing } from '../engine/changes.ts'
import { planOf } from './sql-plans.ts'
import { renewIn } from './subscription-changes.ts'

type RenewalRun = Parameters<SubscriptionStore['renewDue']>[0]
type DueSubscription = Selectable<SubscriptionRow>

/** See `SubscriptionStore.renewDue`. */
export async function renewDue(database: Database, by: RenewalRun, low: NanoUsd | null): Promise<readonly string[]> {
  const renewed: string[] = []
  if (!(await endsAny(database, by))) return renewed
  for (const due of await endingSoon(database, by)) {
    const plan = await planFor(database, due)
    if ((await renewOne(database, { due, plan, by, low })) === 'renewed') renewed.push(due.id)
  }
  return renewed
}

/**
 * Whether any that is to be renewed ends about now, by its index alone: in most installations none does, and views have a thread of
 * their own, which would be started for this each minute.
 */
async function endsAny({ kysely }: Database, { nowMs }: RenewalRun): Promise<boolean> {
  const found = await kysely
    .selectFrom('subscriptions')
    .select('id')
    .where('renews_up_to_nano', 'is not', null)
    .where('cancelled_at', 'is', null)
    .where('ends_at', '>', nowMs - DAY_MS)
    .where('ends_at', '<=', nowMs + DAY_MS)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Finds subscriptions that end within a day, or ended unseen within the last one, and are not followed by another of their plan. */
async function endingSoon(database: Database, { nowMs, limit }: RenewalRun): Promise<readonly DueSubscription[]> {
  const { rows } = await sql<DueSubscription>`select held.* from subscriptions as held
    join accounts on accounts.id = held.account_id and accounts.status = 'active'
    where held.renews_up_to_nano is not null and held.cancelled_at is null
      and held.ends_at > ${nowMs - DAY_MS} and held.ends_at <= ${nowMs + DAY_MS}
      and (held.ends_at <= ${nowMs + HOUR_MS} or not ${isAlerted})
      and (held.ends_at > ${nowMs} or not ${isAlerted})
      and not exists (select 1 from subscriptions as other where other.account_id = held.account_id
        and other.plan_id = held.plan_id and other.cancelled_at is null and other.ends_at > held.ends_at)
    order by held.ends_at, held.id limit ${limit}`.execute(database.views)
  return rows
}

const isAlerted = sql`exists (select 1 from alerts where alerts.id = 'renewal:' || held.id || ':' || held.ends_at)`

async function planFor({ kysely }: Database, { plan_id: id }: DueSubscription): Promise<Plan | null> {
  const row = await readRow(kysely, 'plans', id)
  return row === undefined ? null : planOf(row)
}

/**
 * The balance is locked before the subscription, as wherever both are. What it finds there is what it goes by: another node
 * may have renewed it, or its owner may have said otherwise, since it was looked for.
 */
function renewOne(
  database: Database,
  { due, plan, by, low }: { due: DueSubscription; plan: Plan | null; by: RenewalRun; low: NanoUsd | null },
): Promise<'renewed' | 'alerted' | 'waits'> {
  const { nowMs } = by
  return changing(database, async (transaction, record) => {
    const balance = await lockRow(transaction, 'budgets', balanceBudget(due.account_id).id)
    const held = await lockRow(transaction, 'subscriptions', due.id)
    const isSame = held?.ends_at === due.ends_at && held.cancelled_at === null
    if (!isSame || held.renews_up_to_nano === null || balance === undefined) return 'waits'
    const price = plan?.price ?? 0n
    const left = availableIn(balance)
    const available = left > 0n ? left : 0n
    const isAgreed = plan !== null && isForSale(plan) && price <= held.renews_up_to_nano
    if (plan === null || !isAgreed || available < price) {
      const lacking = isAgreed ? price - available : 0n
      // Once for each end.
      const id = `renewal:${due.id}:${due.ends_at}`
      const amounts = { limit_nano: price, used_nano: lacking }
      await insertAlerts(transaction, [
        { id, kind: 'renewal_failed', subject_id: due.id, ...amounts, resets_at: due.ends_at, created_at: nowMs },
      ])
      return 'alerted'
    }
    if (due.ends_at > nowMs + HOUR_MS) return 'waits'
    const entry = {
      id: by.newId(),
      accountId: due.account_id,
      createdAt: nowMs,
      kind: 'renewal' as const,
      amount: nanoUsd(0n - price),
      reason: `renewal of subscription ${due.id} (${due.plan_name})`,
      actor: 'gateway',
      once: `renewal:${due.id}:${due.ends_at}`,
    }
    if ((await postIn(transaction, entry, low)).kind !== 'posted') return 'waits'
    await renewIn(transaction, { id: due.id, by: renewalBy(plan), record, nowMs })
    return 'renewed'
  })
}
