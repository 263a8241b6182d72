import { type Selectable, sql } from 'kysely'
import type { ApiKey } from '../../access/api-key.ts'
import type { Watch, WatchedKey } from '../../access/key-list.ts'
import { nanoUsd } from '../../core/money.ts'
import { quotaBudgetOf, spendBudgetsOf } from '../../entitlement/funding.ts'
import type { Database } from '../engine/database.ts'
import type { ApiKeyRow } from '../schema/key-columns.ts'
import { keyOf } from './key-row.ts'

/** More than are ever shown: a key may be near several limits, and a limit may be gone while its window still runs. */
const LOOKED_AT = 50
const WATCHED_LIMIT = 20

interface FilledBudget {
  readonly budget_id: string
  readonly key_id: string
  readonly used_nano: bigint
  readonly limit_nano: bigint
  readonly ends_at: number | null
}

/** See `KeyStore.toWatch`. */
export async function keysToWatch(database: Database, watch: Watch): Promise<readonly WatchedKey[]> {
  const [ending, filled] = await Promise.all([endingKeys(database, watch), filledBudgets(database, watch)])
  const keys = ending.map(keyOf)
  const byId = new Map(keys.map((key) => [key.id, key]))
  const missing = [...new Set(filled.map((each) => each.key_id))].filter((id) => !byId.has(id))
  if (missing.length > 0) {
    const rows = await database.views.selectFrom('api_keys').selectAll().where('id', 'in', missing).execute()
    for (const row of rows) byId.set(row.id, keyOf(row))
  }
  const spent = filled.flatMap((each): readonly WatchedKey[] => {
    const key = byId.get(each.key_id)
    return key === undefined ? [] : watchedSpend(key, each, watch.nowMs)
  })
  const ends = keys.map((key): WatchedKey => ({ id: key.id, name: key.name, why: 'expiry', at: key.expiresAt ?? 0 }))
  return [...spent, ...ends].slice(0, WATCHED_LIMIT)
}

function endingKeys(database: Database, { accountId, ...watch }: Watch): Promise<readonly Selectable<ApiKeyRow>[]> {
  return database.views
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('is_for_playground', '=', false)
    .where('expires_at', '>', watch.endedAfterMs)
    .where('expires_at', '<=', watch.endsBeforeMs)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(WATCHED_LIMIT)
    .execute()
}

/** The fullest first. What is of a period or window that is over has ended. */
async function filledBudgets(database: Database, watch: Watch): Promise<readonly FilledBudget[]> {
  const { rows } = await sql<FilledBudget>`
    select budgets.id as budget_id, api_keys.id as key_id, budgets.used_nano, budgets.limit_nano, budgets.ends_at
    from api_keys join budgets on budgets.subject_id = api_keys.id
    where api_keys.account_id = ${watch.accountId} and api_keys.status = 'active'
      and api_keys.is_for_playground = 0
      and budgets.kind in ('key_quota', 'key_spend') and budgets.limit_nano > 0
      and budgets.used_nano / ${watch.percent} >= budgets.limit_nano / 100
      and (budgets.ends_at is null or budgets.ends_at > ${watch.nowMs})
    order by budgets.used_nano * 1.0 / budgets.limit_nano desc, budgets.id limit ${LOOKED_AT}`.execute(database.views)
  return rows
}

/** Nothing where the key has this quota or window no more. */
function watchedSpend(key: ApiKey, filled: FilledBudget, nowMs: number): readonly WatchedKey[] {
  const { budget_id: budgetId, used_nano: used, limit_nano: limit, ends_at: resetsAt } = filled
  const amounts = { id: key.id, name: key.name, used: nanoUsd(used), limit: nanoUsd(limit), resetsAt }
  if (quotaBudgetOf(key, nowMs)?.id === budgetId) return [{ ...amounts, why: 'quota', window: null }]
  const spend = spendBudgetsOf(key).find(({ id }) => budgetId.startsWith(`${id}:`))
  return spend === undefined ? [] : [{ ...amounts, why: 'spend', window: spend.window }]
}
