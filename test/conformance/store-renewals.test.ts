import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { subscriptionTo } from '../../src/access/subscription.ts'
import { newId } from '../../src/core/ids.ts'
import { formatUsd, parseUsd } from '../../src/core/money.ts'
import type { Plan } from '../../src/metering/funds/plan.ts'
import { SnapshotReader } from '../../src/store/sqlite/snapshot-reader.ts'
import type { Store } from '../../src/store/store.ts'
import { fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const END = NOON + 30 * DAY_MS
const PLAN: Plan = {
  id: 'pln_pro',
  name: 'pro',
  groupIds: ['grp_one'],
  opensGroups: true,
  days: 30,
  price: parseUsd('20'),
  quotas: [{ window: 'term', usd: parseUsd('50') }],
  isManaged: false,
}

describe.each(ENGINES)('renewals from balances on %s', (engine) => {
  let place: Place
  let store: Store
  let others: readonly Store[]

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    others = [await place.open(), await place.open()]
  })
  afterAll(async () => {
    expect((await store.ledger.prove()).disagreements).toEqual([])
    await place.leave()
  })
  beforeEach(async () => {
    await store.plans.putPlan(PLAN)
    await place.sql('update subscriptions set renews_up_to_nano = null')
  })

  const renew = (nowMs: number, by = store) =>
    by.subscriptions.renewDue({ nowMs, limit: 50, newId: () => newId('led', nowMs) })

  /** An account with a balance whose subscription is renewed for up to $20; null: it is to end. */
  async function held(usd: string, upTo: string | null = '20') {
    const { id: accountId } = await fundedAccount(store, usd)
    const subscription = subscriptionTo(PLAN, { id: newId('sub', NOON), accountId, nowMs: NOON })
    await store.subscriptions.open(subscription)
    await store.subscriptions.setRenewal(subscription.id, upTo === null ? null : parseUsd(upTo))
    return {
      id: subscription.id,
      accountId,
      balance: async () => formatUsd(await store.ledger.balance(accountId)),
      endsAt: async () => (await store.subscriptions.find(subscription.id))?.endsAt,
      alerts: async () => (await store.alerts.list(50, { accountId, after: null })).map(({ alert }) => alert),
    }
  }

  test('one that is wanted is renewed within the hour before its end, and its price leaves the balance', async () => {
    const it = await held('30')
    expect(await renew(END - HOUR_MS - 1)).toEqual([])
    expect(await renew(END - HOUR_MS)).toEqual([it.id])
    expect(await it.balance()).toBe('10')
    expect(await it.endsAt()).toBe(END + 30 * DAY_MS)
    expect(await store.subscriptions.find(it.id)).toMatchObject({ quotas: [{ window: 'term', usd: parseUsd('100') }] })
    const [entry] = await store.ledger.entries(it.accountId, 1)
    expect(entry).toMatchObject({ kind: 'renewal', amount: 0n - parseUsd('20'), actor: 'gateway' })
    expect(await renew(END)).toEqual([])
    expect(await it.balance()).toBe('10')
  })

  test('no thread is started to look for them while none that is wanted ends within a day', async () => {
    await held('30')
    const begun = vi.spyOn(SnapshotReader.prototype, 'begin')
    onTestFinished(() => begun.mockRestore())
    expect(await renew(END - DAY_MS - 1)).toEqual([])
    expect(begun).not.toHaveBeenCalled()
    expect(await renew(END - DAY_MS)).toEqual([])
    expect(begun).toHaveBeenCalledTimes(engine === 'sqlite' ? 1 : 0)
  })

  test('of many nodes that look at once, one renews it, and pays once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => held('50')))
    const renewed = await Promise.all([store, ...others, ...others].map((each) => renew(END - 1, each)))
    expect(renewed.flat().toSorted()).toEqual(all.map(({ id }) => id).toSorted())
    for (const it of all) {
      expect(await it.balance()).toBe('30')
      expect(await it.endsAt()).toBe(END + 30 * DAY_MS)
    }
  })

  test('one that is not wanted ends, and its end is announced; that of one that is renewed is not', async () => {
    const [ends, runsOn] = [await held('30', null), await held('30')]
    expect(await renew(END - 1)).toEqual([runsOn.id])
    expect(await ends.balance()).toBe('30')
    const later = [await held('30', null), await held('30')] as const
    await store.alerts.announceEnds(END - 7 * DAY_MS, 100)
    expect((await later[0].alerts()).map(({ kind }) => kind)).toContain('subscription_ending')
    expect((await later[1].alerts()).map(({ kind }) => kind)).not.toContain('subscription_ending')
  })

  test('a balance with too little is alerted once, a day before; it ends, or is renewed when it was topped up in time', async () => {
    const [poor, helped] = [await held('19.99'), await held('19.99')]
    for (const it of [poor, helped]) {
      expect(await renew(END - DAY_MS - 1)).toEqual([])
      expect((await it.alerts()).filter(({ kind }) => kind === 'renewal_failed')).toEqual([])
    }
    for (let i = 0; i < 2; i++) expect(await renew(END - DAY_MS)).toEqual([])
    const [alert, ...more] = (await poor.alerts()).filter(({ kind }) => kind === 'renewal_failed')
    expect(more).toEqual([])
    expect(alert).toMatchObject({ limit: parseUsd('20'), used: parseUsd('0.01'), resetsAt: END, subjectName: 'pro' })
    const credit = { id: newId('led', NOON), accountId: helped.accountId, createdAt: NOON, kind: 'credit' as const }
    await store.ledger.post({ ...credit, amount: parseUsd('1'), reason: 'topped up', actor: 'cli' })
    expect(await renew(END - 1)).toEqual([helped.id])
    expect(await renew(END + HOUR_MS)).toEqual([])
    expect(await poor.balance()).toBe('19.99')
    expect(await poor.endsAt()).toBe(END)
  })

  test('nothing dearer than was agreed to is paid, nor a plan that is gone', async () => {
    const dearer = await held('100')
    await store.plans.putPlan({ ...PLAN, price: parseUsd('20.01') })
    expect(await renew(END - 1)).toEqual([])
    expect(await dearer.balance()).toBe('100')
    expect(await dearer.alerts()).toMatchObject([{ kind: 'renewal_failed', limit: parseUsd('20.01'), used: 0n }])
    const gone = await held('100')
    await store.plans.deletePlan(PLAN.id)
    expect(await renew(END - 1)).toEqual([])
    expect(await gone.alerts()).toMatchObject([{ kind: 'renewal_failed', limit: 0n, used: 0n }])
  })

  test('a plan that costs nothing is for admins to assign, and is not renewed by itself for nothing', async () => {
    const free = await held('100', '0')
    await store.plans.putPlan({ ...PLAN, price: parseUsd('0') })
    expect(await renew(END - 1)).toEqual([])
    expect(await free.endsAt()).toBe(END)
    expect(await free.alerts()).toMatchObject([{ kind: 'renewal_failed', limit: 0n, used: 0n }])
  })

  test('one that ended while no gateway ran is renewed from then on, for a day; one whose owner was alerted is not', async () => {
    const [missed, long] = [await held('20'), await held('20')]
    expect((await renew(END + HOUR_MS)).toSorted()).toEqual([missed.id, long.id].toSorted())
    expect(await missed.endsAt()).toBe(END + HOUR_MS + 30 * DAY_MS)
    const late = await held('20')
    expect(await renew(END + DAY_MS)).toEqual([])
    expect(await late.balance()).toBe('20')
  })

  test('an account that is disabled, and a subscription that was cancelled, pay nothing', async () => {
    const [disabled, cancelled] = [await held('20'), await held('20')]
    await place.sql(`update accounts set status = 'disabled' where id = '${disabled.accountId}'`)
    await store.subscriptions.cancel(cancelled.id, NOON)
    expect(await store.subscriptions.setRenewal(cancelled.id, parseUsd('20'))).toBe(false)
    expect(await renew(END - 1)).toEqual([])
    for (const it of [disabled, cancelled]) expect(await it.balance()).toBe('20')
  })
})
