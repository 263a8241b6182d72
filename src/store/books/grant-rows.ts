import type { Budget, GrantRequest } from '../../metering/budgets/budget.ts'
import type { TablesTransaction } from '../engine/database.ts'
import { quotasOf } from '../tables/quotas-json.ts'
import { rateLimitOf } from '../schema/key-columns.ts'
import { lockBudget, newBudgetRow, type StoredBudget } from './budget-rows.ts'
import { lockWindow } from './window-rows.ts'

/**
 * The row that a grant draws on, under lock; undefined when nothing may be drawn: there is no such budget, or it belongs to
 * a subscription that does not run. Rows of budgets that have an opening limit begin with their first grant.
 */
export async function rowToGrantFrom(
  transaction: TablesTransaction,
  { budget, nowMs }: GrantRequest,
): Promise<StoredBudget | undefined> {
  if (budget.kind === 'subscription' && !(await lockRunning(transaction, budget.subjectId, nowMs))) return undefined
  if (budget.window !== null) {
    return lockWindow(transaction, budget, { nowMs, open: (rowId) => openRow(transaction, budget, rowId) })
  }
  const found = await lockBudget(transaction, budget.id)
  if (found !== undefined || budget.openingLimit === null) return found
  await openRow(transaction, budget, budget.id)
  return lockBudget(transaction, budget.id)
}

/** Several nodes may do so at once: the first makes the row. */
async function openRow(transaction: TablesTransaction, budget: Budget, rowId: string): Promise<void> {
  const row = newBudgetRow(budget, rowId)
  const limit = await limitNow(transaction, budget)
  await transaction
    .insertInto('budgets')
    .values({ ...row, limit_nano: limit ?? row.limit_nano })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/**
 * The node may remember a limit that was changed a moment ago, so the key itself is asked. Its row is locked: either its
 * update comes first and is seen here, or it finds the new budget and moves its limit. null: it has no such limit any more.
 */
async function limitNow(transaction: TablesTransaction, budget: Budget): Promise<bigint | null> {
  switch (budget.kind) {
    case 'balance':
      return null
    case 'key_quota':
    case 'key_spend':
      return limitOfKey(transaction, budget)
    case 'subscription':
      return limitOfSubscription(transaction, budget)
  }
}

async function limitOfKey(transaction: TablesTransaction, { kind, subjectId, window }: Budget): Promise<bigint | null> {
  const key = await transaction
    .selectFrom('api_keys')
    .select(['quota_limit_nano', 'rate_limit_json'])
    .where('id', '=', subjectId)
    .forUpdate()
    .executeTakeFirst()
  if (key === undefined) return null
  if (kind === 'key_quota') return key.quota_limit_nano
  return rateLimitOf(key.rate_limit_json)?.spend.find((spend) => spend.window === window)?.usd ?? null
}

async function limitOfSubscription(
  transaction: TablesTransaction,
  { subjectId, window }: Budget,
): Promise<bigint | null> {
  const subscription = await transaction
    .selectFrom('subscriptions')
    .select('quotas_json')
    .where('id', '=', subjectId)
    .executeTakeFirst()
  if (subscription === undefined) return null
  return quotasOf(subscription.quotas_json).find((quota) => quota.window === window)?.usd ?? null
}

/** Whether the subscription pays at this moment; it cannot be cancelled before the end of the transaction. */
async function lockRunning(transaction: TablesTransaction, subscriptionId: string, nowMs: number): Promise<boolean> {
  const running = await transaction
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', subscriptionId)
    .where('cancelled_at', 'is', null)
    .where('starts_at', '<=', nowMs)
    .where('ends_at', '>', nowMs)
    .forUpdate()
    .executeTakeFirst()
  return running !== undefined
}
