import { type RawBuilder, sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { ExploredSums, ExploreQuery } from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import { type SampleQuery, sampledRecords, sampledSince, tagged } from './sampled-records.ts'

/** How many rows of the time before are looked up by those that are shown; the rest of it is in its total alone. */
const BEFORE_ROWS = 5_000

export type PlainSums = Omit<ExploredSums, 'before' | 'times'>

/** What a query finds, before it is compared and timed. */
export interface PlainExplored {
  readonly total: PlainSums
  /** The most expensive first, by the ids of their row as JSON. */
  readonly rows: ReadonlyMap<string, PlainSums>
  /** The moment since when requests are summed, epoch milliseconds; null: all of the time. */
  readonly sinceMs: number | null
}

interface RecordFigures {
  readonly requests: number
  readonly failed: number
  readonly cost_nano: bigint
  readonly costed_nano: bigint
  readonly provider_cost_nano: bigint
  readonly input_tokens: number
  readonly cache_read_tokens: number
  readonly output_tokens: number
}

interface RecordSumsRow extends RecordFigures {
  readonly of: 'all' | 'row'
  readonly first: string
  readonly second: string
}

/** Sums the newest records one by one, for what no sums are kept. Tokens are those of text. */
export async function sumRecords(
  database: Database,
  query: Omit<SampleQuery, 'limit'>,
  rowsLimit: number,
): Promise<PlainExplored> {
  const seen = { ...query, limit: query.newest }
  const [rows, sinceMs] = await Promise.all([sumsBy(database, seen, rowsLimit), sampledSince(database, seen)])
  return {
    total: sumsOf(rows.find((row) => row.of === 'all')),
    rows: new Map(rows.filter((row) => row.of === 'row').map((row) => [idsOf(row, query), sumsOf(row)])),
    sinceMs,
  }
}

/**
 * The sums of the most expensive rows, and of all, from one walk over the records. Tags are looked up for keys, of which there are
 * fewer than records; a request whose key has two counts once in all.
 */
async function sumsBy(database: Database, seen: SampleQuery, rowsLimit: number): Promise<readonly RecordSumsRow[]> {
  const isTagged = seen.by.includes('tag')
  const grouped = isTagged
    ? sql`of_keys as (select first, second, key_id, ${SUMS} from seen group by 1, 2, 3),
      ${tagged(database, seen, { name: 'of_tags', from: 'of_keys', columns: NAMES })},
      grouped as (select first, second, ${TOTALS} from of_tags group by 1, 2)`
    : sql`grouped as (select first, second, ${SUMS} from seen group by 1, 2)`
  const { rows } = await sql<RecordSumsRow>`
    ${sampledRecords(database, seen, 'sums')},
    ${grouped},
    top as (select * from grouped order by cost_nano desc, requests desc, 1, 2 limit ${rowsLimit})
    select 'all' as "of", '' as first, '' as second, ${TOTALS} from ${sql.table(isTagged ? 'of_keys' : 'grouped')}
    union all select 'row', top.* from top
    order by 1, cost_nano desc, requests desc, 2, 3`.execute(database.views)
  return rows
}

/** Sums the records of the time before; null where it has too many to be compared. */
export async function sumRecordsBefore(database: Database, query: ExploreQuery): Promise<PlainExplored | null> {
  const before = await sumRecords(database, query, BEFORE_ROWS)
  return before.sinceMs === null ? before : null
}

/** How rows are found by their parts. */
export function idsOf(
  row: { readonly first: string; readonly second: string },
  { by }: Pick<ExploreQuery, 'by'>,
): string {
  return JSON.stringify([row.first, row.second].slice(0, by.length))
}

// PostgreSQL sums integers to numeric, which would come as text.
const SUMMED: readonly (readonly [string, RawBuilder<unknown>])[] = [
  ['requests', sql`count(*)`],
  ['failed', sql`count(fault)`],
  ['cost_nano', sql`sum(cost_nano)`],
  ['costed_nano', sql`sum(case when provider_cost_nano is not null then cost_nano else 0 end)`],
  ['provider_cost_nano', sql`sum(provider_cost_nano)`],
  [
    'input_tokens',
    sql`sum(coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_tokens, 0) + coalesce(cache_write_1h_tokens, 0))`,
  ],
  ['cache_read_tokens', sql`sum(cache_read_tokens)`],
  ['output_tokens', sql`sum(output_tokens)`],
]
const SUMS = sql.join(SUMMED.map(([name, value]) => wholeNumber(value, name)))
const NAMES = sql.join(SUMMED.map(([name]) => sql.ref(name)))
const TOTALS = sql.join(SUMMED.map(([name]) => wholeNumber(sql`sum(${sql.ref(name)})`, name)))

function wholeNumber(value: RawBuilder<unknown>, name: string): RawBuilder<unknown> {
  return sql`cast(coalesce(${value}, 0) as bigint) as ${sql.ref(name)}`
}

function sumsOf(row: RecordFigures | undefined): PlainSums {
  return {
    requests: row?.requests ?? 0,
    failed: row?.failed ?? 0,
    charged: nanoUsd(row?.cost_nano ?? 0n),
    tokens: {
      input: row?.input_tokens ?? 0,
      cacheRead: row?.cache_read_tokens ?? 0,
      output: row?.output_tokens ?? 0,
    },
    costs: { costed: nanoUsd(row?.costed_nano ?? 0n), providerCost: nanoUsd(row?.provider_cost_nano ?? 0n) },
  }
}
