import { sql } from 'kysely'
import type { AccountFigures } from '../../access/account.ts'
import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import { nanoUsd } from '../../core/money.ts'
import type { Database } from '../engine/database.ts'

interface AccountFiguresRow {
  readonly id: string
  readonly keys: number
  readonly session_at: number | null
  readonly key_at: number | null
}

interface DayRow {
  readonly account_id: string
  readonly day_at: number
  readonly spent_nano: bigint
  readonly change_nano: bigint
}

/** See `AccountStore.figures`. Two statements, which read what belongs to these accounts alone. */
export async function accountFigures(
  { views }: Database,
  ids: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, AccountFigures>> {
  if (ids.length === 0) return new Map()
  const among = sql.join(ids)
  const since = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
  const lately = sql<AccountFiguresRow>`
    select id,
      (select cast(count(*) as integer) from api_keys where account_id = accounts.id and status <> 'deleted') as keys,
      (select max(updated_at) from sessions where account_id = accounts.id) as session_at,
      (select max(last_used_at) from key_activity where account_id = accounts.id) as key_at
    from accounts where id in (${among})`.execute(views)
  const days = sql<DayRow>`
    select account_id, hour_at / ${sql.lit(DAY_MS)} * ${sql.lit(DAY_MS)} as day_at,
      cast(sum(cost_nano) as bigint) as spent_nano, cast(-sum(balance_paid_nano) as bigint) as change_nano
    from usage_account_hours where account_id in (${among}) and hour_at >= ${since} group by 1, 2
    union all
    select account_id, created_at / ${sql.lit(DAY_MS)} * ${sql.lit(DAY_MS)} as day_at,
      0 as spent_nano, cast(sum(amount_nano) as bigint) as change_nano
    from ledger_entries
    where account_id in (${among}) and kind <> 'usage' and created_at >= ${since} group by 1, 2`.execute(views)
  const [{ rows }, spent] = await Promise.all([lately, days])
  const daysOf = Map.groupBy(spent.rows, ({ account_id: id }) => id)
  return new Map(rows.map((row) => [row.id, figuresOf(row, daysOf.get(row.id) ?? [])]))
}

function figuresOf(
  { keys, session_at: sessionAt, key_at: keyAt }: AccountFiguresRow,
  days: readonly DayRow[],
): AccountFigures {
  const lastSeenAt = Math.max(sessionAt ?? 0, keyAt ?? 0)
  const changes = Map.groupBy(days, ({ day_at: at }) => at)
  return {
    spent: nanoUsd(days.reduce((sum, { spent_nano: spent }) => sum + spent, 0n)),
    keys,
    lastSeenAt: lastSeenAt === 0 ? null : lastSeenAt,
    balanceChanges: [...changes]
      .map(([at, of]) => ({ at, amount: nanoUsd(of.reduce((sum, { change_nano: change }) => sum + change, 0n)) }))
      .sort((a, b) => b.at - a.at),
  }
}
