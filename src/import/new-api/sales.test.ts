import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { ImportNotes } from '../import-notes.ts'
import { rational } from '../rational.ts'
import { readGroups } from './groups.ts'
import { QuotaInUsd } from './quota.ts'
import { planSales } from './sales.ts'

test('a plan that is on sale no more has no price here, so it is not sold; an older source has no such column', async () => {
  const plan = {
    price_amount: '9.9',
    currency: 'USD',
    duration_unit: 'day',
    duration_value: '30',
    total_amount: '500000',
  }
  const notes = new ImportNotes()
  const source = rowsInMemory({
    subscription_plans: [
      { ...plan, id: '1', title: 'Old', enabled: '0' },
      { ...plan, id: '2', title: 'New', enabled: '1' },
      { ...plan, id: '3', title: 'Before' },
    ],
  })
  const groups = readGroups(new Map(), { product: 'new-api', userGroups: new Set(), notes })
  const quota = new QuotaInUsd(rational(500_000n), notes)
  const { plans } = await planSales(source, { groups, accounts: [], quota, notes, nowMs: 0 })
  expect(plans.map(({ name, price }) => [name, price])).toEqual([
    ['Old', 0n],
    ['New', 9_900_000_000n],
    ['Before', 9_900_000_000n],
  ])
})
