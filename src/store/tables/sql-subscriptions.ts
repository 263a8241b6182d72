import type { Selectable } from 'kysely'
import type { Change } from '../../access/changes.ts'
import type { ListPlace } from '../../core/list-place.ts'
import {
  laterByDays,
  type Renewal,
  type Subscription,
  type SubscriptionQuota,
  type SubscriptionStore,
} from '../../access/subscription.ts'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import { subscriptionBudget } from '../../metering/budgets/budget.ts'
import { lockBudget } from '../books/budget-rows.ts'
import { moveLimit } from '../books/moved-limits.ts'
import { closeLeasesOf } from '../books/sql-leases.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { limitsIn, limitsJson } from '../schema/limits-json.ts'
import type { SubscriptionRow } from '../schema/tables.ts'
import { changing, type RecordChange } from './changes.ts'
import { behind } from './newest-first.ts'
import { moveSpendWindows } from './spend-windows.ts'
import { quotasJson, quotasOf } from './quotas-json.ts'

/** Far more than an account ever has at a time; the keys of an account carry them all. */
const LIVE_SUBSCRIPTIONS_LIMIT = 1000

/** Subscriptions belong to what is remembered of an account's keys, so each change of one is a change of its account. */
export class SqlSubscriptionStore implements SubscriptionStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async find(id: string): Promise<Subscription | null> {
    const row = await this.#database.kysely
      .selectFrom('subscriptions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row === undefined ? null : subscriptionOf(row)
  }

  async list(accountId: string, limit: number, after: ListPlace | null = null): Promise<readonly Subscription[]> {
    const query = this.#database.kysely
      .selectFrom('subscriptions')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
    const rows = await (after === null ? query : query.where(behind('subscriptions', after))).execute()
    return rows.map(subscriptionOf)
  }

  live(accountId: string, nowMs: number): Promise<readonly Subscription[]> {
    return liveSubscriptions(this.#database, accountId, nowMs)
  }

  open(subscription: Subscription): Promise<Change | null> {
    return changing(this.#database, async (transaction, record) => {
      if (!(await hasAccount(transaction, subscription.accountId))) return null
      await insertSubscription(transaction, subscription)
      return record('account', subscription.accountId)
    })
  }

  renew(id: string, { days, termUsd }: Renewal, nowMs: number): Promise<Change | null> {
    return changing(this.#database, (transaction, record) =>
      changeLive(transaction, { id, record, nowMs, before: () => moveTerm(transaction, id) }, (row) => ({
        ends_at: laterByDays(Math.max(row.ends_at, nowMs), days),
        quotas_json: quotasJson(quotasOf(row.quotas_json).map((quota) => renewed(quota, termUsd))),
      })),
    )
  }

  cancel(id: string, nowMs: number): Promise<Change | null> {
    return changing(this.#database, (transaction, record) =>
      // Leases come before the change's number, as wherever both are locked.
      changeLive(transaction, { id, record, nowMs, before: () => closeLeases(transaction, id) }, () => ({
        cancelled_at: nowMs,
      })),
    )
  }
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
  const budget = await lockBudget(transaction, subscriptionBudget(id, term.usd, 'term').id)
  if (budget !== undefined && budget.limit_nano !== term.usd) await moveLimit(transaction, budget, term.usd)
}

/** What nodes have leased of it would still be spent. */
async function closeLeases(transaction: TablesTransaction, subscriptionId: string): Promise<void> {
  const rows = await transaction
    .selectFrom('budgets')
    .select('id')
    .where('subject_id', '=', subscriptionId)
    .where('kind', '=', 'subscription')
    .where('id', 'in', (leases) => leases.selectFrom('leases').select('budget_id'))
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id } of rows) await closeLeasesOf(transaction, id)
}

/** Those of an account that are neither cancelled nor over, also the ones yet to begin; the one that ends first first. */
export async function liveSubscriptions(
  { kysely }: Database,
  accountId: string,
  nowMs: number,
): Promise<readonly Subscription[]> {
  const rows = await kysely
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ends_at', '>', nowMs)
    .where('cancelled_at', 'is', null)
    .orderBy('ends_at')
    .orderBy('id')
    .limit(LIVE_SUBSCRIPTIONS_LIMIT)
    .execute()
  return rows.map(subscriptionOf)
}

/** Whether it was not there yet. */
export async function insertSubscription(transaction: TablesTransaction, subscription: Subscription): Promise<boolean> {
  const inserted = await transaction
    .insertInto('subscriptions')
    .values({
      id: subscription.id,
      account_id: subscription.accountId,
      plan_id: subscription.planId,
      plan_name: subscription.planName,
      group_ids_json: JSON.stringify(subscription.groupIds),
      quotas_json: quotasJson(subscription.quotas),
      limits_json: limitsJson(subscription.limits),
      starts_at: subscription.startsAt,
      ends_at: subscription.endsAt,
      cancelled_at: subscription.cancelledAt,
      created_at: subscription.createdAt,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function hasAccount(transaction: TablesTransaction, accountId: string): Promise<boolean> {
  const account = await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst()
  return account !== undefined
}

/** Changes one that was not cancelled; of two that change it at the same instant, the second sees what the first did. */
async function changeLive(
  transaction: TablesTransaction,
  about: { id: string; record: RecordChange; nowMs: number; before?: () => Promise<void> },
  change: (row: Selectable<SubscriptionRow>) => { ends_at?: number; quotas_json?: string; cancelled_at?: number },
): Promise<Change | null> {
  const { id, record, nowMs, before } = about
  const row = await transaction
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || row.cancelled_at !== null) return null
  await transaction.updateTable('subscriptions').set(change(row)).where('id', '=', id).execute()
  await before?.()
  if (row.limits_json !== null) await moveSpendWindows(transaction, row.account_id, nowMs)
  return record('account', row.account_id)
}

function subscriptionOf(row: Selectable<SubscriptionRow>): Subscription {
  return {
    id: row.id,
    accountId: row.account_id,
    planId: row.plan_id,
    planName: row.plan_name,
    groupIds: row.group_ids_json as readonly string[],
    quotas: quotasOf(row.quotas_json),
    ...limitsIn(row.limits_json),
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    cancelledAt: row.cancelled_at,
    createdAt: row.created_at,
  }
}
