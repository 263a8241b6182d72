import { expect, test } from 'vitest'
import { isAlarming } from './failures.ts'

test('failures are red above a tenth of the requests or when their share rises, and not for a few of many', () => {
  expect(isAlarming({ requests: 100, failed: 0 })).toBe(false)
  expect(isAlarming({ requests: 1_000, failed: 43 })).toBe(false)
  expect(isAlarming({ requests: 1_000, failed: 101 })).toBe(true)
  expect(isAlarming({ requests: 1_000, failed: 43 }, { requests: 900, failed: 40 })).toBe(false)
  expect(isAlarming({ requests: 1_000, failed: 43 }, { requests: 900, failed: 20 })).toBe(true)
  expect(isAlarming({ requests: 100, failed: 2 }, { requests: 100, failed: 1 })).toBe(false)
})
