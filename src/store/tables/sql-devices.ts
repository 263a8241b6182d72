import type { Change } from '../../access/changes.ts'
import {
  type Device,
  type DeviceRequest,
  type DeviceSecret,
  type DeviceStore,
  endOfDevice,
  type PollAnswer,
  type RefreshAnswer,
  type RefreshUse,
} from '../../access/device.ts'
import { insertAlerts } from '../books/alert-writes.ts'
import { changing } from '../engine/changes.ts'
import { SqlSettingStore } from './sql-settings.ts'
import { SqlStore, type TablesTransaction } from '../engine/database.ts'
import { lockId } from '../engine/rows-by-id.ts'
import type { DeviceRequestRow } from '../schema/device-tables.ts'
import { deviceOf, deviceRow, requestOf, requestRow, secretOf } from './device-rows.ts'

/** A program that polls too fast is to wait so much longer (RFC 8628, 3.5); never longer than the most. */
const SLOW_DOWN_MS = 5_000
const LONGEST_INTERVAL_MS = 60_000
/** A poll that comes this much early is not too fast: networks do not deliver to the millisecond. */
const EARLY_MS = 500
/** An answer with tokens may be lost: it is given again for so long. */
const REDEEMED_AGAIN_MS = 60_000

export class SqlDeviceStore extends SqlStore implements DeviceStore {
  async ask(request: DeviceRequest, most: { ofNetwork: number; ofAll: number }): Promise<boolean> {
    const { askedAt, askedNetwork } = request
    return this.database.together(async (inside) => {
      // One after the other, so that they are counted.
      await new SqlSettingStore(inside).lock('device_requests', '')
      const open = inside.kysely.selectFrom('device_requests').where('expires_at', '>', askedAt)
      const count = (query: typeof open, limit: number) => query.select('code_hash').limit(limit).execute()
      const ofNetwork = await count(open.where('asked_network', '=', askedNetwork), most.ofNetwork)
      if (ofNetwork.length >= most.ofNetwork || (await count(open, most.ofAll)).length >= most.ofAll) return false
      await inside.kysely.insertInto('device_requests').values(requestRow(request)).execute()
      return true
    })
  }

  async requestOf(userCodeHash: string, nowMs: number): Promise<DeviceRequest | null> {
    const row = await this.database.kysely
      .selectFrom('device_requests')
      .selectAll()
      .where('user_code_hash', '=', userCodeHash)
      .where('expires_at', '>', nowMs)
      .executeTakeFirst()
    return row === undefined ? null : requestOf(row)
  }

  poll(codeHash: string, nowMs: number): Promise<PollAnswer> {
    return this.database.transaction(async (transaction): Promise<PollAnswer> => {
      const row = await transaction
        .selectFrom('device_requests')
        .selectAll()
        .where('code_hash', '=', codeHash)
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined) return { kind: 'unknown' }
      const set = (values: Partial<DeviceRequestRow>) =>
        transaction.updateTable('device_requests').set(values).where('code_hash', '=', codeHash).execute()
      if (row.state === 'denied') return { kind: 'denied' }
      if (nowMs >= row.expires_at) return { kind: 'expired' }
      if (row.state === 'pending') {
        const isTooFast = nowMs - row.polled_at < row.interval_ms - EARLY_MS
        const interval_ms = isTooFast ? Math.min(row.interval_ms + SLOW_DOWN_MS, LONGEST_INTERVAL_MS) : row.interval_ms
        await set({ polled_at: nowMs, interval_ms })
        return { kind: isTooFast ? 'too_fast' : 'pending' }
      }
      if (row.redeemed_at !== null && nowMs - row.redeemed_at > REDEEMED_AGAIN_MS) return { kind: 'expired' }
      const device = row.key_id === null ? null : await readDevice(transaction, row.key_id)
      // A refresh says that the answer arrived: what comes now is another's copy of the code.
      if (device === null || device.refreshCount > 0) return { kind: 'expired' }
      if (row.redeemed_at === null) await set({ redeemed_at: nowMs })
      return { kind: 'approved', device }
    })
  }

  async decide(userCodeHash: string, decision: Parameters<DeviceStore['decide']>[1], nowMs: number): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const decided = await transaction
        .updateTable('device_requests')
        .set({ state: decision.state, key_id: decision.state === 'approved' ? decision.device.keyId : null })
        .where('user_code_hash', '=', userCodeHash)
        .where('state', '=', 'pending')
        .where('expires_at', '>', nowMs)
        .returning('code_hash')
        .executeTakeFirst()
      if (decided === undefined) return false
      if (decision.state === 'approved') {
        await transaction.insertInto('devices').values(deviceRow(decision.device)).execute()
      }
      return true
    })
  }

  find(keyId: string): Promise<Device | null> {
    return readDevice(this.database.kysely, keyId)
  }

  async list(accountId: string): Promise<readonly Device[]> {
    const rows = await this.database.kysely
      .selectFrom('devices')
      .innerJoin('api_keys', 'api_keys.id', 'devices.key_id')
      .selectAll('devices')
      .where('devices.account_id', '=', accountId)
      .where('api_keys.status', '<>', 'deleted')
      .orderBy('devices.key_id', 'desc')
      .execute()
    return rows.map(deviceOf)
  }

  refresh(use: RefreshUse): Promise<RefreshAnswer> {
    const { keyId, count, nowMs, from, graceMs } = use
    return this.database.transaction(async (transaction): Promise<RefreshAnswer> => {
      // Locks the row: of several uses at once each sees what the one before it has done.
      const row = await transaction
        .selectFrom('devices')
        .selectAll()
        .where('key_id', '=', keyId)
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined || !(await isSignedIn(transaction, keyId))) return { kind: 'ended' }
      const device = deviceOf(row)
      if (nowMs >= endOfDevice(device, use)) return { kind: 'ended' }
      const lastMs = device.refreshedAt ?? device.approvedAt
      if (nowMs - lastMs >= use.unusedMs) return { kind: 'ended' }
      if (count === device.refreshCount - 1 && nowMs - lastMs <= graceMs) return { kind: 'again', device }
      if (count === device.refreshCount - 1 && mayBeLate(device)) {
        const late = { ...device, lateCount: device.refreshCount }
        await transaction.updateTable('devices').set(deviceRow(late)).where('key_id', '=', keyId).execute()
        return { kind: 'again', device: late }
      }
      // A database that was put back from a backup is behind the tokens that were made since.
      if (count < device.refreshCount) return { kind: 'reused', device }
      const renewed = { ...device, refreshCount: count + 1, refreshedAt: nowMs, refreshedFrom: from }
      await transaction.updateTable('devices').set(deviceRow(renewed)).where('key_id', '=', keyId).execute()
      return { kind: 'renewed', device: renewed }
    })
  }

  async alertReused(keyId: string, nowMs: number): Promise<void> {
    await insertAlerts(this.database.kysely, [
      { id: `device_reused:${keyId}`, kind: 'device_reused', subject_id: keyId, created_at: nowMs },
    ])
  }

  addSecret(secret: DeviceSecret, secretHash: string, most: number): Promise<boolean> {
    return changing(this.database, async (transaction, record) => {
      await lockId(transaction, 'api_keys', secret.keyId)
      if (!(await isSignedIn(transaction, secret.keyId))) return false
      const { id, keyId, client, secretStart, secretEnd, createdAt } = secret
      const others = await transaction.selectFrom('device_secrets').select('id').where('key_id', '=', keyId).execute()
      if (others.length >= most) return false
      await transaction
        .insertInto('device_secrets')
        .values({
          id,
          key_id: keyId,
          client,
          secret_hash: secretHash,
          secret_start: secretStart,
          secret_end: secretEnd,
          created_at: createdAt,
        })
        .execute()
      // Gateways may remember that there was no key with this secret.
      await record('key', keyId)
      return true
    })
  }

  async secretsOf(keyIds: readonly string[]): Promise<readonly DeviceSecret[]> {
    if (keyIds.length === 0) return []
    const rows = await this.database.kysely
      .selectFrom('device_secrets')
      .selectAll()
      .where('key_id', 'in', keyIds)
      .orderBy('id')
      .execute()
    return rows.map(secretOf)
  }

  deleteSecret(keyId: string, id: string): Promise<Change | null> {
    return changing(this.database, async (transaction, record) => {
      const deleted = await transaction
        .deleteFrom('device_secrets')
        .where('id', '=', id)
        .where('key_id', '=', keyId)
        .returning('id')
        .executeTakeFirst()
      return deleted === undefined ? null : record('key', keyId)
    })
  }

  async due(use: Parameters<DeviceStore['due']>[0], limit: number): Promise<readonly string[]> {
    const { nowMs, unusedMs, neverUsedMs, longestMs } = use
    const rows = await this.database.kysely
      .selectFrom('devices')
      .innerJoin('api_keys', 'api_keys.id', 'devices.key_id')
      .innerJoin('key_activity', (join) =>
        join
          .onRef('key_activity.key_id', '=', 'devices.key_id')
          .onRef('key_activity.account_id', '=', 'devices.account_id'),
      )
      .select('devices.key_id')
      .where('api_keys.status', '<>', 'deleted')
      .where((row) =>
        row.or([
          row('devices.approved_at', '<=', nowMs - longestMs),
          row.and([
            row('devices.approved_at', '<=', nowMs - neverUsedMs),
            row('devices.refreshed_at', 'is', null),
            row('key_activity.last_used_at', '=', 0),
          ]),
          row.and([
            row('devices.approved_at', '<=', nowMs - unusedMs),
            row.or([row('devices.refreshed_at', 'is', null), row('devices.refreshed_at', '<=', nowMs - unusedMs)]),
            row('key_activity.last_used_at', '<=', nowMs - unusedMs),
          ]),
        ]),
      )
      .limit(limit)
      .execute()
    return rows.map((row) => row.key_id)
  }

  async forgetRequests(nowMs: number, limit: number): Promise<number> {
    const over = this.database.kysely
      .selectFrom('device_requests')
      .select('code_hash')
      .where('expires_at', '<=', nowMs)
      .limit(limit)
    const deleted = await this.database.kysely
      .deleteFrom('device_requests')
      .where('code_hash', 'in', over)
      .returning('code_hash')
      .execute()
    return deleted.length
  }
}

type Reader = Pick<TablesTransaction, 'selectFrom'>

async function readDevice(tables: Reader, keyId: string): Promise<Device | null> {
  const row = await tables.selectFrom('devices').selectAll().where('key_id', '=', keyId).executeTakeFirst()
  return row === undefined ? null : deviceOf(row)
}

async function isSignedIn(tables: Reader, keyId: string): Promise<boolean> {
  const key = await tables.selectFrom('api_keys').select('status').where('id', '=', keyId).executeTakeFirst()
  return key !== undefined && key.status !== 'deleted'
}

/** Two tokens in a row that were late are in two hands: who lost the answer to one has the next one alone. */
function mayBeLate({ lateCount, refreshCount }: Device): boolean {
  return lateCount !== refreshCount - 1
}
