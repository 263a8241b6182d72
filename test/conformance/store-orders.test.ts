import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Currency } from '../../src/core/currency.ts'
import { newId } from '../../src/core/ids.ts'
import { formatUsd, parseUsd } from '../../src/core/money.ts'
import type { NewOrder, OrderGrant } from '../../src/metering/funds/order.ts'
import type { Plan } from '../../src/metering/funds/plan.ts'
import type { Store } from '../../src/store/store.ts'
import { aSettlement, fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const DAY_MS = 86_400_000
const EUR = 'eur' as Currency
const TEN: OrderGrant = { kind: 'balance', amount: parseUsd('10') }
const euros = (cents: number) => ({ currency: EUR, nano: BigInt(cents) * 10_000_000n })
const PLAN: Plan = {
  id: 'pln_pro',
  name: 'pro',
  groupIds: ['grp_one'],
  opensGroups: false,
  days: 30,
  price: parseUsd('20'),
  quotas: [{ window: '5h', usd: parseUsd('5') }],
  isManaged: false,
}

describe.each(ENGINES)('orders on %s', (engine) => {
  let place: Place
  let store: Store
  let accountId: string

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    await store.plans.putPlan(PLAN)
  })
  afterAll(async () => {
    expect((await store.ledger.prove()).disagreements).toEqual([])
    await place.leave()
  })
  beforeEach(async () => {
    accountId = (await fundedAccount(store, '1')).id
  })

  const balance = async () => formatUsd(await store.ledger.balance(accountId))
  const make = async (fields: Partial<NewOrder> = {}) => {
    const id = newId('ord', NOON)
    const order = {
      id,
      accountId,
      provider: 'shop',
      providerOrder: id,
      grants: TEN,
      price: euros(900),
      createdAt: NOON,
    }
    const made = await store.orders.create({ ...order, ...fields })
    if (!('order' in made)) throw new Error(made.kind)
    return made.order
  }
  const pay = (orderId: string, received = euros(900), at = NOON) =>
    store.orders.pay({
      orderId,
      received,
      payment: `pay-${orderId}`,
      invoiceUrl: null,
      nowMs: at,
      entryId: newId('led', at),
      subscriptionId: newId('sub', at),
      actor: 'shop',
    })
  const refund = (orderId: string, name: string, { cents, isDone = true }: { cents: number; isDone?: boolean }) =>
    store.orders.noteRefund({
      id: newId('rfd', NOON),
      orderId,
      providerRefund: name,
      amount: euros(cents),
      isDone,
      nowMs: NOON,
      entryId: newId('led', NOON),
      actor: 'shop',
    })
  const ask = (orderId: string, cents: number) =>
    store.orders.askRefund({
      id: newId('rfd', NOON),
      orderId,
      amount: euros(cents),
      reason: 'asked for',
      nowMs: NOON,
      entryId: newId('led', NOON),
      actor: 'acc_admin',
    })
  const end = (id: string, providerRefund: string | null) =>
    store.orders.endRefund({
      id,
      isDone: providerRefund !== null,
      providerRefund,
      nowMs: NOON,
      entryId: newId('led', NOON),
      actor: 'acc_admin',
    })

  test('the same order of a provider is one order, as it was made first, and those of two providers are two', async () => {
    const first = await make({ providerOrder: 'same' })
    const again = await make({ providerOrder: 'same', price: euros(1) })
    expect(again).toEqual(first)
    expect((await make({ provider: 'other', providerOrder: 'same' })).id).not.toBe(first.id)
    expect(await store.orders.findByProvider('shop', 'same')).toEqual(first)
    const [a, b] = [await make({ providerOrder: null }), await make({ providerOrder: null })]
    expect(a.id).not.toBe(b.id)
  })

  test('one that is paid twenty times at once is credited once, to the one who ordered', async () => {
    const order = await make()
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(order.id)))
    expect(answers.filter(({ kind }) => kind === 'paid')).toHaveLength(1)
    expect(answers.filter(({ kind }) => kind === 'already_paid')).toHaveLength(19)
    expect(await balance()).toBe('11')
    expect(await store.ledger.entries(accountId, 1)).toMatchObject([{ kind: 'credit', reason: `order ${order.id}` }])
    expect(await store.orders.find(order.id)).toMatchObject({ state: 'paid', paidAt: NOON })
  })

  test.for([
    ['a cent less', euros(899)],
    ['a cent more', euros(901)],
    ['another currency', { ...euros(900), currency: 'usd' as Currency }],
    ['nothing', euros(0)],
  ] as const)('%s is held and credits nothing; the right amount does, later', async ([, received]) => {
    const order = await make()
    expect(await pay(order.id, received)).toMatchObject({ kind: 'held', order: { trouble: 'amount_differs' } })
    expect(await balance()).toBe('1')
    expect(await pay(order.id)).toMatchObject({ kind: 'paid', order: { state: 'paid', trouble: null } })
    expect(await balance()).toBe('11')
  })

  test('one that was cancelled is credited when its money comes all the same, and a paid one stays paid', async () => {
    const order = await make()
    await store.orders.cancel(order.id)
    expect((await pay(order.id)).kind).toBe('paid')
    await store.orders.cancel(order.id)
    expect(await store.orders.find(order.id)).toMatchObject({ state: 'paid' })
  })

  test('an amount beyond every int32 is credited to the last digit, and more than an account may have is held', async () => {
    const large = await make({
      grants: { kind: 'balance', amount: parseUsd('123456.789') },
      price: euros(5_000_000_000),
    })
    expect((await pay(large.id, euros(5_000_000_000))).kind).toBe('paid')
    expect(await balance()).toBe('123457.789')
    const beyond = await make({ grants: { kind: 'balance', amount: parseUsd('8999999999') } })
    expect(await pay(beyond.id)).toMatchObject({ kind: 'held', order: { trouble: 'balance_too_large' } })
  })

  test('a plan is granted as it was when it was ordered, and a second one follows the first', async () => {
    const price = euros(1_800)
    const order = await make({ grants: { kind: 'plan', planId: PLAN.id, planName: 'any' }, price })
    await store.plans.editPlan(PLAN.id, (before) => ({ ...before, days: 1, quotas: [], opensGroups: true }))
    await pay(order.id, price)
    await store.plans.editPlan(PLAN.id, () => PLAN)
    const second = await make({ grants: { kind: 'plan', planId: PLAN.id, planName: 'any' }, price })
    await pay(second.id, price, NOON + 1)
    const [later, first] = await store.subscriptions.list(accountId, 10)
    expect(first).toMatchObject({
      planName: 'pro',
      quotas: PLAN.quotas,
      opensGroups: false,
      endsAt: NOON + 30 * DAY_MS,
    })
    expect(later).toMatchObject({ startsAt: NOON + 30 * DAY_MS, endsAt: NOON + 60 * DAY_MS })
    expect(await balance()).toBe('1')
    await refund(second.id, 'all', { cents: 1_800 })
    const after = await store.subscriptions.live(accountId, NOON)
    expect(after.map(({ id }) => id)).toEqual([first?.id])
    await refund(second.id, 'all', { cents: 1_800, isDone: false })
    expect(await store.subscriptions.live(accountId, NOON)).toHaveLength(2)
  })

  test('refunds take back their share once each, and all of it together to the last digit', async () => {
    const order = await make()
    await pay(order.id)
    for (const [name, cents] of [
      ['a', 100],
      ['a', 100],
      ['b', 400],
      ['c', 400],
    ] as const) {
      await refund(order.id, name, { cents })
    }
    expect(await balance()).toBe('1')
    expect(await store.orders.find(order.id)).toMatchObject({ refundedNano: 9_000_000_000n, takenBack: parseUsd('10') })
    expect(await refund(order.id, 'd', { cents: 1 })).toMatchObject({ kind: 'held', isNew: true })
    expect(await store.orders.find(order.id)).toMatchObject({ refundedNano: 9_000_000_000n })
  })

  test('a refund of more than is left is held, known once, and taken back when there is room for it', async () => {
    const order = await make()
    await pay(order.id)
    await refund(order.id, 'half', { cents: 450 })
    expect(await refund(order.id, 'dispute', { cents: 900 })).toMatchObject({ kind: 'held', isNew: true })
    expect(await refund(order.id, 'dispute', { cents: 900 })).toMatchObject({ kind: 'held', isNew: false })
    expect(await balance()).toBe('6')
    const held = (await store.orders.troubles(NOON, 10)).filter((each) => each.order.id === order.id)
    expect(held).toMatchObject([{ refund: { providerRefund: 'dispute', state: 'held', taken: 0n } }])
    await refund(order.id, 'half', { cents: 450, isDone: false })
    expect((await refund(order.id, 'dispute', { cents: 900 })).kind).toBe('refunded')
    expect(await balance()).toBe('1')
    expect((await store.orders.troubles(NOON, 10)).filter((each) => each.order.id === order.id)).toEqual([])
  })

  test('refunds that come before their payment and are more than it are held with it, and one that fails is held no more', async () => {
    const order = await make()
    for (const name of ['first', 'second']) await refund(order.id, name, { cents: 900 })
    const paid = await pay(order.id)
    expect(paid).toMatchObject({ kind: 'paid', heldRefunds: [{ state: 'held' }] })
    expect(await balance()).toBe('1')
    const [held] = paid.kind === 'paid' ? paid.heldRefunds : []
    await refund(order.id, held?.providerRefund ?? '', { cents: 900, isDone: false })
    expect(await balance()).toBe('1')
    expect((await store.orders.troubles(NOON, 10)).filter((each) => each.order.id === order.id)).toEqual([])
  })

  test('an order that is held is listed as trouble until it is paid right, or paid back', async () => {
    const [right, back] = [await make(), await make()]
    const troubled = async () => new Set((await store.orders.troubles(NOON, 100)).map((each) => each.order.id))
    for (const { id } of [right, back]) await pay(id, euros(1))
    for (const { id } of [right, back]) expect((await troubled()).has(id)).toBe(true)
    await pay(right.id)
    await refund(back.id, 'back', { cents: 1 })
    for (const { id } of [right, back]) expect((await troubled()).has(id)).toBe(false)
  })

  test('a refund that is known before its payment is taken back with it', async () => {
    const order = await make()
    expect((await refund(order.id, 'early', { cents: 450 })).kind).toBe('noted')
    expect(await balance()).toBe('1')
    await pay(order.id)
    expect(await balance()).toBe('6')
    expect((await refund(order.id, 'early', { cents: 450 })).kind).toBe('noted')
    expect(await balance()).toBe('6')
  })

  test('a refund that fails is given back once, and one that fails before it was made takes nothing', async () => {
    const order = await make()
    await pay(order.id)
    await refund(order.id, 'one', { cents: 900 })
    for (let i = 0; i < 3; i++) await refund(order.id, 'one', { cents: 900, isDone: false })
    expect(await balance()).toBe('11')
    await refund(order.id, 'two', { cents: 900, isDone: false })
    await refund(order.id, 'two', { cents: 900 })
    expect(await balance()).toBe('11')
    expect(await store.orders.find(order.id)).toMatchObject({ refundedNano: 0n })
  })

  test('what was spent already is not taken back by the provider’s refund, and the balance never falls below zero', async () => {
    const order = await make()
    await pay(order.id)
    await store.settlements.settle([aSettlement(accountId, parseUsd('8'))])
    const noted = await refund(order.id, 'all', { cents: 900 })
    expect(noted).toMatchObject({ kind: 'refunded', refund: { taken: parseUsd('3') } })
    expect(await balance()).toBe('0')
  })

  test('a refund that begins here takes all or nothing, before the provider is asked, and is given back when refused', async () => {
    const order = await make()
    expect(await ask(order.id, 900)).toEqual({ kind: 'not_paid' })
    await pay(order.id)
    await store.settlements.settle([aSettlement(accountId, parseUsd('2'))])
    expect(await ask(order.id, 900)).toEqual({ kind: 'insufficient', available: parseUsd('9') })
    const asked = await ask(order.id, 450)
    if (asked.kind !== 'refunded') throw new Error(asked.kind)
    expect(await balance()).toBe('4')
    expect((await end(asked.refund.id, null)).kind).toBe('given_back')
    expect(await balance()).toBe('9')
    const again = await ask(order.id, 450)
    if (again.kind !== 'refunded') throw new Error(again.kind)
    await end(again.refund.id, 're_1')
    expect((await refund(order.id, 're_1', { cents: 450 })).kind).toBe('noted')
    expect(await balance()).toBe('4')
    expect(await store.orders.findRefund(again.refund.id)).toMatchObject({ state: 'done', providerRefund: 're_1' })
  })

  test('are listed newest first, of one account or of all', async () => {
    const made = [await make(), await make({ createdAt: NOON + 1 })]
    expect((await store.orders.list({ accountId }, 10)).map(({ id }) => id)).toEqual(
      made.map(({ id }) => id).toReversed(),
    )
    expect(await store.orders.list({ accountId, state: 'paid' }, 10)).toEqual([])
    const [first] = await store.orders.list({ accountId: null }, 1)
    const [second] = await store.orders.list({ accountId: null }, 1, first)
    expect(second?.id).not.toBe(first?.id)
  })

  test('what check-ledger reads of them agrees, and it names what was damaged', async () => {
    const order = await make()
    await pay(order.id)
    const { changes } = damages(order.id)
    for (const { sql, undo, says } of changes) {
      await place.change([sql])
      expect((await store.ledger.prove()).disagreements).toEqual([expect.stringMatching(says)])
      await place.change([undo])
    }
  })
})

function damages(id: string) {
  return {
    changes: [
      {
        sql: `update orders set state = 'open' where id = '${id}'`,
        undo: `update orders set state = 'paid' where id = '${id}'`,
        says: /^order ord_\w+ for acc_\w+: it granted \$0, ledger entries say \$10$/,
      },
      {
        sql: `update orders set amount_nano = amount_nano + 1 where id = '${id}'`,
        undo: `update orders set amount_nano = amount_nano - 1 where id = '${id}'`,
        says: /^order ord_\w+ for acc_\w+: it granted \$10.000000001, ledger entries say \$10$/,
      },
      {
        sql: `update orders set taken_back_nano = 5 where id = '${id}'`,
        undo: `update orders set taken_back_nano = 0 where id = '${id}'`,
        says: /^order ord_\w+: it says that \$0.000000005 was taken back, its refunds say \$0/,
      },
    ],
  }
}
