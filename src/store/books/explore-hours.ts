import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { addedUp, type Figures } from './explore-rows.ts'
import type { Stretch } from './spans/span-plan.ts'
import { OF_CALLERS } from './spans/span-tables.ts'

type FiguresOfCallers = Required<Pick<Figures, (typeof OF_CALLERS)[number]>>

/** What all accounts together had in an hour. */
export type HourOfAll = FiguresOfCallers & { readonly hour_at: number }

/** The hours of a stretch that have requests. */
export async function readHoursOfAll(tables: Kysely<Tables>, { fromMs, toMs }: Stretch): Promise<readonly HourOfAll[]> {
  const { rows } = await sql<HourOfAll>`select hour_at, ${addedUp(OF_CALLERS)} from usage_all_hours
    where hour_at >= ${fromMs} and hour_at < ${toMs} group by hour_at`.execute(tables)
  return rows
}

/** Those of the hours that are in a stretch, added up. */
export function sumOfHours(hours: readonly HourOfAll[], { fromMs, toMs }: Stretch): FiguresOfCallers {
  const sum = { requests: 0, failed: 0, cost_nano: 0n, input_tokens: 0, cache_read_tokens: 0, output_tokens: 0 }
  for (const hour of hours) {
    if (hour.hour_at < fromMs || hour.hour_at >= toMs) continue
    sum.requests += hour.requests
    sum.failed += hour.failed
    sum.cost_nano += hour.cost_nano
    sum.input_tokens += hour.input_tokens
    sum.cache_read_tokens += hour.cache_read_tokens
    sum.output_tokens += hour.output_tokens
  }
  return sum
}
