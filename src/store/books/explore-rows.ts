import { type Kysely, type RawBuilder, sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { ExploredSums, ExploreQuery } from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import type { CostFigures, UsageFigures } from '../schema/roll-up-tables.ts'
import type { Tables } from '../schema/tables.ts'
import { tagged } from './sampled-records.ts'
import { addedUp } from './usage-sums.ts'

/** The sums of a row; `before` is null where nothing is compared. */
export type RowSums = Omit<ExploredSums, 'times'>

export interface Sums {
  readonly total: RowSums
  /** The most expensive rows first, by their ids as JSON. */
  readonly rows: ReadonlyMap<string, RowSums>
}

/** Sums with the moment since when they are; null: all of the time that is asked for. */
export interface SumsSince extends Sums {
  readonly sinceMs: number | null
}

/** How rows are grouped and read. */
export interface RowsQuery extends Pick<ExploreQuery, 'by'> {
  /** Whether rows have the figures of the time before as well. */
  readonly isCompared: boolean
  /** How many of the most expensive rows are read; without: all of them. */
  readonly rowsLimit?: number
}

/** Where rows come from, with `first`, `second`, figures, and the key where tags are asked for. */
export interface RowsSource {
  /** The sums that a row has. */
  readonly figures: readonly string[]
  readonly from: RawBuilder<unknown>
  readonly ctes?: RawBuilder<unknown>
}

/** The figures that are read of the time before as well. */
export const BEFORE_FIGURES = ['requests', 'failed', 'cost_nano'] as const

/** Returns what the sum of a figure over the time before is called. */
export function beforeName(figure: (typeof BEFORE_FIGURES)[number]): string {
  return figure === 'cost_nano' ? 'cost_before_nano' : `${figure}_before`
}

type ExploredRowSums = CostFigures &
  UsageFigures & { requests_before: number; failed_before: number; cost_before_nano: bigint }

type ExploredRow = Partial<ExploredRowSums> & {
  readonly of: 'all' | 'row'
  readonly first: string
  readonly second: string
}

/** Reads the sums of all and of the most expensive rows. */
export async function readRows(
  { database, tables }: { readonly database: Database; readonly tables: Kysely<Tables> },
  query: RowsQuery,
  source: RowsSource,
): Promise<Sums> {
  const { isCompared, by, rowsLimit } = query
  const names = [...source.figures, ...(isCompared ? BEFORE_FIGURES.map(beforeName) : [])]
  const { ctes, from, all } = byTag(database, query, { ...source, names })
  const order = sql`cost_nano desc, requests desc, ${isCompared ? sql`cost_before_nano desc,` : sql``}`
  const isThere = isCompared ? sql`sum(requests) > 0 or sum(requests_before) > 0` : sql`sum(requests) > 0`
  // An empty text would be compared for each of many thousand rows.
  const [second, parts] = by.length > 1 ? [sql`second`, sql`1, 2`] : [sql`''`, sql`1`]
  const limit = rowsLimit === undefined ? sql`` : sql`order by ${order} 1, 2 limit ${rowsLimit}`
  const { rows } = await sql<ExploredRow>`
    with ${sql.join([
      ...ctes,
      sql`grouped as (select first, ${second} as second, ${addedUp(names)} from (${from}) parts
        group by ${parts} having ${isThere})`,
      sql`top as (select * from grouped ${limit})`,
    ])}
    select 'all' as "of", '' as first, '' as second, ${addedUp(names)} from ${sql.table(all)}
    union all select 'row', top.* from top
    order by 1, ${order} 2, 3`.execute(tables)
  const isSummed = (figure: keyof ExploredRowSums) => names.includes(figure)
  return {
    total: sumsOf(rows.find(({ of }) => of === 'all') ?? {}, isSummed),
    rows: new Map(rows.filter(({ of }) => of === 'row').map((row) => [idsOf(row, query), sumsOf(row, isSummed)])),
  }
}

/** Tags are looked up for keys, of which there are fewer than rows. A request whose key has two counts in both, and once in all. */
function byTag(
  database: Database,
  query: RowsQuery,
  { from, ctes, names }: RowsSource & { readonly names: readonly string[] },
): { readonly ctes: readonly RawBuilder<unknown>[]; readonly from: RawBuilder<unknown>; readonly all: string } {
  const given = ctes === undefined ? [] : [ctes]
  if (!query.by.includes('tag')) return { ctes: given, from, all: 'grouped' }
  const ofKeys = sql`of_keys as (select first, second, key_id, ${addedUp(names)} from (${from}) parts group by 1, 2, 3)`
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const ofTags = tagged(database, query, { name: 'of_tags', from: 'of_keys', columns })
  return { ctes: [...given, ofKeys, ofTags], from: sql`select * from of_tags`, all: 'of_keys' }
}

/** Returns how a row is found by its parts. */
export function idsOf(
  row: { readonly first: string; readonly second: string },
  { by }: Pick<ExploreQuery, 'by'>,
): string {
  return JSON.stringify([row.first, row.second].slice(0, by.length))
}

function sumsOf(row: Partial<ExploredRowSums>, isSummed: (figure: keyof ExploredRowSums) => boolean): RowSums {
  return {
    requests: row.requests ?? 0,
    failed: row.failed ?? 0,
    charged: nanoUsd(row.cost_nano ?? 0n),
    tokens: isSummed('input_tokens')
      ? { input: row.input_tokens ?? 0, cacheRead: row.cache_read_tokens ?? 0, output: row.output_tokens ?? 0 }
      : null,
    costs: isSummed('costed_nano')
      ? { costed: nanoUsd(row.costed_nano ?? 0n), providerCost: nanoUsd(row.provider_cost_nano ?? 0n) }
      : null,
    before: isSummed('requests_before')
      ? {
          requests: row.requests_before ?? 0,
          failed: row.failed_before ?? 0,
          charged: nanoUsd(row.cost_before_nano ?? 0n),
        }
      : null,
  }
}
