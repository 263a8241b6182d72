import type { PublicStatus } from '../../contract/public-pages.ts'
import { publicModels } from '../../entitlement/callable-models.ts'
import { DAY_MS, HOUR_MS } from '../../core/durations.ts'
import { PUBLIC_MODELS_LIMIT } from '../../core/limits.ts'
import type { ServiceSpan } from '../../metering/usage/served-hours.ts'
import { readCatalogue } from '../catalogue.ts'
import type { ControlParts } from '../parts.ts'
import { inARow } from './incidents.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import type { Latency } from '../public/latency-memory.ts'

const HOURS = 24
const DAYS = 30
/** Fewer requests say nothing of a model, and might say something of who asked. */
const FEWEST_REQUESTS = 10
const TROUBLED_PERCENT = 25
const INCIDENTS_SHOWN = 10
/** The steps of availability that are named, in percent. */
const STEPS = [100, 99.9, 99.5, 99, 98, 95, 90, 75, 50, 25, 0] as const
const WELL_FROM = 98
const PARTLY_FROM = 50

type Data = PublicStatus['data'][number]
type Spans = Data['hours']

/** How well the models that any account may call were served, from real requests alone. Names no upstream and no count. */
export async function readPublicStatus(
  nowMs: number,
  { store, publicPages }: Pick<ControlParts, 'store' | 'publicPages'>,
): Promise<PublicStatus> {
  const hoursFrom = Math.floor(nowMs / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS
  const daysFrom = Math.floor(nowMs / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS
  const { service } = store.usage
  const [catalogue, hours, days, troubled] = await Promise.all([
    readCatalogue(store),
    service.serviceSpans(hoursFrom, 'hour'),
    service.serviceSpans(daysFrom, 'day'),
    service.troubledHours(daysFrom, { fewestRequests: FEWEST_REQUESTS, failedPercent: TROUBLED_PERCENT }),
  ])
  const startsOf = (fromMs: number, stepMs: number, count: number) =>
    Array.from({ length: count }, (_, at) => fromMs + at * stepMs)
  const hourStarts = startsOf(hoursFrom, HOUR_MS, HOURS)
  const dayStarts = startsOf(daysFrom, DAY_MS, DAYS)
  const latencies = async (step: 'hour' | 'day', starts: readonly number[]) => {
    const found: ReadonlyMap<string, Latency>[] = []
    // One after the other: readers of the database have other things to ask it.
    for (const fromMs of starts) found.push(await publicPages.latency.of(step, fromMs, { nowMs, service }))
    return found
  }
  const hourLatencies = await latencies('hour', hourStarts)
  const dayLatencies = await latencies('day', dayStarts)
  const of = (rows: readonly ServiceSpan[]) => Map.groupBy(rows, ({ model }) => model)
  const [hoursOf, daysOf, troubledOf] = [of(hours), of(days), of(troubled)]
  const names = publicModels(catalogue).map(({ model }) => model.name)
  return {
    looked_at: timeOnWire(nowMs),
    hours_from: timeOnWire(hoursFrom),
    days_from: timeOnWire(daysFrom),
    data: names
      .toSorted()
      .slice(0, PUBLIC_MODELS_LIMIT)
      .map((model): Data => {
        const ofHours = hoursOf.get(model) ?? []
        const ofDays = daysOf.get(model) ?? []
        return {
          model,
          now: standing(shareOf(ofHours.filter(({ at }) => at > nowMs - 2 * HOUR_MS))),
          available_day: shareOf(ofHours),
          available_month: shareOf(ofDays),
          hours: spansOf(model, { rows: ofHours, starts: hourStarts, latencies: hourLatencies }),
          days: spansOf(model, { rows: ofDays, starts: dayStarts, latencies: dayLatencies }),
          incidents: incidentsOf(troubledOf.get(model) ?? [], nowMs),
        }
      }),
  }
}

/** Availability in percent, by the steps; null: too few requests. */
export function shareOf(rows: readonly ServiceSpan[]): number | null {
  const good = rows.reduce((sum, row) => sum + row.good, 0)
  const all = rows.reduce((sum, row) => sum + row.failed, good)
  if (all < FEWEST_REQUESTS) return null
  return STEPS.find((step) => good * 100 >= all * step) ?? 0
}

function standing(share: number | null): Data['now'] {
  if (share === null) return null
  if (share >= WELL_FROM) return 'healthy'
  return share >= PARTLY_FROM ? 'degraded' : 'failing'
}

function spansOf(
  model: string,
  about: {
    readonly rows: readonly ServiceSpan[]
    readonly starts: readonly number[]
    readonly latencies: readonly ReadonlyMap<string, Latency>[]
  },
): Spans {
  const byStart = Map.groupBy(about.rows, ({ at }) => at)
  return {
    available: about.starts.map((start) => shareOf(byStart.get(start) ?? [])),
    first_byte_ms: about.latencies.map((byModel) => byModel.get(model) ?? null),
  }
}

/** Troubled hours that follow each other are one. `rows`: newest first. */
export function incidentsOf(rows: readonly ServiceSpan[], nowMs: number): Data['incidents'] {
  const found = inARow(rows, ({ at }) => at)
  return found.slice(0, INCIDENTS_SHOWN).map((hours) => {
    const untilMs = (hours[0]?.at ?? 0) + HOUR_MS
    return {
      from: timeOnWire(hours.at(-1)?.at ?? 0),
      until: untilMs > nowMs ? null : timeOnWire(untilMs),
      available: shareOf(hours),
    }
  })
}
