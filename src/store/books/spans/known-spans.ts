import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../schema/tables.ts'
import type { KnownSpans, Stretch } from './span-plan.ts'

/**
 * Reads which spans of a stretch were made, and how many requests its hours have, unless these were read already in the same
 * transaction.
 */
export async function readKnownSpans(
  tables: Kysely<Tables>,
  stretch: Stretch,
  hours?: KnownSpans['hours'],
): Promise<KnownSpans> {
  const made = await readMade(tables, stretch)
  return { made, hours: hours ?? (await readHours(tables, stretch)) }
}

async function readMade(tables: Kysely<Tables>, { fromMs, toMs }: Stretch): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ readonly name: string; readonly requests: number }>`
    select of_table || ' ' || span_ms || ' ' || starts_at as name, requests from usage_spans
    where starts_at >= ${fromMs} and starts_at < ${toMs}`.execute(tables)
  return new Map(rows.map(({ name, requests }) => [name, requests]))
}

async function readHours(tables: Kysely<Tables>, { fromMs, toMs }: Stretch): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ readonly hour_at: number; readonly requests: number }>`
    select hour_at, cast(sum(requests) as bigint) as requests from usage_all_hours
    where hour_at >= ${fromMs} and hour_at < ${toMs} group by hour_at`.execute(tables)
  return new Map(rows.map((row) => [row.hour_at, row.requests]))
}
