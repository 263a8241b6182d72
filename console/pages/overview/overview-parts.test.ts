import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { Overview } from '../../../src/contract/overview.ts'
import { drawn } from '../../drawn.ts'
import { failedFirst } from '../../api/failed-first.ts'
import { SpendTile } from './overview-tiles.tsx'

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
