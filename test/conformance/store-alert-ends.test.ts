import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { Subscription } from '../../src/access/subscription.ts'
import type { NewKey } from '../../src/access/api-key.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, anAccount, aSecret, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const DAY_MS = 86_400_000
const LONG_AGO = NOON - 60 * DAY_MS

describe.each(ENGINES)('announced ends on %s', (engine) => {
  let place: Place
  let store: Store
  const account = anAccount()

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    await store.accounts.create(account, null)
  })
  afterAll(() => place.leave())
  beforeEach(async () => {
    for (const table of ['alert_deliveries', 'alerts', 'subscriptions', 'api_keys'])
      await place.sql(`delete from ${table}`)
  })

  async function key(expiresAt: number | null, over: Partial<NewKey> = {}): Promise<string> {
    const made = aKey(account.id, { createdAt: LONG_AGO, expiresAt, ...over })
    await store.keys.create(made, aSecret())
    return made.id
  }

  async function subscription(endsAt: number, over: Partial<Subscription> = {}): Promise<string> {
    const held: Subscription = {
      id: newId('sub', NOON),
      accountId: account.id,
      planId: 'pln_1',
      planName: 'pro',
      groupIds: [],
      opensGroups: true,
      quotas: [],
      startsAt: LONG_AGO,
      endsAt,
      cancelledAt: null,
      createdAt: LONG_AGO,
      ...over,
    }
    await store.subscriptions.open(held)
    return held.id
  }

  const announce = (nowMs = NOON, limit = 100) => store.alerts.announceEnds(nowMs, limit)
  const announced = async () =>
    (await store.alerts.list(100)).map(({ alert }) => ({
      about: alert.subjectId,
      kind: alert.kind,
      at: alert.resetsAt,
    }))

  test('a key is announced a week before it expires and a day before, once each, and says when', async () => {
    const end = NOON + 7 * DAY_MS
    const about = await key(end, { name: 'laptop' })
    expect(await announce(NOON - 1)).toBe(0)
    expect(await announce()).toBe(1)
    expect(await announce()).toBe(0)
    expect(await announced()).toEqual([{ about, kind: 'key_ending', at: end }])
    expect(await announce(end - DAY_MS - 1)).toBe(0)
    expect(await announce(end - DAY_MS)).toBe(1)
    expect(await announce(end)).toBe(0)
    const [first] = await store.alerts.take({ ways: ['mail'], nowMs: end - DAY_MS, untilMs: end, limit: 1 })
    expect(first?.alert).toMatchObject({
      accountEmail: account.email,
      subjectName: 'laptop',
      resetsAt: end,
      percent: null,
    })
  })

  test('so is a subscription, and after an outage only the nearest notice comes', async () => {
    const end = NOON + DAY_MS / 2
    const about = await subscription(end)
    expect(await announce()).toBe(1)
    expect(await announced()).toEqual([{ about, kind: 'subscription_ending', at: end }])
  })

  test('a later end is announced anew', async () => {
    const about = await subscription(NOON + DAY_MS)
    await announce()
    await store.subscriptions.renew(about, { days: 30, termUsd: null }, NOON)
    expect(await announce(NOON + DAY_MS)).toBe(0)
    expect(await announce(NOON + 24 * DAY_MS)).toBe(1)
  })

  test('what was made for a short time is announced late or not at all', async () => {
    const day = await key(NOON + DAY_MS, { createdAt: NOON })
    const week = await key(NOON + 7 * DAY_MS, { createdAt: NOON })
    expect(await announce()).toBe(0)
    expect(await announce(NOON + 6 * DAY_MS)).toBe(1)
    expect((await announced()).map(({ about }) => about)).toEqual([week])
    expect(day).not.toBe(week)
  })

  test('what is off, over, followed by another or of the playground is not announced', async () => {
    const blocked = anAccount({ status: 'disabled' })
    await store.accounts.create(blocked, null)
    await key(null)
    await key(NOON - 1)
    await key(NOON + DAY_MS, { isForPlayground: true })
    const [disabled] = [await key(NOON + DAY_MS)]
    await place.sql(`update api_keys set status = 'disabled' where id = '${disabled}'`)
    const strange = aKey(blocked.id, { createdAt: LONG_AGO, expiresAt: NOON + DAY_MS })
    await store.keys.create(strange, aSecret())
    await subscription(NOON + DAY_MS, { cancelledAt: NOON })
    await subscription(NOON + DAY_MS, { planId: 'pln_2' })
    await subscription(NOON + 40 * DAY_MS, { planId: 'pln_2', startsAt: NOON + DAY_MS })
    expect(await announce()).toBe(0)
  })

  test('a round notes so many of each kind, the nearest end first, and the next goes on', async () => {
    const late = await key(NOON + 3 * DAY_MS)
    const soon = await key(NOON + 2 * DAY_MS)
    expect(await announce(NOON, 1)).toBe(1)
    expect((await announced()).map(({ about }) => about)).toEqual([soon])
    expect(await announce(NOON, 1)).toBe(1)
    expect(new Set((await announced()).map(({ about }) => about))).toEqual(new Set([soon, late]))
  })

  test('two nodes that announce at once note each end once', async () => {
    await Promise.all([key(NOON + DAY_MS), key(NOON + 2 * DAY_MS), subscription(NOON + DAY_MS)])
    const other = await place.open()
    const counts = await Promise.all([announce(), other.alerts.announceEnds(NOON, 100)])
    expect(counts.reduce((sum, count) => sum + count)).toBe(3)
    expect(await announced()).toHaveLength(3)
  })
})
