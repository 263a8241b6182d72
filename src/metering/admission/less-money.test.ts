import { describe, expect, test } from 'vitest'
import {
  asking,
  balance,
  elastic,
  gateway,
  paidByBalance,
  paidByPlan,
  refusalOf,
  settle,
} from '../../../test/support/admission-by-hand.ts'
import { PATIENCE_MS } from '../../../test/support/patience.ts'
import { nanoUsd } from '../../core/money.ts'
import { keySpendBudget } from '../budgets/budget.ts'
import type { Reservation } from './reservation.ts'

test('a request that may cost more than there is holds what is there, of the plan before the balance', async () => {
  const { store, admission } = gateway()
  store.open(balance, 2_000n)
  const reservation = await admission.admit(elastic(50_000n, 50_000n, { sources: [paidByPlan, paidByBalance] }))
  expect(reservation.amount).toBe(7_000n)
  expect(settle(store, reservation, 6_000n)).toMatchObject({
    balancePaid: 1_000n,
    subscriptionsPaid: [{ subscriptionId: 'sub_1', paid: 5_000n }],
  })
})

test('and no more than each cap has left, on all of them', async () => {
  const { store, admission } = gateway()
  store.open(balance, 2_000n)
  const spend = keySpendBudget('key_1', nanoUsd(3_000n), '5h')
  const caps = [spend, keySpendBudget('key_1', nanoUsd(2_500n), '1d')]
  const sources = [paidByPlan, paidByBalance]
  expect((await admission.admit(elastic(50_000n, 50_000n, { caps, sources }))).amount).toBe(2_500n)
  expect(await refusalOf(admission, elastic(50_000n, 50_000n, { caps, sources }))).toMatchObject({
    code: 'rate_limited',
  })
})

test('beyond a comfortable amount it leaves a quarter to others, and takes all there is below', async () => {
  const { store, admission } = gateway()
  store.open(balance, 8_000n)
  const amounts: bigint[] = []
  for (let i = 0; i < 3; i++) amounts.push((await admission.admit(elastic(50_000n, 1_500n))).amount)
  expect(amounts).toEqual([6_000n, 1_500n, 500n])
  expect(await refusalOf(admission, elastic(50_000n, 1_500n))).toMatchObject({ code: 'balance_exhausted' })
})

test('a request whose cost nothing bounds takes all there is, and no other such request runs beside it', async () => {
  const { store, admission } = gateway()
  store.open(balance, 8_000n)
  const small = await admission.admit(asking({ amount: nanoUsd(3_000n) }))
  const first = await admission.admit(elastic(50_000n, null))
  expect(first.amount).toBe(5_000n)
  // Money comes free, and it is not for another of its kind.
  settle(store, small, 0n)
  expect(await refusalOf(admission, elastic(50_000n, null))).toMatchObject({ code: 'balance_exhausted' })
  expect((await admission.admit(asking({ amount: nanoUsd(1_000n) }))).amount).toBe(1_000n)
  settle(store, first, 5_000n)
  expect((await admission.admit(elastic(50_000n, null))).amount).toBe(2_000n)
})

test('nor does one beside it that may cost more than it holds below a comfortable amount, where it has less', async () => {
  const loose = () => {
    const asked = elastic(50_000n, 4_000n)
    return { ...asked, less: () => ({ least: nanoUsd(100n), comfortable: nanoUsd(4_000n), isExclusiveBelow: true }) }
  }
  const { store, admission } = gateway()
  store.open(balance, 8_000n)
  const comfortable = await admission.admit(loose())
  const short = await admission.admit(loose())
  expect([comfortable.amount, short.amount]).toEqual([6_000n, 2_000n])
  settle(store, comfortable, 5_000n)
  expect(await refusalOf(admission, loose())).toMatchObject({ code: 'balance_exhausted' })
  settle(store, short, 2_000n)
  expect((await admission.admit(loose())).amount).toBe(1_000n)
})

describe('a running request whose cost turns out to have no bound', () => {
  test('holds all that it may cost where there is so much, and is not alone', async () => {
    const { store, admission } = gateway()
    store.open(balance, 8_000n)
    const held = await admission.admit(asking({ amount: nanoUsd(1_000n) }))
    expect(await admission.extendOrRunExclusively(held, nanoUsd(5_000n), 0)).toBe(true)
    expect([held.amount, admission.isExclusive(held)]).toEqual([6_000n, false])
  })

  test('takes all there is where that is less, and no other such request goes on beside it', async () => {
    const { store, admission } = gateway()
    store.open(balance, 8_000n)
    const held = await admission.admit(asking({ amount: nanoUsd(1_000n) }))
    const other = await admission.admit(asking({ amount: nanoUsd(1_000n) }))
    expect(await admission.extendOrRunExclusively(held, nanoUsd(50_000n), 0)).toBe(true)
    expect([held.amount, admission.isExclusive(held)]).toEqual([7_000n, true])
    expect(await admission.extendOrRunExclusively(other, nanoUsd(50_000n), 0)).toBe(false)
    const waiting = admission.extendOrRunExclusively(other, nanoUsd(50_000n), PATIENCE_MS)
    settle(store, held, 7_500n)
    expect(await waiting).toBe(true)
    settle(store, other, 1_000n)
  })

  test('and is not where the one before it has used up more than there was', async () => {
    const { store, admission } = gateway()
    store.open(balance, 8_000n)
    const held = await admission.admit(asking({ amount: nanoUsd(1_000n) }))
    const other = await admission.admit(asking({ amount: nanoUsd(1_000n) }))
    await admission.extendOrRunExclusively(held, nanoUsd(50_000n), 0)
    const waiting = admission.extendOrRunExclusively(other, nanoUsd(50_000n), PATIENCE_MS)
    settle(store, held, 8_000n)
    expect(await waiting).toBe(false)
  })

  test('is not kept apart when it ended meanwhile', async () => {
    const { store, admission } = gateway()
    store.open(balance, 8_000n)
    const held = await admission.admit(asking({ amount: nanoUsd(1_000n) }))
    const asked = admission.extendOrRunExclusively(held, nanoUsd(50_000n), 0)
    settle(store, held, 1_000n)
    expect(await asked).toBe(false)
    expect((await admission.admit(elastic(50_000n, null))).amount).toBe(7_000n)
  })
})

test('such requests run side by side where there is enough for all that each may cost', async () => {
  const { store, admission } = gateway()
  store.open(balance, 8_000n)
  await admission.admit(elastic(4_000n, null))
  expect((await admission.admit(elastic(4_000n, null))).amount).toBe(4_000n)
})

test('a request waits for money that others hold, and gets what they did not need', async () => {
  const { store, admission, time } = gateway({ patienceMs: PATIENCE_MS })
  store.open(balance, 1_000n)
  const first = await admission.admit(asking())
  let second: Reservation | null = null
  const waiting = Promise.resolve(admission.admit(elastic(50_000n, null))).then((reservation) => (second = reservation))
  await new Promise((resolve) => setImmediate(resolve))
  expect(second).toBeNull()
  time.elapsed += 200
  settle(store, first, 300n)
  await waiting
  expect(second).toMatchObject({ amount: 700n })
})

test('it does not wait where nothing runs that could give it any', async () => {
  const { store, admission } = gateway({ patienceMs: 1e9 })
  store.open(balance, 50n)
  expect(await refusalOf(admission, elastic(50_000n, null))).toMatchObject({ code: 'balance_exhausted' })
})

test('while a refusal is remembered, what requests leave is there for the next, and what they cost is gone', async () => {
  const { store, admission } = gateway({ patienceMs: PATIENCE_MS })
  store.open(balance, 1_000n)
  const first = await admission.admit(elastic(50_000n, null))
  const amounts = [1, 2].map(async () => {
    const reservation = await admission.admit(elastic(50_000n, null))
    settle(store, reservation, 300n)
    return reservation.amount
  })
  await new Promise((resolve) => setImmediate(resolve))
  settle(store, first, 300n)
  expect(await Promise.all(amounts)).toEqual([700n, 400n])
  const refused = await refusalOf(admission, asking({ amount: nanoUsd(2_000n) }))
  expect(refused.details.facts).toMatchObject({ left_usd: '0.0000001' })
})

test('one that looked again for each small amount that came free is refused for what is left, not for the database', async () => {
  const { store, admission } = gateway({ patienceMs: PATIENCE_MS })
  store.open(balance, 1_000n)
  await admission.admit(asking({ amount: nanoUsd(900n) }))
  const refused = refusalOf(admission, asking({ amount: nanoUsd(500n) }))
  for (let ended = 0; ended < 300; ended++) {
    const small = await admission.admit(asking({ amount: nanoUsd(1n) }))
    await new Promise((resolve) => setImmediate(resolve))
    settle(store, small, 0n)
  }
  expect(await refused).toMatchObject({ code: 'balance_exhausted' })
})
