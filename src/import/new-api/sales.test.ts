import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { ImportNotes, type PlannedAccount } from '../import-plan.ts'
import { rational } from '../rational.ts'
import { notesReport } from '../report.ts'
import { readGroups } from './groups.ts'
import { QuotaInUsd } from './options.ts'
import { planSales } from './sales.ts'

const PLAN = {
  price_amount: '9.9',
  currency: 'USD',
  duration_unit: 'day',
  duration_value: '30',
  quota_reset_period: 'daily',
}

async function salesOf(tables: Parameters<typeof rowsInMemory>[0], nowMs = 0) {
  const notes = new ImportNotes()
  const groups = readGroups(new Map(), { product: 'new-api', userGroups: new Set(), notes })
  const quota = new QuotaInUsd(rational(500_000n))
  const accounts = [{ id: '1' } as PlannedAccount]
  const sales = await planSales(rowsInMemory(tables), { groups, accounts, quota, notes, nowMs })
  return { ...sales, said: notesReport(notes.notes).join('\n') }
}

test('a plan of amount 0 pays for everything, in windows of any length; one of which no amount is known is named', async () => {
  const { plans, said } = await salesOf({
    subscription_plans: [
      { ...PLAN, id: '1', title: 'All', total_amount: '0' },
      { ...PLAN, id: '2', title: 'Also all', total_amount: '0', quota_reset_period: 'custom' },
      { ...PLAN, id: '3', title: 'Some', total_amount: '500000' },
      { ...PLAN, id: '4', title: 'Unknown', total_amount: null },
      { ...PLAN, id: '5', title: 'Odd', total_amount: '500000', quota_reset_period: 'custom' },
    ],
  })
  expect(plans.map(({ name, quotas }) => [name, quotas])).toEqual([
    ['All', []],
    ['Also all', []],
    ['Some', [{ window: '1d', usd: 1_000_000_000n }]],
  ])
  expect(said).toMatch(/subscription_plans 4, 5: have no whole number of days, no amount that is known/)
})

test('a plan pays in all groups and opens none, whatever its amount', async () => {
  const { plans } = await salesOf({
    subscription_plans: [
      { ...PLAN, id: '1', title: 'Some', total_amount: '500000' },
      { ...PLAN, id: '2', title: 'All', total_amount: '0' },
    ],
  })
  const everywhere = { groups: ['default', 'vip', 'svip'], opensGroups: false }
  expect(plans).toMatchObject([everywhere, everywhere])
})

test('a subscription has the amount that was sold, whatever its plan has become since', async () => {
  const held = {
    user_id: '1',
    plan_id: '1',
    status: 'active',
    end_time: '10',
    amount_used: '1000',
    next_reset_time: '9',
  }
  const { subscriptions } = await salesOf({
    subscription_plans: [
      { ...PLAN, id: '1', title: 'Some', total_amount: '500000' },
      { ...PLAN, id: '2', title: 'All', total_amount: '0' },
    ],
    user_subscriptions: [
      { ...held, id: '1', amount_total: '250000' },
      { ...held, id: '2', amount_total: '0' },
      { ...held, id: '3', amount_total: null },
      { ...held, id: '4', plan_id: '2', amount_total: '250000' },
    ],
  })
  const half = [{ window: '1d', usd: 500_000_000n }]
  expect(subscriptions.map(({ quotas }) => quotas)).toEqual([half, [], undefined, half])
  expect(subscriptions[3]?.spent).toEqual([{ window: '1d', used: 2_000_000n, endsAt: 9_000 }])
})

test('a subscription whose begin is not known is the same at each run', async () => {
  const tables = {
    subscription_plans: [{ ...PLAN, id: '1', title: 'Some', total_amount: '500000' }],
    user_subscriptions: [{ id: '1', user_id: '1', plan_id: '1', status: 'active', start_time: null, end_time: '10' }],
  }
  const [first, second] = [await salesOf(tables, 1_000), await salesOf(tables, 2_000)]
  expect(first.subscriptions).toHaveLength(1)
  expect(second.subscriptions).toEqual(first.subscriptions)
})

test('a plan that is on sale no more has no price here, so it is not sold; an older source has no such column', async () => {
  const plan = { ...PLAN, total_amount: '500000' }
  const { plans } = await salesOf({
    subscription_plans: [
      { ...plan, id: '1', title: 'Old', enabled: '0' },
      { ...plan, id: '2', title: 'New', enabled: '1' },
      { ...plan, id: '3', title: 'Before' },
    ],
  })
  expect(plans.map(({ name, price }) => [name, price])).toEqual([
    ['Old', 0n],
    ['New', 9_900_000_000n],
    ['Before', 9_900_000_000n],
  ])
})
