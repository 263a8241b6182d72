import { expect, test } from 'vitest'
import type { LedgerDays } from '../../../../../src/contract/billing.ts'
import { dayBalances } from './day-balances.ts'

const day = (at: string, paid: string, ...amounts: readonly string[]): LedgerDays['data'][number] => ({
  at,
  requests: 1,
  paid_by_balance: paid,
  paid_by_subscriptions: '0',
  entries: amounts.map((amount) => ({ amount }) as LedgerDays['data'][number]['entries'][number]),
})

test('a balance is walked back from what it is now, day by day, through charges and all other entries', () => {
  const data = [day('2026-11-21', '0.5'), day('2026-11-20', '1', '5', '-2'), day('2026-11-18', '0', '10')]
  const days = { from: '', to: '', data, next_cursor: null, has_more_entries: false }
  expect(dayBalances(days, '11.5')).toEqual([
    { at: '2026-11-18', balance: 10_000_000_000n },
    { at: '2026-11-20', balance: 12_000_000_000n },
    { at: '2026-11-21', balance: 11_500_000_000n },
  ])
  expect(dayBalances({ ...days, data: [] }, '3')).toEqual([])
})
