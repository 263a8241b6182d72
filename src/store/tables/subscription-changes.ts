import type { Selectable } from 'kysely'
import type { Change } from '../../access/changes.ts'
import { laterByDays, type Renewal, type SubscriptionQuota } from '../../access/subscription.ts'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import { subscriptionBudget } from '../../metering/budgets/budget.ts'
import { moveLimit } from '../books/moved-limits.ts'
import type { TablesTransaction } from '../engine/database.ts'
import { lockRow } from '../engine/rows-by-id.ts'
import type { SubscriptionRow } from '../schema/tables.ts'
import type { ChangeRecorder } from '../engine/changes.ts'
import { quotasJson, quotasOf } from '../schema/quotas-json.ts'
import { moveSpendWindows } from './spend-windows.ts'

/** Changes of one subscription, as parts of transactions. */

/** Renews a subscription as part of a transaction that does more than that. null: unknown or cancelled. */
export function renewIn(
  transaction: TablesTransaction,
  of: { id: string; by: Renewal; record: ChangeRecorder; nowMs: number },
): Promise<Change | null> {
  const { id, record, nowMs } = of
  const { days, termUsd } = of.by
  return changeLive(transaction, { id, record, nowMs, before: () => moveTerm(transaction, id) }, (row) => ({
    ends_at: laterByDays(Math.max(row.ends_at, nowMs), days),
    quotas_json: quotasJson(quotasOf(row.quotas_json).map((quota) => renewed(quota, termUsd))),
  }))
}

/** Changes one that was not cancelled; of two that change it at the same instant, the second sees what the first did. */
export async function changeLive(
  transaction: TablesTransaction,
  about: { id: string; record: ChangeRecorder; nowMs: number; before?: () => Promise<void> },
  change: (row: Selectable<SubscriptionRow>) => { ends_at?: number; quotas_json?: string; cancelled_at?: number },
): Promise<Change | null> {
  const { id, record, nowMs, before } = about
  const row = await lockRow(transaction, 'subscriptions', id)
  if (row === undefined || row.cancelled_at !== null) return null
  await transaction.updateTable('subscriptions').set(change(row)).where('id', '=', id).execute()
  await before?.()
  if (row.limits_json !== null) await moveSpendWindows(transaction, row.account_id, nowMs)
  return record('account', row.account_id)
}

function renewed(quota: SubscriptionQuota, termUsd: NanoUsd | null): SubscriptionQuota {
  return quota.window === 'term' ? { ...quota, usd: nanoUsd(quota.usd + (termUsd ?? 0n)) } : quota
}

/** Gives the row of the quota for the whole term the limit that the subscription has now. Before the first grant there is none. */
async function moveTerm(transaction: TablesTransaction, id: string): Promise<void> {
  const { quotas_json } = await transaction
    .selectFrom('subscriptions')
    .select('quotas_json')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const term = quotasOf(quotas_json).find(({ window }) => window === 'term')
  if (term === undefined) return
  const budget = await lockRow(transaction, 'budgets', subscriptionBudget(id, term.usd, 'term').id)
  if (budget !== undefined && budget.limit_nano !== term.usd) await moveLimit(transaction, budget, term.usd)
}
