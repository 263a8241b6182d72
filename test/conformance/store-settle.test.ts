import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { type NanoUsd, nanoUsd } from '../../src/core/money.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import { balanceBudget, type Budget, keySpendBudget, windowRowId } from '../../src/metering/budgets/budget.ts'
import { SettleQueue } from '../../src/metering/settle/settle-queue.ts'
import { type Settlement, SettlementRefused } from '../../src/metering/settle/settlement.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import {
  aRecord,
  aSettlement,
  fundedAccount,
  leaseFor,
  NOON,
  noonClock,
  quotaOf,
  runningSubscription,
} from './store-fixtures.ts'
import { lastAnswerLost } from './store-lost-answer.ts'
import { ENGINES, newPlace, type Place, readBudget } from './store-under-test.ts'

const HOUR_MS = 3_600_000

describe.each(ENGINES)('a settle on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  const settle = (...batch: Settlement[]) => store.settlements.settle(batch)

  /** A request that only this budget counts, beside the balance that pays. */
  async function chargeFrom(budget: Budget, accountId: string, record: Partial<UsageRecord> & { cost: NanoUsd }) {
    const lease = await leaseFor(store, budget, { need: 1n })
    const { cost } = record
    await settle(aSettlement(accountId, cost, { quota: { budgetId: lease.budgetId, leaseId: lease.id, cost }, record }))
  }

  async function endOfRow(id: string): Promise<unknown> {
    return (await place.sql(`select ends_at from budgets where id = '${id}'`))[0]?.['ends_at']
  }

  describe('of a window', () => {
    test('opens it with the first charge, at the end of that request, and never moves it', async () => {
      const account = await fundedAccount(store, '1')
      const budget = keySpendBudget(newId('key', NOON), nanoUsd(1_000n), '5h')
      const row = windowRowId(budget.id, 1)
      await chargeFrom(budget, account.id, { cost: nanoUsd(0n) })
      expect(await endOfRow(row)).toBe(null)
      await chargeFrom(budget, account.id, { cost: nanoUsd(7n), createdAt: NOON - 500, totalMs: 300 })
      expect(await endOfRow(row)).toBe(BigInt(NOON - 200 + 5 * HOUR_MS))
      await chargeFrom(budget, account.id, { cost: nanoUsd(7n), totalMs: 900 })
      expect(await endOfRow(row)).toBe(BigInt(NOON - 200 + 5 * HOUR_MS))
      expect(await readBudget(place, row)).toMatchObject({ used: 14n })
    })

    test('leaves the end of a calendar period alone', async () => {
      const account = await fundedAccount(store, '1')
      const daily = { ...quotaOf(newId('key', NOON), nanoUsd(1_000n)), endsAt: NOON + HOUR_MS }
      await chargeFrom(daily, account.id, { cost: nanoUsd(7n) })
      expect(await endOfRow(daily.id)).toBe(BigInt(NOON + HOUR_MS))
    })
  })

  test('paid by a subscription and the balance says who paid how much, and takes it from both', async () => {
    const account = await fundedAccount(store, '0.000000100')
    const { subscription, windows } = await runningSubscription(store, account.id, { limits: { '5h': 60n, '7d': 90n } })
    const record = aRecord(account.id, 50n, {
      balancePaid: nanoUsd(20n),
      subscriptionsPaid: [{ subscriptionId: subscription.id, paid: nanoUsd(30n) }],
    })
    const leases = await Promise.all(windows.map((window) => leaseFor(store, window, { need: 30n })))
    const charges = leases.map((lease) => ({ budgetId: lease.budgetId, leaseId: lease.id, cost: nanoUsd(30n) }))
    const balance = { budgetId: balanceBudget(account.id).id, leaseId: null, cost: nanoUsd(20n) }
    await settle({ record, charges: [...charges, balance] })
    expect(await store.usage.record(record.id)).toEqual(record)
    expect(await store.ledger.balance(account.id)).toBe(80n)
    for (const window of windows) {
      expect(await readBudget(place, windowRowId(window.id, 1))).toMatchObject({ used: 30n, held: 0n })
    }
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('keeps tokens of rare kinds and units, and what they cost', async () => {
    const account = await fundedAccount(store, '1')
    const tokens = {
      ...NO_TOKENS,
      input: 0,
      output: 0,
      other: { audioInput: 3, imageInput: 4, audioOutput: 1_000_000 },
      units: { requests: 1, images: null, seconds: 0, characters: 9_007_199_254_740_991 },
    }
    const units = { request: nanoUsd(0n), image: null, second: nanoUsd(2n ** 62n), character: nanoUsd(0n) }
    const other = { audioInput: null, imageInput: nanoUsd(0n), audioOutput: nanoUsd(9n) }
    const prices = { input: nanoUsd(0n), output: nanoUsd(0n), cacheRead: null, cacheWrite: null, cacheWrite1h: null }
    const record = aRecord(account.id, 9n, { keyId: newId('key', NOON), tokens, prices: { ...prices, other, units } })
    await settle({ ...aSettlement(account.id, 9n), record })
    expect(await store.usage.record(record.id)).toEqual(record)
    expect((await store.usage.totalsOfKey(record.keyId, 0)).ever).toMatchObject({
      inputTokens: 7,
      outputTokens: 1_000_000,
    })
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  describe('of a request that was taken for interrupted', () => {
    const interrupted = (settlement: Settlement): Settlement => ({
      record: aRecord(settlement.record.accountId, 0n, {
        id: settlement.record.id,
        keyId: settlement.record.keyId,
        outcome: 'interrupted',
        usageSource: 'none',
        tokens: NO_TOKENS,
        prices: null,
        multiplier: null,
      }),
      charges: [],
    })

    test('brings the truth in its place, once, and charges it', async () => {
      const account = await fundedAccount(store, '0.000000100')
      const truth = aSettlement(account.id, 7n, { record: { keyId: newId('key', NOON) } })
      const guess = interrupted(truth)
      await settle(guess)
      await settle({ ...guess, record: { ...guess.record, client: 'another' } })
      expect(await store.usage.record(guess.record.id)).toEqual(guess.record)
      expect(await store.usage.totalsOfKey(truth.record.keyId, 0)).toMatchObject({ ever: { requests: 0 } })
      expect(await settle(truth)).toEqual({ overruns: 1 })
      expect(await settle(truth, interrupted(truth))).toEqual({ overruns: 0 })
      await settle(interrupted(truth))
      expect(await store.usage.record(truth.record.id)).toEqual(truth.record)
      expect(await store.ledger.balance(account.id)).toBe(93n)
      expect(await store.usage.totalsOfKey(truth.record.keyId, 0)).toMatchObject({ ever: { requests: 1, cost: 7n } })
      expect((await store.ledger.prove()).disagreements).toEqual([])
    })

    test('takes the truth out of one batch with it, in either order', async () => {
      const account = await fundedAccount(store, '0.000000100')
      const [one, two] = [aSettlement(account.id, 7n), aSettlement(account.id, 1n)]
      await settle(interrupted(one), one, two, interrupted(two))
      expect(await store.usage.record(one.record.id)).toEqual(one.record)
      expect(await store.usage.record(two.record.id)).toEqual(two.record)
      expect(await store.ledger.balance(account.id)).toBe(92n)
      expect((await store.ledger.prove()).disagreements).toEqual([])
    })
  })

  test('adds every record to its key, hour, group and model', async () => {
    const account = await fundedAccount(store, '1')
    const keyId = newId('key', NOON)
    const tokens = { ...NO_TOKENS, input: 10, cacheRead: 20, cacheWrite: 30, cacheWrite1h: 40, output: 1_000_000 }
    const prices = { input: nanoUsd(0n), output: nanoUsd(7n), cacheRead: null, cacheWrite: null, cacheWrite1h: null }
    const one = aSettlement(account.id, 7n, {
      record: { keyId, tokens, prices: { ...prices, other: null, units: null }, createdAt: NOON + HOUR_MS - 1 },
    })
    const free = { prices: null, multiplier: null, fault: 'rate_limited', outcome: 'refused' } as const
    const refused = aSettlement(account.id, 0n, { record: { keyId, tokens: NO_TOKENS, ...free } })
    const madeUp = { ...free, groupId: null, model: 'x'.repeat(10_000) }
    await settle(one, refused)
    await settle(one, aSettlement(account.id, 5n, { record: { keyId, model: 'other', createdAt: NOON + HOUR_MS } }))
    await settle(aSettlement(account.id, 0n, { record: { keyId, tokens: NO_TOKENS, ...madeUp } }))
    const rows = await place.sql(`select * from usage_hours where key_id = '${keyId}' order by hour_at, group_id`)
    const nothing = { input_tokens: 0n, cache_read_tokens: 0n, output_tokens: 0n, cost_nano: 0n, balance_paid_nano: 0n }
    const [hour_at, group_id] = [BigInt(NOON), 'grp_default']
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { key_id: keyId, account_id: account.id, hour_at, group_id: '', model: '', requests: 1n, failed: 1n, ...nothing },
      {
        key_id: keyId,
        account_id: account.id,
        hour_at,
        group_id,
        model: 'gpt-5.5',
        requests: 2n,
        failed: 1n,
        input_tokens: 100n,
        cache_read_tokens: 20n,
        output_tokens: 1000000n,
        cost_nano: 7n,
        balance_paid_nano: 7n,
      },
      {
        key_id: keyId,
        account_id: account.id,
        hour_at: hour_at + BigInt(HOUR_MS),
        group_id,
        model: 'other',
        requests: 1n,
        failed: 0n,
        ...nothing,
        output_tokens: 1000000n,
        cost_nano: 5n,
        balance_paid_nano: 5n,
      },
    ])
  })

  describe('that crosses a line', () => {
    const alertsOf = (subjectId: string) =>
      place.sql(
        `select id, kind, percent, limit_nano as "limit", used_nano as used, window_ms, resets_at, created_at
         from alerts where subject_id = '${subjectId}' order by created_at`,
      )

    test('of a quota says so once for each line, and the highest alone when one charge crosses several', async () => {
      const account = await fundedAccount(store, '1')
      const quota = quotaOf(newId('key', NOON), nanoUsd(100n))
      const [id, kind] = [quota.id, 'key_quota']
      const ever = { window_ms: null, resets_at: null }
      for (const [index, cost] of [49n, 1n, 1n, 28n, 1n].entries()) {
        await chargeFrom(quota, account.id, { cost: nanoUsd(cost), createdAt: NOON + index, totalMs: 10 })
      }
      const lines = await alertsOf(quota.subjectId)
      expect(lines.map((line) => ({ ...line }))).toEqual([
        { id: `${id}:100:50`, kind, percent: 50n, limit: 100n, used: 50n, ...ever, created_at: BigInt(NOON + 11) },
        { id: `${id}:100:80`, kind, percent: 80n, limit: 100n, used: 80n, ...ever, created_at: BigInt(NOON + 14) },
      ])
      const other = quotaOf(newId('key', NOON), nanoUsd(100n))
      await chargeFrom(other, account.id, { cost: nanoUsd(100n) })
      expect(await alertsOf(other.subjectId)).toMatchObject([{ id: `${other.id}:100:100` }])
    })

    test('of a subscription says when its window ends; of what a key may spend in one says nothing', async () => {
      const account = await fundedAccount(store, '1')
      const { subscription, windows } = await runningSubscription(store, account.id, { limits: { '5h': 100n } })
      const spend = keySpendBudget(newId('key', NOON), nanoUsd(100n), '5h')
      for (const budget of [...windows, spend]) {
        const lease = await leaseFor(store, budget, { need: 1n })
        const charge = { budgetId: lease.budgetId, leaseId: lease.id, cost: nanoUsd(90n) }
        const record = aRecord(account.id, 90n, {
          totalMs: 5,
          balancePaid: nanoUsd(0n),
          subscriptionsPaid: [
            {
              subscriptionId: subscription.id,
              paid: nanoUsd(90n),
            },
          ],
        })
        if (budget === spend) await settle(aSettlement(account.id, 90n, { quota: charge }))
        else await settle({ record, charges: [charge] })
      }
      expect(await alertsOf(subscription.id)).toMatchObject([
        {
          kind: 'subscription',
          percent: 80n,
          used: 90n,
          window_ms: BigInt(5 * HOUR_MS),
          resets_at: BigInt(NOON + 5 + 5 * HOUR_MS),
        },
      ])
      expect(await alertsOf(spend.subjectId)).toEqual([])
    })

    test('of the balance says so each time it falls below the amount', async () => {
      const account = await fundedAccount(store, '1.000000010')
      await settle(...[10n, 1n, 1n].map((cost) => aSettlement(account.id, cost)))
      const first = {
        id: `balance:${account.id}:low:000000000003`,
        kind: 'low_balance',
        percent: null,
        resets_at: null,
      }
      expect(await alertsOf(account.id)).toMatchObject([{ ...first, limit: 1_000_000_010n, used: 11n }])
      await store.ledger.post({
        id: newId('led', NOON),
        accountId: account.id,
        createdAt: NOON,
        kind: 'credit',
        amount: nanoUsd(2n),
        reason: '',
        actor: 'cli',
      })
      await settle(aSettlement(account.id, 1n, { record: { totalMs: 99 } }))
      expect(await alertsOf(account.id)).toMatchObject([first, { id: `balance:${account.id}:low:000000000006` }])
    })

    test('of the balance follows the amount that the installation names', async () => {
      const where = { databaseUrl: place.databaseUrl, dataDirectory: place.directory, clock: noonClock }
      const [never, cents] = await Promise.all([
        openStore({ ...where, lowBalance: null }),
        openStore({ ...where, lowBalance: nanoUsd(5n) }),
      ])
      const account = await fundedAccount(store, '1')
      const small = await fundedAccount(store, '0.000000006')
      await never.settlements.settle([aSettlement(account.id, 1n)])
      await cents.settlements.settle([aSettlement(small.id, 1n), aSettlement(small.id, 1n)])
      expect(await alertsOf(account.id)).toEqual([])
      expect(await alertsOf(small.id)).toMatchObject([{ id: `balance:${small.id}:low:000000000003` }])
      await Promise.all([never.close(), cents.close()])
    })
  })

  test('of a value that no column takes is refused by name, and of nothing of its batch is written', async () => {
    const account = await fundedAccount(store, '1')
    const fine = aSettlement(account.id, 1n)
    const tooLarge = aSettlement(account.id, 2n ** 64n)
    const wrongKind = aSettlement(account.id, 1n, { record: { outcome: undefined as never } })
    const unreadable = aSettlement(account.id, 1n, { record: { attempts: [{ totalMs: 1n as never } as never] } })
    for (const poison of [tooLarge, wrongKind, unreadable]) {
      await expect(settle(fine, poison)).rejects.toThrow(SettlementRefused)
    }
    expect(await store.usage.record(fine.record.id)).toBe(null)
    expect(await settle(fine)).toEqual({ overruns: 1 })
  })

  test('of one poisoned request in a queue leaves that one out, and no other', async () => {
    const account = await fundedAccount(store, '1')
    const errors: string[] = []
    const queue = new SettleQueue({
      store: store.settlements,
      clock: noonClock,
      onError: (e) => errors.push(e.message),
    })
    const batch = Array.from({ length: 40 }, (_, index) => aSettlement(account.id, index === 23 ? 2n ** 64n : 1n))
    const heard = new Map<string, Error | null>()
    for (const settlement of batch) {
      queue.push(settlement, {
        callback: (error) => heard.set(settlement.record.id, error),
        durable: null,
        instead: null,
      })
    }
    expect(await queue.drain(10_000)).toBe(true)
    const poisoned = batch[23]?.record.id ?? ''
    expect([...heard].filter(([, error]) => error !== null).map(([id]) => id)).toEqual([poisoned])
    expect(errors).toEqual([expect.stringContaining(poisoned)])
    expect(await store.ledger.balance(account.id)).toBe(1_000_000_000n - 39n)
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('whose answer was lost after the commit writes nothing twice when it is given again', async () => {
    const account = await fundedAccount(store, '0.000000100')
    const quota = quotaOf(newId('key', NOON), nanoUsd(100n))
    const lease = await leaseFor(store, quota, { need: 60n })
    const charge = { budgetId: quota.id, leaseId: lease.id, cost: nanoUsd(60n) }
    const batch = [
      aSettlement(account.id, 60n, { quota: charge, record: { keyId: quota.subjectId } }),
      aSettlement(account.id, 1n, { record: { keyId: quota.subjectId } }),
    ]
    const error = await lastAnswerLost(place, (unlucky) => unlucky.settlements.settle(batch))
    expect(error).not.toBeInstanceOf(SettlementRefused)
    expect(await store.usage.record(batch[0]?.record.id ?? '')).not.toBe(null)
    expect(await store.settlements.settle(batch)).toEqual({ overruns: 0 })
    expect(await store.ledger.balance(account.id)).toBe(39n)
    expect(await readBudget(place, quota.id)).toMatchObject({ used: 60n, held: 0n })
    expect(await store.usage.totalsOfKey(quota.subjectId, 0)).toMatchObject({ ever: { requests: 2, cost: 61n } })
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('whose answer was lost after the commit keeps its charge, also when a record without one comes in its place', async () => {
    const account = await fundedAccount(store, '0.000000100')
    const charged = aSettlement(account.id, 60n)
    await lastAnswerLost(place, (unlucky) => unlucky.settlements.settle([charged]))
    const instead = { ...charged.record, outcome: 'failed', fault: 'store_unavailable', cost: nanoUsd(0n) } as const
    await settle({ record: instead, charges: [] })
    expect(await store.usage.record(charged.record.id)).toMatchObject({ outcome: 'completed', cost: 60n })
    expect(await store.ledger.balance(account.id)).toBe(40n)
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })
})
