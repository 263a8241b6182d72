import { sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { Database } from '../engine/database.ts'
import type { ComparedSums, Sums } from './explore-compared.ts'
import { idsOf } from './explore-records.ts'
import { type ComparedFigures, readRows, type SumsQuery, type SumsRow } from './explore-rows.ts'
import { isOfAllCallers, sourceOf } from './explore-sources.ts'
import { dayOf } from './roll-ups.ts'

const DAY_MS = 86_400_000
/**
 * How many sums of days are added up for each request that would be summed one by one: it takes about as long, since many
 * of them lie together.
 */
const SUMS_PER_REQUEST = 10

/** Sums with the moment since when they are; null: all of the time that is asked for. */
export interface SumsSince extends Sums {
  readonly sinceMs: number | null
}

/** Reads sums that are kept, of a time of whole hours and of the time before. */
export async function readSums(database: Database, query: SumsQuery): Promise<SumsSince> {
  if (!isOfAllCallers(query)) return { ...(await readAll(database, query)), sinceMs: null }
  const newest = await newestDays(database, query)
  return {
    ...(await readAll(database, { ...query, ...newest })),
    sinceMs: newest.fromMs > query.fromMs ? newest.fromMs : null,
  }
}

async function readAll(database: Database, query: SumsQuery): Promise<Sums> {
  const source = sourceOf(database, query)
  // Those of one key or of the keys of one account are found at once.
  if (query.in === 'keys' && !isOfAllCallers(query))
    return finished(await readRows(database.views, query, source), query)
  return finished(await database.snapshot((tables) => readRows(tables, query, source)), query)
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

function finished(rows: readonly SumsRow[], query: SumsQuery): Sums {
  return {
    total: sumsOf(
      rows.find((row) => row.of === 'all'),
      query,
    ),
    rows: new Map(rows.filter((row) => row.of === 'row').map((row) => [idsOf(row, query), sumsOf(row, query)])),
  }
}

function sumsOf(row: ComparedFigures | undefined, { in: kept, beforeFromMs, fromMs }: SumsQuery): ComparedSums {
  const isCompared = beforeFromMs < fromMs
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
    before: isCompared
      ? {
          requests: row?.requests_before ?? 0,
          failed: row?.failed_before ?? 0,
          charged: nanoUsd(row?.cost_before_nano ?? 0n),
        }
      : null,
  }
}
