import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { type Subscription, subscriptionTo } from '../../src/access/subscription.ts'
import { mostKeys, NO_ACCOUNT_LIMITS, type SetLimits } from '../../src/core/account-limits.ts'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { accountSpendBudget, windowRowId } from '../../src/metering/budgets/budget.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, aSecret, fundedAccount, grant, leaseFor, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place, readBudget } from './store-under-test.ts'

describe.each(ENGINES)('limits of accounts on %s', (engine) => {
  const time = { now: NOON, elapsed: 0 }
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open({ now: () => time.now, elapsed: () => time.elapsed })
  })
  afterAll(() => place.leave())

  async function limited(limits?: SetLimits): Promise<Account> {
    const account = await fundedAccount(store, '1')
    const set = limits === undefined ? account : { ...account, limits }
    await store.accounts.update(set, null)
    return set
  }

  function spend(usd: bigint): SetLimits {
    return { spend: [{ window: '1d', usd: nanoUsd(usd) }] }
  }

  async function subscribed({ id: accountId }: Account, limits: SetLimits): Promise<Subscription> {
    const plan = { id: 'pln_pro', name: 'pro', groupIds: [], opensGroups: true, days: 0.5, quotas: [], limits }
    const subscription = subscriptionTo(plan, { id: newId('sub', NOON), accountId, nowMs: NOON })
    await store.subscriptions.open(subscription)
    return subscription
  }

  /** What the row of the account's first window says. */
  async function row(account: Account) {
    return readBudget(place, windowRowId(accountSpendBudget(account.id, nanoUsd(0n), '1d').id, 1))
  }

  test('come back as they were set, also after an edit, and are gone when they are taken away', async () => {
    const limits: SetLimits = {
      concurrency: 3,
      requestsPerMinute: null,
      spend: [{ window: '5h', usd: nanoUsd(9_007_199_254_740_993n) }],
      maxKeys: 0,
      maxKeyValidityDays: 30,
    }
    const account = await limited(limits)
    expect(await store.accounts.findById(account.id)).toEqual(account)
    const { limits: none, ...plain } = account
    expect(none).toBeDefined()
    await store.accounts.edit(account.id, () => plain, null)
    expect(await store.accounts.findById(account.id)).toEqual(plain)
  })

  test('are read with a key, beside those of the installation; a key of an account without any has none', async () => {
    const account = await limited({ concurrency: 3 })
    const [secret, other] = [aSecret(), aSecret()]
    await store.keys.create(aKey(account.id), secret)
    await store.keys.create(aKey((await limited()).id), other)
    expect((await store.keys.findByHash(secret.hash))?.limiting).toEqual({
      own: { concurrency: 3 },
      standard: undefined,
    })
    expect(await store.keys.findByHash(other.hash)).not.toHaveProperty('limiting')
    await store.accounts.setStandardLimits({ maxKeys: 9 })
    expect(await store.accounts.standardLimits()).toEqual({ maxKeys: 9 })
    expect((await store.keys.findByHash(other.hash))?.limiting).toEqual({ own: undefined, standard: { maxKeys: 9 } })
    await store.accounts.setStandardLimits(null)
    expect(await store.keys.findByHash(other.hash)).not.toHaveProperty('limiting')
  })

  test('a change of the limits of the installation is one that nodes follow', async () => {
    const { seq } = await store.accounts.setStandardLimits(null)
    expect(await store.nodes.changesAfter(seq - 1)).toEqual([{ seq, subject: 'limits', subjectId: 'accounts' }])
  })

  test('a spend window opens with the limit in force, whatever the node remembers', async () => {
    const account = await limited(spend(70n))
    const remembered = accountSpendBudget(account.id, nanoUsd(1_000n), '1d')
    expect(await grant(store, remembered, { need: 100n })).toMatchObject({
      kind: 'refused',
      limit: 70n,
      available: 70n,
    })
  })

  test('a lower limit closes the leases that no longer fit, a higher one is there at once', async () => {
    const account = await limited(spend(1_000n))
    const budget = accountSpendBudget(account.id, nanoUsd(1_000n), '1d')
    const lease = await leaseFor(store, budget, { need: 900n })
    await store.accounts.edit(account.id, (before) => ({ ...before, limits: spend(500n) }), null)
    expect(await store.leases.active('nod_a', [lease.id])).toEqual(new Map())
    expect(await row(account)).toMatchObject({ limit: 500n, held: 0n })
    expect(await grant(store, budget, { need: 501n })).toMatchObject({ kind: 'refused', limit: 500n })
    await store.accounts.update({ ...account, limits: spend(2_000n) }, null)
    expect(await grant(store, budget, { need: 2_000n })).toMatchObject({ kind: 'granted' })
  })

  test('the windows of all accounts that set none move with the limits of the installation', async () => {
    await store.accounts.setStandardLimits(spend(1_000n))
    const [plain, own] = [await limited(), await limited(spend(300n))]
    const leases = []
    for (const { id } of [plain, own]) {
      leases.push(await leaseFor(store, accountSpendBudget(id, nanoUsd(1_000n), '1d'), { need: 200n }))
    }
    await store.accounts.setStandardLimits(spend(100n))
    expect(await row(plain)).toMatchObject({ limit: 100n, held: 0n })
    expect(await row(own)).toMatchObject({ limit: 300n, held: 200n })
    expect([
      ...(
        await store.leases.active(
          'nod_a',
          leases.map(({ id }) => id),
        )
      ).keys(),
    ]).toEqual([leases[1]?.id])
    await store.accounts.setStandardLimits(null)
  })

  test("a plan's limit begins, ends and is cancelled with it, though nothing stored changes in between", async () => {
    await store.accounts.setStandardLimits(spend(100n))
    const account = await limited()
    const sold = await subscribed(account, spend(1_000n))
    const budget = accountSpendBudget(account.id, nanoUsd(1_000n), '1d')
    expect(await grant(store, budget, { need: 900n, nowMs: NOON + 1 })).toMatchObject({ kind: 'granted' })
    const after = await grant(store, budget, { need: 50n, nodeId: 'nod_b', nowMs: sold.endsAt })
    expect(after).toMatchObject({ kind: 'refused', limit: 100n, available: 0n })
    expect((await store.ledger.prove()).disagreements).toEqual([])
    const cancelled = await limited()
    const other = await subscribed(cancelled, spend(1_000n))
    const lease = await leaseFor(store, accountSpendBudget(cancelled.id, nanoUsd(1n), '1d'), { need: 900n })
    await store.subscriptions.cancel(other.id, NOON)
    expect(await store.leases.active('nod_a', [lease.id])).toEqual(new Map())
    expect(await row(cancelled)).toMatchObject({ limit: 100n })
    await store.accounts.setStandardLimits(null)
  })

  test('a raise lifts an open window at once, is read with keys, and ends by itself at its time', async () => {
    const account = await limited(spend(100n))
    const secret = aSecret()
    await store.keys.create(aKey(account.id), secret)
    const budget = accountSpendBudget(account.id, nanoUsd(100n), '1d')
    expect(await grant(store, budget, { need: 100n })).toMatchObject({ kind: 'granted' })
    expect(await grant(store, budget, { need: 1n })).toMatchObject({ kind: 'refused', limit: 100n })
    const raise = { limits: spend(300n), endsAt: NOON + 3_600_000 }
    await store.accounts.edit(account.id, (before) => ({ ...before, raise }), null)
    expect(await store.accounts.findById(account.id)).toEqual({ ...account, raise })
    expect((await store.keys.findByHash(secret.hash))?.limiting).toEqual({
      own: account.limits,
      standard: undefined,
      raise,
    })
    expect(await row(account)).toMatchObject({ limit: 300n })
    const before = await grant(store, budget, { need: 150n, nodeId: 'nod_b', nowMs: raise.endsAt - 1 })
    expect(before).toMatchObject({ kind: 'granted' })
    // Another node, which remembers the raised limit.
    const remembered = accountSpendBudget(account.id, nanoUsd(300n), '1d')
    const after = await grant(store, remembered, { need: 1n, nodeId: 'nod_c', nowMs: raise.endsAt })
    expect(after).toMatchObject({ kind: 'refused', limit: 100n, available: 0n })
    expect(await row(account)).toMatchObject({ limit: 100n })
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('a raise that is taken back lowers the open window at once, and closes what no longer fits', async () => {
    const account = await limited(spend(100n))
    const raise = { limits: spend(300n), endsAt: NOON + 3_600_000 }
    await store.accounts.edit(account.id, (before) => ({ ...before, raise }), null)
    const lease = await leaseFor(store, accountSpendBudget(account.id, nanoUsd(300n), '1d'), { need: 200n })
    await store.accounts.edit(account.id, () => account, null)
    expect(await store.leases.active('nod_a', [lease.id])).toEqual(new Map())
    expect(await row(account)).toMatchObject({ limit: 100n, held: 0n })
  })

  test('of twenty keys that are made at once, also through several nodes, no more are stored than the account may have', async () => {
    const account = await limited({ maxKeys: 7 })
    const other = await place.open()
    const made = Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? store : other).keys.create(aKey(account.id), aSecret()),
    )
    const answers = await Promise.all(made)
    expect(answers.filter(({ kind }) => kind === 'created')).toHaveLength(7)
    expect(answers.filter(({ kind }) => kind !== 'created')).toEqual(
      Array.from({ length: 13 }, () => ({ kind: 'too_many', most: 7 })),
    )
    expect(await store.keys.countOf(account.id)).toBe(7)
    const [key] = await store.keys.list({ accountId: account.id, limit: 1 })
    await store.keys.setStatus(key?.id ?? '', 'deleted', NOON)
    expect(await store.keys.create(aKey(account.id), aSecret())).toEqual({ kind: 'created' })
    expect(await store.keys.create(aKey(account.id), aSecret())).toEqual({ kind: 'too_many', most: 7 })
  })

  test('keys are bounded for an account without limits as well, and a limit lowered below what is there takes no key', async () => {
    const account = await limited()
    await store.keys.create(aKey(account.id), aSecret())
    await store.accounts.update({ ...account, limits: { maxKeys: 0 } }, null)
    expect(await store.keys.countOf(account.id)).toBe(1)
    expect(await store.keys.create(aKey(account.id), aSecret())).toEqual({ kind: 'too_many', most: 0 })
    expect(mostKeys(NO_ACCOUNT_LIMITS)).toBe(1_000)
    expect(mostKeys({ maxKeys: 5_000 })).toBe(1_000)
  })
})
