import { nanoUsd } from '../../core/money.ts'
import {
  type Explored,
  exploredIn,
  type ExploredNewest,
  type ExploredSums,
  type ExploreQuery,
} from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import { type PlainExplored, type PlainSums, sumRecords, sumRecordsBefore } from './explore-records.ts'
import { readFaults } from './explore-faults.ts'
import { type ComparedSums, readSums } from './explore-sums.ts'
import { timeRecords } from './explore-times.ts'
import { wholeHours } from './key-spend.ts'

const ROWS_LIMIT = 500

/** See `UsageStore.explore`. */
export async function explore(database: Database, query: ExploreQuery): Promise<Explored> {
  const span = wholeHours(query)
  const { total, rows, sinceMs } = await compared(database, { ...query, ...span })
  const times = await timeRecords(database, { ...query, ...span }, [...rows.keys()])
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

interface Compared {
  readonly total: ComparedSums
  readonly rows: ReadonlyMap<string, ComparedSums>
  readonly sinceMs: number | null
}

async function compared(
  database: Database,
  query: ExploreQuery & { readonly beforeFromMs: number },
): Promise<Compared> {
  const kept = exploredIn(query)
  if (kept !== 'records') {
    return { ...(await readSums(database, { ...query, in: kept, rowsLimit: ROWS_LIMIT })), sinceMs: null }
  }
  const faults = isOfFaults(query) ? await readFaults(database, query, ROWS_LIMIT) : null
  if (faults !== null) return { ...faults, sinceMs: null }
  const sums = await sumRecords(database, query, ROWS_LIMIT)
  // What is cut is compared with nothing.
  const before =
    sums.sinceMs === null
      ? await sumRecordsBefore(database, { ...query, fromMs: query.beforeFromMs, toMs: query.fromMs })
      : null
  return { ...withBefore(sums, before), sinceMs: sums.sinceMs }
}

/** Of one account or key alone: all failures of an installation would be too many. */
function isOfFaults({ by, where }: ExploreQuery): boolean {
  return by.includes('fault') && where.fault === undefined && (where.account !== undefined || where.key !== undefined)
}

/** What was there only before stands last. */
function withBefore(now: PlainExplored, before: PlainExplored | null): Omit<Compared, 'sinceMs'> {
  const beforeOf = (sums: PlainSums | undefined): ExploredSums['before'] =>
    before === null
      ? null
      : { requests: sums?.requests ?? 0, failed: sums?.failed ?? 0, charged: nanoUsd(sums?.charged ?? 0n) }
  const rows = new Map([...now.rows].map(([ids, sums]) => [ids, { ...sums, before: beforeOf(before?.rows.get(ids)) }]))
  for (const [ids, sums] of before?.rows ?? []) {
    if (rows.size >= ROWS_LIMIT) break
    if (!rows.has(ids)) rows.set(ids, { ...NONE, before: beforeOf(sums) })
  }
  return { total: { ...now.total, before: beforeOf(before?.total) }, rows }
}

const NONE: PlainSums = {
  requests: 0,
  failed: 0,
  charged: nanoUsd(0n),
  tokens: { input: 0, cacheRead: 0, output: 0 },
  costs: { costed: nanoUsd(0n), providerCost: nanoUsd(0n) },
}
