import { createElement } from 'react'
import { expect, test } from 'vitest'
import { drawn } from '../../drawn.ts'
import { KeyLimits } from './key-limits.tsx'

const NONE = { counted: [], quota: null, spend: [] }

test('each limit of a key is a bar that says how much of it is used', async () => {
  const html = await drawn(
    createElement(KeyLimits, {
      limits: {
        counted: [
          { type: 'concurrency', used: 1, limit: 4 },
          { type: 'tokens_per_minute', used: 0, limit: 0 },
        ],
        quota: { used: '2.5', limit: '10', resets_at: null },
        spend: [{ window: '5h', used: '9', limit: '9', resets_at: null }],
      },
    }),
  )
  const bars = [
    ...html.matchAll(/role="meter" aria-label="([^"]+)"[^>]*aria-valuenow="(\d+)" aria-valuetext="([^"]+)"/g),
  ]
  expect(bars.map(([, , now, said]) => [now, said])).toEqual([
    ['25', '$2.50 of $10.00'],
    ['25', '1 of 4'],
    ['100', '0 of 0'],
    ['100', '$9.00 of $9.00'],
  ])
  expect(new Set(bars.map(([, name]) => name)).size).toBe(4)
})

test('a key without limits says so, without a bar', async () => {
  const html = await drawn(createElement(KeyLimits, { limits: NONE }))
  expect(html).not.toContain('role="meter"')
  expect(html).toContain('<p')
})
