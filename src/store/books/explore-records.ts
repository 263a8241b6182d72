import { sql } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { ExploreQuery } from '../../metering/usage/explore.ts'
import type { Database } from '../engine/database.ts'
import { readRows, type RowSums, type Sums, type SumsSince } from './explore-rows.ts'
import { type SampleQuery, sampledRecords, sampledSince } from './sampled-records.ts'

/** How many rows of the time before are looked up by those that are shown; the rest of it is in its total alone. */
const BEFORE_ROWS = 5_000

const FIGURES = {
  requests: sql`1`,
  failed: sql`case when fault is null then 0 else 1 end`,
  cost_nano: sql`cost_nano`,
  costed_nano: sql`case when provider_cost_nano is null then 0 else cost_nano end`,
  provider_cost_nano: sql`provider_cost_nano`,
  input_tokens: sql`coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_tokens, 0)
    + coalesce(cache_write_1h_tokens, 0)`,
  cache_read_tokens: sql`cache_read_tokens`,
  output_tokens: sql`output_tokens`,
}

/** Sums the newest records one by one, for what no sums are kept. Tokens are those of text. */
export async function sumRecords(
  database: Database,
  query: Omit<SampleQuery, 'limit'>,
  rowsLimit: number,
): Promise<SumsSince> {
  const sample = { ...query, limit: query.newest }
  const figures = Object.entries(FIGURES).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)
  const source = {
    figures: Object.keys(FIGURES),
    ctes: sampledRecords(database, sample, 'sums'),
    from: sql`select first, second, key_id, ${sql.join(figures)} from seen`,
  }
  const [sums, sinceMs] = await Promise.all([
    readRows({ database, tables: database.views }, { by: query.by, isCompared: false, rowsLimit }, source),
    sampledSince(database, sample),
  ])
  return { ...sums, sinceMs }
}

/** Sums the records of the time before; null where it has too many to be compared. */
export async function sumRecordsBefore(database: Database, query: ExploreQuery): Promise<Sums | null> {
  const before = await sumRecords(database, query, BEFORE_ROWS)
  return before.sinceMs === null ? before : null
}

/** Puts the time before beside sums. What was there only before is last, where there is room; null: nothing is compared. */
export function withBefore(now: Sums, before: Sums | null, rowsLimit: number): Sums {
  const beforeOf = (sums: RowSums | undefined): RowSums['before'] =>
    before === null
      ? null
      : { requests: sums?.requests ?? 0, failed: sums?.failed ?? 0, charged: nanoUsd(sums?.charged ?? 0n) }
  const rows = new Map([...now.rows].map(([ids, sums]) => [ids, { ...sums, before: beforeOf(before?.rows.get(ids)) }]))
  for (const [ids, sums] of before?.rows ?? []) {
    if (rows.size >= rowsLimit) break
    if (!rows.has(ids)) rows.set(ids, { ...NONE, before: beforeOf(sums) })
  }
  return { total: { ...now.total, before: beforeOf(before?.total) }, rows }
}

const NONE: RowSums = {
  requests: 0,
  failed: 0,
  charged: nanoUsd(0n),
  tokens: { input: 0, cacheRead: 0, output: 0 },
  costs: { costed: nanoUsd(0n), providerCost: nanoUsd(0n) },
  before: null,
}
