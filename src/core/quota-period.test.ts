import { expect, test } from 'vitest'
import { quotaPeriod } from './quota-period.ts'

const at = (text: string) => Date.parse(text)

test.for([
  ['daily', '2026-11-21T23:59:59.999Z', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z'],
  ['daily', '2026-11-22T00:00:00Z', '2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z'],
  ['weekly', '2026-11-22T12:00:00Z', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z'],
  ['weekly', '2026-11-23T00:00:00Z', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
  ['monthly', '2026-12-31T23:00:00Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['monthly', '2028-02-29T00:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
] as const)('the %s period of %s runs from %s to %s', ([reset, now, start, end]) => {
  expect(quotaPeriod(reset, at(now))).toEqual({ startsAt: at(start), endsAt: at(end) })
})

test('a quota that never resets has one period without an end', () => {
  expect(quotaPeriod('never', at('2026-11-21T00:00:00Z'))).toEqual({ startsAt: 0, endsAt: null })
})
