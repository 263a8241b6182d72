import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import { invariant } from '../../core/invariant.ts'
import { nanoUsd } from '../../core/money.ts'
import { isOfCredentials, type Margins, type MarginsQuery, type MarginSums } from '../../metering/usage/margins.ts'
import type { Database } from '../engine/database.ts'
import type { CostFigures } from '../schema/roll-up-tables.ts'
import { CREDENTIAL_DAYS } from './roll-ups.ts'
import { addedUp } from './usage-sums.ts'

/** How many rows there are at most: an upstream may have as many credentials. */
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
  const spanMs = ofCredentials ? DAY_MS : HOUR_MS
  const fromMs = Math.floor(query.fromMs / spanMs) * spanMs
  const toMs = Math.ceil(query.toMs / spanMs) * spanMs
  const time = sql.ref(ofCredentials ? 'day_at' : 'hour_at')
  const conditions = [
    sql`${time} >= ${fromMs}`,
    sql`${time} < ${toMs}`,
    ...(upstream === undefined ? [] : [sql`upstream = ${upstream}`]),
    ...(credential === undefined ? [] : [sql`credential = ${credential}`]),
    ...(model === undefined ? [] : [sql`model = ${model}`]),
    ...(groupId === undefined ? [] : [sql`group_id = ${groupId}`]),
  ]
  // Names of credentials are those of their upstream.
  const owner = split === 'credential' ? sql.ref('upstream') : sql`cast(null as text)`
  const table = sql.table(ofCredentials ? CREDENTIAL_DAYS.table : 'usage_upstream_hours')
  const { rows } = await database.snapshot((tables) =>
    sql<MarginsRow>`
      with grouped as (select ${sql.ref(COLUMNS[split])} as part, ${owner} as owner, ${SUMS} from ${table}
        where ${sql.join(conditions, sql` and `)} group by 1, 2),
      costliest as (select * from grouped order by provider_cost_nano desc, cost_nano desc, 1, 2 limit ${ROWS_LIMIT})
      select 'all' as "of", '' as part, null as owner, ${SUMS} from grouped
      union all select 'row', costliest.* from costliest
      order by 1, provider_cost_nano desc, cost_nano desc, 2, 3`.execute(tables),
  )
  return {
    fromMs,
    toMs,
    total: sumsOf(rows.find((row) => row.of === 'all')),
    rows: rows.filter((row) => row.of === 'row').map((row) => ({ id: row.part, upstream: row.owner, ...sumsOf(row) })),
  }
}

type MarginsRow = CostFigures & {
  readonly of: 'all' | 'row'
  readonly part: string
  readonly owner: string | null
}

const SUMS = addedUp(CREDENTIAL_DAYS.figures)

function sumsOf(row: CostFigures | undefined): MarginSums {
  return {
    requests: row?.requests ?? 0,
    failed: row?.failed ?? 0,
    charged: nanoUsd(row?.cost_nano ?? 0n),
    costed: nanoUsd(row?.costed_nano ?? 0n),
    providerCost: nanoUsd(row?.provider_cost_nano ?? 0n),
  }
}
