import type { TablesTransaction } from '../engine/database.ts'
import { keyOf } from './key-row.ts'

/** The ids of keys whose raised quota is to end by `nowMs`. */
export async function quotaRaisesDue(
  tables: Pick<TablesTransaction, 'selectFrom'>,
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
  // After an edit by a node of the release before, a row keeps a raise that stands no more.
  return rows.flatMap((row) => (keyOf(row).quotaRaise === undefined ? [] : [row.id]))
}
