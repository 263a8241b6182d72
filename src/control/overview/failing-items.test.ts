import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../core/durations.ts'
import type { FaultCode } from '../../core/faults.ts'
import type { TroubledHour } from '../../metering/usage/incidents.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { UsageFilter } from '../../metering/usage/usage-store.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import { failingItems } from './failing-items.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const MODELS = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']

/** Six models at `acme`, the last of them at `other` as well, and one at `other` alone. */
const CATALOGUE = {
  upstreams: [
    { id: 'ups_acme', name: 'acme' },
    { id: 'ups_other', name: 'other' },
  ],
  models: [
    ...MODELS.map((name) => ({
      name,
      targets: [{ upstreamId: 'ups_acme' }, ...(name === 'm6' ? [{ upstreamId: 'ups_other' }] : [])],
    })),
    { name: 'elsewhere', targets: [{ upstreamId: 'ups_other' }] },
  ],
} as unknown as ListedCatalogue

interface Call {
  /** Minutes after noon. */
  readonly at: number
  readonly model: string
  /** null: every target rested, and it was sent nowhere. */
  readonly upstream?: string | null
  readonly fault?: FaultCode
  readonly why?: string
  readonly status?: number
  readonly said?: string
}

const down = (at: number, model: string, over: Partial<Call> = {}): Call => ({
  at,
  model,
  fault: 'upstream_unavailable',
  ...(over.upstream === null || over.status !== undefined ? {} : { why: 'connection_refused' }),
  ...over,
})
/** Calls of some models in turn, every so many minutes. */
function calls(
  span: readonly [from: number, to: number],
  every: number,
  call: (at: number, model: string) => Call,
): Call[] {
  const count = Math.round((span[1] - span[0]) / every)
  return Array.from({ length: count }, (_, i) => call(span[0] + i * every, MODELS[i % MODELS.length] ?? ''))
}
const well = (at: number, model: string): Call => ({ at, model })

function recordOf({ at, model, upstream = 'acme', fault, why, status, said }: Call, i: number): UsageRecord {
  const attempts = upstream === null ? [] : [{ upstreamName: upstream, why, status: status ?? null, said }]
  const outcome = fault === undefined ? 'completed' : 'failed'
  const createdAt = NOON + Math.round(at * MINUTE_MS)
  return {
    id: `req_${i}`,
    createdAt,
    model,
    upstreamName: upstream,
    fault: fault ?? null,
    outcome,
    attempts,
  } as unknown as UsageRecord
}

/** What is listed so many minutes after noon, of all that was called until then; and how often records were read. */
async function lookAt(minute: number, all: readonly Call[]) {
  const nowMs = NOON + minute * MINUTE_MS
  const records = all
    .filter(({ at }) => at <= minute)
    .map(recordOf)
    .toSorted((a, b) => b.createdAt - a.createdAt)
  let reads = 0
  const list = (filter: UsageFilter, { limit }: { readonly limit: number }) => {
    reads += 1
    const isMeant = ({ model, upstreamName, createdAt, fault }: UsageRecord): boolean =>
      (filter.model ?? model) === model &&
      (filter.upstream ?? upstreamName) === upstreamName &&
      (filter.fault === undefined || fault !== null) &&
      createdAt >= (filter.fromMs ?? 0) &&
      createdAt < (filter.toMs ?? Infinity)
    return Promise.resolve({ records: records.filter(isMeant).slice(0, limit), next: null })
  }
  const newest = records
    .filter(({ fault, createdAt }) => fault !== null && createdAt >= nowMs - 10 * MINUTE_MS)
    .slice(0, 200)
  const failures = {
    recent: (isLike: (record: UsageRecord) => boolean) => newest.filter(isLike).length,
    failedAtUpstreams: newest.flatMap(({ fault, model }) =>
      fault === 'upstream_unavailable' && model !== null ? [model] : [],
    ),
  }
  const usage = { list, incidents: { troubledAtUpstreams: () => Promise.resolve(hoursOf(records)) } }
  const found = await failingItems({ catalogue: CATALOGUE, failures }, { nowMs, usage })
  return { found, reads }
}

/** The hours of which a quarter failed, as the roll-ups have them. */
function hoursOf(records: readonly UsageRecord[]): readonly TroubledHour[] {
  const hourOf = ({ createdAt }: UsageRecord): number => Math.floor(createdAt / HOUR_MS) * HOUR_MS
  const groups = Map.groupBy(records, (record) => JSON.stringify([hourOf(record), record.upstreamName, record.model]))
  return [...groups.values()].flatMap((own) => {
    const [first] = own
    const failed = own.filter(({ fault }) => fault === 'upstream_unavailable').length
    if (first === undefined || first.model === null || failed * 4 < own.length) return []
    const faults = [{ fault: 'upstream_unavailable' as const, requests: failed }]
    return [
      { hourAt: hourOf(first), upstream: first.upstreamName, model: first.model, requests: own.length, failed, faults },
    ]
  })
}

const minuteOf = (since: string | null | undefined): number => (Date.parse(since ?? '') - NOON) / MINUTE_MS

/** Two days of well answered requests would not be worth a thought: an hour of them is enough. */
const BEFORE = calls([-60, 43], 1, well)

describe('an upstream that is down', () => {
  const outage = [...BEFORE, ...calls([43, 57], 1 / 6, (at, model) => down(at, model))]
  const healed = [...outage, ...calls([57, 90], 1 / 6, well)]

  // OneUptime/oneuptime#3021: one router that is offline is one thing to do, not one for each device behind it.
  test('is one item with its name, why, its models, what failed and the moment when the first request did', async () => {
    const { found } = await lookAt(57, outage)
    expect(found).toMatchObject([
      {
        kind: 'model_failing',
        model: null,
        upstream: { id: 'ups_acme', name: 'acme' },
        why: 'connection_refused',
        listed: { count: 6, names: MODELS },
        failed: 84,
        since: '2026-11-20T12:43:00.000Z',
      },
    ])
    expect(found[0]?.detail).toContain('84 requests for 6 models (m1, m2, m3, …) failed at the upstream "acme"')
  })

  // netclaw-dev/netclaw#439: one request that took too long says nothing of a provider.
  test('is listed from the fifth failure on, though the day before was well', async () => {
    expect((await lookAt(43.6, outage)).found).toEqual([])
    expect((await lookAt(43.7, outage)).found).toHaveLength(1)
  })

  // apache/hertzbeat#4160: what has recovered goes.
  test('stays until ten minutes after its last failure, since the same moment, and is gone then', async () => {
    for (const minute of [58, 62, 66]) {
      const { found } = await lookAt(minute, healed)
      expect(found.map(({ since }) => minuteOf(since))).toEqual([43])
    }
    expect((await lookAt(67, healed)).found).toEqual([])
  })

  test('stays while it is not asked, and goes with the first answers where it failed long ago', async () => {
    expect((await lookAt(180, outage)).found).toHaveLength(1)
    expect((await lookAt(181, [...outage, well(180.5, 'm1')])).found).toEqual([])
  })

  test('is one item while it comes and goes, since it first went', async () => {
    const again = [...healed.filter(({ at }) => at < 61), ...calls([61, 65], 1 / 6, (at, model) => down(at, model))]
    const { found } = await lookAt(65, again)
    expect(found.map(({ since }) => minuteOf(since))).toEqual([43])
  })

  test('is named by requests that found it resting and were sent nowhere', async () => {
    const resting = [
      ...BEFORE,
      down(43, 'm1'),
      down(43.1, 'm2'),
      ...calls([43.2, 50], 0.1, (at, model) => down(at, model, { upstream: null })),
    ]
    const { found } = await lookAt(
      50,
      resting.filter(({ model }) => model !== 'm6'),
    )
    expect(found).toMatchObject([{ upstream: { name: 'acme' }, why: 'connection_refused', listed: { count: 5 } }])
    expect(minuteOf(found[0]?.since)).toBe(43)
  })

  test('is one of two items where another fails as well, each with its own', async () => {
    const both = [...outage, ...calls([50, 56], 0.5, (at) => down(at, 'elsewhere', { upstream: 'other', status: 503 }))]
    const { found } = await lookAt(57, both)
    expect(
      found.map(({ upstream, why, status, listed, failed }) => [upstream?.name, why, status, listed?.names, failed]),
    ).toEqual([
      ['acme', 'connection_refused', null, MODELS, 84],
      ['other', null, 503, ['elsewhere'], 12],
    ])
  })
})

describe('many requests', () => {
  // A hundred a minute for each: the newest do not reach back a minute.
  const busy = [
    ...calls([0, 43], 0.01, well),
    ...calls([43, 70], 0.01, (at, model) => down(at, model)),
    ...calls([70, 90], 0.01, well),
  ]

  test('say to half a minute when it began, by a bounded number of reads', async () => {
    const { found, reads } = await lookAt(
      70,
      busy.filter(({ at }) => at < 70),
    )
    expect(minuteOf(found[0]?.since)).toBeGreaterThan(42.9)
    expect(minuteOf(found[0]?.since)).toBeLessThan(43.6)
    expect(found[0]?.failed).toBeGreaterThan(2_600)
    expect(reads).toBeLessThan(40)
  })

  test('keep it listed for ten minutes after it healed, and single failures among them do not', async () => {
    expect((await lookAt(79, busy)).found).toMatchObject([{ upstream: { name: 'acme' } }])
    const noisy = busy.map((call, i) => (call.at > 70 && i % 40 === 0 ? down(call.at, call.model) : call))
    expect((await lookAt(81, noisy)).found).toEqual([])
  })
})

describe('a model', () => {
  // JiRaska/open-bank-oss#6041: a sum over a provider hides the one model that is dead behind those that work.
  test('that alone fails is named itself, with its upstream, where that answers for others', async () => {
    const all = [
      ...calls([0, 50], 0.25, well).filter(({ model }) => model !== 'm2'),
      ...calls([20, 50], 3, (at) => down(at, 'm2', { status: 404 })),
    ]
    const { found } = await lookAt(50, all)
    expect(found).toMatchObject([{ model: 'm2', listed: null, upstream: { name: 'acme' }, status: 404, failed: 10 }])
  })

  test('is one of several behind one item where they fail at an upstream that answers for others', async () => {
    const ill = ['m2', 'm3'].flatMap((model) => calls([20, 50], 3, (at) => down(at, model, { status: 404 })))
    const { found } = await lookAt(50, [...calls([0, 50], 0.25, (at) => well(at, 'm1')), ...ill])
    expect(found).toMatchObject([{ model: null, listed: { count: 2, names: ['m2', 'm3'] }, failed: 20 }])
  })

  test('is named with what most of its requests heard, and what to do about it where a cloud refuses', async () => {
    const words = 'The API deployment for this resource does not exist.'
    const refused = (at: number) => down(at, 'm2', { status: 404, said: at > 45 ? 'Once something else.' : words })
    const others = calls([0, 50], 0.25, (at) => well(at, 'm1'))
    const { found } = await lookAt(50, [...others, ...calls([20, 50], 3, refused)])
    expect(found).toMatchObject([{ kind: 'model_failing', model: 'm2', status: 404, why: null, said: words }])
    expect(found[0]?.detail).toMatch(/test the upstream "acme"\. The Azure resource has no deployment .* Set the model/)
  })

  test('whose upstream is not known stands by itself', async () => {
    const { found } = await lookAt(
      10,
      calls([0, 10], 1, (at) => down(at, 'm6', { upstream: null })),
    )
    expect(found).toMatchObject([{ model: 'm6', upstream: null }])
    expect(found[0]?.detail).toContain('failed at its upstreams')
  })
})

test('what clients got wrong is counted neither as a failure nor as an answer', async () => {
  const wrong = calls([0, 10], 0.1, (at, model) => ({ at, model, fault: 'request_invalid' }))
  expect(await lookAt(10, wrong)).toEqual({ found: [], reads: 0 })
  const mixed = [...wrong, ...calls([0, 10], 1, (at, model) => down(at, model))]
  expect((await lookAt(10, mixed)).found).toMatchObject([{ failed: 10 }])
})

test('no record is read where nothing fails, and a bounded number of times where all do', async () => {
  expect((await lookAt(43, BEFORE)).reads).toBe(0)
  const many = Array.from({ length: 60 }, (_, i) =>
    calls([0, 6], 1, (at) => down(at, 'm1', { upstream: `u${i}` })),
  ).flat()
  expect((await lookAt(7, many)).reads).toBeLessThan(40)
})
