import { expect, test } from 'vitest'
import type { ModelAnswers } from '../../metering/usage/usage-store.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import { failingItems } from './failing-items.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const MODELS = ['m1', 'm2', 'm3', 'm4', 'm5']

/** Five models at `dead`, the last of them at `other` as well, and one at `other` alone. */
const CATALOGUE = {
  upstreams: [
    { id: 'ups_dead', name: 'dead' },
    { id: 'ups_other', name: 'other' },
  ],
  models: [
    ...MODELS.map((name) => ({
      name,
      targets: [{ upstreamId: 'ups_dead' }, ...(name === 'm5' ? [{ upstreamId: 'ups_other' }] : [])],
    })),
    { name: 'elsewhere', targets: [{ upstreamId: 'ups_other' }] },
  ],
} as unknown as ListedCatalogue

const good = (model: string, upstreamName = 'dead') =>
  ({ model, upstreamName, fault: null, outcome: 'completed', attempts: [] }) as unknown as UsageRecord
const failed = (model: string, upstreamName: string | null = 'dead', fault = 'upstream_unavailable') =>
  ({ model, upstreamName, fault, outcome: 'failed', attempts: [] }) as unknown as UsageRecord

async function items(given: {
  readonly answers?: Readonly<Record<string, ModelAnswers>>
  /** Records of the last ten minutes. */
  readonly recent?: readonly UsageRecord[]
  /** Hours of the last day. */
  readonly hours?: readonly { readonly model: string; readonly upstream: string | null; readonly failed: number }[]
}) {
  const { answers = Object.fromEntries(MODELS.map((name) => [name, { good: 0, failed: 12 }])), recent = [] } = given
  const hours = given.hours ?? [{ model: 'm5', upstream: 'dead', failed: 9 }]
  let reads = 0
  const usage = {
    list: (filter: { readonly model?: string }) => {
      reads += 1
      return Promise.resolve({ records: recent.filter(({ model }) => model === filter.model), next: null })
    },
    incidents: {
      troubledAtUpstreams: () => {
        reads += 1
        return Promise.resolve(hours.map((hour) => ({ ...hour, hourAt: 0, requests: 0, faults: [] })))
      },
    },
  }
  const about = {
    catalogue: CATALOGUE,
    answers: new Map(Object.entries(answers)),
    failures: { recent: (isLike: (record: UsageRecord) => boolean) => recent.filter(isLike).length },
  }
  const found = await failingItems(about, { nowMs: NOW, usage } as Parameters<typeof failingItems>[1])
  return { found, reads }
}

// OneUptime/oneuptime#3021: one router that is offline is one thing to do, not one for each device behind it.
test('five models behind one dead host are one item, with the host’s upstream and the models', async () => {
  const { found } = await items({ recent: MODELS.flatMap((name) => [failed(name), failed(name)]) })
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    kind: 'model_failing',
    model: null,
    upstream: { id: 'ups_dead', name: 'dead' },
    listed: { count: 5, names: MODELS },
    requests: 10,
    detail:
      'Of the last day’s requests for 5 models (m1, m2, m3, …), 60 failed at the upstream "dead" and 0 were answered: test the upstream "dead".',
  })
})

test('where no request came lately, the sums of hours or the only target say at which upstream it was', async () => {
  const { found } = await items({
    hours: [
      { model: 'm5', upstream: 'other', failed: 3 },
      { model: 'm5', upstream: 'dead', failed: 9 },
      { model: 'm5', upstream: null, failed: 90 },
    ],
  })
  expect(found.map(({ upstream, listed }) => [upstream?.name, listed?.count])).toEqual([['dead', 5]])
})

test('one model alone is named, with its upstream; one whose upstream is not known stands by itself', async () => {
  const { found } = await items({ answers: { m1: { good: 1, failed: 9 }, m5: { good: 1, failed: 9 } }, hours: [] })
  expect(found).toMatchObject([
    { model: 'm1', upstream: { name: 'dead' }, listed: null },
    { model: 'm5', upstream: null, listed: null },
  ])
  expect(found[1]?.detail).toContain('failed at its upstreams')
})

test('two causes are two items', async () => {
  const answers = { m1: { good: 0, failed: 9 }, m2: { good: 0, failed: 9 }, elsewhere: { good: 0, failed: 9 } }
  const { found } = await items({ answers })
  expect(found.map(({ upstream, model }) => [upstream?.name, model])).toEqual([
    ['dead', null],
    ['other', 'elsewhere'],
  ])
})

// apache/hertzbeat#4160: what has recovered goes, and what still fails beside it stays.
test('what was answered well in the last ten minutes is gone, and what fails beside it stays', async () => {
  const well = Array.from({ length: 10 }, () => good('m1'))
  const { found } = await items({ recent: [...well, failed('m2'), good('m3'), failed('m3')] })
  expect(found).toMatchObject([{ listed: { names: ['m2', 'm3', 'm4', 'm5'] } }])
  expect((await items({ recent: MODELS.map((name) => good(name)) })).found).toEqual([])
})

test('a model that was not asked for since goes with the others of its upstream', async () => {
  expect((await items({ recent: [good('m1'), good('m2')] })).found).toEqual([])
  // But not one that is asked for and fails on, nor all of them while most fail.
  const { found } = await items({ recent: [good('m1'), ...Array.from({ length: 10 }, () => good('m2')), failed('m4')] })
  expect(found).toMatchObject([{ model: 'm4' }])
  expect((await items({ recent: [good('m1'), failed('m2'), failed('m4')] })).found[0]?.listed?.names).toEqual([
    'm2',
    'm3',
    'm4',
    'm5',
  ])
})

test('what clients got wrong does not count as a failure of an upstream', async () => {
  const recent = [good('m1'), failed('m1', null, 'request_invalid'), failed('m1', null, 'rate_limited')]
  expect((await items({ answers: { m1: { good: 0, failed: 9 } }, recent })).found).toEqual([])
})

test('nothing is read where no model fails, and a bounded number of times where many do', async () => {
  const { found, reads } = await items({ answers: { m1: { good: 9, failed: 8 }, m2: { good: 0, failed: 4 } } })
  expect([found, reads]).toEqual([[], 0])
  expect((await items({})).reads).toBe(6)
})
