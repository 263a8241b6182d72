import { nanoUsd } from '../../core/money.ts'
import { exploredIn, type ExploredSums, type ExploreQuery } from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import { type PlainExplored, type PlainSums, sumRecords } from './explore-records.ts'
import { type ComparedSums, readSums, type Sums } from './explore-sums.ts'

type Query = ExploreQuery & { readonly beforeFromMs: number }

/** Another failure may settle between the statements. */
const TRIES = 2

/**
 * Sums by fault of one account or one key, of all of the time: its failed requests one by one, which have an index, and the
 * sums that are kept of all its requests less those. null: too many failed, or not all records are there any more.
 */
export async function readFaults(database: Database, query: Query, rowsLimit: number): Promise<Sums | null> {
  const ofAll = { ...query, by: query.by.filter((by) => by !== 'fault') }
  const kept = exploredIn(ofAll)
  if (kept === 'records') return null
  const before = { ...query, fromMs: query.beforeFromMs, toMs: query.fromMs }
  for (let tries = 0; tries < TRIES; tries++) {
    const failed = await sumFailed(database, query)
    const failedBefore = await sumFailed(database, before)
    if (failed === null || failedBefore === null) return null
    const sums = await readSums(database, { ...ofAll, in: kept })
    if (sums.total.failed === failed.total.failed && sums.total.before?.failed === failedBefore.total.failed) {
      return byFault(query, { sums, failed, failedBefore, rowsLimit })
    }
  }
  return null
}

/** All of them, by all of their parts; null: there are more than may be summed one by one. */
async function sumFailed(database: Database, query: ExploreQuery): Promise<PlainExplored | null> {
  const failed = await sumRecords(database, { ...query, isOfFailed: true }, query.newest)
  return failed.sinceMs === null && failed.rows.size < query.newest ? failed : null
}

function byFault(
  { by }: Query,
  {
    sums,
    failed,
    failedBefore,
    rowsLimit,
  }: {
    readonly sums: Sums
    readonly failed: PlainExplored
    readonly failedBefore: PlainExplored
    readonly rowsLimit: number
  },
): Sums {
  const place = by.indexOf('fault')
  const idsOfAll = (ids: string): string => JSON.stringify((JSON.parse(ids) as readonly string[]).toSpliced(place, 1))
  const served = new Map(sums.rows)
  const rows = new Map<string, ComparedSums>()
  for (const ids of new Set([...failed.rows.keys(), ...failedBefore.rows.keys()])) {
    const own = comparedOf(failed.rows.get(ids), failedBefore.rows.get(ids))
    rows.set(ids, own)
    const all = idsOfAll(ids)
    const left = served.get(all)
    if (left !== undefined) served.set(all, less(left, own))
  }
  for (const [ids, left] of served) {
    const parts = (JSON.parse(ids) as readonly string[]).toSpliced(place, 0, '')
    if (left.requests > 0 || (left.before?.requests ?? 0) > 0) rows.set(JSON.stringify(parts), left)
  }
  return { total: { ...sums.total, costs: null }, rows: new Map([...rows].toSorted(dearestFirst).slice(0, rowsLimit)) }
}

/** Without what providers were paid, which is not kept of keys. */
function comparedOf(now: PlainSums | undefined, before: PlainSums | undefined): ComparedSums {
  return {
    requests: now?.requests ?? 0,
    failed: now?.failed ?? 0,
    charged: now?.charged ?? nanoUsd(0n),
    tokens: now?.tokens ?? { input: 0, cacheRead: 0, output: 0 },
    costs: null,
    before: {
      requests: before?.requests ?? 0,
      failed: before?.failed ?? 0,
      charged: before?.charged ?? nanoUsd(0n),
    },
  }
}

function less(all: ComparedSums, part: ComparedSums): ComparedSums {
  return {
    requests: all.requests - part.requests,
    failed: all.failed - part.failed,
    charged: nanoUsd(all.charged - part.charged),
    tokens: tokensLess(all.tokens, part.tokens),
    costs: null,
    before: beforeLess(all.before, part.before),
  }
}

function tokensLess(all: ExploredSums['tokens'], part: ExploredSums['tokens']): ExploredSums['tokens'] {
  if (all === null || part === null) return all
  return {
    input: all.input - part.input,
    cacheRead: all.cacheRead - part.cacheRead,
    output: all.output - part.output,
  }
}

function beforeLess(all: ExploredSums['before'], part: ExploredSums['before']): ExploredSums['before'] {
  if (all === null || part === null) return all
  return {
    requests: all.requests - part.requests,
    failed: all.failed - part.failed,
    charged: nanoUsd(all.charged - part.charged),
  }
}

function dearestFirst([idsA, a]: readonly [string, ComparedSums], [idsB, b]: readonly [string, ComparedSums]): number {
  if (a.charged !== b.charged) return a.charged > b.charged ? -1 : 1
  return b.requests - a.requests || (idsA < idsB ? -1 : 1)
}
