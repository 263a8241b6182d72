import { createElement } from 'react'
import { expect, test } from 'vitest'
import { keyViews } from '../../../test/support/key-views.ts'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import { drawn } from '../../drawn.ts'
import { KeyLimits } from './key-limits.tsx'

const [laptop] = keyViews(Date.now())

function limitsOf(limits: KeyReport['limits']): Promise<string> {
  if (laptop === undefined) throw new Error('there is a key')
  const nothing = { days: [], last_address: null, requests: [], failed: [], history: [] }
  const report = { key: laptop, limits, ever: { requests: 0, failed: 0, cost: '0' }, ...nothing }
  return drawn(createElement(KeyLimits, { report, isAdmin: false }))
}

test('each limit of a key is a bar of what is used of it, with both as a text, in one order', async () => {
  const html = await limitsOf({
    counted: [
      { type: 'concurrency', used: 1, limit: 4 },
      { type: 'tokens_per_minute', used: 0, limit: 0 },
    ],
    quota: { used: '2.5', limit: '10', resets_at: null },
    spend: [{ window: '5h', used: '9', limit: '9', resets_at: null }],
  })
  const bars = [...html.matchAll(/role="meter" aria-label="([^"]+)"[^>]*aria-valuenow="(\d+)"/g)]
  expect(bars.map(([, , share]) => Number(share))).toEqual([25, 25, 100, 100])
  expect(new Set(bars.map(([, name]) => name)).size).toBe(4)
  const texts = ['$2.50 of $10.00', '1 of 4', '0 of 0', '$9.00 of $9.00'].map((text) => html.indexOf(`>${text}<`))
  expect(texts).not.toContain(-1)
  expect(texts.toSorted((a, b) => a - b)).toEqual(texts)
})

test('a key without limits says so, without a bar', async () => {
  const html = await limitsOf({ counted: [], quota: null, spend: [] })
  expect(html).not.toContain('role="meter"')
  expect(html).toContain('No spending or rate limit')
})
