import { isDeepStrictEqual } from 'node:util'
import type { ApiKey, KeyStatus, KeyWithOwner, NewKey } from '../../access/api-key.ts'
import type { BroughtSecret } from '../../access/brought-key.ts'
import type { Change } from '../../access/changes.ts'
import type { KeyFilter, KeyOrder, KeyPage, KeyListPlace, Watch, WatchedKey } from '../../access/key-list.ts'
import type { AddressUse, EditedKey, KeyActivity, KeyCreation, KeyStore, PreviousUse } from '../../access/key-store.ts'
import { limitSources } from '../../access/limits-in-force.ts'
import { withStandingRaise } from '../../access/quota-raise.ts'
import { mostKeys, NO_ACCOUNT_LIMITS } from '../../core/account-limits.ts'
import type { Clock } from '../../core/clock.ts'
import { nanoUsd } from '../../core/money.ts'
import { alertOfMovedLimit } from '../books/alert-writes.ts'
import { lockLimits, readStandardLimits } from '../books/limits-in-force.ts'
import { type Database, SqlStore, type TablesTransaction } from '../engine/database.ts'
import { readRow } from '../engine/rows-by-id.ts'
import { settingsColumns } from '../schema/key-columns.ts'
import { searchForm } from '../schema/search-form.ts'
import { quotaRaiseColumns } from '../schema/quota-raise-columns.ts'
import { forgetCapture } from './capture-rows.ts'
import { changing } from '../engine/changes.ts'
import { forgetAddress, noteAddresses } from './key-addresses.ts'
import { readKeyPage } from './key-page.ts'
import {
  adoptSecret,
  hasBroughtHashes,
  isRetired,
  recordFirstBrought,
  rowByDeviceSecret,
  rowBySecret,
  wasRotatedAway,
} from './key-secrets.ts'
import { countAlike, countKeys, ownLimit } from './key-counts.ts'
import { keyOf } from './key-row.ts'
import { keysToWatch } from './keys-to-watch.ts'
import { quotaRaisesDue } from './quota-raises-due.ts'
import { accountOf } from './sql-accounts.ts'
import { moveOpenLimits, spendLimit } from './spend-windows.ts'
import { liveSubscriptions } from './sql-subscriptions.ts'

/** Four random characters are shown of a secret; where so many begin alike, they were chosen by hand. */
const ALIKE_LIMIT = 20

export class SqlKeyStore extends SqlStore implements KeyStore {
  readonly #clock: Clock

  constructor(database: Database, clock: Clock) {
    super(database)
    this.#clock = clock
  }

  async findByHash(secretHash: string, broughtHash?: string): Promise<KeyWithOwner | null> {
    const { kysely } = this.database
    const bySecret = await rowBySecret(kysely, broughtHash === undefined ? [secretHash] : [secretHash, broughtHash])
    const byDeviceSecret = bySecret === undefined ? await rowByDeviceSecret(kysely, secretHash) : undefined
    const key = bySecret ?? byDeviceSecret
    if (key === undefined) return null
    const [owner, subscriptions, standard] = await Promise.all([
      kysely.selectFrom('accounts').selectAll().where('id', '=', key.account_id).executeTakeFirstOrThrow(),
      liveSubscriptions(this.database, key.account_id, this.#clock.now()),
      readStandardLimits(kysely),
    ])
    const account = accountOf(owner)
    const limiting = limitSources(account, standard.limits, subscriptions)
    const found = {
      key: keyOf(key),
      account,
      subscriptions,
      ...(key.device_epoch === null ? {} : { deviceSecret: byDeviceSecret?.secret_client ?? '' }),
      ...(limiting === undefined ? {} : { limiting }),
    }
    const { secret_hash: own, previous_secret_hash: previous } = key
    if (own === secretHash || bySecret === undefined) return found
    if (previous === secretHash) return { ...found, isByPreviousSecret: true }
    return { ...found, isByBroughtHash: true, ...(own === broughtHash ? {} : { isByPreviousSecret: true }) }
  }

  hasBroughtHashes(): Promise<boolean> {
    return hasBroughtHashes(this.database.kysely)
  }

  adopt(brought: BroughtSecret, secretHash: string): Promise<Change | null> {
    return changing(this.database, (transaction, record) => adoptSecret(transaction, record, { brought, secretHash }))
  }

  isRetired(secretHash: string): Promise<boolean> {
    return isRetired(this.database.kysely, secretHash)
  }

  async secretHashOf(id: string): Promise<string | null> {
    const row = await this.database.kysely
      .selectFrom('api_keys')
      .select('secret_hash')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.secret_hash ?? null
  }

  async findById(id: string): Promise<ApiKey | null> {
    const row = await readRow(this.database.kysely, 'api_keys', id)
    return row === undefined ? null : keyOf(row)
  }

  async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map()
    const rows = await this.database.views
      .selectFrom('api_keys')
      .select(['id', 'name'])
      .where('id', 'in', ids)
      .execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  }

  async list(filter: { accountId?: string; includeDeleted?: boolean; limit: number }): Promise<readonly ApiKey[]> {
    const { accountId, includeDeleted = false, limit } = filter
    let query = this.database.kysely.selectFrom('api_keys').selectAll().orderBy('id', 'desc').limit(limit)
    if (accountId !== undefined) query = query.where('account_id', '=', accountId)
    if (!includeDeleted) query = query.where('status', '<>', 'deleted')
    return (await query.execute()).map(keyOf)
  }

  async activityOf({ id, accountId }: Pick<ApiKey, 'id' | 'accountId'>): Promise<KeyActivity> {
    const row = await this.database.kysely
      .selectFrom('key_activity')
      .select(['last_used_at', 'spent_nano', 'last_address'])
      .where('account_id', '=', accountId)
      .where('key_id', '=', id)
      .executeTakeFirst()
    const lastUsedAt = row === undefined || row.last_used_at === 0 ? null : row.last_used_at
    return { lastUsedAt, spent: nanoUsd(row?.spent_nano ?? 0n), lastAddress: row?.last_address ?? null }
  }

  page(filter: KeyFilter, page: { order: KeyOrder; after: KeyListPlace | null; limit: number }): Promise<KeyPage> {
    return readKeyPage(this.database, filter, { ...page, nowMs: this.#clock.now() })
  }

  async tags(accountId: string | null): Promise<readonly { readonly tag: string; readonly keys: number }[]> {
    let query = this.database.views
      .selectFrom('api_keys')
      .select((row) => ['tags_json', row.fn.countAll<number>().as('keys')])
      .where('status', '<>', 'deleted')
      .where('tags_json', '<>', '[]')
      .groupBy('tags_json')
    if (accountId !== null) query = query.where('account_id', '=', accountId)
    const keys = new Map<string, number>()
    for (const row of await query.execute()) {
      for (const tag of row.tags_json as readonly string[]) keys.set(tag, (keys.get(tag) ?? 0) + row.keys)
    }
    return [...keys]
      .map(([tag, count]) => ({ tag, keys: count }))
      .toSorted((a, b) => b.keys - a.keys || (a.tag < b.tag ? -1 : 1))
  }

  toWatch(watch: Watch): Promise<readonly WatchedKey[]> {
    return keysToWatch(this.database, watch)
  }

  async findByStart(secretStart: string): Promise<ApiKey | null> {
    const rows = await this.database.kysely
      .selectFrom('api_keys')
      .selectAll()
      .where('secret_start', '=', secretStart)
      .where('status', '<>', 'deleted')
      .orderBy('id', 'desc')
      .limit(ALIKE_LIMIT)
      .execute()
    const [newest] = rows
    const isOneAccount = rows.every((row) => row.account_id === newest?.account_id)
    return newest === undefined || !isOneAccount || rows.length === ALIKE_LIMIT ? null : keyOf(newest)
  }

  countOf(accountId: string): Promise<number> {
    return countKeys(this.database.kysely, accountId)
  }

  async groupIdsOf(accountId: string): Promise<ReadonlySet<string>> {
    const rows = await this.database.kysely
      .selectFrom('api_keys')
      .select(['group_id', 'fallback_group_ids_json'])
      .distinct()
      .where('account_id', '=', accountId)
      .where('status', '<>', 'deleted')
      .execute()
    return new Set(rows.flatMap((row) => [row.group_id, ...(row.fallback_group_ids_json as readonly string[])]))
  }

  create(
    key: NewKey,
    secret: { hash: string; start: string; end: string },
    mostDevices?: number,
  ): Promise<KeyCreation> {
    return changing(this.database, async (transaction, record) => {
      // Locks the owner, so that keys that are made at once are counted one after the other.
      const limits = await lockLimits(transaction, key.accountId, key.createdAt)
      const mostOwn = mostKeys(limits ?? NO_ACCOUNT_LIMITS)
      const most = Math.min(ownLimit(key, mostDevices) ?? mostOwn, mostOwn > 0 ? Infinity : 0)
      if ((await countAlike(transaction, key)) >= most) return { kind: 'too_many', most } as const
      const inserted = await transaction
        .insertInto('api_keys')
        .values({
          ...columnsOf(key),
          id: key.id,
          account_id: key.accountId,
          status: 'active',
          status_changed_at: key.createdAt,
          secret_hash: secret.hash,
          secret_start: secret.start,
          secret_end: secret.end,
          created_at: key.createdAt,
          is_for_playground: key.isForPlayground === true,
          device_epoch: key.device?.epoch ?? null,
        })
        .onConflict((conflict) => conflict.column('secret_hash').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (inserted === undefined) return { kind: 'taken' } as const
      // Looked for after the insert: by now a rotation of the same instant is either seen here or stopped by the new row.
      if (await wasRotatedAway(transaction, secret.hash)) {
        await transaction.deleteFrom('api_keys').where('id', '=', key.id).execute()
        return { kind: 'taken' } as const
      }
      await transaction
        .insertInto('key_activity')
        .values({ account_id: key.accountId, key_id: key.id, last_used_at: 0, spent_nano: 0n })
        .onConflict((conflict) => conflict.columns(['account_id', 'key_id']).doNothing())
        .execute()
      await recordFirstBrought(transaction, record, { id: key.id, hash: secret.hash })
      await record('key', key.id)
      return { kind: 'created' } as const
    })
  }

  rotate(
    id: string,
    secret: { hash: string; start: string; end: string },
    overlapEndsAt: number,
  ): Promise<Change | null> {
    return changing(this.database, async (transaction, record) => {
      const before = await transaction
        .selectFrom('api_keys')
        .select(['secret_hash', 'secret_end', 'previous_secret_hash'])
        .where('id', '=', id)
        .where('status', '<>', 'deleted')
        .where('device_epoch', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      if (before === undefined) return null
      if (before.previous_secret_hash !== null) {
        await transaction.insertInto('retired_secrets').values({ secret_hash: before.previous_secret_hash }).execute()
      }
      await transaction
        .updateTable('api_keys')
        .set({
          secret_hash: secret.hash,
          secret_start: secret.start,
          secret_end: secret.end,
          previous_secret_hash: before.secret_hash,
          previous_secret_end: before.secret_end,
          previous_ends_at: overlapEndsAt,
          previous_last_used_at: null,
        })
        .where('id', '=', id)
        .execute()
      return record('key', id)
    })
  }

  async notePreviousUse(uses: readonly PreviousUse[]): Promise<void> {
    for (const { keyId, overlapEndsAt, lastUsedAt } of uses) {
      await this.database.kysely
        .updateTable('api_keys')
        .set({ previous_last_used_at: lastUsedAt })
        .where('id', '=', keyId)
        .where('previous_ends_at', '=', overlapEndsAt)
        .where((row) =>
          row.or([row('previous_last_used_at', 'is', null), row('previous_last_used_at', '<', lastUsedAt)]),
        )
        .execute()
    }
  }

  noteAddresses(uses: readonly AddressUse[]): Promise<void> {
    return noteAddresses(this.database, uses)
  }

  /** Rejects for an unknown key. */
  update(key: ApiKey): Promise<Change> {
    return changing(this.database, async (transaction, record) => {
      const updated = await transaction
        .updateTable('api_keys')
        .set(columnsOf(key))
        .where('id', '=', key.id)
        .returning('id')
        .executeTakeFirst()
      if (updated === undefined) throw new Error(`there is no API key ${key.id}`)
      await this.#moveLimits(transaction, key)
      return record('key', key.id)
    })
  }

  edit(id: string, edit: (before: ApiKey) => ApiKey, nowMs: number): Promise<EditedKey | null> {
    return changing(this.database, async (transaction, record) => {
      const row = await transaction
        .selectFrom('api_keys')
        .selectAll()
        .where('id', '=', id)
        .where('status', '<>', 'deleted')
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined) return null
      const before = keyOf(row)
      const wanted = withStandingRaise(edit(before))
      const after = wanted.status === before.status ? wanted : { ...wanted, statusChangedAt: nowMs }
      if (isDeepStrictEqual(before, after)) return { before, after, seq: null }
      const { status, statusChangedAt } = after
      await transaction
        .updateTable('api_keys')
        .set({ ...columnsOf(after), status, status_changed_at: statusChangedAt })
        .where('id', '=', id)
        .execute()
      await this.#moveLimits(transaction, after)
      const { seq } = await record('key', id)
      return { before, after, seq }
    })
  }

  raisesDue(nowMs: number, limit: number): Promise<readonly string[]> {
    return quotaRaisesDue(this.database.kysely, nowMs, limit)
  }

  setStatus(id: string, status: KeyStatus, nowMs: number): Promise<Change | null> {
    return changing(this.database, async (transaction, record) => {
      const updated = await transaction
        .updateTable('api_keys')
        .set({ status, status_changed_at: nowMs })
        .where('id', '=', id)
        .where('status', '<>', 'deleted')
        .returning('account_id')
        .executeTakeFirst()
      if (updated === undefined) return null
      if (status === 'deleted') {
        await forgetAddress(transaction, updated.account_id, id)
        await forgetCapture(transaction, id)
      }
      return record('key', id)
    })
  }

  /** Moves the limits of every period and window that is not over: after the quota's reset was changed there may be two periods. */
  async #moveLimits(transaction: TablesTransaction, key: ApiKey): Promise<void> {
    const nowMs = this.#clock.now()
    const moved = await moveOpenLimits(
      transaction,
      { subjectId: key.id, kinds: ['key_quota', 'key_spend'], nowMs },
      (budget) => (budget.kind === 'key_quota' ? key.quotaLimit : spendLimit(key.rateLimit, budget.window_ms)),
    )
    for (const budget of moved) await alertOfMovedLimit(transaction, budget, nowMs)
  }
}

function columnsOf(key: NewKey) {
  const raise = quotaRaiseColumns(withStandingRaise(key).quotaRaise)
  return { ...settingsColumns(key), ...raise, name_lower: searchForm(key.name), is_managed: key.isManaged }
}
