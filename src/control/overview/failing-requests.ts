/** The newest requests at one upstream or of one model, a bounded number of them however many there are. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/durations.ts'
import { type FaultCode, FAULTS, type FaultPolicy } from '../../core/faults.ts'
import type { AttemptObstacle } from '../../core/model-list-results.ts'
import type { TroubledHour } from '../../metering/usage/incidents.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { UsageFilter } from '../../metering/usage/usage-store.ts'
import type { ControlStores } from '../parts.ts'
import { type Ended, failingStretch, HEALED_AFTER_MS, isFailing, JUDGED } from './failing-stretch.ts'

export interface JudgedRequest extends Ended {
  readonly id: string
  readonly model: string
  /** Where it was sent last; null: nowhere. */
  readonly upstream: string | null
  /** Why it got no answer there; null: it got one, or nothing says why. */
  readonly why: AttemptObstacle | null
  /** The status that the upstream answered with; null: none. */
  readonly status: number | null
  /** What it said of it, as far as that is kept; null: nothing. */
  readonly said: string | null
}

export interface FailingAsk {
  /** Epoch milliseconds. */
  readonly nowMs: number
  readonly usage: Pick<ControlStores['usage'], 'list'> & {
    readonly incidents: Pick<ControlStores['usage']['incidents'], 'troubledAtUpstreams'>
  }
}

type Subject = Pick<UsageFilter, 'model' | 'upstream'>

const LOOKED_AT = 100
/** Twice as many records as are judged: some are of clients’ own mistakes. */
const SAMPLED = 2 * JUDGED
/** The search for when failures began ends between moments that are as near to each other. */
const NEAR_MS = MINUTE_MS / 2

const POLICIES: Readonly<Record<FaultCode, FaultPolicy>> = FAULTS

/** Oldest first, of the last day at most. What clients got wrong, and what they broke off, says nothing and is left out. */
export async function endsOf(
  subject: Subject,
  { nowMs, usage }: FailingAsk,
  until?: number,
): Promise<readonly JudgedRequest[]> {
  const filter = {
    accountId: null,
    ...subject,
    fromMs: nowMs - DAY_MS,
    ...(until === undefined ? {} : { toMs: until + 1 }),
  }
  const { records } = await usage.list(filter, { after: null, limit: until === undefined ? LOOKED_AT : SAMPLED })
  return records.flatMap(endedOf).toReversed()
}

/** The moment from which on a subject fails, in epoch milliseconds; null: it is answered. `ended`: its newest requests. */
export async function stretchOf(
  subject: Subject,
  ended: readonly JudgedRequest[],
  { ask, hours }: { readonly ask: FailingAsk; readonly hours: readonly TroubledHour[] },
): Promise<number | null> {
  const stretch = failingStretch(ended, ask.nowMs)
  const oldest = ended[0]?.at ?? ask.nowMs
  const isFull = ended.length >= LOOKED_AT / 2
  if (stretch?.isHealed === true) return null
  if (stretch !== null && !(isFull && stretch.isCut)) return stretch.sinceMs
  // So many requests come that the newest do not reach back: it may have failed a few minutes ago.
  const failedAt = stretch === null ? await lastlyFailing(subject, { ask, oldest, isFull }) : oldest
  return failedAt === null ? null : beginningOf(subject, failedAt, { ask, hours })
}

/** A moment of the last ten minutes, before those looked at, at which most failed; null: there is none. */
async function lastlyFailing(
  subject: Subject,
  of: { readonly ask: FailingAsk; readonly oldest: number; readonly isFull: boolean },
): Promise<number | null> {
  const { ask, oldest, isFull } = of
  const fromMs = ask.nowMs - HEALED_AFTER_MS
  if (!isFull || oldest <= fromMs) return null
  const failed = { accountId: null, ...subject, fault: 'any' as const, fromMs, toMs: oldest }
  const { records } = await ask.usage.list(failed, { after: null, limit: LOOKED_AT })
  const moments = records.flatMap(endedOf).map(({ at }) => at)
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const moment = moments[Math.round(share * (moments.length - 1))]
    if (moment !== undefined && isFailing(await endsOf(subject, ask, moment))) return moment
  }
  return null
}

/** When what fails at a moment began to, to half a minute, by halving the troubled hours that lead to it. */
async function beginningOf(
  { model, upstream }: Subject,
  failedAt: number,
  { ask, hours }: { readonly ask: FailingAsk; readonly hours: readonly TroubledHour[] },
): Promise<number> {
  const own = hours.filter(
    (hour) => (upstream ?? hour.upstream) === hour.upstream && (model ?? hour.model) === hour.model,
  )
  const troubled = new Set(own.map(({ hourAt }) => hourAt))
  // The hour before it began is troubled by too few of its requests to be among them, or by none.
  let low = Math.floor(failedAt / HOUR_MS) * HOUR_MS - HOUR_MS
  while (troubled.has(low)) low -= HOUR_MS
  let high = failedAt
  while (high - low > NEAR_MS) {
    const middle = Math.floor((low + high) / 2)
    if (isFailing(await endsOf({ model, upstream }, ask, middle))) high = middle
    else low = middle
  }
  return high
}

function endedOf(record: UsageRecord): readonly JudgedRequest[] {
  const { id, createdAt: at, model, fault, outcome, attempts } = record
  const isFailed = fault !== null && POLICIES[fault].blame === 'upstream'
  if (model === null || !(isFailed || (fault === null && outcome === 'completed'))) return []
  const last = attempts.at(-1)
  return [
    {
      id,
      at,
      model,
      isFailed,
      upstream: record.upstreamName ?? last?.upstreamName ?? null,
      why: last?.why ?? null,
      status: last?.status ?? null,
      said: last?.said ?? null,
    },
  ]
}
