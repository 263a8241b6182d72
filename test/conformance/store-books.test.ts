import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nanoUsd, parseUsd } from '../../src/core/money.ts'
import { balanceBudget, keyQuotaBudget } from '../../src/metering/budgets/budget.ts'
import type { Store } from '../../src/store/store.ts'
import { aPosting, aRecord, aSettlement, fundedAccount, grant, leaseFor, quotaOf, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place, readBudget } from './store-under-test.ts'

/** Entries are written after the records, so that a refused one finds half of a batch written. */
const REFUSE_ENTRIES = {
  sqlite: `create trigger refuse before insert on ledger_entries begin select raise(abort, 'not now'); end`,
  postgres: `do $do$ begin
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
    create trigger refuse before insert on ledger_entries for each row execute function refuse();
  end $do$`,
}
const ACCEPT_ENTRIES = { sqlite: 'drop trigger refuse', postgres: 'drop trigger refuse on ledger_entries' }

describe.each(ENGINES)('the books on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  const budgetRow = (id: string) => readBudget(place, id)

  async function recordIds(accountId: string): Promise<unknown[]> {
    const rows = await place.sql(`select id from usage_records where account_id = '${accountId}'`)
    return rows.map((row) => row['id'])
  }

  describe('a grant', () => {
    test('of a budget that was not opened is refused for a balance, and opens a quota', async () => {
      expect(await grant(store, balanceBudget('acc_none'), { need: 1n })).toEqual({
        kind: 'refused',
        limit: 0n,
        available: 0n,
        used: 0n,
        endsAt: null,
      })
      const quota = quotaOf('key_new', parseUsd('0.000000100'))
      expect(await grant(store, quota, { need: 101n })).toEqual({
        kind: 'refused',
        limit: 100n,
        available: 100n,
        used: 0n,
        endsAt: null,
      })
      expect(await grant(store, quota, { need: 1n, want: 100n })).toMatchObject({
        kind: 'granted',
        lease: { granted: 12n },
      })
    })

    test('is what is wanted, or an eighth of what is there, or what is needed', async () => {
      const account = await fundedAccount(store, '0.000000800')
      const balance = balanceBudget(account.id)
      const lease = await leaseFor(store, balance, { need: 1n, want: 50n })
      expect(lease).toMatchObject({ budgetId: balance.id, granted: 50n })
      // 750 are left: an eighth is 93.
      expect(await leaseFor(store, balance, { need: 1n, want: 500n })).toMatchObject({ id: lease.id, granted: 143n })
      expect(await leaseFor(store, balance, { need: 600n, want: 700n })).toMatchObject({ id: lease.id, granted: 743n })
      expect(await grant(store, balance, { need: 58n, nodeId: 'nod_b' })).toEqual({
        kind: 'refused',
        limit: 800n,
        available: 57n,
        used: 0n,
        endsAt: null,
      })
      const second = await leaseFor(store, balance, { need: 57n, nodeId: 'nod_b' })
      expect(second.id).not.toBe(lease.id)
      expect(await budgetRow(balance.id)).toMatchObject({ limit: 800n, used: 0n, held: 800n })
    })

    test('on a lease that was charged beyond its grant comes on top of the charge', async () => {
      const account = await fundedAccount(store, '0.000001')
      const balance = balanceBudget(account.id)
      const lease = await leaseFor(store, balance, { need: 10n })
      await store.settlements.settle([aSettlement(account.id, 25n, { leaseId: lease.id })])
      expect(await budgetRow(balance.id)).toMatchObject({ used: 25n, held: 0n, overrun: 15n, overruns: 0n })
      expect(await leaseFor(store, balance, { need: 5n })).toMatchObject({ id: lease.id, granted: 30n })
      expect(await budgetRow(balance.id)).toMatchObject({ held: 5n })
    })

    test('keeps amounts exact beyond what a float can hold', async () => {
      const account = await fundedAccount(store, '8999999999.000000001')
      const balance = balanceBudget(account.id)
      const all = parseUsd('8999999999.000000001')
      const lease = await leaseFor(store, balance, { need: all })
      expect(lease.granted).toBe(8_999_999_999_000_000_001n)
      await store.settlements.settle([
        aSettlement(account.id, 1n, { leaseId: lease.id }),
        aSettlement(account.id, 9_007_199_254_740_993n, { leaseId: lease.id }),
      ])
      expect(await store.ledger.balance(account.id)).toBe(all - 9_007_199_254_740_994n)
      expect(await budgetRow(balance.id)).toMatchObject({ held: all - 9_007_199_254_740_994n })
    })

    test('given to eight at once never adds up to more than there is', async () => {
      const others = await Promise.all([place.open(), place.open(), place.open()])
      const nodes = [store, ...others, store, ...others]
      for (let round = 0; round < 5; round++) {
        const account = await fundedAccount(store, '0.000000100')
        const balance = balanceBudget(account.id)
        const answers = await Promise.all(
          nodes.map((node, i) => grant(node, balance, { need: 30n, nodeId: `nod_${i}` })),
        )
        expect(answers.filter(({ kind }) => kind === 'granted')).toHaveLength(3)
        expect(await budgetRow(balance.id)).toMatchObject({ held: 90n })
      }
    })

    test('a quota that eight open at once is opened once', async () => {
      const other = await place.open()
      const quota = quotaOf('key_race', parseUsd('0.000000100'))
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => grant(i % 2 ? store : other, quota, { need: 30n, nodeId: `nod_${i}` })),
      )
      expect(answers.filter(({ kind }) => kind === 'granted')).toHaveLength(3)
    })
  })

  describe('a lease', () => {
    test('is active for its own node, and no other, until it is closed', async () => {
      const account = await fundedAccount(store, '1')
      const endsAt = NOON + 12 * 3_600_000
      const quota = keyQuotaBudget('key_daily', parseUsd('1'), {
        reset: 'daily',
        startsAt: endsAt - 86_400_000,
        endsAt,
      })
      const lease = await leaseFor(store, balanceBudget(account.id), { need: 10n })
      const ofQuota = await leaseFor(store, quota, { need: 10n })
      const ids = [lease.id, 'lse_none', ofQuota.id]
      expect(await store.leases.active('nod_b', ids)).toEqual(new Map())
      expect(await store.leases.active('nod_a', [])).toEqual(new Map())
      const both = new Map([
        [lease.id, { endsAt: null, usedElsewhere: 0n }],
        [ofQuota.id, { endsAt, usedElsewhere: 0n }],
      ])
      expect(await store.leases.active('nod_a', ids)).toEqual(both)
      await store.leases.close('nod_a', [lease.id])
      expect(await store.leases.active('nod_a', ids)).toEqual(new Map([[ofQuota.id, both.get(ofQuota.id)]]))
    })

    test('that is closed gives back what was not charged, once, and only to its own node', async () => {
      const account = await fundedAccount(store, '0.000000100')
      const balance = balanceBudget(account.id)
      const lease = await leaseFor(store, balance, { need: 80n })
      await store.settlements.settle([aSettlement(account.id, 30n, { leaseId: lease.id })])
      await store.leases.close('nod_b', [lease.id])
      expect(await budgetRow(balance.id)).toMatchObject({ used: 30n, held: 50n })
      await store.leases.close('nod_a', [lease.id, lease.id, 'lse_none'])
      await store.leases.close('nod_a', [lease.id])
      await store.leases.close('nod_a', [])
      expect(await budgetRow(balance.id)).toMatchObject({ used: 30n, held: 0n })
    })

    test('is closed with all others of nodes that are dead; the count says how many were', async () => {
      const account = await fundedAccount(store, '0.000001')
      const balance = balanceBudget(account.id)
      for (const nodeId of ['nod_d1', 'nod_d2', 'nod_d3']) await leaseFor(store, balance, { need: 10n, nodeId })
      await leaseFor(store, quotaOf('key_1', parseUsd('1')), { need: 10n, nodeId: 'nod_d2' })
      const other = await place.open()
      expect(await other.leases.closeOfNodes([])).toBe(0)
      expect(await other.leases.closeOfNodes(['nod_d1', 'nod_none', 'nod_d2'])).toBe(3)
      expect(await other.leases.closeOfNodes(['nod_d1', 'nod_d2'])).toBe(0)
      expect(await budgetRow(balance.id)).toMatchObject({ held: 10n })
    })

    test('that many close at once is given back once', async () => {
      const nodes = [store, await place.open(), await place.open(), await place.open()]
      const account = await fundedAccount(store, '0.000010000')
      const balance = balanceBudget(account.id)
      for (let i = 0; i < 20; i++) await leaseFor(store, balance, { need: 100n, nodeId: `nod_c${i}` })
      const dead = Array.from({ length: 20 }, (_, i) => `nod_c${i}`)
      const counts = await Promise.all(nodes.map((node) => node.leases.closeOfNodes(dead)))
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
      expect(await budgetRow(balance.id)).toMatchObject({ held: 0n })
    })

    test('one of more than a thousand is found and closed like the only one', async () => {
      const many = Array.from({ length: 1_100 }, (_, i) => `lse_many${String(i).padStart(4, '0')}`)
      const quotas = many.map((id) => `('b${id}', 'key_quota', 'k', 100, 0, 5, 0, 0, null, null, 0)`)
      const columns =
        'id, kind, subject_id, limit_nano, used_nano, held_nano, overrun_nano, overruns, ends_at, window_ms, entries'
      await place.sql(`insert into budgets (${columns}) values ${quotas.join(', ')}`)
      const rows = many.map((id) => `('${id}', 'b${id}', 'nod_many', 5, 0)`)
      await place.sql(`insert into leases values ${rows.join(', ')}`)
      expect(new Set((await store.leases.active('nod_many', many)).keys())).toEqual(new Set(many))
      await store.leases.close('nod_many', many.slice(0, 600))
      expect(await store.leases.closeOfNodes(['nod_many'])).toBe(500)
      const [row] = await place.sql(`select cast(sum(held_nano) as bigint) as held from budgets where subject_id = 'k'`)
      expect(row?.['held']).toBe(0n)
    })
  })

  describe('a settle', () => {
    test('writes record, entry and charges, all or nothing twice', async () => {
      const account = await fundedAccount(store, '0.000000100')
      const balance = balanceBudget(account.id)
      const quota = quotaOf('key_s', parseUsd('0.000000050'))
      const lease = await leaseFor(store, balance, { need: 40n })
      const quotaLease = await leaseFor(store, quota, { need: 20n })
      const settlement = aSettlement(account.id, 7n, {
        leaseId: lease.id,
        quota: { budgetId: quota.id, leaseId: quotaLease.id, cost: nanoUsd(7n) },
      })
      expect(await store.settlements.settle([settlement])).toEqual({ overruns: 0 })
      expect(await store.settlements.settle([settlement, settlement])).toEqual({ overruns: 0 })
      expect(await budgetRow(balance.id)).toEqual({ limit: 100n, used: 7n, held: 33n, overruns: 0n, overrun: 0n })
      expect(await budgetRow(quota.id)).toEqual({ limit: 50n, used: 7n, held: 13n, overruns: 0n, overrun: 0n })
      expect(await recordIds(account.id)).toEqual([settlement.record.id])
      expect(await store.ledger.entries(account.id, 10)).toMatchObject([
        {
          kind: 'usage',
          amount: -7n,
          balanceAfter: 93n,
          requestId: settlement.record.id,
          actor: 'gateway',
          createdAt: NOON,
        },
        { kind: 'grant', amount: 100n, balanceAfter: 100n, requestId: null },
      ])
    })

    test('of the same record twice in one batch counts once', async () => {
      const account = await fundedAccount(store, '1')
      const settlement = aSettlement(account.id, 7n)
      expect(await store.settlements.settle([settlement, aSettlement(account.id, 1n), settlement])).toEqual({
        overruns: 2,
      })
      expect(await store.ledger.balance(account.id)).toBe(999_999_992n)
    })

    test('of many records of one account says the balance after each', async () => {
      const account = await fundedAccount(store, '0.000000100')
      await store.settlements.settle([1n, 2n, 3n].map((cost) => aSettlement(account.id, cost)))
      await store.ledger.post(aPosting(account.id, '0.000000006'))
      await store.settlements.settle([4n, 5n].map((cost) => aSettlement(account.id, cost)))
      const entries = await store.ledger.entries(account.id, 10)
      expect(entries.map((entry) => entry.balanceAfter)).toEqual([91n, 96n, 100n, 94n, 97n, 99n, 100n])
      expect(new Set(entries.map((entry) => entry.id)).size).toBe(7)
    })

    test('after another node closed the lease charges the budget itself, and counts', async () => {
      const other = await place.open()
      const account = await fundedAccount(store, '0.000000100')
      const balance = balanceBudget(account.id)
      const frozen = await leaseFor(store, balance, { need: 60n })
      await other.leases.closeOfNodes(['nod_a'])
      await leaseFor(other, balance, { need: 100n, nodeId: 'nod_b' })
      const answer = await store.settlements.settle([aSettlement(account.id, 9n, { leaseId: frozen.id })])
      expect(answer).toEqual({ overruns: 1 })
      expect(await budgetRow(balance.id)).toEqual({ limit: 100n, used: 9n, held: 100n, overruns: 1n, overrun: 9n })
      expect((await store.ledger.prove()).disagreements).toEqual([])
    })

    test('with a lease of another budget does not touch that one', async () => {
      const [one, two] = [await fundedAccount(store, '1'), await fundedAccount(store, '1')]
      const lease = await leaseFor(store, balanceBudget(two.id), { need: 50n })
      expect(await store.settlements.settle([aSettlement(one.id, 9n, { leaseId: lease.id })])).toEqual({ overruns: 1 })
      expect(await budgetRow(balanceBudget(two.id).id)).toMatchObject({ used: 0n, held: 50n })
    })

    test('that fails leaves nothing behind, holds up no other, and succeeds when it is tried again', async () => {
      const other = await place.open()
      const account = await fundedAccount(store, '1')
      const batch = [aSettlement(account.id, 1n), aSettlement(account.id, 2n)]
      await place.sql(REFUSE_ENTRIES[engine])
      await expect(store.settlements.settle(batch)).rejects.toThrow(/not now/)
      expect(await recordIds(account.id)).toEqual([])
      await other.settings.write('free', 'yes')
      await place.sql(ACCEPT_ENTRIES[engine])
      expect(await store.settlements.settle(batch)).toEqual({ overruns: 2 })
      expect(await store.ledger.balance(account.id)).toBe(999_999_997n)
    })

    test('of what cost nothing, or of nothing at all, is fine', async () => {
      const account = await fundedAccount(store, '1')
      const free = aSettlement(account.id, 0n, { leaseId: 'lse_gone' })
      expect(await store.settlements.settle([free])).toEqual({ overruns: 0 })
      expect(await store.settlements.settle([])).toEqual({ overruns: 0 })
      expect(await recordIds(account.id)).toHaveLength(1)
      expect(await store.ledger.entries(account.id, 10)).toHaveLength(1)
    })

    test('stores texts that no column can hold, and fractions, rather than keep a batch waiting for ever', async () => {
      const account = await fundedAccount(store, '1')
      const record = aRecord(account.id, 5n, { client: 'a\0b\uD800', model: '', keyName: '{"x":"\\"}', totalMs: 12.4 })
      await store.settlements.settle([{ record, charges: aSettlement(account.id, 5n).charges }])
      expect(
        await place.sql(`select client, model, key_name, total_ms from usage_records where id = '${record.id}'`),
      ).toEqual([{ client: 'a\uFFFDb\uFFFD', model: '', key_name: '{"x":"\\"}', total_ms: 12n }])
      expect((await store.ledger.prove()).disagreements).toEqual([])
    })

    test('from many nodes at once, over the same budgets in any order, loses nothing', async () => {
      const nodes = [store, await place.open(), await place.open(), await place.open()]
      const accounts = await Promise.all(Array.from({ length: 6 }, () => fundedAccount(store, '1')))
      const leases = await Promise.all(
        nodes.flatMap((node, n) =>
          accounts.map((account) => leaseFor(node, balanceBudget(account.id), { need: 1_000n, nodeId: `nod_m${n}` })),
        ),
      )
      const batch = (n: number, round: number) => {
        const settlements = accounts.map((account, a) =>
          aSettlement(account.id, 1n, { leaseId: leases[n * accounts.length + a]?.id ?? null }),
        )
        return round % 2 === 0 ? settlements : settlements.toReversed()
      }
      const overruns = await Promise.all(
        nodes.map(async (node, n) => {
          let sum = 0
          for (let round = 0; round < 10; round++) {
            const answers = await Promise.all([
              node.settlements.settle(batch(n, round)),
              node.leases.active(`nod_m${n}`, leases.map((lease) => lease.id).toReversed()),
            ])
            sum += answers[0].overruns
          }
          return sum
        }),
      )
      expect(overruns).toEqual([0, 0, 0, 0])
      for (const account of accounts) {
        expect(await budgetRow(balanceBudget(account.id).id)).toMatchObject({ used: 40n, held: 3_960n })
      }
      expect((await store.ledger.prove()).disagreements).toEqual([])
    })
  })
})
