import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

describe.each(ENGINES_ABOVE_STORES)('on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    admin = await control.account({ role: 'admin' })
  })
  afterAll(() => control.close())

  test('of each plan it is known how many run and how many of those end within seven days', async () => {
    const aPlan = async (name: string, days: number) =>
      (await admin.ask('POST', '/api/plans', { name, groups: ['default'], days, price: '1' })).body as { id: string }
    const [week, month, none] = [await aPlan('week', 7), await aPlan('month', 30), await aPlan('none', 1)]
    const { account } = await control.account()
    const open = async (plan: string) =>
      (await admin.ask('POST', `/api/accounts/${account.id}/subscriptions`, { plan })).body as { id: string }
    await open('week')
    await open('month')
    await admin.ask('POST', `/api/subscriptions/${(await open('month')).id}/cancel`)
    const { body } = await admin.ask('GET', '/api/plans/use')
    expect(body.data).toEqual(
      expect.arrayContaining([
        { id: week.id, running: 1, ending: 1 },
        { id: month.id, running: 1, ending: 0 },
        { id: none.id, running: 0, ending: 0 },
      ]),
    )
  })

  test('codes that were created at once are one batch, with how many were used', async () => {
    const { body: made } = await admin.ask('POST', '/api/redeem-codes', { amount: '5', count: 3, note: 'spring' })
    control.clock.advance(1000)
    await admin.ask('POST', '/api/redeem-codes', { plan: 'week', count: 2 })
    const user = await control.account()
    expect((await user.ask('POST', '/api/redeem', { code: made.codes[1] })).status).toBe(200)
    const { body } = await admin.ask('GET', '/api/redeem-codes/batches')
    expect(body.data).toMatchObject([
      { kind: 'plan', plan: 'week', amount: null, note: '', made: 2, used: 0, expires_at: null },
      { kind: 'balance', plan: null, amount: '5', note: 'spring', made: 3, used: 1 },
    ])
  })
})
