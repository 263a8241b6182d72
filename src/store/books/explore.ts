import {
  type Explored,
  exploredIn,
  type ExploredNewest,
  type ExploreQuery,
  isOfOne,
} from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import { type Sums, withBefore } from './explore-compared.ts'
import { readFaults } from './explore-faults.ts'
import { sumRecords, sumRecordsBefore } from './explore-records.ts'
import { readSums } from './explore-sums.ts'
import { type Timed, timeRecords } from './explore-times.ts'
import { wholeHours } from './key-spend.ts'

const ROWS_LIMIT = 500

/** See `UsageStore.explore`. */
export async function explore(database: Database, query: ExploreQuery): Promise<Explored> {
  const span = wholeHours(query)
  const [{ total, rows, sinceMs }, times] = await summedAndTimed(database, { ...query, ...span })
  return {
    ...span,
    sinceMs,
    timedSinceMs: times.sinceMs,
    total: { ...total, times: times.total },
    rows: [...rows].map(([ids, sums]) => ({
      ...sums,
      times: times.rows.get(ids) ?? null,
      ids: JSON.parse(ids) as readonly string[],
    })),
  }
}

/** See `UsageStore.exploreNewest`. */
export async function exploreNewest(database: Database, query: ExploreQuery): Promise<ExploredNewest> {
  const { rows, sinceMs } = await sumRecords(database, query, ROWS_LIMIT)
  // Of as many as are counted: times are taken of half of the newest.
  const times = await timeRecords(database, { ...query, newest: 2 * query.newest }, [...rows.keys()])
  return {
    sinceMs,
    rows: [...rows].map(([ids, { requests, failed }]) => ({
      requests,
      failed,
      times: times.rows.get(ids) ?? null,
      ids: JSON.parse(ids) as readonly string[],
    })),
  }
}

type Comparing = ExploreQuery & { readonly beforeFromMs: number }

interface Compared extends Sums {
  readonly sinceMs: number | null
}

/** Sums that are kept are read while requests are timed; which rows are shown is not known then, so all of them are timed. */
async function summedAndTimed(database: Database, query: Comparing): Promise<readonly [Compared, Timed]> {
  const kept = exploredIn(query)
  if (kept === 'records') {
    const sums = await summed(database, query)
    return [sums, await timeRecords(database, query, [...sums.rows.keys()])]
  }
  const sums = readSums(database, { ...query, in: kept, rowsLimit: ROWS_LIMIT })
  const [found, times] = await Promise.all([sums, timeRecords(database, query, 'all')])
  return [{ ...found, sinceMs: null }, times]
}

async function summed(database: Database, query: Comparing): Promise<Compared> {
  const faults = isOfFaults(query) ? await readFaults(database, query, ROWS_LIMIT) : null
  if (faults !== null) return { ...faults, sinceMs: null }
  const sums = await sumRecords(database, query, ROWS_LIMIT)
  // What is cut is compared with nothing.
  const before =
    sums.sinceMs === null
      ? await sumRecordsBefore(database, { ...query, fromMs: query.beforeFromMs, toMs: query.fromMs })
      : null
  return { ...withBefore(sums, before, ROWS_LIMIT), sinceMs: sums.sinceMs }
}

/** Of one account or key alone: all failures of an installation would be too many. */
function isOfFaults(query: ExploreQuery): boolean {
  return query.by.includes('fault') && query.where.fault === undefined && isOfOne(query)
}
