import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { aSettlement } from './store-fixtures.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const DAY_MS = 86_400_000

describe.each(ENGINES_ABOVE_STORES)('the list of accounts (%s)', (engine) => {
  let control: ControlUnderTest
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
  })
  afterAll(() => control.close())

  test('says what each was charged in 30 days, how many keys it has, and when it was last seen', async () => {
    const admin = await control.account({ role: 'admin' })
    const used = await control.account({ balance: '10' })
    const idle = await control.account({ via: 'read' })
    for (const name of ['a', 'b', 'gone']) await used.ask('POST', '/api/keys', { name, group: 'default' })
    const { body: keys } = await used.ask('GET', '/api/keys?search=gone')
    await used.ask('DELETE', `/api/keys/${keys.data[0].id}`)
    const old = { createdAt: control.clock.now() - 31 * DAY_MS }
    await control.store.settlements.settle([
      aSettlement(used.account.id, 7n),
      aSettlement(used.account.id, 5n),
      aSettlement(used.account.id, 9n, { record: old }),
    ])
    const { body } = await admin.ask('GET', '/api/accounts')
    const listed = (id: string) => body.data.find((each: { id: string }) => each.id === id)
    expect(listed(used.account.id)).toMatchObject({ spend_30d: '0.000000012', keys: 2 })
    expect(listed(used.account.id).last_seen_at).not.toBeNull()
    // An access token does not sign in.
    expect(listed(idle.account.id)).toMatchObject({ spend_30d: '0', keys: 0, last_seen_at: null })
  })

  test('says how each balance went in 30 days', async () => {
    const admin = await control.account({ role: 'admin' })
    const used = await control.account({ balance: '10' })
    const idle = await control.account({})
    const ago = (days: number) => ({ record: { createdAt: control.clock.now() - days * DAY_MS } })
    const dayOf = (days: number) => new Date(Math.floor(ago(days).record.createdAt / DAY_MS) * DAY_MS).toISOString()
    await control.store.settlements.settle([
      aSettlement(used.account.id, 1_000_000_000n, ago(40)),
      aSettlement(used.account.id, 2_000_000_000n, ago(20)),
      aSettlement(used.account.id, 500_000_000n, ago(20)),
      aSettlement(used.account.id, 3_000_000_000n),
    ])
    await admin.ask('POST', `/api/accounts/${used.account.id}/ledger`, { amount: '-1', reason: 'taken back' })
    const { body } = await admin.ask('GET', '/api/accounts')
    const { balance, balance_30d: went } = body.data.find((each: { id: string }) => each.id === used.account.id)
    expect(balance).toBe('2.5')
    // What it was given belongs to today: 3.5 was spent of it before.
    expect(went).toEqual({
      before: '-1',
      days: [
        { at: dayOf(20), balance: '-3.5' },
        { at: dayOf(0), balance: '2.5' },
      ],
    })
    const untouched = body.data.find((each: { id: string }) => each.id === idle.account.id)
    expect(untouched.balance_30d).toEqual({ before: '0', days: [] })
  })
})
