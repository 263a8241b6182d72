import { type RawBuilder, sql } from 'kysely'
import { isFaultCode } from '../../core/faults.ts'
import type {
  FaultsOfHour,
  HoursAsked,
  IncidentHours,
  TroubledHour,
  UpstreamHour,
} from '../../metering/usage/incidents.ts'
import type { TroubleBar } from '../../metering/usage/served-hours.ts'
import type { Database } from '../engine/database.ts'
import { faultsBlamedOn } from './fault-blame.ts'

const HOURS_LIMIT = 20_000
const TROUBLED_LIMIT = 500
const FAULTS_LIMIT = 5_000

/** Faults that callers have no part in. */
const OURS = faultsBlamedOn((blame) => blame !== 'client')

/** See `IncidentHours`. */
export function incidentHoursOf(database: Database): IncidentHours {
  return {
    faultsByHour: (asked) => faultsByHour(database, asked),
    hoursOfUpstreams: (asked) => hoursOfUpstreams(database, asked),
    troubledAtUpstreams: (asked, bar) => troubledAtUpstreams(database, asked, bar),
  }
}

async function faultsByHour(database: Database, asked: HoursAsked): Promise<readonly FaultsOfHour[]> {
  const { rows } = await sql<{ readonly hour_at: number; readonly fault: string; readonly requests: number }>`
    select hour_at, fault, cast(sum(requests) as bigint) as requests from usage_upstream_hours
    where ${within(asked)} group by 1, 2 order by 1, 2 limit ${HOURS_LIMIT}`.execute(database.views)
  return rows.map((row) => ({
    hourAt: row.hour_at,
    fault: isFaultCode(row.fault) ? row.fault : null,
    requests: row.requests,
  }))
}

async function hoursOfUpstreams(database: Database, asked: HoursAsked): Promise<readonly UpstreamHour[]> {
  const { rows } = await sql<UpstreamHour & { readonly upstream: string }>`
    select hour_at as "hourAt", upstream, cast(sum(requests) as bigint) as requests,
      cast(sum(case when fault = '' then 0 else requests end) as bigint) as failed
    from usage_upstream_hours where ${within(asked)} and (fault = '' or fault in (${sql.join(OURS)}))
    group by 1, 2 order by 1, 2 limit ${HOURS_LIMIT}`.execute(database.views)
  return rows.map((row) => ({ ...row, upstream: row.upstream === '' ? null : row.upstream }))
}

async function troubledAtUpstreams(
  database: Database,
  asked: HoursAsked,
  { fewestRequests, failedPercent }: TroubleBar,
): Promise<readonly TroubledHour[]> {
  // What callers did wrong says nothing of an upstream, neither good nor bad.
  const counted = sql`${within(asked)} and (fault = '' or fault in (${sql.join(OURS)}))`
  const failed = sql`sum(case when fault = '' then 0 else requests end)`
  const { rows } = await sql<Omit<HourRow, 'fault'> & { readonly failed: number }>`
    select hour_at, upstream, model, cast(sum(requests) as bigint) as requests, cast(${failed} as bigint) as failed
    from usage_upstream_hours where ${counted} group by 1, 2, 3
    having sum(requests) >= ${fewestRequests} and ${failed} * 100 >= sum(requests) * ${failedPercent}
    order by 1 desc, 2, 3 limit ${TROUBLED_LIMIT}`.execute(database.views)
  if (rows.length === 0) return []
  const hours = [...new Set(rows.map((row) => row.hour_at))]
  const { rows: faults } = await sql<HourRow>`
    select hour_at, upstream, model, fault, cast(sum(requests) as bigint) as requests from usage_upstream_hours
    where hour_at in (${sql.join(hours)}) and fault in (${sql.join(OURS)})
    group by 1, 2, 3, 4 order by 5 desc, 4 limit ${FAULTS_LIMIT}`.execute(database.views)
  return rows.map((row) => {
    const own = faults.filter(
      (each) => each.hour_at === row.hour_at && each.upstream === row.upstream && each.model === row.model,
    )
    return {
      hourAt: row.hour_at,
      upstream: row.upstream === '' ? null : row.upstream,
      model: row.model,
      requests: row.requests,
      failed: row.failed,
      faults: own.flatMap(({ fault, requests }) => (isFaultCode(fault) ? [{ fault, requests }] : [])),
    }
  })
}

interface HourRow {
  readonly hour_at: number
  readonly upstream: string
  readonly model: string
  readonly fault: string
  readonly requests: number
}

function within({ fromMs, toMs }: HoursAsked): RawBuilder<unknown> {
  return sql`hour_at >= ${fromMs} and hour_at < ${toMs}`
}
