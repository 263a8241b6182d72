import { nanoUsd } from '../../core/money.ts'
import { exploredIn, type ExploredSums, type ExploreQuery } from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import { sumRecords, withBefore } from './explore-records.ts'
import type { RowSums, Sums } from './explore-rows.ts'
import { readSums } from './explore-sums.ts'

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
  for (let tries = 0; tries < TRIES; tries++) {
    const failed = await sumFailed(database, query)
    if (failed === null) return null
    const all = await readSums(database, { ...ofAll, in: kept })
    if (all.total.failed === failed.total.failed && all.total.before?.failed === failed.total.before?.failed) {
      return { total: withoutCosts(all.total), rows: rowsByFault(query, { all, failed, rowsLimit }) }
    }
  }
  return null
}

/** All of them, by all of their parts; null: there are more than may be summed one by one. */
async function sumFailed(database: Database, query: Query): Promise<Sums | null> {
  const sum = (span: Partial<Pick<Query, 'fromMs' | 'toMs'>>) =>
    sumRecords(database, { ...query, ...span, isOfFailed: true }, query.newest)
  const now = await sum({})
  const before = await sum({ fromMs: query.beforeFromMs, toMs: query.fromMs })
  if (now.sinceMs !== null || before.sinceMs !== null) return null
  return withBefore(now, before, now.rows.size + before.rows.size)
}

function rowsByFault(
  { by }: Query,
  { all, failed, rowsLimit }: { readonly all: Sums; readonly failed: Sums; readonly rowsLimit: number },
): Sums['rows'] {
  const at = by.indexOf('fault')
  const served = new Map(all.rows)
  const rows: [string, RowSums][] = []
  for (const [ids, own] of failed.rows) {
    rows.push([ids, withoutCosts(own)])
    const others = JSON.stringify(partsOf(ids).toSpliced(at, 1))
    const left = served.get(others)
    if (left !== undefined) served.set(others, less(left, own))
  }
  for (const [others, left] of served) {
    if (left.requests > 0 || (left.before?.requests ?? 0) > 0) {
      rows.push([JSON.stringify(partsOf(others).toSpliced(at, 0, '')), left])
    }
  }
  return new Map(rows.toSorted(costliestFirst).slice(0, rowsLimit))
}

function partsOf(ids: string): readonly string[] {
  return JSON.parse(ids) as readonly string[]
}

/** What providers were paid is not kept of keys. */
function withoutCosts(sums: RowSums): RowSums {
  return { ...sums, costs: null }
}

function less(all: RowSums, part: RowSums): RowSums {
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

function costliestFirst([idsA, a]: readonly [string, RowSums], [idsB, b]: readonly [string, RowSums]): number {
  if (a.charged !== b.charged) return a.charged > b.charged ? -1 : 1
  return b.requests - a.requests || (idsA < idsB ? -1 : 1)
}
