import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { type Subscription, subscriptionTo } from '../../src/access/subscription.ts'
import { newId } from '../../src/core/ids.ts'
import { parseUsd } from '../../src/core/money.ts'
import type { Plan } from '../../src/metering/funds/plan.ts'
import type { RedeemCode, RedeemGrant } from '../../src/metering/funds/redeem-code.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, anAccount, aSecret, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const DAY_MS = 86_400_000

const PRO: Plan = {
  id: 'pln_pro',
  name: 'pro',
  groupIds: ['grp_a', 'grp_b'],
  opensGroups: false,
  days: 30,
  price: parseUsd('20'),
  // More than a double holds exactly.
  quotas: [
    { window: '5h', usd: parseUsd('9007199.254740993') },
    { window: '30d', usd: parseUsd('0') },
  ],
  isManaged: false,
}

function aSubscription(accountId: string, sale: { startsAt?: number; days?: number } = {}): Subscription {
  return subscriptionTo(PRO, { id: newId('sub', NOON), accountId, nowMs: NOON, ...sale })
}

function aCode(grants: RedeemGrant, over: Partial<RedeemCode> = {}): Omit<RedeemCode, 'redeemedAt' | 'redeemedBy'> {
  const id = newId('rdc', NOON)
  return { id, codeStart: 'K7QM', codeEnd: 'CN8P', grants, note: 'spring', createdAt: NOON, expiresAt: null, ...over }
}

const FIVE_USD: RedeemGrant = { kind: 'balance', amount: parseUsd('5') }
const PRO_PLAN = { kind: 'plan', planId: PRO.id, planName: PRO.name, days: PRO.days } as const

function redeem(store: Store, codeHash: string, { by: accountId, at: nowMs = NOON }: { by: string; at?: number }) {
  const ids = { entryId: newId('led', nowMs), subscriptionId: newId('sub', nowMs) }
  return store.redeemCodes.redeem({ codeHash, accountId, nowMs, actor: 'cli', ...ids })
}

describe.each(ENGINES)('subscriptions and redeem codes on %s', (engine) => {
  let place: Place
  let store: Store
  /** Connections of their own to the same database, as other processes have. */
  let stores: readonly Store[]

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    stores = [store, await place.open(), await place.open(), await place.open()]
    // The changes that the tests look at are kept.
    await store.nodes.join({ id: 'nod_keeper', host: 'here', processId: 1 })
    await store.plans.putPlan(PRO)
  })
  afterAll(() => place.leave())

  async function openAccount(): Promise<Account> {
    const account = anAccount()
    await store.accounts.create(account, null)
    return account
  }

  async function lastSeq(): Promise<number> {
    const [row] = await place.sql('select seq from change_counter')
    return Number(row?.['seq'])
  }

  describe('a subscription', () => {
    test('is kept as it was sold, whatever becomes of its plan', async () => {
      const account = await openAccount()
      const subscription = aSubscription(account.id)
      expect(await store.subscriptions.open(subscription)).toMatchObject({ subject: 'account', subjectId: account.id })
      await store.plans.putPlan({ ...PRO, quotas: [], groupIds: ['grp_c'], opensGroups: true, days: 1 })
      expect(await store.subscriptions.find(subscription.id)).toEqual(subscription)
      expect(subscription).toMatchObject({ planName: 'pro', quotas: PRO.quotas, endsAt: NOON + 30 * DAY_MS })
      await store.plans.putPlan(PRO)
      expect(await store.plans.plans()).toEqual([PRO])
    })

    test('of an account that does not exist is not opened, and one that is there stays as it is', async () => {
      const start = await lastSeq()
      expect(await store.subscriptions.open(aSubscription('acc_none'))).toBeNull()
      expect(await lastSeq()).toBe(start)
      expect(await store.subscriptions.find('sub_none')).toBeNull()
      const account = await openAccount()
      const subscription = aSubscription(account.id)
      const opened = await Promise.all(
        stores.map((each, i) => each.subscriptions.open({ ...subscription, planName: `pro ${i}` })),
      )
      expect(opened).not.toContain(null)
      expect(await store.subscriptions.list(account.id, 10)).toHaveLength(1)
    })

    test('is renewed from its end while it runs or is yet to begin, and from now when it has ended', async () => {
      const account = await openAccount()
      const [running, upcoming, ended] = [
        aSubscription(account.id, { days: 3 }),
        aSubscription(account.id, { startsAt: NOON + DAY_MS, days: 1 }),
        aSubscription(account.id, { startsAt: NOON - 2 * DAY_MS, days: 1 }),
      ]
      for (const each of [running, upcoming, ended]) await store.subscriptions.open(each)
      const endAfter = async ({ id }: Subscription) => {
        expect(await store.subscriptions.renew(id, { days: 10, termUsd: null }, NOON)).toMatchObject({
          subjectId: account.id,
        })
        return (await store.subscriptions.find(id))?.endsAt
      }
      expect(await endAfter(running)).toBe(NOON + 13 * DAY_MS)
      expect(await endAfter(upcoming)).toBe(NOON + 12 * DAY_MS)
      expect(await endAfter(ended)).toBe(NOON + 10 * DAY_MS)
      expect(await store.subscriptions.renew('sub_none', { days: 10, termUsd: null }, NOON)).toBeNull()
    })

    test('renewed by many at once runs as much longer as all of them together said', async () => {
      const account = await openAccount()
      const subscription = aSubscription(account.id, { days: 1 })
      await store.subscriptions.open(subscription)
      await Promise.all(
        [...stores, ...stores, ...stores].map((each) =>
          each.subscriptions.renew(subscription.id, { days: 2, termUsd: null }, NOON),
        ),
      )
      expect((await store.subscriptions.find(subscription.id))?.endsAt).toBe(NOON + 25 * DAY_MS)
    })

    test('is cancelled once and for good', async () => {
      const account = await openAccount()
      const subscription = aSubscription(account.id)
      await store.subscriptions.open(subscription)
      const answers = await Promise.all(stores.map((each) => each.subscriptions.cancel(subscription.id, NOON + 5)))
      expect(answers.filter((answer) => answer !== null)).toMatchObject([{ subject: 'account', subjectId: account.id }])
      expect(await store.subscriptions.renew(subscription.id, { days: 10, termUsd: null }, NOON)).toBeNull()
      expect(await store.subscriptions.cancel('sub_none', NOON)).toBeNull()
      expect(await store.subscriptions.find(subscription.id)).toEqual({ ...subscription, cancelledAt: NOON + 5 })
    })

    test('each change of one is a change of its account, and nothing else is', async () => {
      const account = await openAccount()
      const start = await lastSeq()
      const subscription = aSubscription(account.id)
      const changes = [
        await store.subscriptions.open(subscription),
        await store.subscriptions.renew(subscription.id, { days: 1, termUsd: null }, NOON),
        await store.subscriptions.cancel(subscription.id, NOON),
      ]
      await store.subscriptions.cancel(subscription.id, NOON)
      expect(await store.nodes.changesAfter(start)).toEqual(changes)
      expect(changes.map((change) => change?.subjectId)).toEqual([account.id, account.id, account.id])
    })

    test('of an account is listed newest first, as many as were asked for, and no other account’s', async () => {
      const [account, other] = [await openAccount(), await openAccount()]
      const sold = [0, 1, 2].map((i) => ({ ...aSubscription(account.id), createdAt: NOON + i }))
      for (const each of [...sold, aSubscription(other.id)]) await store.subscriptions.open(each)
      expect(await store.subscriptions.list(account.id, 10)).toEqual(sold.toReversed())
      expect(await store.subscriptions.list(account.id, 2)).toEqual(sold.toReversed().slice(0, 2))
    })
  })

  test('a key comes with what its owner has neither cancelled nor used up by time, the first to end first', async () => {
    const [account, other] = [await openAccount(), await openAccount()]
    const secret = aSecret()
    await store.keys.create(aKey(account.id), secret)
    const [long, short, upcoming, over, cancelled] = [
      aSubscription(account.id, { days: 9 }),
      aSubscription(account.id, { days: 2 }),
      aSubscription(account.id, { startsAt: NOON + DAY_MS, days: 4 }),
      aSubscription(account.id, { startsAt: NOON - DAY_MS, days: 1 }),
      aSubscription(account.id),
    ]
    for (const each of [long, short, upcoming, over, cancelled, aSubscription(other.id)]) {
      await store.subscriptions.open(each)
    }
    await store.subscriptions.cancel(cancelled.id, NOON)
    expect((await store.keys.findByHash(secret.hash))?.subscriptions).toEqual([short, upcoming, long])
  })

  describe('a redeem code', () => {
    test('of a balance is paid into the ledger with its id, its kind and who did it', async () => {
      const account = await openAccount()
      const code = aCode(FIVE_USD)
      expect(await store.redeemCodes.create(code, 'hash of balance')).toBe(true)
      const start = await lastSeq()
      expect(await redeem(store, 'hash of balance', { by: account.id })).toEqual({
        kind: 'balance',
        amount: FIVE_USD.kind === 'balance' && FIVE_USD.amount,
        balanceAfter: parseUsd('5'),
        seq: start + 1,
      })
      expect(await store.ledger.entries(account.id, 10)).toMatchObject([
        { kind: 'redeem', amount: parseUsd('5'), reason: `redeem code ${code.id}`, actor: 'cli', createdAt: NOON },
      ])
      expect(await lastSeq()).toBe(start + 1)
      expect((await store.redeemCodes.list(1000)).find(({ id }) => id === code.id)).toEqual({
        ...code,
        redeemedAt: NOON,
        redeemedBy: account.id,
      })
    })

    test('is found by its id with how it ends, and what is not there is left out', async () => {
      const codes = [aCode(FIVE_USD, { codeEnd: 'AAAA' }), aCode(PRO_PLAN, { codeEnd: 'BBBB' })]
      for (const code of codes) await store.redeemCodes.create(code, `end of ${code.id}`)
      const ids = codes.map(({ id }) => id)
      expect(await store.redeemCodes.endsOf([...ids, 'rdc_none'])).toEqual(
        new Map(codes.map(({ id, codeEnd }) => [id, codeEnd])),
      )
      expect(await store.redeemCodes.endsOf([])).toEqual(new Map())
      await expect(store.redeemCodes.endsOf(Array.from({ length: 201 }, () => ids[0] ?? ''))).rejects.toThrow(
        RangeError,
      )
    })

    test('of a plan opens a subscription of it from now on, and the account’s keys hear of it', async () => {
      const account = await openAccount()
      await store.redeemCodes.create(aCode(PRO_PLAN), 'hash of plan')
      const start = await lastSeq()
      const answer = await redeem(store, 'hash of plan', { by: account.id, at: NOON + 7 })
      const [subscription] = await store.subscriptions.list(account.id, 10)
      expect(answer).toEqual({
        kind: 'plan',
        subscriptionId: subscription?.id,
        planName: 'pro',
        endsAt: NOON + 7 + 30 * DAY_MS,
        seq: start + 1,
      })
      expect(subscription).toMatchObject({
        planId: PRO.id,
        groupIds: PRO.groupIds,
        opensGroups: false,
        quotas: PRO.quotas,
        startsAt: NOON + 7,
      })
      expect(await store.nodes.changesAfter(start)).toMatchObject([{ subject: 'account', subjectId: account.id }])
      expect(await store.ledger.entries(account.id, 10)).toEqual([])
    })

    test('that is unknown, expired, redeemed or of a plan that is gone is refused by its reason, and gives nothing', async () => {
      const account = await openAccount()
      expect(await redeem(store, 'hash of nothing', { by: account.id })).toEqual({ kind: 'unknown_code' })
      await store.redeemCodes.create(aCode(FIVE_USD, { expiresAt: NOON + 1 }), 'hash of late')
      expect(await redeem(store, 'hash of late', { by: account.id, at: NOON + 1 })).toEqual({ kind: 'expired' })
      expect(await redeem(store, 'hash of late', { by: 'acc_none' })).toEqual({ kind: 'unknown_account' })
      await store.redeemCodes.create(aCode({ ...PRO_PLAN, planId: 'pln_gone' }), 'hash of gone')
      expect(await redeem(store, 'hash of gone', { by: account.id })).toEqual({ kind: 'plan_gone' })
      expect(await store.ledger.entries(account.id, 10)).toEqual([])
      expect(await store.subscriptions.list(account.id, 10)).toEqual([])
      // None of these was the one redemption that the code is good for.
      expect(await redeem(store, 'hash of late', { by: account.id })).toMatchObject({ kind: 'balance' })
      expect(await redeem(store, 'hash of late', { by: account.id, at: NOON + 1 })).toEqual({
        kind: 'already_redeemed',
        isOwn: true,
      })
      const other = await openAccount()
      expect(await redeem(store, 'hash of late', { by: other.id })).toEqual({ kind: 'already_redeemed', isOwn: false })
    })

    test.for([
      ['of a balance', 'one account', FIVE_USD, 1],
      ['of a balance', 'many accounts', FIVE_USD, 20],
      ['of a plan', 'one account', PRO_PLAN, 1],
      ['of a plan', 'many accounts', PRO_PLAN, 20],
    ] as const)(
      '$0 that is redeemed twenty times at the same instant for $1 pays once',
      async ([, , grants, owners]) => {
        const accounts = await Promise.all(Array.from({ length: owners }, openAccount))
        const code = aCode(grants)
        await store.redeemCodes.create(code, code.id)
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, i) => {
            const account = accounts[i % owners]
            return redeem(stores[i % stores.length] ?? store, code.id, { by: account?.id ?? '' })
          }),
        )
        expect(answers.filter(({ kind }) => kind === grants.kind)).toHaveLength(1)
        expect(answers.filter(({ kind }) => kind === 'already_redeemed')).toHaveLength(19)
        const found = await Promise.all(
          accounts.map(async ({ id }) => ({
            balance: await store.ledger.balance(id),
            subscriptions: (await store.subscriptions.list(id, 30)).length,
          })),
        )
        const isBalance = grants.kind === 'balance'
        expect(found.reduce((sum, { balance }) => sum + balance, 0n)).toBe(isBalance ? grants.amount : 0n)
        expect(found.reduce((sum, each) => sum + each.subscriptions, 0)).toBe(isBalance ? 0 : 1)
      },
    )

    test('is either taken back or redeemed when both happen at once', async () => {
      const account = await openAccount()
      for (let round = 0; round < 10; round++) {
        const code = aCode(FIVE_USD)
        await store.redeemCodes.create(code, code.id)
        const before = await store.ledger.balance(account.id)
        const [isDeleted, answer] = await Promise.all([
          stores[1]?.redeemCodes.delete(code.id),
          redeem(stores[2] ?? store, code.id, { by: account.id }),
        ])
        expect(answer.kind).toBe(isDeleted === true ? 'unknown_code' : 'balance')
        expect(await store.ledger.balance(account.id)).toBe(isDeleted === true ? before : before + parseUsd('5'))
      }
    })

    test('is taken back while it is open, and never once it was redeemed', async () => {
      const account = await openAccount()
      const [open, redeemed] = [aCode(FIVE_USD), aCode(FIVE_USD)]
      for (const code of [open, redeemed]) await store.redeemCodes.create(code, code.id)
      await redeem(store, redeemed.id, { by: account.id })
      expect(await store.redeemCodes.delete(open.id)).toBe(true)
      expect(await store.redeemCodes.delete(open.id)).toBe(false)
      expect(await store.redeemCodes.delete(redeemed.id)).toBe(false)
      expect(await redeem(store, open.id, { by: account.id })).toEqual({ kind: 'unknown_code' })
      expect((await store.redeemCodes.list(1000)).map(({ id }) => id)).toContain(redeemed.id)
    })

    test('is listed newest first, and the same one is not stored twice', async () => {
      const codes = [1, 2, 3].map((i) => aCode(i === 2 ? PRO_PLAN : FIVE_USD, { createdAt: NOON + i * DAY_MS }))
      for (const code of codes) expect(await store.redeemCodes.create(code, code.id)).toBe(true)
      const again = aCode(FIVE_USD, { createdAt: NOON + 9 * DAY_MS })
      expect(await store.redeemCodes.create(again, codes[0]?.id ?? '')).toBe(false)
      const expected = codes.toReversed().map((code) => ({ ...code, redeemedAt: null, redeemedBy: null }))
      expect(await store.redeemCodes.list(3)).toEqual(expected)
    })
  })

  test('the books agree after all of it', async () => {
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })
})
