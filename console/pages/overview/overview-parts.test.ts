import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { Overview } from '../../../src/contract/overview.ts'
import { drawn } from '../../drawn.ts'
import { failedFirst } from '../../api/failed-first.ts'
import { formatRoughMoney } from '../../format/money.ts'
import { SpendTile } from './overview-tiles.tsx'
import { areAlertsLeft, otherAlerts, watchedParts } from './watched-parts.ts'

type Figures = Overview['spend']['today']['now']
type Step = Overview['requests'][number]

const figures = (cost: string, about: Partial<Figures> = {}): Figures => ({ requests: 1, failed: 0, cost, ...about })

test.for<[string, Figures, Figures, readonly string[]]>([
  ['more than before', figures('3'), figures('2'), ['$3.00', '+50', '$2.00 by this time yesterday', '1 request']],
  ['less than before', figures('1', { requests: 2, failed: 2 }), figures('2'), ['−50', '2 requests', '2 failed']],
  ['as much as before', figures('2'), figures('2'), ['no change']],
])('a tile of what was spent stands beside the span before: %s', async ([, now, before, says]) => {
  const spend = { from: '2026-11-23T00:00:00Z', now, before }
  const html = await drawn(createElement(SpendTile, { span: 'today', spend }))
  for (const said of says) expect(html).toContain(said)
  expect(html.includes('failed')).toBe(now.failed > 0)
})

test('the latest requests begin with those that failed; what a client broke off did not fail', () => {
  const step = (id: string, outcome: Step['outcome'], fault: string | null): Step =>
    ({ id, outcome, fault }) as unknown as Step
  const requests = [
    step('well', 'completed', null),
    step('refused', 'refused', 'model_unknown'),
    step('left', 'aborted', 'client_closed'),
    step('failed', 'failed', 'upstream_unavailable'),
  ]
  expect(failedFirst(requests).map(({ id }) => id)).toEqual(['refused', 'failed', 'well', 'left'])
})

type Watched = Overview['keys'][number]

const watched = (id: string, why: Watched['why'], about: Partial<Watched> = {}): Watched => ({
  id,
  name: id,
  why,
  window: null,
  used: why === 'expiry' ? null : '9',
  limit: why === 'expiry' ? null : '10',
  at: null,
  ...about,
})

test('each key is watched once: with all that is to be said of it, or among those without any quota left', () => {
  const keys = [
    watched('both', 'quota'),
    watched('both', 'expiry'),
    watched('gone', 'quota', { used: '10' }),
    watched('gone', 'expiry'),
    watched('spent', 'quota', { used: '12' }),
  ]
  const { spent, others } = watchedParts(keys)
  expect(spent.map(({ id }) => id)).toEqual(['gone', 'spent'])
  expect(others.map((each) => each.map(({ id, why }) => [id, why]))).toEqual([
    [
      ['both', 'quota'],
      ['both', 'expiry'],
    ],
  ])
  const alerts = ['gone', 'sub_1'].map((id) => ({ subject_id: id })) as unknown as Overview['alerts']
  expect(otherAlerts({ keys, alerts }).map(({ subject_id: id }) => id)).toEqual(['sub_1'])
})

test('alerts stand where the shorter column is', () => {
  const alerts = Array.from({ length: 5 }, () => ({})) as unknown as Overview['alerts']
  const requests = Array.from({ length: 10 }, () => ({})) as unknown as Overview['requests']
  const subscriptions = Array.from({ length: 3 }, () => ({})) as unknown as Overview['subscriptions']
  const keys = Array.from({ length: 5 }, (_, nth) => watched(`key ${nth}`, 'quota'))
  expect(areAlertsLeft({ keys, alerts, requests, subscriptions })).toBe(true)
  expect(areAlertsLeft({ keys, alerts, requests, subscriptions: [] })).toBe(false)
})

test('less than a cent has a large figure of no more than that', () => {
  expect(formatRoughMoney('0.000012', 'en')).toBe('<$0.01')
  expect(formatRoughMoney('0', 'en')).toBe('$0.00')
  expect(formatRoughMoney('0.01', 'en')).toBe('$0.01')
  expect(formatRoughMoney('-0.000012', 'en')).toBe('−$0.0000120')
})
