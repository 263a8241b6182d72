import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aNode, balance, holdOne, settle, START, STEP } from '../../../test/support/lease-book-by-hand.ts'
import { nanoUsd } from '../../core/money.ts'

/** One request of `amount` at a time, each 4 s, for so long; as a node does, it maintains each 5 s. */
async function trickle(node: ReturnType<typeof aNode>, on: { amount: bigint; cost: bigint; seconds: number }) {
  const { store, book, pass, time } = node
  for (let second = 1; second <= on.seconds; second++) {
    pass(1_000)
    if (second % 4 === 0) {
      const localBudget = await holdOne(book, balance, nanoUsd(on.amount))
      settle(store, localBudget, { cost: on.cost, held: on.amount, nowMs: time.now })
    }
    if (second % 5 === 0) await book.maintain()
  }
}

test('after a burst a node that goes on in a trickle gives back what it does not need, and keeps its requests covered', async () => {
  const node = aNode()
  const { store, book } = node
  store.open(balance, 100_000n)
  const burst = await Promise.all(Array.from({ length: 40 }, () => holdOne(book, balance)))
  for (const localBudget of burst) settle(store, localBudget, { cost: 500n, nowMs: START })
  expect(store.row(balance.id).held).toBeGreaterThan(20_000n)
  const running = await holdOne(book, balance, nanoUsd(300n))
  await trickle(node, { amount: 100n, cost: 100n, seconds: 20 })
  const { held } = store.row(balance.id)
  expect(held).toBeLessThan(3_000n)
  expect(held).toBeGreaterThanOrEqual(300n)
  settle(store, running, { cost: 300n, held: 300n, nowMs: START })
  expect(store.overrun).toBe(0n)
})

test.each([
  ['its requests cost what they reserve', 100n],
  ['its requests cost little of what they reserve', 3n],
])('a node that trickles where %s asks and gives back seldom', async (_, cost) => {
  const node = aNode()
  node.store.open(balance, 10_000_000n)
  let returns = 0
  const shrink = node.store.shrink.bind(node.store)
  node.store.shrink = (...asked) => {
    returns += 1
    return shrink(...asked)
  }
  await trickle(node, { amount: 100n, cost, seconds: 600 })
  expect(returns + node.store.grants).toBeLessThanOrEqual(2 * (600 / 25))
})

test('a lease that is used steadily is never given back in part', async () => {
  const { store, book, pass, time } = aNode()
  store.open(balance, 1_000_000_000n)
  store.shrink = () => Promise.reject(new Error('a lease in use was shrunk'))
  for (let round = 0; round < 600; round++) {
    pass(100)
    const localBudgets = await Promise.all(Array.from({ length: 5 }, () => holdOne(book, balance)))
    for (const localBudget of localBudgets) settle(store, localBudget, { cost: 700n, nowMs: time.now })
    if (round % 50 === 0) await book.maintain()
  }
  expect(store.grants).toBeLessThan(60)
})

test('a return whose answer is lost is wished again, and never counted twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('silent' as const, 'unheard' as const),
      fc.boolean(),
      async (trouble, asksMore) => {
        const { store, book, pass } = aNode()
        store.open(balance, 100_000n)
        const burst = await Promise.all(Array.from({ length: 40 }, () => holdOne(book, balance)))
        for (const localBudget of burst) settle(store, localBudget, { cost: 0n, nowMs: START })
        const running = await holdOne(book, balance, nanoUsd(300n))
        await book.maintain()
        pass(11_000)
        const shrink = store.shrink.bind(store)
        store.shrink = async (...asked) => {
          if (trouble === 'unheard') await shrink(...asked)
          throw new Error('no answer')
        }
        await expect(book.maintain()).rejects.toThrow(/no answer/)
        store.shrink = shrink
        let more = 0n
        while (book.raise([running], STEP) === 'raised') more += STEP
        if (asksMore) {
          await book.replenish(running, STEP)
          while (book.raise([running], STEP) === 'raised') more += STEP
        }
        pass(11_000)
        await book.maintain()
        await book.maintain()
        const { held } = store.row(balance.id)
        expect(held).toBeGreaterThanOrEqual(300n + more)
        expect(held).toBeLessThanOrEqual(2n * (300n + more))
        settle(store, running, { cost: 300n + more, held: 300n + more, nowMs: START })
        expect(store.overrun).toBe(0n)
      },
    ),
  )
})
