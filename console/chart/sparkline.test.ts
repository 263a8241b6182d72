import { expect, test } from 'vitest'
import { sparkHeights } from './sparkline.tsx'

const NOW = Date.parse('2026-11-21T12:30:00Z')

test('a sparkline has a place for each day up to now, and shows what is little', () => {
  const days = [
    { at: '2026-11-10T00:00:00Z', cost: '9' },
    { at: '2026-11-18T00:00:00Z', cost: '2' },
    { at: '2026-11-20T00:00:00Z', cost: '0.0001' },
    { at: '2026-11-21T00:00:00Z', cost: '1' },
  ]
  expect(sparkHeights(days, { count: 5, until: NOW })).toEqual([0, 1, 0, 0.06, 0.5])
})

test('a sparkline of nothing is flat', () => {
  expect(sparkHeights([], { count: 3, until: NOW })).toEqual([0, 0, 0])
})
