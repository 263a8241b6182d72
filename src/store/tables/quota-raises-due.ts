import type { TablesTransaction } from '../engine/database.ts'
import { quotaRaiseColumns } from '../schema/quota-raise-columns.ts'
import { keyOf } from './key-row.ts'

/**
 * The ids of keys whose raised quota is to end by `nowMs`. After an edit by a node of the release before, a row keeps a raise
 * that stands no more: of those that are due, such raises are removed, so that they are in no other’s way.
 */
export async function quotaRaisesDue(
  tables: Pick<TablesTransaction, 'selectFrom' | 'updateTable'>,
  nowMs: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await tables
    .selectFrom('api_keys')
    .selectAll()
    .where('quota_raise_ends_at', '<=', nowMs)
    .where('status', '<>', 'deleted')
    .orderBy('quota_raise_ends_at')
    .limit(limit)
    .execute()
  const due = rows.filter((row) => keyOf(row).quotaRaise !== undefined)
  const stale = rows.filter((row) => !due.includes(row))
  for (const { id, quota_raise_ends_at: endsAt } of stale) {
    await tables
      .updateTable('api_keys')
      .set(quotaRaiseColumns(undefined))
      .where('id', '=', id)
      .where('quota_raise_ends_at', '=', endsAt)
      .execute()
  }
  return due.map(({ id }) => id)
}
