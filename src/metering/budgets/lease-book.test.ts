import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  aNode,
  arriving,
  balance,
  firstWindow,
  hold,
  holdOne,
  HOURS_5,
  secondWindow,
  settle,
  spend,
  START,
  STEP,
} from '../../../test/support/lease-book-by-hand.ts'
import { LeasesInMemory } from '../../../test/support/leases-in-memory.ts'
import { nanoUsd } from '../../core/money.ts'

test('everything is taken from every budget, or nothing from any', async () => {
  const { store, book } = aNode()
  store.open(balance, 900n)
  expect(await hold(book, [spend, balance])).toBeNull()
  expect(book.holderOf(spend).reserved).toBe(0n)
  store.row(balance.id).limit = 2_000n
  book.forgetRefusals(({ id }) => id === balance.id)
  expect(await hold(book, [spend, balance])).toHaveLength(2)
  expect([spend, balance].map((budget) => book.holderOf(budget).reserved)).toEqual([1000n, 1000n])
})

test('a refused request says what it needs in total, though no request waited for the refusal before it', async () => {
  const { store, book } = aNode()
  const asked: unknown[] = []
  const grant = store.grant.bind(store)
  store.grant = (request) => {
    asked.push(request.forRequest)
    return grant(request)
  }
  store.open(balance, 1_900n)
  expect(await hold(book, [balance])).toHaveLength(1)
  expect(await hold(book, [balance])).toBeNull()
  expect(asked[0]).toBe(1_000n)
  expect(asked.at(-1)).toBe(1_000n)
  const count = asked.length
  expect(await hold(book, [balance])).toBeNull()
  expect(asked).toHaveLength(count)
})

test('a refusal without a waiting request is not reported, and the request after it asks by itself', async () => {
  const { store, book, pass } = aNode()
  const asked: unknown[] = []
  const grant = store.grant.bind(store)
  store.grant = (request) => {
    asked.push(request.forRequest)
    return grant(request)
  }
  store.open(balance, 8_500n)
  let served = 0
  for (; served < 20; served++) {
    const localBudgets = await hold(book, [balance])
    if (localBudgets === null) break
    await new Promise(setImmediate)
    pass(1)
  }
  expect(served).toBe(8)
  const ahead = asked.lastIndexOf(null)
  expect(ahead).toBeGreaterThan(0)
  expect(asked.slice(ahead + 1)).toEqual([1_000n])
})

test('many who find a lease too small at the same moment cause one question', async () => {
  const { store, book } = aNode()
  store.open(balance, 1_000_000n)
  await Promise.all(Array.from({ length: 30 }, () => hold(book, [balance])))
  expect(store.grants).toBeLessThanOrEqual(3)
})

test('a refusal says what is left, of which limit, until when; it is remembered for a moment', async () => {
  const { store, book, pass, time } = aNode()
  settle(store, await holdOne(book, spend), { cost: 800n, nowMs: START })
  await book.maintain()
  const refusal = {
    kind: 'refused',
    limit: 10_000n,
    available: 9_200n,
    endsAt: START + HOURS_5,
    isOver: false,
  }
  const localBudget = book.holderOf(spend)
  const grants = store.grants
  for (let i = 0; i < 50; i++) expect(await book.replenish(localBudget, nanoUsd(9_201n))).toEqual(refusal)
  expect(store.grants).toBe(grants + 1)
  pass(101)
  expect(await book.replenish(localBudget, nanoUsd(9_201n))).toEqual(refusal)
  expect(store.grants).toBe(grants + 2)
  expect(time.now).toBe(START + 101)
})

test('a lease is not used in the last fifth of the life of a node that is not heard from', async () => {
  const { store, book, pass } = aNode()
  store.open(balance, 1_000_000n)
  const localBudget = await holdOne(book, balance)
  pass(20_000)
  await book.maintain()
  pass(23_999)
  expect(book.raise([localBudget], STEP)).toBe('raised')
  pass(1)
  expect(book.raise([localBudget], STEP)).toEqual({ short: [localBudget] })
  await book.maintain()
  expect(book.raise([localBudget], STEP)).toBe('raised')
})

test('a node that is not alive spends nothing, and asks for nothing', async () => {
  const { store, book, node } = aNode()
  store.open(balance, 1_000_000n)
  const localBudget = await holdOne(book, balance)
  node.isAlive = false
  expect(book.take([balance], STEP)).toEqual({ kind: 'short', localBudgets: [localBudget] })
  await expect(book.replenish(localBudget, STEP)).rejects.toThrow(/renewed its life/)
})

test('a lease that others closed is lost, and what ran on it is charged to the budget itself', async () => {
  const { store, book } = aNode()
  store.open(balance, 1_000_000n)
  const localBudget = await holdOne(book, balance)
  await store.closeOfNodes(['nod_1'])
  await book.maintain()
  settle(store, localBudget, { cost: 800n, nowMs: START })
  expect(store.row(balance.id)).toMatchObject({ used: 800n, held: 0n })
  settle(store, await holdOne(book, balance), { cost: 800n, nowMs: START })
  expect(store.overrun).toBe(800n)
})

test('an idle lease is given back whole, and not one that a request runs on', async () => {
  const { store, book, pass } = aNode()
  store.open(balance, 1_000_000n)
  const localBudget = await holdOne(book, balance)
  pass(11_000)
  await book.maintain()
  expect(store.row(balance.id).held).toBeGreaterThan(0n)
  settle(store, localBudget, { cost: 700n, nowMs: START })
  await book.maintain()
  expect(store.row(balance.id)).toMatchObject({ used: 700n, held: 0n })
  expect(await hold(book, [balance], nanoUsd(1_000_001n))).toBeNull()
  pass(101)
  expect(await hold(book, [balance], nanoUsd(999_300n))).toHaveLength(1)
})

test('a lease whose return failed, or that was granted unheard, does not stay held', async () => {
  const { store, book, pass } = aNode()
  store.open(balance, 1_000_000n)
  store.trouble = 'unheard'
  await expect(hold(book, [balance])).rejects.toThrow(/lost/)
  expect(store.row(balance.id).held).toBeGreaterThan(0n)
  store.trouble = 'silent'
  await expect(hold(book, [balance])).rejects.toThrow(/no answer/)
  await expect(book.maintain()).rejects.toThrow(/no answer/)
  store.trouble = 'none'
  await book.maintain()
  expect(store.row(balance.id).held).toBe(0n)

  settle(store, await holdOne(book, balance), { cost: 1n, nowMs: START })
  pass(11_000)
  store.trouble = 'silent'
  await expect(book.maintain()).rejects.toThrow(/no answer/)
  expect(book.take([balance], STEP).kind).toBe('taken')
  book.holderOf(balance).release(STEP)
  store.trouble = 'none'
  pass(60_000)
  await book.maintain()
  expect(store.row(balance.id)).toMatchObject({ used: 1n, held: 0n })
})

test('a window opens with its first charge; when it is over, the next begins with its own limit', async () => {
  const { store, book, pass, time } = aNode()
  settle(store, await holdOne(book, spend), { cost: 0n, nowMs: START })
  const first = await holdOne(book, spend, nanoUsd(10_000n))
  expect(first.endsAt).toBeNull()
  pass(HOURS_5 * 3)
  await book.maintain()
  expect(book.holderOf(spend)).toBe(first)
  settle(store, first, { cost: 10_000n, held: 10_000n, nowMs: time.now })
  expect(first.endsAt).toBe(time.now + HOURS_5)
  pass(HOURS_5 - 1)
  expect(await hold(book, [spend])).toBeNull()
  pass(1)
  const second = await holdOne(book, spend)
  expect([first.rowId, second.rowId]).toEqual([firstWindow, secondWindow])
  expect(store.row(secondWindow)).toMatchObject({ used: 0n, endsAt: null })
})

test('a request that runs when its window ends is charged to that window, and its lease is given back afterwards', async () => {
  const { store, book, pass, time } = aNode()
  settle(store, await holdOne(book, spend), { cost: 500n, nowMs: time.now })
  const running = await holdOne(book, spend)
  pass(HOURS_5)
  await book.maintain()
  const next = await holdOne(book, spend)
  settle(store, next, { cost: 300n, nowMs: time.now })
  await book.maintain()
  expect(store.row(firstWindow)).toMatchObject({ used: 500n })
  expect(store.row(firstWindow).held).toBeGreaterThan(0n)
  settle(store, running, { cost: 400n, nowMs: time.now })
  expect(store.row(firstWindow)).toMatchObject({ used: 900n, endsAt: START + HOURS_5 })
  expect(store.row(secondWindow)).toMatchObject({ used: 300n, endsAt: time.now + HOURS_5 })
  await book.maintain()
  expect(store.row(firstWindow).held).toBe(0n)
  expect(store.row(secondWindow).held).toBeGreaterThan(0n)
  expect(store.overrun).toBe(0n)
})

test('a running request grows in its old window by what is left there, and then goes on in the new one', async () => {
  const { store, book, pass } = aNode()
  settle(store, await holdOne(book, spend), { cost: 1n, nowMs: START })
  const running = await holdOne(book, spend)
  // As a node does every few seconds.
  pass(HOURS_5)
  await book.maintain()
  let grown = 0
  while (book.raise([running], STEP) === 'raised') grown += 1
  const grants = store.grants
  const isOver = { kind: 'refused', endsAt: START + HOURS_5, isOver: true }
  expect(await book.replenish(running, STEP)).toMatchObject(isOver)
  const fresh = book.holderOf(spend)
  expect(fresh).not.toBe(running)
  expect(await book.replenish(running, STEP)).toMatchObject(isOver)
  expect(store.grants).toBe(grants)
  expect(grown).toBeLessThan(10)
  expect(book.raise([fresh], STEP)).toEqual({ short: [fresh] })
  expect(await book.replenish(fresh, STEP)).toEqual({ kind: 'look_again' })
  expect(book.raise([fresh], STEP)).toBe('raised')
  expect(fresh.rowId).toBe(secondWindow)
})

test('the end of a window that another node opened is learned from the leases', async () => {
  const store = new LeasesInMemory()
  const [one, other] = [aNode(store), aNode(store)]
  other.node.id = 'nod_2'
  const held = await holdOne(one.book, spend)
  settle(store, await holdOne(other.book, spend), { cost: 5n, nowMs: START - 700 })
  await one.book.maintain()
  expect(held.endsAt).toBe(START - 700 + HOURS_5)
  // What this node charges later changes nothing about it.
  settle(store, held, { cost: 5n, nowMs: START + 900 })
  expect(held.endsAt).toBe(START - 700 + HOURS_5)
})

test('a node that does not know that a window is over is led to the next by the grant', async () => {
  const store = new LeasesInMemory()
  const [one, other] = [aNode(store), aNode(store)]
  other.node.id = 'nod_2'
  const running = await holdOne(one.book, spend)
  settle(store, await holdOne(other.book, spend, nanoUsd(5_000n)), { cost: 5_000n, held: 5_000n, nowMs: START })
  one.time.now = START + HOURS_5
  expect(await one.book.replenish(running, nanoUsd(9_000n))).toEqual({ kind: 'look_again' })
  expect(one.book.holderOf(spend)).not.toBe(running)
  expect(one.book.holderOf(spend).rowId).toBe(secondWindow)
  expect(await one.book.replenish(running, nanoUsd(9_000n))).toMatchObject({ kind: 'refused', isOver: true })
  settle(store, running, { cost: 1000n, nowMs: one.time.now })
  expect(store.row(firstWindow).used).toBe(6_000n)
})

test('when a clock is put back, the window goes on, and none of its money is counted twice', async () => {
  const { store, book, time } = aNode()
  settle(store, await holdOne(book, spend), { cost: 1000n, nowMs: START })
  const running = await holdOne(book, spend)
  time.now = START + HOURS_5
  expect(book.holderOf(spend)).not.toBe(running)
  time.now = START + 60_000
  let holds = 1
  while ((await hold(book, [spend])) !== null) holds += 1
  expect(holds).toBe(9)
  expect(book.holderOf(spend)).toBe(running)
  expect(store.row(firstWindow)).toMatchObject({ used: 1000n, held: 9000n })
})

test('a clock that jumps before the first charge is in the books ends no window, and causes no storm of questions', async () => {
  const { store, book, time } = aNode()
  const first = await holdOne(book, spend)
  const leaseId = first.charge(STEP, nanoUsd(700n), START)
  time.now = START + HOURS_5
  const grants = store.grants
  expect(await holdOne(book, spend)).toBe(first)
  expect(store.grants).toBe(grants + 1)
  store.charge({ budgetId: first.rowId, leaseId, cost: nanoUsd(700n) }, START)
  await book.maintain()
  expect((await holdOne(book, spend)).rowId).toBe(secondWindow)
})

test('when the node is about to leave everything is given back, also of windows that are over', async () => {
  const { store, book, pass, time } = aNode()
  store.open(balance, 1_000_000n)
  settle(store, await holdOne(book, spend), { cost: 1n, nowMs: time.now })
  const running = await holdOne(book, spend)
  pass(HOURS_5)
  settle(store, await holdOne(book, spend), { cost: 1n, nowMs: time.now })
  settle(store, await holdOne(book, balance), { cost: 1n, nowMs: time.now })
  settle(store, running, { cost: 1n, nowMs: time.now })
  await book.closeAll()
  expect([...store.rows.values()].map(({ used, held }) => [used, held])).toEqual([
    [1n, 0n],
    [2n, 0n],
    [1n, 0n],
  ])
  expect(store.leases.size).toBe(0)
})

test('a lease is not raised and given back at once, even when a clock is put back at that moment', async () => {
  const order = fc.array(fc.nat(2), { minLength: 8, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.nat(2), order, async (isAskedFirst, before, picks) => {
      const { store, book, time } = aNode()
      settle(store, await holdOne(book, spend), { cost: 1n, nowMs: START })
      await book.maintain()
      const arrivals: (() => void)[] = []
      store.way = () => new Promise((resolve) => arrivals.push(resolve))
      time.now = START + HOURS_5
      const fresh = book.holderOf(spend)
      time.now = START
      const acts: (() => Promise<unknown>)[] = [() => book.replenish(fresh, STEP), () => book.maintain()]
      const [first, second] = isAskedFirst ? acts : acts.toReversed()
      const done: (Promise<unknown> | undefined)[] = [first?.()]
      await arriving(
        arrivals,
        Array.from({ length: before }, () => 0),
      )
      done.push(second?.())
      await arriving(arrivals, picks)
      await Promise.all(done.filter((each) => each !== undefined))
      store.way = async () => {}
      settle(store, await holdOne(book, spend), { cost: 500n, nowMs: START })
      expect(store.overrun).toBe(0n)
    }),
    { numRuns: 300 },
  )
})

test('a grant that is under way when the node leaves is given back too', async () => {
  const { store, book } = aNode()
  store.open(balance, 1_000_000n)
  const arrivals: (() => void)[] = []
  store.way = () => new Promise((resolve) => arrivals.push(resolve))
  const granted = book.replenish(book.holderOf(balance), STEP)
  const left = book.closeAll()
  await arriving(arrivals, [1, 1, 1, 1, 0, 0, 0, 0])
  await Promise.all([granted, left])
  expect(store.row(balance.id).held).toBe(0n)
})

test.each(['silent', 'unheard'] as const)(
  'a lease in doubt (%s) that turns up on the next window is not closed with the one before',
  async (trouble) => {
    const { store, book } = aNode()
    const first = await holdOne(book, spend)
    await book.replenish(first, STEP)
    // Another node's charge opened the window, and it is over; this node has not heard of that.
    store.row(firstWindow).endsAt = START
    store.trouble = trouble
    await expect(book.replenish(first, nanoUsd(4_000n))).rejects.toThrow(/no answer|lost/)
    store.trouble = 'none'
    await book.replenish(first, nanoUsd(4_000n))
    const second = await holdOne(book, spend)
    expect(second.rowId).toBe(secondWindow)
    first.release(STEP)
    await book.maintain()
    expect(store.row(firstWindow).held).toBe(0n)
    settle(store, second, { cost: 1_000n, nowMs: START })
    expect(store.overrun).toBe(0n)
  },
)

test('a window that a wrong clock opened is over as soon as the clock is right', async () => {
  const { store, book, time } = aNode()
  time.now = START + 365 * 86_400_000
  settle(store, await holdOne(book, spend, nanoUsd(10_000n)), { cost: 10_000n, held: 10_000n, nowMs: time.now })
  time.now = START
  const next = await holdOne(book, spend)
  expect(next.rowId).toBe(secondWindow)
  // A clock that was put back a little is not a wrong clock.
  settle(store, next, { cost: 1n, nowMs: START })
  time.now = START - 3_600_000
  expect((await holdOne(book, spend)).rowId).toBe(secondWindow)
})
