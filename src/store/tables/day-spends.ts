import { sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import { spenderKey, type Spending } from '../../routing/spender.ts'
import type { Database } from '../engine/database.ts'

/** Adds to what was spent on a day of UTC, and returns all of that day. Days before the last are forgotten. */
export async function shareSpend(
  database: Database,
  day: number,
  spent: readonly Spending[],
): Promise<readonly Spending[]> {
  // In one order everywhere, so that two nodes cannot wait for each other.
  const sorted = spent.toSorted((a, b) => (spenderKey(a) < spenderKey(b) ? -1 : 1))
  if (sorted.length > 0) {
    await database.kysely
      .insertInto('day_spends')
      .values(
        sorted.map(({ kind, upstreamId, name, amount }) => ({
          kind,
          upstream_id: upstreamId,
          name,
          day,
          spent_nano: amount,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'upstream_id', 'name', 'day'])
          .doUpdateSet({ spent_nano: sql<bigint>`day_spends.spent_nano + excluded.spent_nano` }),
      )
      .execute()
    await database.kysely
      .deleteFrom('day_spends')
      .where('day', '<', day - 1)
      .execute()
  }
  const rows = await database.kysely.selectFrom('day_spends').selectAll().where('day', '=', day).execute()
  return rows.map((row) => ({
    kind: row.kind,
    upstreamId: row.upstream_id,
    name: row.name,
    amount: nanoUsd(row.spent_nano),
  }))
}
