import { type RawBuilder, sql } from 'kysely'
import { type ExploredTimes, type ExploreQuery, isOfOne, type Percentiles } from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import { idsOf } from './explore-rows.ts'
import { type SampleQuery, sampledRecords, sampledSince, tagged } from './sampled-records.ts'

export interface Timed {
  readonly total: ExploredTimes | null
  /** The times of rows, by their ids as JSON. */
  readonly rows: ReadonlyMap<string, ExploredTimes>
  /** The moment since when requests are timed, epoch milliseconds; null: all of the time. */
  readonly sinceMs: number | null
}

interface TimesRow {
  readonly of: 'all' | 'row'
  readonly first: string
  readonly second: string
  /** The ranks of 50 and 95 %, with a stroke between; null: there is none. */
  readonly first_byte: string | null
  readonly total: string | null
}

/**
 * How long requests that ended well took, all together and in the rows with these ids, or in each. Refused ones would look
 * fast, and those that wait for a time-out slow.
 */
export async function timeRecords(
  database: Database,
  query: ExploreQuery,
  shown: readonly string[] | 'all',
): Promise<Timed> {
  const seen = { ...query, limit: Math.ceil(query.newest * partTimed(query)) }
  const [rows, sinceMs] = await Promise.all([timesBy(database, seen, shown), sampledSince(database, seen)])
  const total = rows.find((row) => row.of === 'all')
  return {
    total: total === undefined ? null : timesOf(total),
    rows: new Map(
      rows.flatMap((row) => {
        const times = row.of === 'all' ? null : timesOf(row)
        return times === null ? [] : [[idsOf(row, query), times]]
      }),
    ),
    sinceMs,
  }
}

/**
 * Half of what is summed is enough for the slowest twentieth of what is asked for often. Those of one account or key lie far
 * apart, each on a page of its own, which may have to come from the disk.
 */
function partTimed(query: ExploreQuery): number {
  return isOfOne(query) ? 1 / 8 : 1 / 2
}

/** The nearest ranks of all, and of each row that is asked for: those of ten thousand keys would take longer than the rest. */
async function timesBy(
  database: Database,
  seen: SampleQuery,
  shown: readonly string[] | 'all',
): Promise<readonly TimesRow[]> {
  const ranks = sql`${ranksOf(database, 'first_byte_ms')} as first_byte, ${ranksOf(database, 'total_ms')} as total`
  const columns = sql`first_byte_ms, total_ms`
  // A request whose key has two tags counts once in all.
  const where = shown === 'all' ? sql`` : sql`where ${among(database, shown)}`
  const ofRows =
    shown.length === 0
      ? sql``
      : sql`select 'row' as "of", first, second, ${ranks} from parted ${where} group by 2, 3 union all`
  const { rows } = await sql<TimesRow>`
    with ${sampledRecords(database, seen, 'times')},
    timed as (select first, second, key_id, ${columns} from seen where fault is null and outcome = 'completed'),
    ${tagged(database, seen, { name: 'parted', from: 'timed', columns })}
    ${ofRows} select 'all' as "of", '' as first, '' as second, ${ranks} from timed`.execute(database.views)
  return rows
}

/** Whether a row is one of those with these ids, which are one parameter. */
function among(database: Database, shown: readonly string[]): RawBuilder<unknown> {
  const pairs = `[${shown.join(',')}]`
  const each =
    database.kind === 'sqlite'
      ? sql`json_each(${pairs}) as each`
      : sql`jsonb_array_elements(${pairs}::jsonb) as each(value)`
  return sql`(first, second) in (select value ->> 0, coalesce(value ->> 1, '') from ${each})`
}

function ranksOf(database: Database, column: 'first_byte_ms' | 'total_ms') {
  if (database.kind === 'sqlite') return sql`p50_p95(${sql.ref(column)})`
  return sql`array_to_string(percentile_disc(array[0.5, 0.95]) within group (order by ${sql.ref(column)}), '/')`
}

function timesOf({ first_byte, total }: TimesRow): ExploredTimes | null {
  const ofAll = percentilesOf(total)
  return ofAll === null ? null : { firstByte: percentilesOf(first_byte), total: ofAll }
}

function percentilesOf(ranks: string | null): Percentiles | null {
  const [p50, p95] = ranks?.split('/').map(Number) ?? []
  return p50 === undefined || p95 === undefined ? null : { p50, p95 }
}
