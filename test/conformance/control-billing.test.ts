import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { parseUsd } from '../../src/core/money.ts'
import { subscriptionBudget, windowRowId } from '../../src/metering/budgets/budget.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { aRecord, leaseFor } from './store-fixtures.ts'

const DAY_MS = 86_400_000

let control: ControlUnderTest
let admin: Asker & { account: { id: string } }
let plan: { id: string; name: string }
beforeAll(async () => {
  control = await controlUnderTest()
  const { account, ask } = await control.account({ role: 'admin' })
  admin = { account, ask: (...of) => (control.clock.advance(1), ask(...of)) }
  await control.group('default')
  const quotas = [
    { window: '5h', usd: '5' },
    { window: '7d', usd: '40' },
  ]
  const made = await admin.ask('POST', '/api/plans', {
    name: 'pro',
    groups: ['default'],
    days: 30,
    price: '20',
    quotas,
  })
  plan = made.body
})
afterAll(() => control.close())

describe('subscriptions', () => {
  const open = (id: string, body: object = {}) =>
    admin.ask('POST', `/api/accounts/${id}/subscriptions`, { plan: 'pro', ...body })

  test('are opened, shown with their windows, renewed and cancelled', async () => {
    const user = await control.account()
    const made = await open(user.account.id)
    expect(made).toMatchObject({ status: 201, body: { plan: 'pro', groups: ['default'], status: 'running' } })
    const nowMs = control.clock.now()
    const quota = subscriptionBudget(made.body.id, parseUsd('5'), '5h')
    const lease = await leaseFor(control.store, quota, { need: parseUsd('2'), nowMs })
    const paid = { subscriptionId: made.body.id, paid: parseUsd('1.25') }
    const record = aRecord(user.account.id, paid.paid, {
      createdAt: nowMs,
      balancePaid: parseUsd('0'),
      subscriptionsPaid: [paid],
    })
    const charges = [{ budgetId: windowRowId(quota.id, 1), leaseId: lease.id, cost: paid.paid }]
    await control.store.settlements.settle([{ record, charges }])
    const { body } = await user.ask('GET', '/api/subscriptions')
    // The charge comes when the request has ended.
    const resetsAt = new Date(nowMs + record.totalMs + 5 * 3_600_000).toISOString()
    expect(body.data[0].quotas).toEqual([
      { window: '5h', limit: '5', used: '1.25', resets_at: resetsAt },
      { window: '7d', limit: '40', used: '0', resets_at: null },
    ])
    const renewed = await open(user.account.id, { renew: true })
    expect(renewed.body.id).toBe(made.body.id)
    expect(Date.parse(renewed.body.ends_at)).toBe(Date.parse(made.body.ends_at) + 30 * DAY_MS)
    const cancelled = await admin.ask('POST', `/api/subscriptions/${made.body.id}/cancel`)
    expect(cancelled.body).toMatchObject({ id: made.body.id, status: 'cancelled' })
    const again = await admin.ask('POST', `/api/subscriptions/${made.body.id}/cancel`)
    expect(again).toMatchObject({ status: 409, body: { code: 'subscription_cancelled' } })
    const anew = await open(user.account.id, { renew: true })
    expect(anew.body.id).not.toBe(made.body.id)
    const actions = (await admin.ask('GET', `/api/audit?subject=${made.body.id}`)).body.data
    expect(actions.map(({ action }: { action: string }) => action)).toEqual([
      'subscription.cancel',
      'subscription.renew',
      'subscription.open',
    ])
  })

  test('their owner has them renewed from the balance for an agreed price, and that of no other', async () => {
    const [user, other] = [await control.account(), await control.account()]
    const { body: made } = await open(user.account.id)
    expect(made).toMatchObject({ renews_up_to: null, plan_price: '20' })
    const wish = (by: Asker, up_to: string | null) => by.ask('POST', `/api/subscriptions/${made.id}/renewal`, { up_to })
    expect((await wish(other, '20')).status).toBe(404)
    expect(await wish(user, '19.99')).toMatchObject({ status: 422, body: { field: 'up_to' } })
    expect(await wish(user, '20')).toMatchObject({ status: 200, body: { renews_up_to: '20' } })
    expect((await user.ask('GET', '/api/subscriptions')).body.data).toMatchObject([{ renews_up_to: '20' }])
    expect((await wish(user, null)).body.renews_up_to).toBeNull()
    const actions = (await admin.ask('GET', `/api/audit?subject=${made.id}`)).body.data
    // Both in one millisecond, which leaves their order open.
    const changes = { renews_up_to: expect.objectContaining({ before: '20' }) as object }
    expect(actions).toContainEqual(expect.objectContaining({ action: 'subscription.renewal', changes }))
    await admin.ask('POST', `/api/subscriptions/${made.id}/cancel`)
    expect(await wish(user, '20')).toMatchObject({ status: 409, body: { code: 'subscription_cancelled' } })
  })

  test('a plan that costs nothing is not renewed by its owner', async () => {
    await admin.ask('POST', '/api/plans', { name: 'given', groups: ['default'], days: 30, price: '0' })
    const user = await control.account()
    const { body: made } = await open(user.account.id, { plan: 'given' })
    expect(made.plan_price).toBeNull()
    const answer = await user.ask('POST', `/api/subscriptions/${made.id}/renewal`, { up_to: '0' })
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('of two of one plan, the one that is named is renewed, once however often the request is sent', async () => {
    const user = await control.account()
    const [first, second] = [await open(user.account.id), await open(user.account.id)]
    const headers = { 'idempotency-key': newId('sub', 1) }
    const renew = () => admin.ask('POST', `/api/subscriptions/${first.body.id}/renew`, undefined, headers)
    const [once, again] = [await renew(), await renew()]
    expect(again.body).toEqual(once.body)
    expect(once.body.id).toBe(first.body.id)
    expect(Date.parse(once.body.ends_at)).toBe(Date.parse(first.body.ends_at) + 30 * DAY_MS)
    const { body } = await user.ask('GET', '/api/subscriptions')
    const endOf = (id: string) => body.data.find((each: { id: string }) => each.id === id).ends_at
    expect([endOf(first.body.id), endOf(second.body.id)]).toEqual([once.body.ends_at, second.body.ends_at])
    expect((await admin.ask('POST', '/api/subscriptions/sub_none/renew')).status).toBe(404)
    await admin.ask('POST', `/api/subscriptions/${second.body.id}/cancel`)
    expect(await admin.ask('POST', `/api/subscriptions/${second.body.id}/renew`)).toMatchObject({
      status: 409,
      body: { code: 'subscription_cancelled' },
    })
  })

  test('a plan or account that is not there is refused, and one cannot be renewed for ever', async () => {
    const user = await control.account()
    expect(await open(user.account.id, { plan: 'none' })).toMatchObject({ status: 422, body: { field: 'plan' } })
    expect((await open('acc_none')).status).toBe(404)
    expect((await admin.ask('GET', '/api/accounts/acc_none/subscriptions')).status).toBe(404)
    expect((await admin.ask('POST', '/api/subscriptions/sub_none/cancel')).status).toBe(404)
    const group = { name: 'century', groups: ['default'], days: 36_500, price: '1' }
    await admin.ask('POST', '/api/plans', group)
    expect((await open(user.account.id, { plan: 'century' })).status).toBe(201)
    expect((await open(user.account.id, { plan: 'century', renew: true })).status).toBe(409)
  })

  test('lists go page by page, own ones alone', async () => {
    const user = await control.account()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.unshift((await open(user.account.id)).body.id)
    const first = await user.ask('GET', '/api/subscriptions?limit=2')
    const second = await user.ask('GET', `/api/subscriptions?limit=2&cursor=${first.body.next_cursor}`)
    expect([...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)).toEqual(ids)
    const all = await admin.ask('GET', `/api/accounts/${user.account.id}/subscriptions`)
    expect(all.body.data).toHaveLength(3)
    expect((await (await control.account()).ask('GET', '/api/subscriptions')).body.data).toEqual([])
  })
})

describe('redeem codes', () => {
  const make = async (body: object) => (await admin.ask('POST', '/api/redeem-codes', body)).body

  test('are made, said once, redeemed once, listed and taken back', async () => {
    const headers = { 'idempotency-key': 'codes' }
    const body = { amount: '5', count: 2, note: 'spring' }
    const made = await admin.ask('POST', '/api/redeem-codes', body, headers)
    expect(made.status).toBe(201)
    const [code, unused] = made.body.codes
    const replay = await admin.ask('POST', '/api/redeem-codes', body, headers)
    expect(replay.body).toEqual({ ...made.body, codes: null })
    const user = await control.account()
    const redeemed = await user.ask('POST', '/api/redeem', { code: ` ${code.toLowerCase()} ` })
    expect(redeemed).toMatchObject({ status: 200, body: { kind: 'balance', amount: '5', balance: '5', plan: null } })
    const list = await admin.ask('GET', '/api/redeem-codes')
    expect(list.text).not.toContain(code)
    expect(list.body.data.find(({ id }: { id: string }) => id === made.body.data[0].id)).toMatchObject({
      redeemed_by: user.account.id,
      redeemed_by_email: user.account.email,
      note: 'spring',
    })
    // Its account and admins know it by how it ends, as in the list of codes, and none is shown the whole of it.
    const entry = { kind: 'redeem', amount: '5', code_end: code.slice(-4) }
    const of = user.account.id
    for (const { path, by, actor } of [
      { path: '/api/ledger', by: user, actor: 'you' },
      { path: `/api/ledger?account_id=${of}`, by: admin, actor: of },
      { path: `/api/accounts/${of}/ledger`, by: admin, actor: of },
    ]) {
      const ledger = await by.ask('GET', path)
      expect(ledger.body.data).toMatchObject([{ ...entry, actor }])
      expect(ledger.text).not.toContain(code)
    }
    const days = await user.ask('GET', '/api/ledger/days')
    expect(days.body.data).toMatchObject([{ entries: [entry] }])
    expect(days.text).not.toContain(code)
    const credit = { amount: '1', reason: `redeem code ${made.body.data[0].id}`, kind: 'credit' }
    expect((await admin.ask('POST', `/api/accounts/${of}/ledger`, credit)).body.code_end).toBeNull()
    const both = await user.ask('GET', '/api/ledger')
    expect(both.body.data).toMatchObject([{ kind: 'credit', code_end: null }, entry])
    const [first, second] = made.body.data
    expect(await admin.ask('DELETE', `/api/redeem-codes/${first.id}`)).toMatchObject({ status: 409 })
    expect((await admin.ask('DELETE', `/api/redeem-codes/${second.id}`)).status).toBe(204)
    expect((await user.ask('POST', '/api/redeem', { code: unused })).status).toBe(422)
  })

  test('a plan is granted, too', async () => {
    const { codes } = await make({ plan: 'pro' })
    const user = await control.account()
    const redeemed = await user.ask('POST', '/api/redeem', { code: codes[0] })
    expect(redeemed.body).toMatchObject({ kind: 'plan', plan: 'pro', amount: null, balance: '0' })
    expect((await user.ask('GET', '/api/subscriptions')).body.data).toMatchObject([{ plan: 'pro', status: 'running' }])
    expect(await admin.ask('DELETE', `/api/plans/${plan.id}`)).toMatchObject({ status: 204 })
    const again = await admin.ask('POST', '/api/plans', { name: 'pro', groups: ['default'], days: 30, price: '20' })
    plan = again.body
  })

  test('a redeemed code is known to its account alone; for all others it does not exist', async () => {
    const { codes } = await make({ amount: '1' })
    const [owner, other] = [await control.account(), await control.account()]
    await owner.ask('POST', '/api/redeem', { code: codes[0] })
    const own = await owner.ask('POST', '/api/redeem', { code: codes[0] })
    expect(own).toMatchObject({ status: 409, body: { code: 'redeem_code_used' } })
    const used = await other.ask('POST', '/api/redeem', { code: codes[0] })
    const unknown = await other.ask('POST', '/api/redeem', { code: 'K7QM-2XWP-9DRA-HT4C-CN8P' })
    const malformed = await other.ask('POST', '/api/redeem', { code: 'nothing like a code' })
    for (const { status, body } of [used, unknown, malformed]) {
      expect(status).toBe(422)
      expect({ ...body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    }
  })

  test('an expired one says so', async () => {
    const until = new Date(control.clock.now() + 60_000).toISOString()
    const { codes } = await make({ amount: '1', expires_at: until })
    control.clock.advance(120_000)
    const user = await control.account()
    const answer = await user.ask('POST', '/api/redeem', { code: codes[0] })
    expect(answer).toMatchObject({ status: 409, body: { code: 'redeem_code_expired', field: 'code' } })
  })

  test('ten wrong codes an hour lock the account out, also when they come at once; good ones do not count', async () => {
    const { codes } = await make({ amount: '1', count: 3 })
    const user = await control.account()
    await user.ask('POST', '/api/redeem', { code: codes[0] })
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => user.ask('POST', '/api/redeem', { code: 'wrong' })),
    )
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10)
    const locked = await user.ask('POST', '/api/redeem', { code: codes[1] })
    expect(locked).toMatchObject({ status: 429, body: { code: 'redeem_locked' } })
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect((await (await control.account()).ask('POST', '/api/redeem', { code: codes[2] })).status).toBe(200)
    control.clock.advance(3_600_001)
    expect((await user.ask('POST', '/api/redeem', { code: codes[1] })).status).toBe(200)
  })

  test.for([
    [{}, 'amount'],
    [{ amount: '1', plan: 'pro' }, 'amount'],
    [{ amount: '0' }, 'amount'],
    [{ plan: 'none' }, 'plan'],
    [{ amount: '1', count: 1001 }, 'count'],
    [{ amount: '1', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ] as const)('no code is made of %j', async ([body, field]) => {
    expect(await admin.ask('POST', '/api/redeem-codes', body)).toMatchObject({ status: 422, body: { field } })
  })
})

describe('alerts', () => {
  test('are shown to whom they are about, newest first, page by page', async () => {
    const [user, other] = [await control.account(), await control.account()]
    for (const [index, id] of ['a', 'b', 'c'].entries()) {
      await control.place
        .sql(`insert into alerts (id, kind, subject_id, percent, limit_nano, used_nano, window_ms, resets_at, created_at)
        values ('${newId('bud', 1)}-${id}', 'low_balance', '${user.account.id}', null, 1000000000, 500000000, null, null, ${control.clock.now() + index})`)
    }
    const first = await user.ask('GET', '/api/alerts?limit=2')
    expect(first.body.data).toMatchObject([{ kind: 'low_balance', limit: '1', used: '0.5', deliveries: [] }, {}])
    const second = await user.ask('GET', `/api/alerts?limit=2&cursor=${first.body.next_cursor}`)
    expect(second.body).toMatchObject({ data: [{}], next_cursor: null })
    expect((await other.ask('GET', '/api/alerts')).body.data).toEqual([])
    expect((await other.ask('GET', `/api/alerts?account_id=${user.account.id}`)).status).toBe(403)
    expect((await admin.ask('GET', `/api/alerts?account_id=${user.account.id}`)).body.data).toHaveLength(3)
  })
})
