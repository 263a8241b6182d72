import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const DAY_MS = 86_400_000

interface Row {
  readonly [field: string]: string | null
}

describe.each(ENGINES_ABOVE_STORES)('what admins look through on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker & { readonly account: { readonly id: string; readonly email: string } }
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    admin = await control.account({ role: 'admin' })
  })
  afterAll(() => control.close())

  const rows = async (path: string) => (await admin.ask('GET', path)).body.data as readonly Row[]

  test('the audit is narrowed by who did it, by email or id, from where, what and when', async () => {
    const made = await admin.ask('POST', '/api/groups', { name: 'audited' })
    control.clock.advance(1_000)
    await admin.ask('PATCH', `/api/groups/${made.body.id}`, { multiplier: '2' })
    await admin.ask('POST', '/api/plans', { name: 'audited', groups: ['default'], days: 3, price: '1' })
    const actions = async (query: string) => (await rows(`/api/audit?${query}`)).map(({ action }) => action)
    const { email, id } = admin.account
    expect(await actions(`actor=${encodeURIComponent(email.toUpperCase())}&action=group.`)).toEqual([
      'group.update',
      'group.create',
    ])
    expect(await actions(`actor=${id}&action=group.create`)).toEqual(['group.create'])
    expect(await actions(`subject=${made.body.id}&action=plan.`)).toEqual([])
    expect(await actions('actor=another@example.test')).toEqual([])
    const [entry] = await rows('/api/audit?action=plan.')
    expect(entry).toMatchObject({
      action: 'plan.create',
      actor_email: email,
      subject_name: 'audited',
      account_email: null,
    })
    expect(await actions(`address=${entry?.['address']}&action=plan.`)).toEqual(['plan.create'])
    expect(await actions('address=203.0.113.99')).toEqual([])
    const later = new Date(control.clock.now() + DAY_MS).toISOString()
    expect(await actions(`from=${later}`)).toEqual([])
    expect(await actions(`to=${later}&action=plan.`)).toEqual(['plan.create'])
  })

  test('redeem codes are narrowed by state, batch, and the end of a code', async () => {
    const soon = new Date(control.clock.now() + DAY_MS).toISOString()
    const spring = await admin.ask('POST', '/api/redeem-codes', { amount: '5', count: 2, note: 'spring' })
    control.clock.advance(1_000)
    const summer = await admin.ask('POST', '/api/redeem-codes', { amount: '5', note: 'summer', expires_at: soon })
    const ada = await control.account({})
    expect((await ada.ask('POST', '/api/redeem', { code: spring.body.codes[0] })).status).toBe(200)
    control.clock.advance(2 * DAY_MS)
    const notes = async (query: string) => (await rows(`/api/redeem-codes?${query}`)).map(({ note }) => note)
    expect(await notes('state=used')).toEqual(['spring'])
    expect(await notes('state=unused')).toEqual(['spring'])
    expect(await notes('state=expired')).toEqual(['summer'])
    expect(await notes(`batch=${spring.body.data[0].created_at}`)).toEqual(['spring', 'spring'])
    expect(await notes(`batch=${spring.body.data[0].created_at}&state=used`)).toEqual(['spring'])
    expect(await notes(`search=${summer.body.data[0].code_end.toLowerCase()}`)).toEqual(['summer'])
    expect(await notes('search=SPRI')).toEqual(['spring', 'spring'])
    expect(await notes('search=%25')).toEqual([])
    const { text } = await admin.ask('GET', '/api/redeem-codes.csv?state=used')
    expect(text.trimEnd().split('\r\n')).toHaveLength(2)
    expect(text).not.toContain(spring.body.codes[0])
  })

  test('a subscription is extended by days without a charge, with the reason in the audit', async () => {
    await admin.ask('POST', '/api/plans', { name: 'pro', groups: ['default'], days: 30, price: '20' })
    const ada = await control.account({ balance: '10' })
    const path = `/api/accounts/${ada.account.id}/subscriptions`
    const opened = await admin.ask('POST', path, { plan: 'pro' })
    const { id, ends_at: before } = opened.body
    const extend = (body: object) => admin.ask('POST', `/api/subscriptions/${id}/extend`, body)
    const { status, body } = await extend({ days: 3, reason: 'outage' })
    expect(status).toBe(200)
    expect(Date.parse(body.ends_at) - Date.parse(before)).toBe(3 * DAY_MS)
    expect(await rows(`/api/audit?subject=${id}&action=subscription.extend`)).toMatchObject([
      { changes: { reason: { after: 'outage' }, ends_at: { before, after: body.ends_at } } },
    ])
    expect((await admin.ask('GET', `/api/accounts/${ada.account.id}`)).body.balance).toBe('10')
    expect((await extend({ days: 0, reason: 'x' })).status).toBe(422)
    expect((await extend({ days: 3, reason: ' ' })).body.field).toBe('reason')
    await admin.ask('POST', `/api/subscriptions/${id}/cancel`)
    expect((await extend({ days: 3, reason: 'x' })).body.code).toBe('subscription_cancelled')
  })
})
