import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { ImportNotes, type PlannedAccount } from '../import-plan.ts'
import type { Row } from '../source.ts'
import { readGroups } from './groups.ts'
import { planKeys } from './keys.ts'
import { planSales } from './sales.ts'

const NOW = Date.parse('2026-01-02T00:00:00Z')
const LATER = new Date(NOW + 86_400_000).toISOString()
const accountOf = (id: string): PlannedAccount => ({
  id,
  email: `${id}@example.test`,
  name: id,
  passwordHash: null,
  role: 'user',
  isActive: true,
  balance: 0n as PlannedAccount['balance'],
  stated: '0',
  madeOf: id,
  openGroups: [],
  limits: { concurrency: null, requestsPerMinute: null },
  createdAt: null,
  oidcSubject: null,
  wantsMail: null,
})
const PLAN = { group_id: '3', price: '9.90', validity_days: '30', validity_unit: 'day' }

/** Imports plans of a group that is sold, in which the user 1 has half of its multiplier. */
async function imported(plans: readonly Row[]) {
  const source = rowsInMemory({
    groups: [{ id: '3', name: 'sold', rate_multiplier: '1', status: 'active', subscription_type: 'subscription' }],
    user_allowed_groups: [],
    user_group_rate_multipliers: [{ user_id: '1', group_id: '3', rate_multiplier: '0.5' }],
    subscription_plans: plans,
    user_subscriptions: ['1', '2'].map((user) => ({
      id: user,
      user_id: user,
      group_id: '3',
      expires_at: LATER,
      status: 'active',
    })),
    redeem_codes: [
      { id: '1', code: 'c', type: 'subscription', value: '0', status: 'unused', group_id: '3', validity_days: '7' },
    ],
    api_keys: ['1', '2'].map((user) => ({ id: user, user_id: user, key: `sk-${user}`.repeat(9), group_id: '3' })),
  })
  const notes = new ImportNotes()
  const accounts = ['1', '2'].map(accountOf)
  const groups = await readGroups(source, notes)
  const sales = await planSales(source, { groups, accounts, notes, nowMs: NOW })
  return { ...sales, keys: await planKeys(source, { groups, accounts, notes }) }
}

test('who has a multiplier of their own in a group that is sold gets a plan of their own with it', async () => {
  const { plans, subscriptions, codes, keys } = await imported([
    { ...PLAN, id: '1', name: 'Monthly' },
    { ...PLAN, id: '2', name: 'Yearly', validity_days: '365' },
  ])
  expect(plans).toMatchObject([
    { name: 'Monthly', groups: ['sold'], price: 9_900_000_000n },
    { name: 'Monthly sold·0.5', groups: ['sold·0.5'], price: 0n, days: 30 },
    { name: 'Yearly', groups: ['sold'] },
  ])
  expect(subscriptions.map(({ plan }) => plan)).toEqual(['Monthly sold·0.5', 'Monthly'])
  expect(keys.map(({ group }) => group)).toEqual(['sold·0.5', 'sold'])
  expect(codes).toMatchObject([{ grants: { plan: 'Monthly', days: 7 } }])
})

test('a plan that is on sale no more has no price here, so it is not sold', async () => {
  const { plans } = await imported([
    { ...PLAN, id: '1', name: 'Old', for_sale: '0' },
    { ...PLAN, id: '2', name: 'New', for_sale: '1' },
  ])
  expect(plans.filter(({ groups }) => groups[0] === 'sold')).toMatchObject([
    { name: 'Old', price: 0n },
    { name: 'New', price: 9_900_000_000n },
  ])
})
