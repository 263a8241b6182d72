import { sql } from 'kysely'
import { DAY_MS } from '../../../core/durations.ts'
import type { KeptSince } from '../../../metering/usage/retention.ts'
import type { Database } from '../../engine/database.ts'

/**
 * Returns since when records are kept. A day counts as gone with its first record, and days go the oldest first, so all that
 * is left of older ones is what came late or could not be taken out.
 */
export async function keptSince(database: Database): Promise<KeptSince> {
  const query = sql<{ readonly is_all: boolean | number; readonly day_at: number }>`
    select cast(case when kind = 'usage' then 1 else 0 end as bigint) as is_all,
      cast(max(day_at) as bigint) as day_at
    from retired_days group by 1`
  const { rows } = await query.execute(database.views)
  const endOf = (isAll: 0 | 1) => {
    const dayAt = rows.find(({ is_all }) => Number(is_all) === isAll)?.day_at
    return dayAt === undefined ? null : dayAt + DAY_MS
  }
  const [records, refusals] = [endOf(1), endOf(0)]
  return { recordsMs: records, refusalsMs: records === null ? refusals : Math.max(records, refusals ?? records) }
}
