import { type RawBuilder, sql } from 'kysely'
import { HOUR_MS } from '../../core/durations.ts'
import { firstIdAt } from '../../core/ids.ts'
import type {
  FirstBytes,
  ServiceHours,
  ServiceSpan,
  ServiceStep,
  TroubleBar,
} from '../../metering/usage/served-hours.ts'
import type { Database } from '../engine/database.ts'
import { ENDS_AT_UPSTREAMS } from './fault-blame.ts'

const STEP_MS: Readonly<Record<ServiceStep, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS }
const TROUBLED_LIMIT = 500
/** How many rows a statement returns at most: a thousand models over a month of days. */
const SPANS_LIMIT = 50_000
const SLICES_LIMIT = 50
const PER_SLICE_LIMIT = 500

/** See `ServiceHours`. */
export function serviceHoursOf(database: Database): ServiceHours {
  return {
    serviceSpans: async (sinceMs, step) => {
      const { rows } = await sql<ServiceSpan>`${sums(sinceMs, STEP_MS[step])} limit ${SPANS_LIMIT}`.execute(
        database.views,
      )
      return rows
    },
    troubledHours: async (sinceMs, { fewestRequests, failedPercent }: TroubleBar) => {
      const { rows } = await sql<ServiceSpan>`${sums(sinceMs, HOUR_MS)}
        having sum(requests) >= ${fewestRequests}
          and sum(case when fault = '' then 0 else requests end) * 100 >= sum(requests) * ${failedPercent}
        order by 2 desc, 1 limit ${TROUBLED_LIMIT}`.execute(database.views)
      return rows
    },
    sampledFirstBytes: (span) => sampledFirstBytes(database, span),
  }
}

/** Only what upstreams had a part in: neither callers' mistakes nor what the gateway refused by itself. */
function sums(sinceMs: number, stepMs: number): RawBuilder<unknown> {
  return sql`
    select model, hour_at - hour_at % ${sql.lit(stepMs)} as at,
      cast(sum(case when fault = '' then requests else 0 end) as bigint) as good,
      cast(sum(case when fault = '' then 0 else requests end) as bigint) as failed
    from usage_upstream_hours where hour_at >= ${sinceMs} and fault in (${sql.join(ENDS_AT_UPSTREAMS)}) group by 1, 2`
}

async function sampledFirstBytes(
  database: Database,
  { fromMs, toMs, slices, perSlice }: Parameters<ServiceHours['sampledFirstBytes']>[0],
): Promise<FirstBytes> {
  if (slices < 1 || slices > SLICES_LIMIT || perSlice < 1 || perSlice > PER_SLICE_LIMIT) {
    throw new RangeError(`a sample has up to ${SLICES_LIMIT} slices of up to ${PER_SLICE_LIMIT} records`)
  }
  const edge = (slice: number): string => firstIdAt('req', Math.floor(fromMs + ((toMs - fromMs) * slice) / slices))
  const parts = Array.from(
    { length: slices },
    (_, slice) => sql`select * from (select model, fault, is_stream, first_byte_ms from usage_records
      where id >= ${edge(slice)} and id < ${edge(slice + 1)} order by id limit ${perSlice}) as ${sql.ref(`slice_${slice}`)}`,
  )
  const { rows } = await sql<{
    readonly model: string | null
    readonly fault: string | null
    readonly is_stream: boolean
    readonly first_byte_ms: number | null
  }>`${sql.join(parts, sql` union all `)}`.execute(database.views)
  const found = new Map<string, number[]>()
  for (const { model, fault, is_stream: isStream, first_byte_ms: firstByteMs } of rows) {
    if (model === null || fault !== null || !isStream || firstByteMs === null) continue
    const known = found.get(model)
    if (known === undefined) found.set(model, [firstByteMs])
    else known.push(firstByteMs)
  }
  return found
}
