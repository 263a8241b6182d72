import type { Selectable } from 'kysely'
import type { ApiKey, KeyStatus, KeyWithOwner, NewKey } from '../../access/api-key.ts'
import type { Change } from '../../access/changes.ts'
import type { KeyStore } from '../../access/key-store.ts'
import type { Clock } from '../../core/clock.ts'
import { windowMs } from '../../core/quota-window.ts'
import { tellOfMovedLimit } from '../books/alert-writes.ts'
import { isOver, movedLimit, type StoredBudget } from '../books/budget-rows.ts'
import { closeLeasesOf } from '../books/sql-leases.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { amountOrNull } from '../schema/prices.ts'
import type { ApiKeyRow } from '../schema/tables.ts'
import { changing } from './changes.ts'
import { rateLimitJson, rateLimitOf } from './rate-limit-json.ts'
import { accountOf } from './sql-accounts.ts'
import { liveSubscriptions } from './sql-subscriptions.ts'

export class SqlKeyStore implements KeyStore {
  readonly #database: Database
  readonly #clock: Clock

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  async findByHash(secretHash: string): Promise<KeyWithOwner | null> {
    const { kysely } = this.#database
    const key = await kysely.selectFrom('api_keys').selectAll().where('secret_hash', '=', secretHash).executeTakeFirst()
    if (key === undefined) return null
    const [owner, subscriptions] = await Promise.all([
      kysely.selectFrom('accounts').selectAll().where('id', '=', key.account_id).executeTakeFirstOrThrow(),
      liveSubscriptions(this.#database, key.account_id, this.#clock.now()),
    ])
    return { key: keyOf(key), account: accountOf(owner), subscriptions }
  }

  async findById(id: string): Promise<ApiKey | null> {
    const row = await this.#database.kysely.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? null : keyOf(row)
  }

  async list(filter: { accountId?: string; includeDeleted?: boolean; limit: number }): Promise<readonly ApiKey[]> {
    const { accountId, includeDeleted = false, limit } = filter
    let query = this.#database.kysely.selectFrom('api_keys').selectAll().orderBy('id', 'desc').limit(limit)
    if (accountId !== undefined) query = query.where('account_id', '=', accountId)
    if (!includeDeleted) query = query.where('status', '<>', 'deleted')
    return (await query.execute()).map(keyOf)
  }

  create(key: NewKey, secret: { hash: string; start: string; end: string }): Promise<boolean> {
    return changing(this.#database, async (transaction, record) => {
      const inserted = await transaction
        .insertInto('api_keys')
        .values({
          ...settingsOf(key),
          id: key.id,
          account_id: key.accountId,
          status: 'active',
          status_changed_at: key.createdAt,
          secret_hash: secret.hash,
          secret_start: secret.start,
          secret_end: secret.end,
          created_at: key.createdAt,
        })
        .onConflict((conflict) => conflict.column('secret_hash').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (inserted === undefined) return false
      await record('key', key.id)
      return true
    })
  }

  /** Rejects for an unknown key. */
  update(key: ApiKey): Promise<Change> {
    return changing(this.#database, async (transaction, record) => {
      const updated = await transaction
        .updateTable('api_keys')
        .set(settingsOf(key))
        .where('id', '=', key.id)
        .returning('id')
        .executeTakeFirst()
      if (updated === undefined) throw new Error(`there is no API key ${key.id}`)
      await this.#moveLimits(transaction, key)
      return record('key', key.id)
    })
  }

  setStatus(id: string, status: KeyStatus, nowMs: number): Promise<Change | null> {
    return changing(this.#database, async (transaction, record) => {
      const updated = await transaction
        .updateTable('api_keys')
        .set({ status, status_changed_at: nowMs })
        .where('id', '=', id)
        .where('status', '<>', 'deleted')
        .returning('id')
        .executeTakeFirst()
      return updated === undefined ? null : record('key', id)
    })
  }

  /** Of every period and window that is not over: after the quota's reset was changed there may be two periods. */
  async #moveLimits(transaction: TablesTransaction, key: ApiKey): Promise<void> {
    const nowMs = this.#clock.now()
    const budgets = await transaction
      .selectFrom('budgets')
      .selectAll()
      .where('subject_id', '=', key.id)
      .where('kind', 'in', ['key_quota', 'key_spend'])
      .where((budget) => budget.or([budget('ends_at', 'is', null), budget('ends_at', '>', nowMs)]))
      .orderBy('id')
      .forUpdate()
      .execute()
    for (const budget of budgets) {
      const limit = budget.kind === 'key_quota' ? key.quotaLimit : spendLimit(key, budget.window_ms)
      if (limit === null || limit === budget.limit_nano || isOver(budget, nowMs)) continue
      const moved = await moveLimit(transaction, budget, limit)
      await tellOfMovedLimit(transaction, moved, nowMs)
    }
  }
}

/** What nodes have leased would still be spent, so leases that no longer fit are closed: only what is running comes on top. */
async function moveLimit(transaction: TablesTransaction, budget: StoredBudget, limit: bigint): Promise<StoredBudget> {
  const fits = budget.used_nano + budget.held_nano <= limit
  if (!fits) await closeLeasesOf(transaction, budget.id)
  const moved = movedLimit(fits ? budget : { ...budget, held_nano: 0n }, limit)
  await transaction.updateTable('budgets').set(moved).where('id', '=', budget.id).execute()
  return { ...budget, ...moved }
}

/** null: the key has no limit for windows of this length. */
function spendLimit(key: ApiKey, lengthMs: number | null): bigint | null {
  return key.rateLimit?.spend.find(({ window }) => windowMs(window) === lengthMs)?.usd ?? null
}

function settingsOf(key: NewKey) {
  return {
    name: key.name,
    group_id: key.groupId,
    fallback_group_ids_json: JSON.stringify(key.fallbackGroupIds),
    expires_at: key.expiresAt,
    quota_limit_nano: key.quotaLimit,
    quota_reset: key.quotaReset,
    rate_limit_json: rateLimitJson(key.rateLimit),
    allowed_models_json: JSON.stringify(key.allowedModels),
    allowed_ips_json: JSON.stringify(key.allowedIps),
    is_managed: key.isManaged,
  }
}

function keyOf(row: Selectable<ApiKeyRow>): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    groupId: row.group_id,
    fallbackGroupIds: row.fallback_group_ids_json as readonly string[],
    status: row.status,
    statusChangedAt: row.status_changed_at,
    expiresAt: row.expires_at,
    quotaLimit: amountOrNull(row.quota_limit_nano),
    quotaReset: row.quota_reset,
    rateLimit: rateLimitOf(row.rate_limit_json),
    allowedModels: row.allowed_models_json as readonly string[],
    allowedIps: row.allowed_ips_json as readonly string[],
    secretStart: row.secret_start,
    secretEnd: row.secret_end,
    createdAt: row.created_at,
    isManaged: row.is_managed,
  }
}
