import { type Kysely, type RawBuilder, sql } from 'kysely'
import { invariant } from '../../core/invariant.ts'
import { nanoUsd } from '../../core/money.ts'
import { isOfCredentials, type Margins, type MarginsQuery, type MarginSums } from '../../metering/usage/margins.ts'
import type { Database } from '../engine/database.ts'
import type { CostFigures } from '../schema/roll-up-tables.ts'
import type { Tables } from '../schema/tables.ts'
import { CREDENTIAL_DAYS } from './roll-ups.ts'
import { readKnownSpans } from './spans/known-spans.ts'
import { type Stretch, touchedSpans } from './spans/span-plan.ts'
import { DAY_MS, HOUR_MS, UPSTREAM_SPANS } from './spans/span-tables.ts'
import { stretchSums } from './spans/stretch-sums.ts'

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
  const spanMs = ofCredentials ? DAY_MS : HOUR_MS
  const fromMs = Math.floor(query.fromMs / spanMs) * spanMs
  const toMs = Math.ceil(query.toMs / spanMs) * spanMs
  const conditions = [
    ...(upstream === undefined ? [] : [sql`upstream = ${upstream}`]),
    ...(credential === undefined ? [] : [sql`credential = ${credential}`]),
    ...(model === undefined ? [] : [sql`model = ${model}`]),
    ...(groupId === undefined ? [] : [sql`group_id = ${groupId}`]),
  ]
  // Names of credentials are those of their upstream.
  const owner = split === 'credential' ? sql.ref('upstream') : sql`cast(null as text)`
  const columns = [sql`${sql.ref(COLUMNS[split])} as part`, sql`${owner} as owner`]
  const rows = await database.snapshot(async (tables) => {
    const from = ofCredentials
      ? ofDays({ fromMs, toMs }, { columns, conditions })
      : await ofSpans(tables, { fromMs, toMs }, { columns, conditions })
    const found = await sql<MarginsRow>`
      with grouped as (select part, owner, ${SUMS} from (${from}) parts group by 1, 2 having sum(requests) > 0),
      dearest as (select * from grouped order by provider_cost_nano desc, cost_nano desc, 1, 2 limit ${ROWS_LIMIT})
      select 'all' as "of", '' as part, null as owner, ${SUMS} from grouped
      union all select 'row', dearest.* from dearest
      order by 1, provider_cost_nano desc, cost_nano desc, 2, 3`.execute(tables)
    return found.rows
  })
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

interface Wanted {
  readonly columns: readonly RawBuilder<unknown>[]
  readonly conditions: readonly RawBuilder<unknown>[]
}

async function ofSpans(tables: Kysely<Tables>, stretch: Stretch, wanted: Wanted): Promise<RawBuilder<unknown>> {
  const known = await readKnownSpans(tables, touchedSpans(UPSTREAM_SPANS, stretch))
  return stretchSums(UPSTREAM_SPANS, { ...stretch, beforeFromMs: stretch.fromMs, known }, { ...wanted, accounts: null })
}

function ofDays({ fromMs, toMs }: Stretch, { columns, conditions }: Wanted): RawBuilder<unknown> {
  const where = [sql`day_at >= ${fromMs}`, sql`day_at < ${toMs}`, ...conditions]
  const figures = CREDENTIAL_DAYS.figures.map((figure) => sql.ref(figure))
  return sql`select ${sql.join([...columns, ...figures])} from ${sql.table(CREDENTIAL_DAYS.table)}
    where ${sql.join(where, sql` and `)}`
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
