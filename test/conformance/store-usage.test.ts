import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd, parseMultiplier } from '../../src/core/money.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import type { Store } from '../../src/store/store.ts'
import { aRecord, aSettlement, fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const HOUR_MS = 3_600_000
const MIDNIGHT = NOON - 12 * HOUR_MS

describe.each(ENGINES)('usage read back on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  test('a record is read as it was written, and another id is none', async () => {
    const account = await fundedAccount(store, '1')
    const settlement = aSettlement(account.id, 70n, {
      record: {
        tokens: { ...NO_TOKENS, input: 12, cacheRead: 0, output: 1_000_000, reasoning: 5 },
        outcome: 'failed',
        fault: 'upstream_timeout',
        httpStatus: 504,
        attempts: [
          { upstreamName: 'one', model: 'a', fault: 'upstream_timeout', status: null, totalMs: 9 },
          { upstreamName: 'two', model: 'b', fault: 'upstream_overloaded', status: 529, totalMs: 3 },
        ],
        routeTrace: 'one=t;two=t;上游=c12;+3',
        faultFacts: '{"address":"203.0.113.7"}',
        limitsLeft: 'requests 60 59 1795219200000, concurrency 4 3 -',
        deviceSecret: 'aider',
      },
    })
    await store.settlements.settle([settlement])
    expect(await store.usage.record(settlement.record.id)).toEqual(settlement.record)
    expect(await store.usage.record('req_none')).toBeNull()
    expect(await store.usage.record("req_' or '1' = '1")).toBeNull()
  })

  test('records are found by what an upstream said of an attempt, in any case, and by what it called it', async () => {
    const account = await fundedAccount(store, '1')
    const tried = { upstreamName: 'one', model: 'a', fault: 'upstream_overloaded', status: 529, totalMs: 9 } as const
    const of = (attempt: object) => aSettlement(account.id, 0n, { record: { attempts: [{ ...tried, ...attempt }] } })
    const said = of({ said: 'Over “quota”: 100% used,\\ 请充值' })
    const named = of({ requestId: 'req_Theirs_1' })
    const plain = of({})
    await store.settlements.settle([said, named, plain])
    const found = async (text: string) => {
      const { records } = await store.usage.list({ accountId: account.id, said: text }, { after: null, limit: 10 })
      return records.map(({ id }) => id)
    }
    for (const text of ['“QUOTA”: 100%', 'used,\\ ', '请充值', 'over']) {
      expect(await found(text), text).toEqual([said.record.id])
    }
    expect(await found('req_Theirs_1')).toEqual([named.record.id])
    // Neither a part of an ID, nor what stands in the record besides, nor signs that patterns have.
    for (const text of ['Theirs', 'upstream_overloaded', 'upstreamName', '100_', '%%', '"', "' or '1' = '1"]) {
      expect(await found(text), text).toEqual([])
    }
  })

  test('the totals of a key are the sums of its records, since a moment and ever', async () => {
    const account = await fundedAccount(store, '1')
    const keyId = newId('key', NOON)
    const at = (createdAt: number, cost: bigint, over = {}) =>
      aSettlement(account.id, cost, { record: { keyId, createdAt, ...over } })
    const tokens = { ...NO_TOKENS, input: 3, cacheRead: 40, cacheWrite: 500, output: 6_000 }
    await store.settlements.settle([
      at(MIDNIGHT - 1, 100n),
      at(MIDNIGHT, 20n, { tokens }),
      at(NOON, 3n, { model: 'another', outcome: 'failed', fault: 'upstream_timeout' }),
      at(NOON + HOUR_MS, 0n, { outcome: 'refused', fault: 'rate_limited', tokens: NO_TOKENS, prices: null }),
      aSettlement(account.id, 7n, { record: { keyId: newId('key', NOON) } }),
    ])
    const { since, ever } = await store.usage.totalsOfKey(keyId, MIDNIGHT + 1)
    expect(since).toEqual({
      requests: 3,
      failed: 2,
      inputTokens: 543,
      cacheReadTokens: 40,
      outputTokens: 1_006_000,
      cost: 23n,
      balancePaid: 23n,
    })
    expect(ever).toEqual({ ...since, requests: 4, outputTokens: 2_006_000, cost: 123n, balancePaid: 123n })
  })

  test('charges at own multipliers are summed by group and multiplier, without those of accounts and groups that have none', async () => {
    const [one, two, plain] = [
      await fundedAccount(store, '1'),
      await fundedAccount(store, '1'),
      await fundedAccount(store, '1'),
    ]
    const [groupId, otherId] = [newId('grp', NOON), newId('grp', NOON)]
    const half = parseMultiplier('0.5')
    await store.accounts.update({ ...one, ownMultipliers: { [groupId]: half } }, null)
    const free = { [groupId]: half, [otherId]: parseMultiplier('0') }
    await store.accounts.update({ ...two, ownMultipliers: free }, null)
    const at = (accountId: string, cost: bigint, record: { groupId: string; createdAt?: number }) =>
      aSettlement(accountId, cost, { record: { createdAt: NOON, ...record } })
    await store.settlements.settle([
      at(one.id, 3n, { groupId }),
      at(two.id, 4n, { groupId }),
      at(one.id, 20n, { groupId: otherId }),
      at(two.id, 1n, { groupId: otherId }),
      at(plain.id, 100n, { groupId }),
      at(one.id, 1_000n, { groupId, createdAt: NOON - 1 }),
    ])
    const charges = await store.usage.ownMultiplierCharges(NOON + 1)
    const ofThese = charges.filter((each) => [groupId, otherId].includes(each.groupId))
    expect(ofThese.toSorted((a, b) => Number(b.charged - a.charged))).toEqual([
      { groupId, multiplier: half, charged: 7n },
      { groupId: otherId, multiplier: 0n, charged: 1n },
    ])
  })

  test('charges and costs are summed by credential and day, each with its faults, and a request that none was asked for is in none', async () => {
    const account = await fundedAccount(store, '1')
    const upstreamName = newId('ups', NOON)
    const at = (createdAt: number, cost: bigint, over = {}) =>
      aSettlement(account.id, cost, { record: { createdAt, upstreamName, ...over } })
    await store.settlements.settle([
      at(MIDNIGHT - 1, 1_000n, { credentialName: 'one', providerCost: nanoUsd(999n) }),
      at(MIDNIGHT, 20n, { credentialName: 'one', providerCost: nanoUsd(30n) }),
      at(MIDNIGHT + 23 * HOUR_MS, 5n, { credentialName: 'one', model: 'another', groupId: null }),
      at(NOON, 3n, { credentialName: 'two', providerCost: nanoUsd(1n) }),
      at(NOON, 0n, { credentialName: 'two', outcome: 'failed', fault: 'upstream_timeout' }),
      at(NOON, 0n, { credentialName: null, outcome: 'refused', fault: 'rate_limited' }),
      aSettlement(account.id, 7n, { record: { upstreamName: newId('ups', NOON), credentialName: 'one' } }),
    ])
    const span = { fromMs: NOON, toMs: NOON + 1, upstream: upstreamName }
    const byCredential = await store.usage.margins({ ...span, split: 'credential' })
    const one = { requests: 2, failed: 0, charged: 25n, costed: 20n, providerCost: 30n }
    const two = { requests: 2, failed: 1, charged: 3n, costed: 3n, providerCost: 1n }
    expect(byCredential).toEqual({
      fromMs: MIDNIGHT,
      toMs: MIDNIGHT + 24 * HOUR_MS,
      total: { requests: 4, failed: 1, charged: 28n, costed: 23n, providerCost: 31n },
      rows: [
        { id: 'one', upstream: upstreamName, ...one },
        { id: 'two', upstream: upstreamName, ...two },
      ],
    })
    const ofTwo = await store.usage.margins({ ...span, split: 'fault', credential: 'two' })
    expect(ofTwo.total).toEqual(two)
    expect(ofTwo.rows.map(({ id, upstream, requests }) => [id, upstream, requests])).toEqual([
      ['', null, 1],
      ['upstream_timeout', null, 1],
    ])
    const { disagreements } = await store.ledger.prove()
    expect(disagreements.filter((each) => each.includes('credential'))).toEqual([])
  })

  test('cached input is summed by model and upstream, with affinity and without, of requests that say what was cached', async () => {
    const account = await fundedAccount(store, '1')
    const upstreamName = newId('ups', NOON)
    const at = (routeTrace: string | null, counts: Partial<typeof NO_TOKENS>) =>
      aSettlement(account.id, 1n, {
        record: {
          createdAt: NOON,
          upstreamName,
          model: 'cached',
          routeTrace,
          tokens: { ...NO_TOKENS, output: 1, ...counts },
        },
      })
    await store.settlements.settle([
      at('main=a;spare=n', { input: 100, cacheRead: 900 }),
      at('main=c3;spare=a', {
        input: 50,
        cacheRead: 0,
        cacheWrite: 50,
        other: { audioInput: 20, imageInput: 5, audioOutput: 0 },
      }),
      at('a%3da=t;spare=n', { input: 100, cacheRead: 300 }),
      at(null, { input: 70, cacheRead: 10 }),
      at('main=a', { input: 5_000, cacheRead: null }),
      // An answer that was kept here, with the counts of the one that it repeats.
      aSettlement(account.id, 1n, {
        record: { createdAt: NOON, upstreamName: null, model: upstreamName, tokens: { ...NO_TOKENS, cacheRead: 9 } },
      }),
    ])
    const span = { fromMs: NOON, toMs: NOON + 1, upstream: upstreamName }
    const sums = {
      withAffinity: { input: 1_125, cached: 900 },
      withoutAffinity: { input: 480, cached: 310 },
    }
    const found = await store.usage.cachedInput(span)
    expect(found).toMatchObject({ total: sums, rows: [{ model: 'cached', upstream: upstreamName, ...sums }] })
    const none = { input: 0, cached: 0 }
    const other = await store.usage.cachedInput({ ...span, model: 'another' })
    expect(other).toMatchObject({ total: { withAffinity: none, withoutAffinity: none }, rows: [] })
    const kept = await store.usage.cachedInput({ fromMs: NOON, toMs: NOON + 1, model: upstreamName })
    expect(kept).toMatchObject({ total: { withAffinity: none, withoutAffinity: none }, rows: [] })
    const { disagreements } = await store.ledger.prove()
    expect(disagreements.filter((each) => each.includes(upstreamName))).toEqual([])
  })

  test('sums beyond what a float holds exactly come whole', async () => {
    const account = await fundedAccount(store, '9000000000')
    const keyId = newId('key', NOON)
    const half = 2n ** 53n
    await store.settlements.settle([
      { record: aRecord(account.id, half + 1n, { keyId, balancePaid: nanoUsd(0n) }), charges: [] },
      { record: aRecord(account.id, half, { keyId, balancePaid: nanoUsd(0n) }), charges: [] },
    ])
    expect((await store.usage.totalsOfKey(keyId, NOON)).ever.cost).toBe(2n ** 54n + 1n)
  })

  test('a key that was never used has used nothing', async () => {
    const { since, ever } = await store.usage.totalsOfKey('key_unused', NOON)
    expect(since).toMatchObject({ requests: 0, cost: 0n })
    expect(ever).toEqual(since)
  })
})
