import { sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { Margins, MarginsQuery, MarginSums } from '../../metering/usage/margins.ts'
import type { Database } from '../engine/database.ts'
import type { UpstreamHourRow } from '../schema/roll-up-tables.ts'
import { UPSTREAM_HOURS } from './roll-ups.ts'

const HOUR_MS = 3_600_000
const ROWS_LIMIT = 200

const COLUMNS = { upstream: 'upstream', model: 'model', group: 'group_id', fault: 'fault' } as const

type Sums = Pick<UpstreamHourRow, 'requests' | 'failed' | 'cost_nano' | 'provider_cost_nano' | 'costed_nano'>

/** See `UsageStore.margins`. */
export async function marginsOf(database: Database, query: MarginsQuery): Promise<Margins> {
  const fromMs = Math.floor(query.fromMs / HOUR_MS) * HOUR_MS
  const toMs = Math.ceil(query.toMs / HOUR_MS) * HOUR_MS
  const conditions = [
    sql`hour_at >= ${fromMs}`,
    sql`hour_at < ${toMs}`,
    ...(query.upstream === undefined ? [] : [sql`upstream = ${query.upstream}`]),
    ...(query.model === undefined ? [] : [sql`model = ${query.model}`]),
    ...(query.groupId === undefined ? [] : [sql`group_id = ${query.groupId}`]),
  ]
  const where = sql.join(conditions, sql` and `)
  const [total, rows] = await Promise.all([
    sql<Sums>`select ${SUMS} from usage_upstream_hours where ${where}`.execute(database.views),
    sql<Sums & { readonly part: string }>`
      select ${sql.ref(COLUMNS[query.split])} as part, ${SUMS} from usage_upstream_hours where ${where}
      group by 1 order by provider_cost_nano desc, cost_nano desc, 1 limit ${ROWS_LIMIT}`.execute(database.views),
  ])
  return {
    fromMs,
    toMs,
    total: sumsOf(total.rows[0]),
    rows: rows.rows.map((row) => ({ id: row.part, ...sumsOf(row) })),
  }
}

/** PostgreSQL sums integers to numeric, which would come as text. */
const SUMS = sql.join(
  UPSTREAM_HOURS.figures.map(
    (figure) => sql`cast(coalesce(sum(${sql.ref(figure)}), 0) as bigint) as ${sql.ref(figure)}`,
  ),
)

function sumsOf(row: Sums | undefined): MarginSums {
  return {
    requests: row?.requests ?? 0,
    failed: row?.failed ?? 0,
    charged: nanoUsd(row?.cost_nano ?? 0n),
    costed: nanoUsd(row?.costed_nano ?? 0n),
    providerCost: nanoUsd(row?.provider_cost_nano ?? 0n),
  }
}
