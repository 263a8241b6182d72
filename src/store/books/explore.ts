import { isDeepStrictEqual } from 'node:util'
import {
  type Explored,
  exploredIn,
  type ExploredNewest,
  type ExploreQuery,
  isOfOne,
} from '../../metering/usage/explore.ts'
import type { KeptSince } from '../../metering/usage/retention.ts'
import type { Database } from '../engine/database.ts'
import { readFaults } from './explore-faults.ts'
import { sumRecords, sumRecordsBefore, withBefore } from './explore-records.ts'
import type { SumsSince } from './explore-rows.ts'
import { readSums } from './explore-sums.ts'
import { type Timed, timeRecords } from './explore-times.ts'
import { wholeHours } from './key-spend.ts'
import { keptSince } from './archived/kept-since.ts'

const ROWS_LIMIT = 500

/** See `UsageStore.explore`. */
export async function explore(database: Database, query: ExploreQuery): Promise<Explored> {
  const span = wholeHours(query)
  const { kept, found } = await whileKept(database, (since) => summedAndTimed(database, { ...query, ...span }, since))
  const [{ total, rows, sinceMs, isOfRecords }, times] = found
  const isCompared = total.before !== null
  const goneAfter = (sinceKeptMs: number | null, fromMs: number) =>
    isOfRecords && sinceKeptMs !== null && sinceKeptMs > fromMs ? Math.min(sinceKeptMs, span.toMs) : null
  return {
    ...span,
    sinceMs,
    keptSinceMs: goneAfter(kept.recordsMs, span.fromMs),
    refusalsSinceMs: goneAfter(kept.refusalsMs, isCompared ? span.beforeFromMs : (sinceMs ?? span.fromMs)),
    timedSinceMs: times.sinceMs,
    total: { ...total, times: times.total },
    rows: [...rows].map(([ids, sums]) => ({
      ...sums,
      times: times.rows.get(ids) ?? null,
      ids: JSON.parse(ids) as readonly string[],
    })),
  }
}

/** Records of another day may begin to go while they are read; that happens once a day. */
const TRIES = 2

/** Reads what `read` does while the same records are kept. */
async function whileKept<Found>(
  database: Database,
  read: (kept: KeptSince) => Promise<Found>,
): Promise<{ readonly kept: KeptSince; readonly found: Found }> {
  for (let tries = 1; ; tries++) {
    const kept = await keptSince(database)
    const found = await read(kept)
    if (tries === TRIES || isDeepStrictEqual(kept, await keptSince(database))) return { kept, found }
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

interface ComparedSince extends SumsSince {
  /** Whether they were summed one by one, as far as there are any. */
  readonly isOfRecords: boolean
}

/**
 * Sums that are kept are read while requests are timed; which rows are shown is not known then, so all of them are timed. Of
 * all keys there are too many.
 */
async function summedAndTimed(
  database: Database,
  query: Comparing,
  { recordsMs }: KeptSince,
): Promise<readonly [ComparedSince, Timed]> {
  const kept = exploredIn(query, recordsMs === null || recordsMs <= query.beforeFromMs)
  const timed = (shown: readonly string[] | 'all') =>
    asFarAsKept(query, recordsMs, (there) => timeRecords(database, there, shown))
  if (kept === 'records') {
    const sums = await summed(database, query, recordsMs)
    return [sums, await timed([...sums.rows.keys()])]
  }
  const reading = readSums(database, { ...query, in: kept, rowsLimit: ROWS_LIMIT })
  if (kept === 'keys' && !isOfOne(query)) {
    const found = await reading
    return [{ ...found, isOfRecords: false }, await timed([...found.rows.keys()])]
  }
  const [found, times] = await Promise.all([reading, timed('all')])
  return [{ ...found, isOfRecords: false }, times]
}

async function summed(database: Database, query: Comparing, keptMs: number | null): Promise<ComparedSince> {
  const faults = isOfFaults(query) ? await readFaults(database, query, ROWS_LIMIT) : null
  if (faults !== null) return { ...faults, sinceMs: null, isOfRecords: false }
  const sums = await asFarAsKept(query, keptMs, (there) => sumRecords(database, there, ROWS_LIMIT))
  // What is cut is compared with nothing, and nothing with what is cut.
  const isComparable = sums.sinceMs === null && (keptMs === null || keptMs <= query.beforeFromMs)
  const before = isComparable
    ? await sumRecordsBefore(database, { ...query, fromMs: query.beforeFromMs, toMs: query.fromMs })
    : null
  return { ...withBefore(sums, before, ROWS_LIMIT), sinceMs: sums.sinceMs, isOfRecords: true }
}

/** Reads the part of a span of which all records are there, and says since when where that is not all of it. */
async function asFarAsKept<Read extends { readonly sinceMs: number | null }>(
  query: Comparing,
  keptMs: number | null,
  read: (there: Comparing) => Promise<Read>,
): Promise<Read> {
  if (keptMs === null || keptMs <= query.fromMs) return read(query)
  const fromMs = Math.min(keptMs, query.toMs)
  const found = await read({ ...query, fromMs })
  return { ...found, sinceMs: found.sinceMs ?? fromMs }
}

/** Returns whether errors of one account or key are asked for: all failures of an installation would be too many. */
function isOfFaults(query: ExploreQuery): boolean {
  return query.by.includes('fault') && query.where.fault === undefined && isOfOne(query)
}
