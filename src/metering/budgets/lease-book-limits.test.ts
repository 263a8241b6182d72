import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  aNode,
  arriving,
  balance,
  firstWindow,
  hold,
  holdOne,
  settle,
  spend,
  START,
  STEP,
  turn,
} from '../../../test/support/lease-book-by-hand.ts'
import { nanoUsd } from '../../core/money.ts'
import { balanceBudget } from './budget.ts'

test('a limit that is lowered stops this node once it has heard of it, and what runs is charged all the same', async () => {
  const { store, book } = aNode()
  settle(store, await holdOne(book, spend), { cost: 600n, nowMs: START })
  const running = await holdOne(book, spend)
  store.move(spend, 600n, START)
  expect(store.row(firstWindow)).toMatchObject({ used: 600n, held: 0n })
  await book.reconsider(({ subjectId }) => subjectId === 'key_1')
  expect(await hold(book, [spend], nanoUsd(1n))).toBeNull()
  expect(book.raise([running], nanoUsd(1n))).not.toBe('raised')
  settle(store, running, { cost: 900n, nowMs: START })
  expect(store.row(firstWindow)).toMatchObject({ used: 1_500n, held: 0n })
  expect(store.overrun).toBe(900n)
})

test('a refusal says what is left for others than those who run on money that no lease covers any more', async () => {
  const { store, book } = aNode()
  await holdOne(book, spend)
  store.move(spend, 1_500n, START)
  await book.reconsider(() => true)
  const refused = await book.replenish(book.holderOf(spend), nanoUsd(600n))
  expect(refused).toMatchObject({ kind: 'refused', limit: 1_500n, available: 500n })
  expect(await hold(book, [spend], nanoUsd(500n))).toHaveLength(1)
})

test('what was charged beyond a lease is not asked for again', async () => {
  const { store, book } = aNode()
  store.open(balance, 1_500n)
  settle(store, await holdOne(book, balance, nanoUsd(1_151n)), { cost: 1_208n, held: 1_151n, nowMs: START })
  expect(await hold(book, [balance], nanoUsd(292n))).toHaveLength(1)
  expect(await hold(book, [balance], nanoUsd(1n))).toBeNull()
})

test('a limit that is raised, or lowered by less than is free, takes no lease away', async () => {
  const { store, book } = aNode()
  const running = await holdOne(book, spend)
  const { held } = store.row(firstWindow)
  store.move(spend, 9_000n, START)
  await book.reconsider(({ subjectId }) => subjectId === 'key_1')
  expect(store.row(firstWindow)).toMatchObject({ held })
  const { grants } = store
  expect(book.raise([running], nanoUsd(1n))).toBe('raised')
  expect(store.grants).toBe(grants)
})

test('while it is asked which leases are left nothing is taken, and nothing is refused', async () => {
  const { store, book } = aNode()
  const other = balanceBudget('acc_2')
  store.open(balance, 1_000n)
  store.open(other, 1_000_000n)
  // All there is.
  settle(store, await holdOne(book, balance), { cost: 0n, nowMs: START })
  settle(store, await holdOne(book, other), { cost: 0n, nowMs: START })
  const arrivals: (() => void)[] = []
  store.way = () => new Promise((resolve) => arrivals.push(resolve))
  const heard = book.reconsider(({ id }) => id === balance.id)
  expect(book.take([balance], STEP).kind).toBe('short')
  expect(book.take([other], STEP).kind).toBe('taken')
  const asked = hold(book, [balance])
  await arriving(arrivals, [0, 0])
  await heard
  expect(await asked).toHaveLength(1)
})

test('what was granted before a limit was lowered and is heard of afterwards is not spent', async () => {
  const orders = fc.array(fc.nat(3), { minLength: 12, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('grant', 'maintain'), fc.nat(3), orders, async (kind, before, picks) => {
      const { store, book } = aNode()
      const localBudget = await holdOne(book, spend)
      await turn()
      const arrivals: (() => void)[] = []
      store.way = () => new Promise((resolve) => arrivals.push(resolve))
      const doing = kind === 'grant' ? book.replenish(localBudget, nanoUsd(5_000n)) : book.maintain()
      await arriving(arrivals, picks.slice(0, before))
      store.move(spend, 500n, START)
      const heard = book.reconsider(({ subjectId }) => subjectId === 'key_1')
      for (const pick of picks) {
        expect(book.raise([localBudget], nanoUsd(1n))).not.toBe('raised')
        await arriving(arrivals, [pick])
      }
      await Promise.all([doing, heard])
      expect(book.take([spend], nanoUsd(1n)).kind).toBe('short')
    }),
    { numRuns: 300 },
  )
})

test('a node that cannot ask which leases are left spends from none of them', async () => {
  const { store, book } = aNode()
  const running = await holdOne(book, spend)
  store.trouble = 'silent'
  await expect(book.reconsider(() => true)).rejects.toThrow(/no answer/)
  expect(book.raise([running], nanoUsd(1n))).not.toBe('raised')
  store.trouble = 'none'
  await book.reconsider(() => true)
  expect(book.raise([running], nanoUsd(1n))).toBe('raised')
})

test('a refusal is forgotten when there may be more, also one that was asked for before and answered after', async () => {
  const { store, book } = aNode()
  store.open(balance, 900n)
  const grant = store.grant.bind(store)
  const held = Promise.withResolvers<void>()
  store.grant = async (request) => {
    const answer = await grant(request)
    await held.promise
    return answer
  }
  const before = hold(book, [balance])
  await new Promise((resolve) => setImmediate(resolve))
  store.row(balance.id).limit = 2_000n
  book.forgetRefusals(({ id }) => id === balance.id)
  held.resolve()
  expect(await before).toBeNull()
  expect(await hold(book, [balance])).toHaveLength(1)
})
