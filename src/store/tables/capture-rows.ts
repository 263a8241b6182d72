import type { Selectable } from 'kysely'
import type { ApiKey } from '../../access/api-key.ts'
import type { Capture, CaptureEnd, EndedCapture } from '../../access/capture.ts'
import type { TablesTransaction } from '../engine/database.ts'
import type { CaptureRow } from '../schema/capture-tables.ts'
import type { ApiKeyRow } from '../schema/key-columns.ts'
import type { ChangeRecorder } from '../engine/changes.ts'

/** The capture that a key names, as a part of the key. */
export function captureOfKey({
  capture_id: id,
  capture_ends_at: endsAt,
}: Selectable<ApiKeyRow>): Pick<ApiKey, 'capture'> {
  return id === null || endsAt === null ? {} : { capture: { id, endsAt } }
}

export function captureOf(row: Selectable<CaptureRow>): Capture {
  const { ended_at: at, ended_because: because } = row
  return {
    id: row.id,
    keyId: row.key_id,
    accountId: row.account_id,
    begunBy: row.begun_by,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    kept: row.kept,
    missed: row.missed,
    ended: at === null || because === null ? null : { at, because },
  }
}

/** Deletes a key's capture with all that it kept, and lets the key forget it. The key is locked. */
export async function forgetCapture(transaction: TablesTransaction, keyId: string): Promise<void> {
  const gone = await transaction.deleteFrom('captures').where('key_id', '=', keyId).returning('id').executeTakeFirst()
  if (gone === undefined) return
  await transaction.deleteFrom('captured_requests').where('capture_id', '=', gone.id).execute()
  await transaction
    .updateTable('api_keys')
    .set({ capture_id: null, capture_ends_at: null })
    .where('id', '=', keyId)
    .execute()
}

/** Ends it, once: null where it had ended. What it kept stays. The key is locked. */
export async function endCapture(
  transaction: TablesTransaction,
  id: string,
  how: { readonly because: CaptureEnd; readonly nowMs: number; readonly record: ChangeRecorder },
): Promise<EndedCapture | null> {
  const { because, nowMs, record } = how
  const row = await transaction
    .updateTable('captures')
    .set({ ended_at: nowMs, ended_because: because })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return null
  const key = await transaction
    .updateTable('api_keys')
    .set({ capture_id: null, capture_ends_at: null })
    .where('id', '=', row.key_id)
    .where('capture_id', '=', id)
    .returning('id')
    .executeTakeFirst()
  const change = key === undefined ? null : await record('key', key.id)
  return { capture: captureOf(row), because, change }
}
