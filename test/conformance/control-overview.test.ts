import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { quotaBudgetOf } from '../../src/entitlement/funding.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { aRecord, aSettlement, leaseFor } from './store-fixtures.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe.each(ENGINES_ABOVE_STORES)('the overview of an account on %s', (engine) => {
  let control: ControlUnderTest
  let user: Asker & { account: { id: string } }
  const keys: Record<string, string> = {}

  const settled = (ageMs: number, cost: bigint, over: Omit<Partial<UsageRecord>, 'cost'> = {}) => {
    const createdAt = control.clock.now() - ageMs
    const record = { id: newId('req', createdAt), createdAt, keyId: keys['laptop'] ?? '', ...over }
    return control.store.settlements.settle([aSettlement(over.accountId ?? user.account.id, cost, { record })])
  }
  const keyMade = async (name: string, more: object = {}) => {
    const { body } = await user.ask('POST', '/api/keys', { name, group: 'default', ...more })
    keys[name] = body.key.id
  }

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    user = await control.account({ balance: '10' })
    await keyMade('laptop')
  })
  afterAll(() => control.close())

  test('says of a new one that nothing was answered yet', async () => {
    const { status, body } = await user.ask('GET', '/api/overview')
    expect(status).toBe(200)
    expect(body).toMatchObject({ has_answered: false, requests: [], keys: [], days: [], alerts: [] })
    expect(body.balance).toEqual({ amount: '10', held: '0', per_day: '0', days_left: null })
  })

  test('the page of a key says from where it was used last, of two nodes the later, until it is deleted', async () => {
    const { body } = await user.ask('POST', '/api/keys', { name: 'travelling', group: 'default' })
    const { id } = body.key
    const [keyId, accountId] = [id, user.account.id]
    const usedAt = control.clock.now()
    const said = async () => (await user.ask('GET', `/api/keys/${id}/report`)).body.last_address
    expect(await said()).toBeNull()
    await control.store.keys.noteAddresses([{ keyId, accountId, address: '192.0.2.7', usedAt }])
    await control.store.keys.noteAddresses([{ keyId, accountId, address: '192.0.2.8', usedAt: usedAt - 1 }])
    expect(await said()).toBe('192.0.2.7')
    const other = await control.account()
    expect((await other.ask('GET', `/api/keys/${id}/report`)).status).toBe(404)
    await user.ask('DELETE', `/api/keys/${id}`)
    await control.store.keys.noteAddresses([{ keyId, accountId, address: '192.0.2.9', usedAt: usedAt + 1 }])
    expect(await control.store.keys.activityOf({ id, accountId })).toMatchObject({ lastAddress: null })
  })

  test('sums today, the week and the month beside the same hours before, and counts no other account', async () => {
    const other = await control.account({ balance: '10' })
    const usd = 1_000_000_000n
    await settled(0, usd)
    await settled(DAY_MS, 3n * usd)
    await settled(8 * DAY_MS, usd / 2n)
    await settled(0, 5n * usd, { accountId: other.account.id })
    const { body } = await user.ask('GET', '/api/overview')
    const costs = ({ now, before }: Record<'now' | 'before', { cost: string }>) => [now.cost, before.cost]
    expect(body.has_answered).toBe(true)
    expect(costs(body.spend.today)).toEqual(['1', '3'])
    expect(costs(body.spend.last_7_days)).toEqual(['4', '0.5'])
    expect(body.requests).toHaveLength(3)
    expect(body.days.map(({ cost }: { cost: string }) => cost)).toEqual(['0.5', '3', '1'])
    // Opened today: what was paid counts as one day's.
    expect(body.balance).toMatchObject({ amount: '5.5', per_day: '4', days_left: 1 })
  })

  test('sums a ledger by the days of its reader, with what came in beside, a page for each month in which anything did', async () => {
    const usd = 1_000_000_000n
    const reader = await control.account({ balance: '10' })
    const old = { accountId: reader.account.id, keyId: 'key_old', keyName: 'old', model: 'a-model' }
    // Noon: by the clocks of Kiritimati, 14 hours ahead, ten hours ago was yesterday.
    await settled(10 * HOUR_MS, usd, old)
    await settled(9 * HOUR_MS, 2n * usd, old)
    await settled(40 * DAY_MS, 3n * usd, old)
    const record = aRecord(reader.account.id, usd, {
      createdAt: control.clock.now(),
      balancePaid: nanoUsd(0n),
      subscriptionsPaid: [{ subscriptionId: 'sub_x', paid: nanoUsd(usd) }],
    })
    await control.store.settlements.settle([{ record, charges: [] }])
    const read = (more = '') => reader.ask('GET', `/api/ledger/days?offset_minutes=840${more}`)
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      {
        at: '2026-11-21T10:00:00.000Z',
        requests: 1,
        paid_by_balance: '0',
        paid_by_subscriptions: '1',
        entries: [{ amount: '10', key_name: null }],
      },
      { at: '2026-11-20T10:00:00.000Z', requests: 2, paid_by_balance: '3', paid_by_subscriptions: '0', entries: [] },
    ])
    expect(body.has_more_entries).toBe(false)
    const older = await read(`&cursor=${body.next_cursor}`)
    expect(older.body).toMatchObject({ data: [{ requests: 1, paid_by_balance: '3' }], next_cursor: null })
    const day = await reader.ask('GET', '/api/ledger?kind=usage&from=2026-11-20T10:00:00Z&to=2026-11-21T10:00:00Z')
    expect(day.body.data).toMatchObject([
      { key_id: 'key_old', key_name: 'old', model: 'a-model' },
      { key_id: 'key_old', key_name: 'old', model: 'a-model' },
    ])
    const nothing = await (await control.account()).ask('GET', '/api/ledger/days')
    expect(nothing.body).toMatchObject({ data: [], next_cursor: null })
  })

  test('names the keys that are near their end or the end of their money, and no others', async () => {
    const at = (days: number) => new Date(control.clock.now() + days * DAY_MS).toISOString()
    await keyMade('ends soon', { expires_at: at(3) })
    await keyMade('ends late', { expires_at: at(30) })
    await keyMade('nearly used up', { quota_limit: '1', quota_reset: 'monthly' })
    await keyMade('half used', { quota_limit: '1' })
    await keyMade('quota gone', { quota_limit: '1' })
    for (const [name, cost] of [
      ['nearly used up', 850_000_000n],
      ['half used', 500_000_000n],
      ['quota gone', 990_000_000n],
    ] as const) {
      await charge(name, cost)
    }
    await user.ask('PATCH', `/api/keys/${keys['quota gone']}`, { quota_limit: null })
    const { body } = await user.ask('GET', '/api/overview')
    expect(body.keys.map(({ name, why, used }: Record<string, string>) => [name, why, used])).toEqual([
      ['nearly used up', 'quota', '0.85'],
      ['ends soon', 'expiry', null],
    ])
  })

  /** A settlement that is charged to the key's quota as well. */
  async function charge(name: string, cost: bigint): Promise<void> {
    const createdAt = control.clock.now()
    const key = await control.store.keys.findById(keys[name] ?? '')
    const budget = key === null ? null : quotaBudgetOf(key, createdAt)
    if (budget === null) throw new Error(`${name} has no quota`)
    const lease = await leaseFor(control.store, budget, { need: cost, nowMs: createdAt })
    const record = { id: newId('req', createdAt), createdAt, keyId: keys[name] ?? '' }
    const quota = { budgetId: budget.id, leaseId: lease.id, cost: nanoUsd(cost) }
    await control.store.settlements.settle([aSettlement(user.account.id, cost, { record, quota })])
  }
})
