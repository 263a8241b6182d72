import type { Selectable } from 'kysely'
import type { Change } from '../../access/changes.ts'
import type { Subscription, SubscriptionStore } from '../../access/subscription.ts'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import { closeLeasesOf } from '../books/sql-leases.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { readRow } from '../engine/rows-by-id.ts'
import { limitsIn, limitsJson } from '../schema/limits-json.ts'
import type { SubscriptionRow } from '../schema/tables.ts'
import { changing, type ChangeRecorder } from '../engine/changes.ts'
import { behind } from '../books/newest-first.ts'
import { quotasJson, quotasOf } from '../schema/quotas-json.ts'
import { renewDue } from './renewals.ts'
import { changeLive, renewIn } from './subscription-changes.ts'

/** Far more than an account ever has at a time; the keys of an account carry them all. */
const LIVE_SUBSCRIPTIONS_LIMIT = 1000

/**
 * Subscriptions belong to what is remembered of an account's keys, so each change of one is a change of its account. A balance
 * that a renewal takes below `low` gives an alert; null: never.
 */
export function subscriptionsOn(database: Database, low: NanoUsd | null): SubscriptionStore {
  const { kysely } = database
  return {
    find: async (id) => {
      const row = await readRow(kysely, 'subscriptions', id)
      return row === undefined ? null : subscriptionOf(row)
    },
    list: async (accountId, limit, after = null) => {
      const query = kysely
        .selectFrom('subscriptions')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
      const rows = await (after === null ? query : query.where(behind('subscriptions', after))).execute()
      return rows.map(subscriptionOf)
    },
    live: (accountId, nowMs) => liveSubscriptions(database, accountId, nowMs),
    countsByPlan: (nowMs, endingByMs) => countsByPlan(database, nowMs, endingByMs),
    open: (subscription) =>
      changing(database, async (transaction, record) => {
        if (!(await hasAccount(transaction, subscription.accountId))) return null
        await insertSubscription(transaction, subscription)
        return record('account', subscription.accountId)
      }),
    renew: (id, by, nowMs) =>
      changing(database, (transaction, record) => renewIn(transaction, { id, by, record, nowMs })),
    setRenewal: async (id, upTo) => {
      const row = await kysely
        .updateTable('subscriptions')
        .set({ renews_up_to_nano: upTo })
        .where('id', '=', id)
        .where('cancelled_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
    renewDue: (by) => renewDue(database, by, low),
    cancel: (id, nowMs) => changing(database, (transaction, record) => cancelIn(transaction, { id, record, nowMs })),
  }
}

async function countsByPlan({ kysely }: Database, nowMs: number, endingByMs: number) {
  const rows = await kysely
    .selectFrom('subscriptions')
    .select((subscription) => [
      'plan_id',
      subscription.fn.countAll<number>().as('running'),
      subscription.fn.count<number>(subscription.case().when('ends_at', '<=', endingByMs).then(1).end()).as('ending'),
    ])
    .where('cancelled_at', 'is', null)
    .where('starts_at', '<=', nowMs)
    .where('ends_at', '>', nowMs)
    .groupBy('plan_id')
    .execute()
  return new Map(rows.map(({ plan_id: id, running, ending }) => [id, { running, ending }]))
}

/** Cancels a subscription as part of a transaction that does more than that. null: unknown, or cancelled already. */
export function cancelIn(
  transaction: TablesTransaction,
  { id, record, nowMs }: { id: string; record: ChangeRecorder; nowMs: number },
): Promise<Change | null> {
  // Leases come before the change's number, as wherever both are locked.
  return changeLive(transaction, { id, record, nowMs, before: () => closeLeases(transaction, id) }, () => ({
    cancelled_at: nowMs,
  }))
}

/** Takes a cancellation back. null: unknown. */
export async function reopenIn(
  transaction: TablesTransaction,
  { id, record }: { id: string; record: ChangeRecorder },
): Promise<Change | null> {
  const row = await transaction
    .updateTable('subscriptions')
    .set({ cancelled_at: null })
    .where('id', '=', id)
    .returning('account_id')
    .executeTakeFirst()
  return row === undefined ? null : record('account', row.account_id)
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

/** Reads subscriptions of an account that are neither cancelled nor over, also those yet to begin, by their end. */
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
      is_opening_groups: subscription.opensGroups,
      quotas_json: quotasJson(subscription.quotas),
      limits_json: limitsJson(subscription.limits),
      starts_at: subscription.startsAt,
      ends_at: subscription.endsAt,
      cancelled_at: subscription.cancelledAt,
      created_at: subscription.createdAt,
      renews_up_to_nano: subscription.renewsUpTo ?? null,
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

function subscriptionOf(row: Selectable<SubscriptionRow>): Subscription {
  return {
    id: row.id,
    accountId: row.account_id,
    planId: row.plan_id,
    planName: row.plan_name,
    groupIds: row.group_ids_json as readonly string[],
    opensGroups: row.is_opening_groups,
    quotas: quotasOf(row.quotas_json),
    ...limitsIn(row.limits_json),
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    cancelledAt: row.cancelled_at,
    createdAt: row.created_at,
    ...(row.renews_up_to_nano === null ? {} : { renewsUpTo: nanoUsd(row.renews_up_to_nano) }),
  }
}
