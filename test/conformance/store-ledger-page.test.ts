import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerFilter } from '../../src/metering/funds/ledger.ts'
import type { Store } from '../../src/store/store.ts'
import type { Seeded } from '../../tools/seed/seed-database.ts'
import { seededPlace } from '../support/seeded-place.ts'
import { aPosting, NOON } from './store-fixtures.ts'
import { ENGINES_OF_LISTS, newPlace, type Place } from './store-under-test.ts'

const DAY_MS = 86_400_000

describe.each(ENGINES_OF_LISTS)('the ledger in pages on %s', (engine) => {
  let place: Place
  let store: Store
  let seeded: Seeded

  beforeAll(async () => {
    place = await newPlace(engine)
    // So many for one account that a window of 20,000 entries does not hold them.
    const opened = await seededPlace(place, { accounts: 2, keys: 20, records: 60_000 })
    store = opened.store
    seeded = opened.seeded
    for (const accountId of seeded.accountIds) {
      for (const usd of ['5', '-1', '7']) await store.ledger.post(aPosting(accountId, usd))
    }
  })
  afterAll(async () => {
    await store.close()
    await place.leave()
  })

  const all = async (filter: LedgerFilter) => {
    const seqs: { readonly id: string; readonly balanceAfter: bigint }[] = []
    let after: number | null = null
    do {
      const page = await store.ledger.page(filter, { after, limit: 200 })
      seqs.push(...page.entries)
      after = page.next
    } while (after !== null)
    return seqs
  }

  const written = (accountId: string, condition: string) =>
    place.sql(
      `select id, balance_after_nano as after from ledger_entries where account_id = '${accountId}' and ${condition} order by seq desc`,
    )

  const from = NOON - 9 * DAY_MS
  const to = NOON - 7 * DAY_MS
  test.each([
    ['everything', {}, '1 = 1'],
    ['usage', { kind: 'usage' }, `kind = 'usage'`],
    ['what an admin corrected', { kind: 'adjustment' }, `kind = 'adjustment'`],
    ['grants', { kind: 'grant' }, `kind = 'grant'`],
    ['some days', { fromMs: from, toMs: to }, `created_at >= ${from} and created_at < ${to}`],
    [
      'usage of some days',
      { kind: 'usage', fromMs: from, toMs: to },
      `kind = 'usage' and created_at >= ${from} and created_at < ${to}`,
    ],
    ['grants since a day', { kind: 'grant', fromMs: from }, `kind = 'grant' and created_at >= ${from}`],
    ['all before a day', { toMs: from }, `created_at < ${from}`],
    ['a time before the account', { toMs: 1_000 }, 'created_at < 1000'],
  ] as const)('of %s is that, newest first, with the balance after each entry', async (_, filter, condition) => {
    const [accountId = ''] = seeded.accountIds
    const entries = await all({ accountId, ...filter })
    const rows = await written(accountId, condition)
    expect(entries.map(({ id, balanceAfter }) => [id, balanceAfter])).toEqual(
      rows.map((row) => [row['id'], row['after']]),
    )
  })

  test('of an account that does not exist is empty', async () => {
    expect(await store.ledger.page({ accountId: 'acc_none' }, { after: null, limit: 5 })).toEqual({
      entries: [],
      next: null,
    })
    expect(await all({ accountId: 'acc_none', fromMs: 1, toMs: NOON })).toEqual([])
  })

  test.each([0, 201])('of %d entries is refused', async (limit) => {
    await expect(store.ledger.page({ accountId: 'A' }, { after: null, limit })).rejects.toThrow(RangeError)
  })
})
