import { sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { CredentialSpend } from '../../routing/credential-states.ts'
import type { Database } from '../engine/database.ts'

/** Adds to what was spent on a day of UTC, and returns all of that day. Days before the last are forgotten. */
export async function shareSpend(
  database: Database,
  day: number,
  spent: readonly CredentialSpend[],
): Promise<readonly CredentialSpend[]> {
  // In one order everywhere, so that two nodes cannot wait for each other.
  const sorted = spent.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  if (sorted.length > 0) {
    await database.kysely
      .insertInto('credential_spends')
      .values(
        sorted.map(({ upstreamId, name, amount }) => ({ upstream_id: upstreamId, name, day, spent_nano: amount })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['upstream_id', 'name', 'day'])
          .doUpdateSet({ spent_nano: sql<bigint>`credential_spends.spent_nano + excluded.spent_nano` }),
      )
      .execute()
    await database.kysely
      .deleteFrom('credential_spends')
      .where('day', '<', day - 1)
      .execute()
  }
  const rows = await database.kysely.selectFrom('credential_spends').selectAll().where('day', '=', day).execute()
  return rows.map((row) => ({ upstreamId: row.upstream_id, name: row.name, amount: nanoUsd(row.spent_nano) }))
}

function keyOf({ upstreamId, name }: CredentialSpend): string {
  return `${upstreamId}\n${name}`
}
