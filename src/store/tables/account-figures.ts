import { sql } from 'kysely'
import type { AccountFigures } from '../../access/account.ts'
import { nanoUsd } from '../../core/money.ts'
import type { Database } from '../engine/database.ts'

const HOUR_MS = 3_600_000

interface Row {
  readonly id: string
  readonly spent_nano: bigint | null
  readonly keys: number
  readonly session_at: number | null
  readonly key_at: number | null
}

/** See `AccountStore.figures`. One statement, which reads what belongs to these accounts alone. */
export async function accountFigures(
  { views }: Database,
  ids: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, AccountFigures>> {
  if (ids.length === 0) return new Map()
  const sinceHour = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
  const { rows } = await sql<Row>`
    select id,
      (select cast(sum(cost_nano) as bigint) from usage_account_hours
        where account_id = accounts.id and hour_at >= ${sinceHour}) as spent_nano,
      (select cast(count(*) as integer) from api_keys where account_id = accounts.id and status <> 'deleted') as keys,
      (select max(updated_at) from sessions where account_id = accounts.id) as session_at,
      (select max(last_used_at) from key_activity where account_id = accounts.id) as key_at
    from accounts where id in (${sql.join(ids)})`.execute(views)
  return new Map(
    rows.map(({ id, spent_nano: spent, keys, session_at: sessionAt, key_at: keyAt }) => {
      const lastSeenAt = Math.max(sessionAt ?? 0, keyAt ?? 0)
      return [id, { spent: nanoUsd(spent ?? 0n), keys, lastSeenAt: lastSeenAt === 0 ? null : lastSeenAt }]
    }),
  )
}
