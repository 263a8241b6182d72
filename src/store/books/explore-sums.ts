import { sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import { EXPLORED_BY, type ExploredIn, type ExploredSums, type ExploreQuery } from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import type { CostFigures, UsageFigures } from '../schema/roll-up-tables.ts'
import { idsOf, type PlainSums } from './explore-records.ts'
import { usedKeys } from './key-spend.ts'

type KeptIn = Exclude<ExploredIn, 'records'>

const COLUMNS = {
  account: 'account_id',
  key: 'key_id',
  group: 'group_id',
  model: 'model',
  upstream: 'upstream',
  fault: 'fault',
} as const

const COUNTED = ['requests', 'failed', 'cost_nano'] as const
const BEFORE = ['requests_before', 'failed_before', 'cost_before_nano'] as const
const TOKENS = ['input_tokens', 'cache_read_tokens', 'output_tokens'] as const

const SOURCES = {
  costs: { table: 'usage_upstream_hours', figures: ['provider_cost_nano', 'costed_nano'] },
  tokens: { table: 'usage_account_hours', figures: TOKENS },
  keys: { table: 'usage_hours', figures: TOKENS },
} as const

type Counted = Pick<CostFigures, (typeof COUNTED)[number]>
type Figures = Counted &
  Partial<CostFigures> &
  Partial<UsageFigures> & {
    readonly requests_before: number
    readonly failed_before: number
    readonly cost_before_nano: bigint
  }

type SumsRow = Figures & { readonly of: 'all' | 'row'; readonly first: string; readonly second: string }

export type ComparedSums = PlainSums & Pick<ExploredSums, 'before'>

/** Reads sums that are kept by the hour, of a span of whole hours and of the time before, in one walk over both. */
export async function readSums(
  database: Database,
  query: ExploreQuery & { readonly beforeFromMs: number; readonly in: KeptIn; readonly rowsLimit: number },
): Promise<{ readonly total: ComparedSums; readonly rows: ReadonlyMap<string, ComparedSums> }> {
  const { fromMs, toMs, beforeFromMs, in: kept } = query
  const { table, figures } = SOURCES[kept]
  const column = (by: ExploreQuery['by'][number]) => sql.ref(by in COLUMNS ? COLUMNS[by as keyof typeof COLUMNS] : by)
  const conditions = EXPLORED_BY.flatMap((by) => {
    const value = query.where[by]
    return value === undefined ? [] : [sql`${column(by)} = ${value}`]
  })
  // The table of keys is found by its keys: those of the account that were used since.
  const { account } = query.where
  if (kept === 'keys' && query.where.key === undefined && account !== undefined) {
    conditions.push(sql`key_id in (${usedKeys({ accountId: account, fromMs: beforeFromMs })})`)
  }
  const where = sql.join([sql`hour_at >= ${beforeFromMs}`, sql`hour_at < ${toMs}`, ...conditions], sql` and `)
  // PostgreSQL sums integers to numeric, which would come as text.
  const sumOf = (figure: string, name: string, when: 'now' | 'before') => {
    const isThen = when === 'now' ? sql`hour_at >= ${fromMs}` : sql`hour_at < ${fromMs}`
    return sql`cast(coalesce(sum(case when ${isThen} then ${sql.ref(figure)} else 0 end), 0) as bigint) as ${sql.ref(name)}`
  }
  const sums = sql.join([
    ...[...COUNTED, ...figures].map((figure) => sumOf(figure, figure, 'now')),
    sumOf('requests', 'requests_before', 'before'),
    sumOf('failed', 'failed_before', 'before'),
    sumOf('cost_nano', 'cost_before_nano', 'before'),
  ])
  const [first, second] = query.by
  const part = (by: typeof first) => (by === undefined ? sql`''` : column(by))
  const names = [...COUNTED, ...figures, ...BEFORE]
  const totals = names.map((name) => sql`cast(coalesce(sum(${sql.ref(name)}), 0) as bigint) as ${sql.ref(name)}`)
  const { rows } = await sql<SumsRow>`
    with grouped as (
      select ${part(first)} as first, ${part(second)} as second, ${sums} from ${sql.table(table)} where ${where}
      group by 1, 2),
    dearest as (
      select * from grouped order by cost_nano desc, requests desc, cost_before_nano desc, 1, 2 limit ${query.rowsLimit})
    select 'all' as "of", '' as first, '' as second, ${sql.join(totals)} from grouped
    union all select 'row', dearest.* from dearest
    order by 1, cost_nano desc, requests desc, cost_before_nano desc, 2, 3`.execute(database.views)
  return {
    total: sumsOf(
      rows.find((row) => row.of === 'all'),
      kept,
    ),
    rows: new Map(rows.filter((row) => row.of === 'row').map((row) => [idsOf(row, query), sumsOf(row, kept)])),
  }
}

function sumsOf(row: Figures | undefined, kept: KeptIn): ComparedSums {
  return {
    requests: row?.requests ?? 0,
    failed: row?.failed ?? 0,
    charged: nanoUsd(row?.cost_nano ?? 0n),
    tokens:
      kept === 'costs'
        ? null
        : {
            input: row?.input_tokens ?? 0,
            cacheRead: row?.cache_read_tokens ?? 0,
            output: row?.output_tokens ?? 0,
          },
    costs:
      kept === 'costs'
        ? { costed: nanoUsd(row?.costed_nano ?? 0n), providerCost: nanoUsd(row?.provider_cost_nano ?? 0n) }
        : null,
    before: {
      requests: row?.requests_before ?? 0,
      failed: row?.failed_before ?? 0,
      charged: nanoUsd(row?.cost_before_nano ?? 0n),
    },
  }
}
