import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstIdAt } from '../../src/core/ids.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import type { UsageFilter, UsagePage } from '../../src/metering/usage/usage-store.ts'
import type { Store } from '../../src/store/store.ts'
import { GROUPS } from '../../tools/seed/catalog.ts'
import type { Seeded } from '../../tools/seed/seed-database.ts'
import { seededPlace } from '../support/seeded-place.ts'
import { aSettlement, fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES_OF_LISTS, newPlace, type Place } from './store-under-test.ts'

/** More than the 40,000 that are looked at for a page, so that a rare record is not found with the first one. */
const RECORDS = 70_000
const DAY_MS = 86_400_000

interface Row {
  readonly id: string
  readonly account_id: string
  readonly key_id: string
  readonly group_id: string | null
  readonly model: string
  readonly upstream_name: string | null
  readonly fault: string | null
  readonly outcome: string
  readonly created_at: bigint
}

describe.each(ENGINES_OF_LISTS)('usage records in pages on %s', (engine) => {
  let place: Place
  let store: Store
  let seeded: Seeded
  let rows: readonly Row[]

  beforeAll(async () => {
    place = await newPlace(engine)
    const opened = await seededPlace(place, { records: RECORDS })
    store = opened.store
    seeded = opened.seeded
    rows = (await place.sql(
      'select id, account_id, key_id, group_id, model, upstream_name, fault, outcome, created_at from usage_records order by id desc',
    )) as unknown as readonly Row[]
  })
  afterAll(async () => {
    await store.close()
    await place.leave()
  })

  const expected = (filter: UsageFilter) => rows.filter((row) => passes(row, filter)).map(({ id }) => id)

  const filters = (): readonly (readonly [string, UsageFilter])[] => {
    const [big = '', small = ''] = seeded.accountIds
    const [keyId = '', other = ''] = seeded.keyIds
    const of = { accountId: big }
    const all = { accountId: null }
    const day = { fromMs: NOON - 9 * DAY_MS, toMs: NOON - 8 * DAY_MS }
    return [
      ['of another account', { accountId: small, ...day }],
      ['of a key', { ...of, keyId: other, ...day }],
      ['of a key that is not the account’s', { accountId: small, keyId }],
      ['of a model', { ...of, model: 'seeded/model-9', ...day }],
      [
        'of an upstream',
        { ...all, upstream: rows.find((row) => row.upstream_name !== null)?.upstream_name ?? '', ...day },
      ],
      ['of another upstream than was ever asked', { ...of, upstream: 'none', ...day }],
      ['of a group', { ...all, groupId: GROUPS[2]?.id, ...day }],
      ['with any fault', { ...of, fault: 'any', ...day }],
      ['with one fault', { ...of, fault: 'upstream_timeout', ...day }],
      ['with one fault, of all', { ...all, fault: 'rate_limited', ...day }],
      ['with a fault of a key', { ...all, keyId, fault: 'rate_limited' }],
      ['with a fault and a model', { ...all, fault: 'any', model: 'seeded/model-2' }],
      ['that were aborted', { ...of, outcome: 'aborted', ...day }],
      ['that were aborted, of all', { ...all, outcome: 'aborted', model: 'seeded/model-1', ...day }],
      ['that were completed', { ...of, outcome: 'completed', ...day }],
      ['by how the id begins', { ...all, idPrefix: rows[4_000]?.id.slice(0, 9) }],
      [
        'by the whole id, of another account',
        { accountId: small, idPrefix: rows.find((row) => row.account_id === big)?.id },
      ],
    ]
  }

  test.each(Array.from({ length: 15 }, (_, index) => index))(
    'are those of the filter, newest first (filter %i)',
    async (index) => {
      const [name, filter] = filters()[index] ?? []
      if (filter === undefined) throw new Error('no filter')
      const found: string[] = []
      let after: string | null = null
      do {
        const page = await store.usage.list(filter, { after, limit: 50 })
        expect(page.records.length).toBeLessThanOrEqual(50)
        found.push(...page.records.map(({ id }) => id))
        after = page.next
      } while (after !== null)
      const ids = expected(filter)
      expect({ name, found }).toEqual({ name, found: ids })
      if (!String(name).includes('another') && !String(name).includes('not the')) expect(ids.length).toBeGreaterThan(3)
    },
  )

  test('are those with a note, and with no other', async () => {
    const account = await fundedAccount(store, '1')
    const settle = (ms: number, usageNotes: UsageRecord['usageNotes']) =>
      aSettlement(account.id, 1n, { record: { createdAt: ms, id: idOf(ms), usageNotes } })
    await store.settlements.settle([
      settle(NOON + 10, ['calls_unpriced']),
      settle(NOON + 11, []),
      settle(NOON + 12, ['terms_unpriced']),
      settle(NOON + 13, ['terms_unpriced', 'calls_unpriced']),
    ])
    const filter = { accountId: account.id, note: 'calls_unpriced' } as const
    const { records } = await store.usage.list(filter, { after: null, limit: 10 })
    expect(records.map(({ createdAt }) => createdAt - NOON)).toEqual([13, 10])
  })

  test('go on behind a record although newer ones were written meanwhile', async () => {
    const account = await fundedAccount(store, '1')
    const filter = { accountId: account.id }
    const settle = (ms: number) => aSettlement(account.id, 1n, { record: { createdAt: ms, id: idOf(ms) } })
    await store.settlements.settle([settle(NOON), settle(NOON + 1), settle(NOON + 2)])
    const first = await store.usage.list(filter, { after: null, limit: 2 })
    await store.settlements.settle([settle(NOON + 3)])
    const second = await store.usage.list(filter, { after: first.next, limit: 2 })
    expect([...first.records, ...second.records].map(({ createdAt }) => createdAt - NOON)).toEqual([2, 1, 0])
    expect(second.next).toBeNull()
  })

  test('of a filter that hardly any record passes come in short pages, until all were looked at', async () => {
    const oldest = rows.at(-1)
    await place.sql(`update usage_records set model = 'rare' where id = '${oldest?.id}' returning id`)
    const filter = { accountId: null, model: 'rare' }
    const fast = await place.open({ now: () => NOON, elapsed: () => 0 })
    const first = await fast.usage.list(filter, { after: null, limit: 50 })
    expect(first.records).toEqual([])
    expect(first.next).not.toBeNull()
    const second = await fast.usage.list(filter, { after: first.next, limit: 50 })
    expect(second.records.map(({ id }) => id)).toEqual([oldest?.id])
    expect(second.next).toBeNull()
  })

  test('come in shorter pages still where looking at records takes long', async () => {
    let time = 0
    const slow = await place.open({ now: () => NOON, elapsed: () => (time += 20) })
    const pages: number[] = []
    for (let after: string | null = null; ;) {
      const page: UsagePage = await slow.usage.list({ accountId: null, model: 'none' }, { after, limit: 50 })
      after = page.next
      if (after === null) break
      pages.push(rows.findIndex(({ id }) => id === after) + 1)
    }
    // Three times 5,000 before 80 ms are over.
    expect(pages.map((at) => at - (pages[0] ?? 0))).toEqual([0, 15_000, 30_000, 45_000])
  })

  test('are all given, page by page, to an export', async () => {
    const [, accountId = ''] = seeded.accountIds
    const filter: UsageFilter = { accountId, fault: 'any' }
    const pages: string[][] = []
    for await (const page of store.usage.pages(filter)) pages.push(page.map(({ id }) => id))
    expect(pages.flat()).toEqual(expected(filter))
    expect(pages.length).toBeGreaterThan(1)
  })

  test.each([0, 201, 1.5])('of %d records are refused', async (limit) => {
    await expect(store.usage.list({ accountId: null }, { after: null, limit })).rejects.toThrow(RangeError)
  })

  test('the first steps are the newest since a moment, of the account or of one key', async () => {
    const [accountId = ''] = seeded.accountIds
    const [keyId = ''] = seeded.keyIds
    const sinceMs = NOON - DAY_MS
    const since = rows.filter((row) => row.account_id === accountId && row.created_at >= BigInt(sinceMs))
    const ids = async (of: { keyId?: string }) =>
      (await store.usage.firstSteps({ accountId, sinceMs, limit: 5, ...of })).map(({ id }) => id)
    expect(await ids({})).toEqual(since.slice(0, 5).map(({ id }) => id))
    const own = since.filter((row) => row.key_id === keyId)
    expect(await ids({ keyId })).toEqual(own.slice(0, 5).map(({ id }) => id))
    expect(await store.usage.firstSteps({ accountId, sinceMs: NOON + 1, limit: 5 })).toEqual([])
  })
})

function passes(row: Row, filter: UsageFilter): boolean {
  const { accountId, keyId, groupId, model, upstream, fault, outcome, idPrefix, fromMs, toMs } = filter
  return (
    (accountId === null || row.account_id === accountId) &&
    (keyId === undefined || row.key_id === keyId) &&
    (groupId === undefined || row.group_id === groupId) &&
    (model === undefined || row.model === model) &&
    (fault === undefined || (fault === 'any' ? row.fault !== null : row.fault === fault)) &&
    (outcome === undefined || row.outcome === outcome) &&
    (upstream === undefined || row.upstream_name === upstream) &&
    (idPrefix === undefined || row.id.startsWith(idPrefix)) &&
    (fromMs === undefined || row.created_at >= BigInt(fromMs)) &&
    (toMs === undefined || row.created_at < BigInt(toMs))
  )
}

/** An id of its own for each moment. */
function idOf(ms: number): string {
  return `${firstIdAt('req', ms)}0000000000000000`
}
