import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  START,
  balance,
  plan,
  paidByBalance,
  paidByPlan,
  NO_LIMITS,
  gateway,
  asking,
  refusalOf,
  settle,
} from '../../../test/support/admission-by-hand.ts'
import { Fault } from '../../core/faults.ts'
import { nanoUsd } from '../../core/money.ts'
import { balanceBudget, keyQuotaBudget, keySpendBudget, windowRowId } from '../budgets/budget.ts'
import type { ClusterCounts } from '../limits/cluster-counts.ts'
import type { Reservation } from './reservation.ts'

test('a request that this node has leases for is admitted at once', async () => {
  const { store, admission } = gateway()
  store.open(balance, 1_000_000n)
  settle(store, await admission.admit(asking()), 900n)
  const next = admission.admit(asking())
  expect(next).not.toBeInstanceOf(Promise)
})

test('what is admitted at the same time never adds up to more than the budget', async () => {
  const { store, admission } = gateway()
  store.open(balance, 10_000n)
  const all = Array.from({ length: 100 }, () => Promise.resolve().then(() => admission.admit(asking())))
  const answers = await Promise.allSettled(all)
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(10)
  const refusal = answers.find((answer) => answer.status === 'rejected')
  expect(refusal?.reason).toMatchObject({ code: 'balance_exhausted' })
})

test('a request that is refused for want of money is answered when other nodes count it no more', async () => {
  const { promise: undone, resolve: undo } = Promise.withResolvers<void>()
  const use = { leave: () => {}, end: () => {}, undo: () => undone }
  const cluster: ClusterCounts = {
    isReachable: true,
    count: async () => ({ kind: 'counted', use }),
    runs: () => use,
    lastStates: () => null,
    states: async () => null,
  }
  const { store, admission } = gateway({ cluster })
  store.open(balance, 0n)
  const key = { id: 'key_1', rateLimit: { ...NO_LIMITS, concurrency: 1 } }
  let refused: Fault | null = null
  const refusal = refusalOf(admission, asking({ key })).then((fault) => (refused = fault))
  await setImmediate()
  expect(refused).toBeNull()
  undo()
  expect(await refusal).toMatchObject({ code: 'balance_exhausted' })
})

test('the fault of a quota names the need, what is left, when it resets and what that pays for', async () => {
  const { store, admission } = gateway()
  const quota = keyQuotaBudget('key_1', nanoUsd(500n), { reset: 'daily', startsAt: 0, endsAt: START + 3_600_000 })
  store.open(balance, 1_000_000n)
  store.open(quota, 500n)
  const advice = (available: bigint) => ({ affordable_tokens: Number(available) })
  const refusal = await refusalOf(admission, asking({ caps: [quota], advice }))
  expect(refusal.code).toBe('key_quota_exhausted')
  expect(refusal.message).toMatch(
    /\$0\.000001 and \$0\.0000005 is left.*resets at 2026-09-21T15:13:20.*1 h 0 min.*pays for about 500 output tokens/,
  )
})

test('a spend window that is used up is a limit of the key: 429, with the time until it resets', async () => {
  const { store, admission, time } = gateway()
  const spend = keySpendBudget('key_1', nanoUsd(1_500n), '5h')
  store.open(balance, 1_000_000n)
  settle(store, await admission.admit(asking({ caps: [spend] })), 1_000n)
  time.elapsed += 200
  const refusal = await refusalOf(admission, asking({ caps: [spend] }))
  expect(refusal.code).toBe('rate_limited')
  expect(refusal.details.retryAfterSeconds).toBe(5 * 3_600)
  expect(refusal.message).toMatch(/\$0\.0000005 is left of the \$0\.0000015.*in 5h.*resets at 2026-09-21T19:13:20/)
})

test('a request that alone is more than an untouched window is not sent to wait for it', async () => {
  const { store, admission } = gateway()
  store.open(balance, 1_000_000n)
  const spend = keySpendBudget('key_1', nanoUsd(500n), '1d')
  const refusal = await refusalOf(admission, asking({ caps: [spend] }))
  expect(refusal.message).toMatch(/Nothing of it is spent yet, so waiting gives no more/)
  expect(refusal.details.retryAfterSeconds).toBe(86_400)
})

test('a limit on counts is met before any money is asked for', async () => {
  const { store, admission } = gateway()
  store.open(balance, 1_000_000n)
  const key = { id: 'key_1', rateLimit: { ...NO_LIMITS, requestsPerMinute: 1 } }
  settle(store, await admission.admit(asking({ key })), 1n)
  const grants = store.grants
  const refusal = await refusalOf(admission, asking({ key, amount: nanoUsd(900_000n) }))
  expect(refusal.code).toBe('rate_limited')
  expect(refusal.details.retryAfterSeconds).toBeGreaterThan(59)
  expect(store.grants).toBe(grants)
})

test('a request that has no money counts for no limit of its key, however often it comes', async () => {
  const { store, limits, admission } = gateway()
  store.open(balance, 0n)
  const key = { id: 'key_1', rateLimit: { concurrency: 1, requestsPerMinute: 2, tokensPerMinute: 100 } }
  for (let i = 0; i < 5; i++)
    expect(await refusalOf(admission, asking({ key }))).toMatchObject({ code: 'balance_exhausted' })
  expect(limits.states(key).map(({ used }) => used)).toEqual([0, 0, 0])
})

test('a reservation that closes, in either way, frees its slot and says what it used', async () => {
  const { store, limits, admission } = gateway()
  store.open(balance, 1_000_000n)
  const key = { id: 'key_1', rateLimit: { ...NO_LIMITS, concurrency: 2, tokensPerMinute: 100 } }
  const first = await admission.admit(asking({ key, tokens: { input: 40, output: 0 } }))
  const second = await admission.admit(asking({ key, tokens: { input: 40, output: 0 } }))
  expect(await refusalOf(admission, asking({ key, tokens: { input: 40, output: 0 } }))).toMatchObject({
    code: 'rate_limited',
  })
  settle(store, first, 1n)
  second.release('upstream_refused')
  expect(limits.states(key).map(({ used }) => used)).toEqual([10, 0])
  expect(() => second.release('upstream_refused')).toThrow(/closed once/)
})

test('a subscription pays while it can, then the balance; and a fault of both names both', async () => {
  const { store, admission, time } = gateway()
  store.open(balance, 1_200n)
  const request = asking({ amount: nanoUsd(2_000n), sources: [paidByPlan, paidByBalance] })
  expect(settle(store, await admission.admit(request), 2_000n)).toMatchObject({
    balancePaid: 0n,
    subscriptionsPaid: [{ subscriptionId: 'sub_1', paid: 2_000n }],
  })
  settle(store, await admission.admit(request), 2_000n)
  const last = await admission.admit({ ...request, amount: nanoUsd(1_100n) })
  expect(settle(store, last, 1_100n)).toMatchObject({
    balancePaid: 100n,
    subscriptionsPaid: [{ subscriptionId: 'sub_1', paid: 1_000n }],
  })
  time.elapsed += 200
  const refusal = await refusalOf(admission, request)
  expect(refusal.code).toBe('subscription_quota_exhausted')
  expect(refusal.message).toMatch(/\$0 is left of the subscription's quota for 5h.*resets at.*balance has \$0\.0000011/)
})

test('a subscription without quotas pays for everything, and holds nothing', async () => {
  const { store, admission } = gateway()
  store.open(balance, 0n)
  const sources = [{ subscriptionId: 'sub_9', budgets: [] }, paidByBalance]
  const reservation = await admission.admit(asking({ sources }))
  expect(await admission.extend(reservation, nanoUsd(1_000_000n))).toBeNull()
  const closing = reservation.settle(nanoUsd(900_000n), { chargedAtMs: START, tokens: 0 })
  expect(closing).toEqual({
    charges: [],
    balancePaid: 0n,
    subscriptionsPaid: [{ subscriptionId: 'sub_9', paid: 900_000n }],
  })
})

test('a request that grows beyond its subscription goes on with the balance, and the cost fills both in turn', async () => {
  const { store, admission } = gateway()
  store.open(balance, 10_000n)
  const reservation = await admission.admit(asking({ amount: nanoUsd(4_000n), sources: [paidByPlan, paidByBalance] }))
  expect(await admission.extend(reservation, nanoUsd(3_000n))).toMatchObject({ fault: null })
  expect(reservation.amount).toBe(7_000n)
  const closing = settle(store, reservation, 6_500n)
  expect(closing.subscriptionsPaid).toEqual([{ subscriptionId: 'sub_1', paid: 5_000n }])
  expect(closing.balancePaid).toBe(1_500n)
  expect(closing.charges.map(({ budgetId, cost }) => [budgetId, cost])).toEqual([
    [windowRowId(plan.id, 1), 5_000n],
    [balance.id, 1_500n],
  ])
})

test('a request that is still growing when its subscription opens another window goes on there', async () => {
  const { store, admission, time } = gateway()
  store.open(balance, 10_000n)
  const sources = [paidByPlan, paidByBalance]
  settle(store, await admission.admit(asking({ sources })), 1_000n)
  const reservation = await admission.admit(asking({ amount: nanoUsd(3_500n), sources }))
  time.now += 5 * 3_600_000
  expect(await admission.extend(reservation, nanoUsd(4_500n))).toMatchObject({ fault: null })
  const closing = settle(store, reservation, 7_000n)
  expect(closing.charges.map(({ budgetId, cost }) => [budgetId, cost])).toEqual([
    [windowRowId(plan.id, 1), 3_500n],
    [windowRowId(plan.id, 2), 3_500n],
  ])
  expect(closing).toMatchObject({ balancePaid: 0n, subscriptionsPaid: [{ subscriptionId: 'sub_1', paid: 7_000n }] })
})

test('of a step that is refused as a whole, what is left of the funds is held, and the fault says what lacks', async () => {
  const { store, admission } = gateway()
  store.open(balance, 500n)
  const reservation = await admission.admit(asking({ amount: nanoUsd(4_000n), sources: [paidByPlan, paidByBalance] }))
  const extension = await admission.extend(reservation, nanoUsd(3_000n))
  expect(extension).toMatchObject({ lacking: 1_500n, fault: { code: 'subscription_quota_exhausted' } })
  expect(reservation.amount).toBe(5_500n)
  expect(settle(store, reservation, 5_600n)).toMatchObject({
    balancePaid: 600n,
    subscriptionsPaid: [{ subscriptionId: 'sub_1', paid: 5_000n }],
  })
})

test('when the database does not answer the caller learns that, and nothing is held', async () => {
  const { store, limits, admission } = gateway()
  store.open(balance, 1_000n)
  const key = { id: 'key_1', rateLimit: { ...NO_LIMITS, concurrency: 1 } }
  store.trouble = 'silent'
  expect(await refusalOf(admission, asking({ key }))).toMatchObject({ code: 'store_unavailable' })
  store.trouble = 'none'
  expect(limits.states(key)).toMatchObject([{ used: 0 }])
  settle(store, await admission.admit(asking({ key })), 1_000n)
})

test('what is free for good asks no store', () => {
  const { store, admission } = gateway()
  const reservation = admission.admit(asking({ amount: nanoUsd(0n), sources: [] }))
  expect(reservation).not.toBeInstanceOf(Promise)
  expect((reservation as Reservation).settle(nanoUsd(0n), { chargedAtMs: START, tokens: 0 })).toEqual({
    charges: [],
    balancePaid: 0n,
    subscriptionsPaid: [],
  })
  expect(store.grants).toBe(0)
})

describe('what a key and its account count', () => {
  const limit = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null })
  const limits = fc.record({ concurrency: limit, requestsPerMinute: limit })
  const step = fc.record({ key: fc.nat(1), ends: fc.nat(9), isUndone: fc.boolean(), hasFunds: fc.boolean() })

  test('is taken together or not at all: a request runs when both have room, and a refused one leaves no trace', async () => {
    await fc.assert(
      fc.asyncProperty(limits, limits, fc.array(step, { maxLength: 30 }), async (ofKeys, ofAccount, steps) => {
        const { store, admission, limits: counts } = gateway()
        store.open(balance, 1_000_000_000n)
        store.open(balanceBudget('acc_poor'), 0n)
        const keys = [0, 1].map((i) => ({ id: `key_${i}`, rateLimit: { ...NO_LIMITS, ...ofKeys } }))
        const account = { id: 'acc_1', rateLimit: { ...NO_LIMITS, ...ofAccount } }
        let running: { of: number; reservation: Reservation }[] = []
        const requests = [0, 0]
        for (const { key, ends, isUndone, hasFunds } of steps) {
          const rich = hasFunds ? {} : { sources: [{ subscriptionId: null, budgets: [balanceBudget('acc_poor')] }] }
          const mine = running.filter(({ of }) => of === key).length
          const isOpen =
            mine < (ofKeys.concurrency ?? Infinity) &&
            (requests[key] ?? 0) < (ofKeys.requestsPerMinute ?? Infinity) &&
            running.length < (ofAccount.concurrency ?? Infinity) &&
            (requests[0] ?? 0) + (requests[1] ?? 0) < (ofAccount.requestsPerMinute ?? Infinity)
          const request = asking({ ...rich, account, ...(keys[key] === undefined ? {} : { key: keys[key] }) })
          const answer = await Promise.resolve()
            .then(() => admission.admit(request))
            .catch((error: unknown) => (error instanceof Fault ? error.code : expect.unreachable(String(error))))
          if (typeof answer === 'string') {
            expect(answer).toBe(isOpen ? 'balance_exhausted' : 'rate_limited')
            expect(isOpen && hasFunds).toBe(false)
          } else {
            expect(isOpen && hasFunds).toBe(true)
            running.push({ of: key, reservation: answer })
            requests[key] = (requests[key] ?? 0) + 1
          }
          const ended = running[ends]
          if (ended !== undefined) {
            running = running.filter((each) => each !== ended)
            ended.reservation.release(isUndone ? 'never_sent' : 'upstream_refused')
            if (isUndone) requests[ended.of] = (requests[ended.of] ?? 0) - 1
          }
          const used = Object.fromEntries(counts.states(account).map((state) => [state.limit, state.used]))
          if (ofAccount.concurrency !== null) expect(used['concurrency']).toBe(running.length)
          if (ofAccount.requestsPerMinute !== null) {
            expect(used['requests']).toBe((requests[0] ?? 0) + (requests[1] ?? 0))
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})
