import { sql } from 'kysely'
import { invariant } from '../../core/invariant.ts'
import { nanoUsd } from '../../core/money.ts'
import { isOfCredentials, type Margins, type MarginsQuery, type MarginSums } from '../../metering/usage/margins.ts'
import type { Database } from '../engine/database.ts'
import type { CostFigures } from '../schema/roll-up-tables.ts'
import { CREDENTIAL_DAYS, UPSTREAM_HOURS } from './roll-ups.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** As many as an upstream may have credentials. */
const ROWS_LIMIT = 500

const COLUMNS = {
  upstream: 'upstream',
  credential: 'credential',
  model: 'model',
  group: 'group_id',
  fault: 'fault',
} as const

/** See `UsageStore.margins`. */
export async function marginsOf(database: Database, query: MarginsQuery): Promise<Margins> {
  const { split, upstream, credential, model, groupId } = query
  const ofCredentials = isOfCredentials(query)
  const isOfBoth = split === 'model' || split === 'group' || model !== undefined || groupId !== undefined
  invariant(!(ofCredentials && isOfBoth), 'sums by credential are of all models and groups')
  const [table, at, spanMs] = ofCredentials
    ? [sql.table(CREDENTIAL_DAYS.table), sql.ref('day_at'), DAY_MS]
    : [sql.table(UPSTREAM_HOURS.table), sql.ref('hour_at'), HOUR_MS]
  const fromMs = Math.floor(query.fromMs / spanMs) * spanMs
  const toMs = Math.ceil(query.toMs / spanMs) * spanMs
  const conditions = [
    sql`${at} >= ${fromMs}`,
    sql`${at} < ${toMs}`,
    ...(upstream === undefined ? [] : [sql`upstream = ${upstream}`]),
    ...(credential === undefined ? [] : [sql`credential = ${credential}`]),
    ...(model === undefined ? [] : [sql`model = ${model}`]),
    ...(groupId === undefined ? [] : [sql`group_id = ${groupId}`]),
  ]
  const where = sql.join(conditions, sql` and `)
  // Names of credentials are those of their upstream.
  const of = split === 'credential' ? sql.ref('upstream') : sql`cast(null as text)`
  const [total, rows] = await Promise.all([
    sql<CostFigures>`select ${SUMS} from ${table} where ${where}`.execute(database.views),
    sql<CostFigures & { readonly part: string; readonly owner: string | null }>`
      select ${sql.ref(COLUMNS[split])} as part, ${of} as owner, ${SUMS} from ${table} where ${where}
      group by 1, 2 order by provider_cost_nano desc, cost_nano desc, 1, 2 limit ${ROWS_LIMIT}`.execute(database.views),
  ])
  return {
    fromMs,
    toMs,
    total: sumsOf(total.rows[0]),
    rows: rows.rows.map((row) => ({ id: row.part, upstream: row.owner, ...sumsOf(row) })),
  }
}

/** PostgreSQL sums integers to numeric, which would come as text. */
const SUMS = sql.join(
  CREDENTIAL_DAYS.figures.map(
    (figure) => sql`cast(coalesce(sum(${sql.ref(figure)}), 0) as bigint) as ${sql.ref(figure)}`,
  ),
)

function sumsOf(row: CostFigures | undefined): MarginSums {
  return {
    requests: row?.requests ?? 0,
    failed: row?.failed ?? 0,
    charged: nanoUsd(row?.cost_nano ?? 0n),
    costed: nanoUsd(row?.costed_nano ?? 0n),
    providerCost: nanoUsd(row?.provider_cost_nano ?? 0n),
  }
}
