import { type Kysely, type RawBuilder, sql } from 'kysely'
import { EXPLORED_BY, type ExploredIn, type ExploreQuery } from '../../metering/usage/explore.ts'
import type { CostFigures, UsageFigures } from '../schema/roll-up-tables.ts'
import type { Tables } from '../schema/tables.ts'
import { addedUp } from './usage-sums.ts'

/** Where sums are kept. */
export type KeptIn = Exclude<ExploredIn, 'records'>

/** What is asked of sums that are kept. */
export interface SumsQuery extends ExploreQuery {
  /** The beginning of the time before; where it is `fromMs`, nothing is compared. */
  readonly beforeFromMs: number
  readonly in: KeptIn
  /** How many of the most expensive rows are read; without: all of them. */
  readonly rowsLimit?: number
}

/** The sums of a row, and those of the time before where that is summed. */
export type ComparedFigures = Pick<CostFigures, 'requests' | 'failed' | 'cost_nano'> &
  Partial<CostFigures> &
  Partial<UsageFigures> & {
    readonly requests_before?: number
    readonly failed_before?: number
    readonly cost_before_nano?: bigint
  }

/** `all`: of all rows together, which stands first. */
export type SumsRow = ComparedFigures & {
  readonly of: 'all' | 'row'
  readonly first: string
  readonly second: string
}

const COLUMNS = {
  account: 'account_id',
  key: 'key_id',
  group: 'group_id',
  model: 'model',
  upstream: 'upstream',
  fault: 'fault',
} as const

/** Where rows come from. `all`: what adds up to all of them, where a row of `from` may be in several groups. */
export interface RowsSource {
  /** The sums that a row has. */
  readonly figures: readonly string[]
  readonly from: RawBuilder<unknown>
  readonly ctes: readonly RawBuilder<unknown>[]
  readonly all?: string
}

/** Reads the sums of all and of the most expensive rows, from `from`. */
export async function readRows(
  tables: Kysely<Tables>,
  query: SumsQuery,
  { figures, from, ctes, all = 'grouped' }: RowsSource,
): Promise<readonly SumsRow[]> {
  const isCompared = query.beforeFromMs < query.fromMs
  const names = [...figures, ...(isCompared ? BEFORE_FIGURES.map(beforeName) : [])]
  const order = sql`cost_nano desc, requests desc, ${isCompared ? sql`cost_before_nano desc,` : sql``}`
  const isThere = isCompared ? sql`sum(requests) > 0 or sum(requests_before) > 0` : sql`sum(requests) > 0`
  // An empty text would be compared for each of many thousand rows.
  const [second, parts] = query.by.length > 1 ? [sql`second`, sql`1, 2`] : [sql`''`, sql`1`]
  const limit = query.rowsLimit === undefined ? sql`` : sql`order by ${order} 1, 2 limit ${query.rowsLimit}`
  const { rows } = await sql<SumsRow>`
    with ${sql.join([
      ...ctes,
      sql`grouped as (select first, ${second} as second, ${addedUp(names)} from (${from}) parts
        group by ${parts} having ${isThere})`,
      sql`top as (select * from grouped ${limit})`,
    ])}
    select 'all' as "of", '' as first, '' as second, ${addedUp(names)} from ${sql.table(all)}
    union all select 'row', top.* from top
    order by 1, ${order} 2, 3`.execute(tables)
  return rows
}

/** The sums that are read of the time before as well. */
export const BEFORE_FIGURES = ['requests', 'failed', 'cost_nano'] as const

/** Returns what the sum of a figure over the time before is called. */
export function beforeName(figure: (typeof BEFORE_FIGURES)[number]): string {
  return figure === 'cost_nano' ? 'cost_before_nano' : `${figure}_before`
}

/** The parts of a row, as `first` and `second`; that of a tag is empty until its key is known. */
export function columnsOf({ by }: Pick<ExploreQuery, 'by'>): readonly RawBuilder<unknown>[] {
  const [first, second] = by
  const part = (each: typeof first, name: string) =>
    sql`${each === undefined || each === 'tag' ? sql`''` : columnOf(each)} as ${sql.ref(name)}`
  return [part(first, 'first'), part(second, 'second')]
}

/** What is filtered by; `account` and `tag` are asked for apart: by these the rows are found. */
export function conditionsOf({ where }: Pick<ExploreQuery, 'where'>): readonly RawBuilder<unknown>[] {
  return EXPLORED_BY.flatMap((by) => {
    const value = where[by]
    return value === undefined || by === 'account' || by === 'tag' ? [] : [sql`${columnOf(by)} = ${value}`]
  })
}

function columnOf(by: ExploreQuery['by'][number]): RawBuilder<unknown> {
  return sql.ref(by in COLUMNS ? COLUMNS[by as keyof typeof COLUMNS] : by)
}
