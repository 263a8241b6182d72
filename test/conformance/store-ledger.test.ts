import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { parseUsd } from '../../src/core/money.ts'
import { balanceBudget } from '../../src/metering/budgets/budget.ts'
import type { Store } from '../../src/store/store.ts'
import {
  aKey,
  aPosting,
  aSecret,
  aSettlement,
  fundedAccount,
  grant,
  leaseFor,
  NOON,
  quotaOf,
} from './store-fixtures.ts'
import { ENGINES, newPlace, type Place, readBudget } from './store-under-test.ts'

describe.each(ENGINES)('the ledger and the limits on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  describe('the ledger', () => {
    test('takes no more than is neither used nor held', async () => {
      const account = await fundedAccount(store, '0.000000100')
      const lease = await leaseFor(store, balanceBudget(account.id), { need: 40n })
      await store.settlements.settle([aSettlement(account.id, 10n, { leaseId: lease.id })])
      expect(await store.ledger.post(aPosting(account.id, '-0.000000061'))).toEqual({
        kind: 'insufficient',
        available: 60n,
      })
      expect(await store.ledger.post(aPosting(account.id, '-0.000000060'))).toMatchObject({
        kind: 'posted',
        entry: { amount: -60n, balanceAfter: 30n, accountId: account.id },
      })
      expect(await store.ledger.balance(account.id)).toBe(30n)
    })

    test('adds no more than can be counted, by whatever way', async () => {
      const account = await fundedAccount(store, '1')
      const most = { ...aPosting(account.id, '1'), amount: parseUsd('8999999999') }
      expect(await store.ledger.post(most)).toMatchObject({ kind: 'posted' })
      expect(await store.ledger.post({ ...aPosting(account.id, '0.000000001') })).toEqual({ kind: 'too_large' })
      expect(await store.ledger.balance(account.id)).toBe(parseUsd('9000000000'))
      const id = newId('rdc', NOON)
      const grants = { kind: 'balance', amount: parseUsd('1') } as const
      const parts = { codeStart: 'K7QM', codeEnd: 'CN8P', note: '', createdAt: NOON, expiresAt: null }
      await store.redeemCodes.create({ id, grants, ...parts }, id)
      const redemption = { codeHash: id, accountId: account.id, nowMs: NOON, actor: account.id }
      const ids = { entryId: newId('led', NOON), subscriptionId: newId('sub', NOON) }
      expect(await store.redeemCodes.redeem({ ...redemption, ...ids })).toEqual({ kind: 'balance_too_large' })
      expect((await store.redeemCodes.find(id))?.redeemedAt).toBeNull()
      expect((await store.ledger.prove()).disagreements).toEqual([])
    })

    test('writes once what is meant to be written once, by however many', async () => {
      const [account, another] = [await fundedAccount(store, '1'), await fundedAccount(store, '1')]
      const other = await place.open()
      const once = 'balance of the file'
      const answers = await Promise.all(
        [store, other, store, other].map((each) => each.ledger.post({ ...aPosting(account.id, '5'), once })),
      )
      expect(answers.map(({ kind }) => kind).sort()).toEqual([
        'already_posted',
        'already_posted',
        'already_posted',
        'posted',
      ])
      expect(await store.ledger.balance(account.id)).toBe(parseUsd('6'))
      expect(await store.ledger.post({ ...aPosting(another.id, '5'), once })).toMatchObject({ kind: 'posted' })
    })

    test('has a reference once for each account, whatever else is said of an entry', async () => {
      const [account, another] = [await fundedAccount(store, '1'), await fundedAccount(store, '1')]
      const other = await place.open()
      const reference = 'INV-2026.1'
      const answers = await Promise.all(
        [store, other, store].map((each, index) =>
          each.ledger.post({ ...aPosting(account.id, '5'), reference, once: `wish ${index}`, actor: `acc_${index}` }),
        ),
      )
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['already_posted', 'already_posted', 'posted'])
      expect(await store.ledger.post({ ...aPosting(another.id, '5'), reference })).toMatchObject({ kind: 'posted' })
      expect(await store.ledger.post({ ...aPosting(account.id, '1'), once: reference })).toMatchObject({
        kind: 'posted',
        entry: { reference: null },
      })
      const [newest, credited] = await store.ledger.entries(account.id, 2)
      expect([newest?.reference, credited?.reference]).toEqual([null, reference])
    })

    test('knows no account without a balance, and no usage without a record', async () => {
      expect(await store.ledger.post(aPosting('acc_none', '1'))).toEqual({ kind: 'unknown_account' })
      expect(await store.ledger.balance('acc_none')).toBe(0n)
      expect(await store.ledger.entries('acc_none', 5)).toEqual([])
      const account = await fundedAccount(store, '1')
      await expect(store.ledger.post({ ...aPosting(account.id, '-1'), kind: 'usage' })).rejects.toThrow(/settle/)
    })
  })

  describe('the quota of a key', () => {
    test('is opened with the limit of now, whatever the node remembers', async () => {
      const account = await fundedAccount(store, '1')
      const key = aKey(account.id, { quotaLimit: parseUsd('0.000000050') })
      await store.keys.create(key, aSecret())
      expect(await grant(store, quotaOf(key.id, parseUsd('0.000000100')), { need: 60n })).toEqual({
        kind: 'refused',
        limit: 50n,
        available: 50n,
        used: 0n,
        endsAt: null,
      })
    })

    test('opened while its limit changes has the new one', async () => {
      const other = await place.open()
      const account = await fundedAccount(store, '1')
      for (let round = 0; round < 10; round++) {
        const key = aKey(account.id, { quotaLimit: parseUsd('0.000000100') })
        await store.keys.create(key, aSecret())
        const stored = await store.keys.findById(key.id)
        if (stored === null) throw new Error('the key is gone')
        const quota = quotaOf(key.id, parseUsd('0.000000100'))
        await Promise.all([
          store.keys.update({ ...stored, quotaLimit: parseUsd('0.000000020') }),
          grant(other, quota, { need: 1n, nodeId: 'nod_o' }),
        ])
        expect(await readBudget(place, quota.id)).toMatchObject({ limit: 20n })
      }
    })

    test('moves with the key, in the period that runs and in no other', async () => {
      const account = await fundedAccount(store, '1')
      const key = aKey(account.id, { quotaLimit: parseUsd('0.000000100'), quotaReset: 'daily' })
      await store.keys.create(key, aSecret())
      const today = { ...quotaOf(key.id, parseUsd('0.000000100')), id: `key:${key.id}:today`, endsAt: NOON + 1 }
      const yesterday = { ...today, id: `key:${key.id}:yesterday`, endsAt: NOON }
      await leaseFor(store, yesterday, { need: 10n })
      const lease = await leaseFor(store, today, { need: 60n })
      const stored = await store.keys.findById(key.id)
      if (stored === null) throw new Error('the key is gone')
      await store.keys.update({ ...stored, quotaLimit: parseUsd('0.000000200') })
      expect(await readBudget(place, today.id)).toMatchObject({ limit: 200n, held: 60n, overrun: 0n })
      expect(await readBudget(place, yesterday.id)).toMatchObject({ limit: 100n })
      await store.keys.update({ ...stored, quotaLimit: parseUsd('0.000000020') })
      expect(await store.leases.active('nod_a', [lease.id])).toEqual(new Map())
      expect(await grant(store, today, { need: 21n })).toEqual({
        kind: 'refused',
        limit: 20n,
        available: 20n,
        used: 0n,
        endsAt: NOON + 1,
      })
      expect((await store.ledger.prove()).disagreements).toEqual([])
      await store.keys.update({ ...stored, quotaLimit: null })
      expect(await readBudget(place, today.id)).toMatchObject({ limit: 20n })
    })
  })
})
