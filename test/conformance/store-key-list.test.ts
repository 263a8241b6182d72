import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeyFilter, KeyOrder, KeyListPlace, ListedKey } from '../../src/access/key-list.ts'
import { quotaPeriod } from '../../src/core/quota-period.ts'
import { nanoUsd } from '../../src/core/money.ts'
import type { Store } from '../../src/store/store.ts'
import { GROUPS } from '../../tools/seed/catalog.ts'
import type { Seeded } from '../../tools/seed/seed-database.ts'
import { seededPlace } from '../support/seeded-place.ts'
import { aKey, aSecret, aSettlement, fundedAccount, leaseFor, NOON, noonClock, quotaOf } from './store-fixtures.ts'
import { ENGINES_OF_LISTS, newPlace, type Place } from './store-under-test.ts'

interface Row {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly status: string
  readonly group_id: string
  readonly expires_at: bigint | null
  readonly quota_limit: bigint | null
  readonly quota_reset: 'never' | 'monthly'
  readonly secret_start: string
  readonly secret_end: string
}

describe.each(ENGINES_OF_LISTS)('API keys in pages on %s', (engine) => {
  let place: Place
  let store: Store
  let seeded: Seeded
  let rows: readonly Row[]
  let spent: ReadonlyMap<string, { readonly cost: bigint; readonly latest: bigint }>
  let used: ReadonlyMap<string, bigint>

  beforeAll(async () => {
    place = await newPlace(engine)
    const opened = await seededPlace(place, { keys: 800, records: 4_000 })
    store = opened.store
    seeded = opened.seeded
    rows = (await place.sql(
      `select *, quota_limit_nano as quota_limit from api_keys where status <> 'deleted'`,
    )) as unknown as readonly Row[]
    const sums = await place.sql(
      'select key_id, cast(sum(cost_nano) as bigint) as cost, max(created_at) as latest from usage_records group by key_id',
    )
    spent = new Map(sums.map((sum) => [String(sum['key_id']), sum as unknown as { cost: bigint; latest: bigint }]))
    const budgets = await place.sql(`select id, used_nano as used from budgets where kind = 'key_quota'`)
    used = new Map(budgets.map((budget) => [String(budget['id']), budget['used'] as bigint]))
  })
  afterAll(async () => {
    await store.close()
    await place.leave()
  })

  const usedInPeriod = (row: Row) =>
    used.get(`key:${row.id}:${row.quota_reset}:${quotaPeriod(row.quota_reset, NOON).startsAt}`) ?? 0n

  const statusOf = (row: Row) => {
    if (row.status === 'disabled') return 'disabled'
    if (row.expires_at !== null && row.expires_at <= BigInt(NOON)) return 'expired'
    return row.quota_limit !== null && usedInPeriod(row) >= row.quota_limit ? 'quota_exhausted' : 'active'
  }

  const passes = (row: Row, { accountId, groupId, search, status }: KeyFilter) =>
    (accountId === null || row.account_id === accountId) &&
    (groupId === undefined || row.group_id === groupId) &&
    (status === undefined || statusOf(row) === status) &&
    (search === undefined ||
      [row.name.toLowerCase(), row.id, row.secret_start.toLowerCase(), row.secret_end.toLowerCase()].some((text) =>
        text.includes(search.toLowerCase()),
      ))

  const valueOf = (row: Row, by: KeyOrder['by']): bigint | string => {
    switch (by) {
      case 'created_at':
        return row.id
      case 'name':
        return row.name.normalize('NFC').toLowerCase()
      case 'expires_at':
        return row.expires_at ?? 10n ** 16n
      case 'last_used_at':
        return spent.get(row.id)?.latest ?? 0n
      case 'spent':
        return spent.get(row.id)?.cost ?? 0n
    }
  }

  const expected = (filter: KeyFilter, order: KeyOrder) =>
    rows
      .filter((row) => passes(row, filter))
      .map((row) => ({ id: row.id, value: valueOf(row, order.by) }))
      .sort((a, b) => compare(a.value, b.value) || compare(a.id, b.id))
      .map(({ id }) => id)
  const inOrder = (ids: string[], { isDescending }: KeyOrder) => (isDescending ? ids.toReversed() : ids)

  const all = async (filter: KeyFilter, order: KeyOrder) => {
    const keys: ListedKey[] = []
    let after: KeyListPlace | null = null
    do {
      const page = await store.keys.page(filter, { order, after, limit: 30 })
      keys.push(...page.keys)
      after = page.next
    } while (after !== null)
    return keys
  }

  const orders: readonly KeyOrder['by'][] = ['created_at', 'name', 'last_used_at', 'spent', 'expires_at']
  describe.each([true, false])('descending: %s', (isDescending) => {
    test.each(orders)('come by %s, of one account and of all', async (by) => {
      const order = { by, isDescending }
      for (const accountId of [seeded.accountIds[0] ?? '', null]) {
        const keys = await all({ accountId }, order)
        expect(keys.map(({ key }) => key.id)).toEqual(inOrder(expected({ accountId }, order), order))
      }
    })
  })

  const newest = { by: 'created_at', isDescending: true } as const
  test.each([
    ['that are active', { status: 'active' }],
    ['that are disabled', { status: 'disabled' }],
    ['that are expired', { status: 'expired' }],
    ['that have used up their quota', { status: 'quota_exhausted' }],
    ['of a group', { groupId: GROUPS[1]?.id }],
    ['whose name holds a text in another case', { search: 'ÜBERPRÜFUNG 1' }],
    ['whose name holds Cyrillic capitals', { search: 'БАТЧ' }],
    ['whose name holds a percent sign', { search: '0%' }],
    ['whose name holds an underscore', { search: 'k_1' }],
    ['of a group, found and active', { groupId: GROUPS[0]?.id, search: 'NoteBook', status: 'active' }],
  ] as const)('%s are those and no others, and counted', async (_, filter) => {
    for (const accountId of [seeded.accountIds[0] ?? '', null]) {
      const keys = await all({ accountId, ...filter }, newest)
      const ids = inOrder(expected({ accountId, ...filter }, newest), newest)
      expect(keys.map(({ key }) => key.id)).toEqual(ids)
      if (accountId === null) expect(ids.length).toBeGreaterThan(0)
      expect(ids.length).toBeLessThan(rows.length)
      const page = await store.keys.page({ accountId, ...filter }, { order: newest, after: null, limit: 1 })
      expect(page).toMatchObject({ total: ids.length, isTotalMore: false })
    }
  })

  test('are found by their id and by what is shown of their secret', async () => {
    const row = rows[7]
    for (const search of [row?.id, row?.secret_start.toUpperCase(), row?.secret_end]) {
      const { keys } = await store.keys.page({ accountId: null, search }, { order: newest, after: null, limit: 200 })
      expect(keys.map(({ key }) => key.id)).toContain(row?.id)
    }
    const nothing = await store.keys.page(
      { accountId: null, search: '%' + 'x'.repeat(5_000) },
      { order: newest, after: null, limit: 5 },
    )
    expect(nothing).toMatchObject({ keys: [], total: 0, next: null })
  })

  test('say what they spent, in the period that runs and ever, and when they were used', async () => {
    for (const { key, status, spentInPeriod, periodEndsAt, spentEver, lastUsedAt } of await all(
      { accountId: null },
      newest,
    )) {
      const row = rows.find(({ id }) => id === key.id)
      if (row === undefined) throw new Error(`key ${key.id} is not there`)
      expect({ status, spentInPeriod, spentEver, lastUsedAt, periodEndsAt }).toEqual({
        status: statusOf(row),
        spentInPeriod: row.quota_limit === null ? null : usedInPeriod(row),
        spentEver: spent.get(row.id)?.cost ?? 0n,
        lastUsedAt: spent.has(row.id) ? Number(spent.get(row.id)?.latest) : null,
        periodEndsAt: row.quota_limit === null ? null : quotaPeriod(row.quota_reset, NOON).endsAt,
      })
    }
  })

  test('follow what is settled: the use, the quota that it takes, and no try with another secret', async () => {
    const account = await fundedAccount(store, '1')
    const key = aKey(account.id, { quotaLimit: nanoUsd(10n), name: 'Ключ' })
    await store.keys.create(key, aSecret())
    const read = async () => {
      const { keys } = await store.keys.page(
        { accountId: account.id, search: 'ключ' },
        { order: newest, after: null, limit: 5 },
      )
      const [listed] = keys
      return (
        listed && { status: listed.status, in: listed.spentInPeriod, ever: listed.spentEver, at: listed.lastUsedAt }
      )
    }
    expect(await read()).toEqual({ status: 'active', in: 0n, ever: 0n, at: null })
    const lease = await leaseFor(store, quotaOf(key.id, nanoUsd(10n)), { need: 10n })
    const quota = { budgetId: lease.budgetId, leaseId: lease.id, cost: nanoUsd(10n) }
    await store.settlements.settle([
      aSettlement(account.id, 10n, { quota, record: { keyId: key.id, createdAt: NOON - 5 } }),
    ])
    expect(await read()).toEqual({ status: 'quota_exhausted', in: 10n, ever: 10n, at: NOON - 5 })
    const wrong = { keyId: key.id, createdAt: NOON, outcome: 'refused', fault: 'key_unknown' } as const
    await store.settlements.settle([aSettlement(account.id, 0n, { record: wrong })])
    expect(await read()).toMatchObject({ at: NOON - 5 })
    await store.keys.update({ ...(await keyById(store, key.id)), name: 'ДРУГОЙ', quotaLimit: nanoUsd(20n) })
    const { keys } = await store.keys.page(
      { accountId: account.id, search: 'другой' },
      { order: newest, after: null, limit: 5 },
    )
    expect(keys.map(({ status }) => status)).toEqual(['active'])
    await store.keys.setStatus(key.id, 'deleted', noonClock.now())
    expect(await store.keys.page({ accountId: account.id }, { order: newest, after: null, limit: 5 })).toMatchObject({
      keys: [],
      total: 0,
    })
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('are found by how a secret begins, when they are one account’s', async () => {
    const [one, two] = [await fundedAccount(store, '1'), await fundedAccount(store, '1')]
    const create = async (accountId: string, start: string) => {
      const key = aKey(accountId)
      await store.keys.create(key, { ...aSecret(), start })
      return key.id
    }
    const [older, newer] = [await create(one.id, 'sk-tg-AAAA'), await create(one.id, 'sk-tg-AAAA')]
    await create(one.id, 'my-own-key')
    await create(two.id, 'my-own-key')
    expect((await store.keys.findByStart('sk-tg-AAAA'))?.id).toBe([older, newer].toSorted().at(-1))
    expect(await store.keys.findByStart('my-own-key')).toBeNull()
    expect(await store.keys.findByStart('sk-tg-BBBB')).toBeNull()
    await store.keys.setStatus(older, 'deleted', NOON)
    await store.keys.setStatus(newer, 'deleted', NOON)
    expect(await store.keys.findByStart('sk-tg-AAAA')).toBeNull()
  })
})

async function keyById(store: Store, id: string) {
  const key = await store.keys.findById(id)
  if (key === null) throw new Error(`there is no key ${id}`)
  return key
}

function compare(a: bigint | string, b: bigint | string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
