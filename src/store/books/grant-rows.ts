import type { Budget, GrantRequest } from '../../metering/budgets/budget.ts'
import type { TablesTransaction } from '../engine/database.ts'
import { lockRow } from '../engine/rows-by-id.ts'
import { quotasOf } from '../schema/quotas-json.ts'
import { rateLimitOf } from '../schema/key-columns.ts'
import type { BudgetRow } from '../schema/tables.ts'
import { movedLimit, newBudgetRow, type StoredBudget } from './budget-rows.ts'
import { lockLimits } from './limits-in-force.ts'
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
  if (budget.kind === 'account_spend') return windowOfAccount(transaction, budget, nowMs)
  if (budget.window !== null) {
    return lockWindow(transaction, budget, { nowMs, open: (rowId) => openRow(transaction, budget, rowId) })
  }
  const found = await lockRow(transaction, 'budgets', budget.id)
  if (found !== undefined || budget.openingLimit === null) return found
  await openRow(transaction, budget, budget.id)
  return lockRow(transaction, 'budgets', budget.id)
}

/**
 * A plan that carries limits of the account begins and ends without a change of anything stored, so the limit in force is
 * looked up at each grant. Where it is lower than the row's, what nodes hold of it may still be spent.
 */
async function windowOfAccount(transaction: TablesTransaction, budget: Budget, nowMs: number): Promise<StoredBudget> {
  const limits = await lockLimits(transaction, budget.subjectId, nowMs)
  const limit = limits?.spend.find(({ window }) => window === budget.window)?.usd ?? null
  const open = (rowId: string) => insertRow(transaction, newBudgetRow(budget, rowId), limit)
  const row = await lockWindow(transaction, budget, { nowMs, open })
  if (limit === null || limit === row.limit_nano) return row
  const moved = movedLimit(row, limit)
  await transaction.updateTable('budgets').set(moved).where('id', '=', row.id).execute()
  return { ...row, ...moved }
}

/** The limit is read anew: the node may remember one that was changed a moment ago. */
async function openRow(transaction: TablesTransaction, budget: Budget, rowId: string): Promise<void> {
  await insertRow(transaction, newBudgetRow(budget, rowId), await limitNow(transaction, budget))
}

/** Several nodes may do so at once: the first makes the row. `limit` null: what the node knows. */
async function insertRow(transaction: TablesTransaction, row: BudgetRow, limit: bigint | null): Promise<void> {
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
    case 'account_spend':
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
  return quotasOf(subscription.quotas_json).find((quota) => quota.window === (window ?? 'term'))?.usd ?? null
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
