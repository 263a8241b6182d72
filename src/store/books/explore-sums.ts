import { type Kysely, sql } from 'kysely'
import { DAY_MS } from '../../core/durations.ts'
import type { Database } from '../engine/database.ts'
import type { Tables } from '../schema/tables.ts'
import { readRows, type Sums, type SumsSince } from './explore-rows.ts'
import { isOfAllCallers, sourceOf, type SumsQuery } from './explore-sources.ts'
import { dayOf } from './roll-ups.ts'

/**
 * How many sums of days are added up for each request that would be summed one by one: it takes about as long, since many
 * of them lie together.
 */
const SUMS_PER_REQUEST = 10

/** Reads sums that are kept, of a time of whole hours and of the time before. */
export async function readSums(database: Database, query: SumsQuery): Promise<SumsSince> {
  if (!isOfAllCallers(query)) return { ...(await readAll(database, query)), sinceMs: null }
  const newest = await newestDays(database, query)
  return {
    ...(await readAll(database, { ...query, ...newest })),
    sinceMs: newest.fromMs > query.fromMs ? newest.fromMs : null,
  }
}

function readAll(database: Database, query: SumsQuery): Promise<Sums> {
  const rowsQuery = { ...query, isCompared: query.beforeFromMs < query.fromMs }
  const read = (tables: Kysely<Tables>) => readRows({ database, tables }, rowsQuery, sourceOf(query))
  // The sums of one key or of the keys of one account are found at once.
  return query.in === 'keys' && !isOfAllCallers(query) ? read(database.views) : database.snapshot(read)
}

/**
 * The newest days of a time, as many as have few enough sums by account or key to be added up while someone waits. What is cut
 * is compared with nothing.
 */
async function newestDays(
  database: Database,
  { fromMs, toMs, beforeFromMs, newest }: SumsQuery,
): Promise<Pick<SumsQuery, 'fromMs' | 'beforeFromMs'>> {
  const { rows: days } = await sql<{ readonly day_at: number; readonly sums: number }>`
    select day_at, count(*) as sums from usage_days where day_at >= ${dayOf(beforeFromMs)} and day_at < ${toMs}
    group by day_at order by day_at desc`.execute(database.views)
  let sums = 0
  for (const [at, day] of days.entries()) {
    sums += day.sums
    if (at === 0 || sums <= newest * SUMS_PER_REQUEST) continue
    const sinceMs = Math.max(fromMs, day.day_at + DAY_MS)
    return { fromMs: sinceMs, beforeFromMs: sinceMs }
  }
  return { fromMs, beforeFromMs }
}
