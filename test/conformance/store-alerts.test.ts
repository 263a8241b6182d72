import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { parseUsd } from '../../src/core/money.ts'
import type { Store } from '../../src/store/store.ts'
import type { AlertWay } from '../../src/alerts/alert.ts'
import { aKey, anAccount, aSecret, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

describe.each(ENGINES)('alerts on %s', (engine) => {
  let place: Place
  let store: Store
  const account = anAccount()
  const key = aKey(account.id, { name: 'laptop "é"' })

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    await store.accounts.create(account, null)
    await store.keys.create(key, aSecret())
  })
  afterAll(() => place.leave())
  beforeEach(async () => {
    await place.sql('delete from alert_deliveries')
    await place.sql('delete from alerts')
  })

  /** Writes an alert as the settle does. */
  async function crossed(id: string, over: { createdAt?: number; kind?: string; subjectId?: string } = {}) {
    const { createdAt = NOON, kind = 'key_quota', subjectId = key.id } = over
    const percent = kind === 'low_balance' ? 'null' : '80'
    await place.sql(`insert into alerts (id, kind, subject_id, percent, limit_nano, used_nano, window_ms, resets_at, created_at)
      values ('${id}', '${kind}', '${subjectId}', ${percent}, ${parseUsd('5')}, ${parseUsd('4.000000001')}, ${5 * HOUR_MS}, ${NOON + HOUR_MS}, ${createdAt})`)
    return id
  }

  const take = (
    over: { ways?: readonly AlertWay[]; nowMs?: number; untilMs?: number; limit?: number; from?: Store } = {},
  ) => {
    const { ways = ['webhook'] as const, nowMs = NOON, untilMs = nowMs + MINUTE_MS, limit = 10, from = store } = over
    return from.alerts.take({ ways, nowMs, untilMs, limit })
  }
  const idsOf = (deliveries: Awaited<ReturnType<typeof take>>) => deliveries.map(({ alert }) => alert.id)
  const record = (alertId: string, outcome: { failure: string | null; nextTryAt: number | null }, atMs = NOON + 5) =>
    store.alerts.record({ alertId, way: 'webhook' }, { atMs, ...outcome })

  test('a delivery says whose alert it is, and about what', async () => {
    await crossed('alert-1')
    expect(await take()).toEqual([
      {
        alert: {
          id: 'alert-1',
          kind: 'key_quota',
          accountId: account.id,
          accountEmail: account.email,
          subjectId: key.id,
          subjectName: 'laptop "é"',
          percent: 80,
          limit: parseUsd('5'),
          used: parseUsd('4.000000001'),
          window: '5h',
          resetsAt: NOON + HOUR_MS,
          createdAt: NOON,
        },
        way: 'webhook',
        tries: 1,
      },
    ])
  })

  test('the subject may be a subscription, with its plan’s name, or the account itself, with none', async () => {
    const subscription = {
      id: newId('sub', NOON),
      accountId: account.id,
      planId: 'pln_1',
      planName: 'pro',
      groupIds: [],
      opensGroups: true,
      quotas: [],
      startsAt: NOON,
      endsAt: NOON + HOUR_MS,
      cancelledAt: null,
      createdAt: NOON,
    }
    await store.subscriptions.open(subscription)
    await crossed('alert-s', { kind: 'subscription', subjectId: subscription.id })
    await crossed('alert-b', { kind: 'low_balance', subjectId: account.id, createdAt: NOON + 1 })
    const alerts = (await take({ nowMs: NOON + 1 })).map(({ alert }) => alert)
    expect(alerts).toMatchObject([
      { id: 'alert-s', accountEmail: account.email, subjectName: 'pro', percent: 80 },
      { id: 'alert-b', accountEmail: account.email, subjectName: '', percent: null },
    ])
  })

  test('an account is shown its own alerts alone, newest first, page by page', async () => {
    const stranger = anAccount()
    await store.accounts.create(stranger, null)
    const subscriptionId = newId('sub', NOON)
    await store.subscriptions.open({
      id: subscriptionId,
      accountId: account.id,
      planId: 'pln_1',
      planName: 'pro',
      groupIds: [],
      opensGroups: true,
      quotas: [],
      startsAt: NOON,
      endsAt: NOON + HOUR_MS,
      cancelledAt: null,
      createdAt: NOON,
    })
    await crossed('alert-1')
    await crossed('alert-2', { kind: 'low_balance', subjectId: stranger.id, createdAt: NOON + 1 })
    await crossed('alert-3', { kind: 'subscription', subjectId: subscriptionId, createdAt: NOON + 2 })
    await crossed('alert-4', { kind: 'low_balance', subjectId: account.id, createdAt: NOON + 2 })
    const read = async (accountId: string, after: { createdAt: number; id: string } | null = null, limit = 10) =>
      (await store.alerts.list(limit, { accountId, after })).map(({ alert }) => alert.id)
    expect(await read(account.id)).toEqual(['alert-4', 'alert-3', 'alert-1'])
    expect(await read(account.id, null, 1)).toEqual(['alert-4'])
    expect(await read(account.id, { createdAt: NOON + 2, id: 'alert-4' })).toEqual(['alert-3', 'alert-1'])
    expect(await read(stranger.id)).toEqual(['alert-2'])
    expect(await read('acc_nobody')).toEqual([])
  })

  test('what was taken is not taken by others until its time is over, and is due again after that', async () => {
    await crossed('alert-1')
    const other = await place.open()
    expect(await take()).toHaveLength(1)
    expect(await take({ from: other, nowMs: NOON + MINUTE_MS - 1 })).toEqual([])
    expect(await take({ from: other, nowMs: NOON + MINUTE_MS })).toMatchObject([{ alert: { id: 'alert-1' }, tries: 2 }])
  })

  test('of many nodes that ask at the same instant, one gets each delivery', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, index) => crossed(`alert-${index}`)))
    const nodes = await Promise.all(Array.from({ length: 4 }, () => place.open()))
    const ways = ['webhook', 'mail'] as const
    const taken = await Promise.all(nodes.map((from) => take({ from, ways, limit: 20 })))
    const names = taken.flat().map(({ alert, way }) => `${alert.id} ${way}`)
    expect(names.toSorted()).toEqual(ids.flatMap((id) => [`${id} mail`, `${id} webhook`]))
  })

  test('each way is due by itself, also one that comes later', async () => {
    await crossed('alert-1')
    await take({ ways: ['webhook'] })
    await record('alert-1', { failure: null, nextTryAt: null })
    expect(await take({ ways: ['webhook', 'mail'] })).toMatchObject([{ way: 'mail', tries: 1 }])
  })

  test('no more than asked for are taken, the oldest first', async () => {
    await crossed('alert-2', { createdAt: NOON - 2 })
    await crossed('alert-1', { createdAt: NOON - 3 })
    await crossed('alert-3', { createdAt: NOON - 1 })
    expect(idsOf(await take({ limit: 2 }))).toEqual(['alert-1', 'alert-2'])
    expect(idsOf(await take({ limit: 2 }))).toEqual(['alert-3'])
  })

  test('only what happened in the last 24 hours is due, whether it was ever tried or not', async () => {
    const day = 24 * HOUR_MS
    await crossed('alert-old', { createdAt: NOON - day })
    await crossed('alert-new', { createdAt: NOON - day + 1 })
    expect(idsOf(await take())).toEqual(['alert-new'])
    await record('alert-new', { failure: 'HTTP 500', nextTryAt: NOON + 1 })
    expect(await take({ nowMs: NOON + 1 })).toEqual([])
  })

  test('what failed is due at its next try, what was given up never', async () => {
    await crossed('alert-1')
    await take()
    await record('alert-1', { failure: 'HTTP 503', nextTryAt: NOON + 10 })
    expect(await take({ nowMs: NOON + 9 })).toEqual([])
    expect(await take({ nowMs: NOON + 10 })).toMatchObject([{ tries: 2 }])
    await record('alert-1', { failure: 'HTTP 410', nextTryAt: null })
    expect(await take({ nowMs: NOON + HOUR_MS })).toEqual([])
    const [listed] = await store.alerts.list(10)
    expect(listed?.deliveries).toEqual([
      { way: 'webhook', tries: 2, nextTryAt: null, deliveredAt: null, failure: 'HTTP 410' },
    ])
  })

  test('what one node delivered stays delivered, whatever one says that was frozen over it', async () => {
    await crossed('alert-1')
    await take()
    await take({ nowMs: NOON + MINUTE_MS })
    await record('alert-1', { failure: null, nextTryAt: null }, NOON + MINUTE_MS + 7)
    await record('alert-1', { failure: 'ECONNRESET', nextTryAt: NOON + 2 * MINUTE_MS }, NOON + 2 * MINUTE_MS)
    expect(await take({ nowMs: NOON + HOUR_MS })).toEqual([])
    expect((await store.alerts.list(1))[0]?.deliveries).toEqual([
      { way: 'webhook', tries: 2, nextTryAt: null, deliveredAt: NOON + MINUTE_MS + 7, failure: null },
    ])
  })

  test('those older than 90 days are forgotten with their deliveries, the oldest first, so many at a time', async () => {
    const old = NOON - 90 * 24 * HOUR_MS
    for (const [index, createdAt] of [old - 2, old, old - 1, old + 1].entries())
      await crossed(`alert-${index}`, { createdAt })
    await take({ nowMs: old + 1 })
    expect(await place.sql('select * from alert_deliveries')).toHaveLength(4)
    expect(await store.alerts.forget(old, 2)).toBe(2)
    expect((await store.alerts.list(10)).map(({ alert }) => alert.id)).toEqual(['alert-3', 'alert-1'])
    expect(await store.alerts.forget(old, 2)).toBe(1)
    expect(await store.alerts.forget(old, 2)).toBe(0)
    expect(await store.alerts.list(10)).toMatchObject([{ alert: { id: 'alert-3' }, deliveries: [{ tries: 1 }] }])
    expect(await place.sql('select * from alert_deliveries')).toHaveLength(1)
  })

  test('the list shows the newest first, untried ones too', async () => {
    await crossed('alert-1', { createdAt: NOON - 2 })
    await crossed('alert-2', { createdAt: NOON - 1 })
    await crossed('alert-3', { createdAt: NOON })
    expect(await store.alerts.list(2)).toMatchObject([
      { alert: { id: 'alert-3' }, deliveries: [] },
      { alert: { id: 'alert-2' }, deliveries: [] },
    ])
  })

  test('an upstream that is not believed is said to each admin, once an hour, and to no other account', async () => {
    const admin = anAccount({ role: 'admin' })
    await store.accounts.create(admin, null)
    const doubt = (nowMs: number) => store.alerts.tellAdmins({ kind: 'doubted_usage', about: 'a "b":c' }, nowMs)
    await Promise.all([doubt(NOON), doubt(NOON + MINUTE_MS)])
    await doubt(NOON + HOUR_MS)
    const alerts = (await store.alerts.list(10)).map(({ alert }) => alert)
    expect(alerts).toHaveLength(2)
    expect(alerts[1]).toMatchObject({
      kind: 'doubted_usage',
      accountId: admin.id,
      accountEmail: admin.email,
      subjectName: 'a "b":c',
      percent: null,
      limit: 0n,
    })
    expect(await take({ nowMs: NOON + HOUR_MS })).toHaveLength(2)
    expect(await store.alerts.list(10, { accountId: account.id, after: null })).toEqual([])
  })

  test('what every admin hears goes out by mail to each, and as one post', async () => {
    for (const email of ['a@example.test', 'b@example.test']) {
      await store.accounts.create(anAccount({ role: 'admin', email }), null)
    }
    const admins = (await place.sql("select id from accounts where role = 'admin'")).length
    await store.alerts.tellAdmins({ kind: 'credential_held', about: 'main / default' }, NOON)
    await store.alerts.tellAdmins({ kind: 'credential_held', about: 'main / other' }, NOON)
    await crossed('alert-1', { createdAt: NOON })
    const taken = await store.alerts.take({
      ways: ['webhook', 'mail'],
      nowMs: NOON + MINUTE_MS,
      untilMs: NOON + 2 * MINUTE_MS,
      limit: 20,
    })
    const about = (way: string) =>
      taken.filter((delivery) => delivery.way === way).map(({ alert }) => [alert.kind, alert.subjectName])
    expect(about('mail').filter(([kind]) => kind === 'credential_held')).toHaveLength(2 * admins)
    expect(new Set(about('webhook'))).toEqual(
      new Set([
        ['credential_held', 'main / default'],
        ['credential_held', 'main / other'],
        ['key_quota', 'laptop "é"'],
      ]),
    )
    expect(about('webhook')).toHaveLength(3)
  })
})
