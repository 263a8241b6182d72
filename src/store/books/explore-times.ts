import { sql } from 'kysely'
import type { ExploredTimes, ExploreQuery, Percentiles } from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import { idsOf } from './explore-records.ts'
import { type Seen, seenRecords, seenSince } from './seen-records.ts'

/** So many of the newest records of a span are timed: enough for the slowest twentieth of what is asked for often. */
const TIMED_LIMIT = 20_000

export interface Timed {
  readonly total: ExploredTimes | null
  /** By the ids of their row as JSON. */
  readonly rows: ReadonlyMap<string, ExploredTimes>
  /** Since when requests are timed, epoch milliseconds; null: all of the span. */
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

/** How long requests that ended well took, by what the query groups. Refused ones would look fast, and those that wait for a time-out slow. */
export async function timeRecords(database: Database, query: ExploreQuery): Promise<Timed> {
  const seen = { ...query, limit: TIMED_LIMIT }
  // A request whose key has two tags counts once in the total.
  const isTagged = query.by.includes('tag')
  const [rows, apart, sinceMs] = await Promise.all([
    timesBy(database, seen),
    isTagged ? timesBy(database, { ...seen, by: [] }) : [],
    seenSince(database, seen),
  ])
  const total = (isTagged ? apart : rows).find((row) => row.of === 'all')
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

/** The nearest ranks, of each row and of all. */
async function timesBy(database: Database, seen: Seen): Promise<readonly TimesRow[]> {
  const ranks = sql`${ranksOf(database, 'first_byte_ms')} as first_byte, ${ranksOf(database, 'total_ms')} as total`
  const { rows } = await sql<TimesRow>`
    ${seenRecords(database, seen)},
    timed as (select first, second, first_byte_ms, total_ms from seen where fault is null and outcome = 'completed')
    select 'row' as "of", first, second, ${ranks} from timed group by 2, 3
    union all select 'all', '', '', ${ranks} from timed`.execute(database.views)
  return rows
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
