import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SummaryQuery, UsageSummary } from '../../src/metering/usage/usage-summary.ts'
import type { UsageTotals } from '../../src/metering/usage/usage-totals.ts'
import type { Store } from '../../src/store/store.ts'
import { GROUPS } from '../../tools/seed/catalog.ts'
import type { Seeded } from '../../tools/seed/seed-database.ts'
import { seededPlace } from '../support/seeded-place.ts'
import { aSettlement, fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES_OF_LISTS, newPlace, type Place } from './store-under-test.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

interface Row {
  readonly account_id: string
  readonly key_id: string
  readonly group_id: string | null
  readonly model: string
  readonly fault: string | null
  readonly created_at: bigint
  readonly input: bigint
  readonly cached: bigint
  readonly output: bigint
  readonly cost: bigint
  readonly paid: bigint
}

describe.each(ENGINES_OF_LISTS)('summaries of usage on %s', (engine) => {
  let place: Place
  let store: Store
  let seeded: Seeded
  let rows: readonly Row[]

  beforeAll(async () => {
    place = await newPlace(engine)
    const opened = await seededPlace(place, { keys: 1_500, records: 6_000 })
    store = opened.store
    seeded = opened.seeded
    rows = (await place.sql(
      `select account_id, key_id, group_id, model, fault, created_at,
         coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) as input, coalesce(cache_read_tokens, 0) as cached,
         coalesce(output_tokens, 0) as output, cost_nano as cost, balance_paid_nano as paid from usage_records`,
    )) as unknown as readonly Row[]
  })
  afterAll(async () => {
    await store.close()
    await place.leave()
  })

  const span = { fromMs: NOON - 40 * DAY_MS, toMs: NOON }
  const week = { fromMs: NOON - 20 * DAY_MS + 5, toMs: NOON - 13 * DAY_MS + 5 * HOUR_MS }
  const cases: readonly (readonly [string, Omit<SummaryQuery, 'accountId'>])[] = [
    ['by day', { ...span, by: 'day', split: null, top: 5 }],
    ['by day and model', { ...span, by: 'day', split: 'model', top: 5 }],
    ['by day and group', { ...span, by: 'day', split: 'group', top: 1 }],
    ['by day and key', { ...span, by: 'day', split: 'key', top: 7 }],
    ['by day and key, of a week', { ...week, by: 'day', split: 'key', top: 3 }],
    ['by day and key, in days of Shanghai', { ...week, by: 'day', split: 'key', top: 3, offsetMinutes: 480 }],
    ['by day and model, in days of New York', { ...week, by: 'day', split: 'model', top: 3, offsetMinutes: -300 }],
    ['by hour', { ...week, by: 'hour', split: null, top: 5 }],
    ['by hour and key', { ...week, by: 'hour', split: 'key', top: 5 }],
    ['by hour and key, of some hours', { fromMs: NOON - 9 * HOUR_MS, toMs: NOON, by: 'hour', split: 'key', top: 5 }],
    ['by hour and key, over midnight', { fromMs: NOON - 30 * HOUR_MS, toMs: NOON, by: 'hour', split: 'key', top: 5 }],
    ['by key, of a model', { ...span, by: 'day', split: 'key', top: 4, model: 'seeded/model-12' }],
    ['by key, of a group', { ...week, by: 'hour', split: 'key', top: 4, groupId: GROUPS[2]?.id }],
    ['by model, of a group', { ...span, by: 'day', split: 'model', top: 4, groupId: GROUPS[1]?.id }],
    ['by group, of a model', { ...week, by: 'hour', split: 'group', top: 4, model: 'seeded/model-3' }],
  ]

  describe.each(['account', 'all'] as const)('of %s', (whose) => {
    test.each(cases)('%s are the sums of the records', async (_, query) => {
      const accountId = whose === 'all' ? null : (seeded.accountIds[0] ?? '')
      const found = await store.usage.summary({ ...query, accountId })
      expect(plain(found)).toEqual(naive(rows, { ...query, accountId }))
      expect(found.total.requests).toBeGreaterThan(5)
    })

    test('of one key tell its models apart, by day and in days of elsewhere', async () => {
      const accountId = whose === 'all' ? null : (seeded.accountIds[0] ?? '')
      for (const offsetMinutes of [0, 480]) {
        const query = { ...span, by: 'day', split: 'model', top: 3, keyId: seeded.keyIds[0], offsetMinutes } as const
        expect(plain(await store.usage.summary({ ...query, accountId }))).toEqual(naive(rows, { ...query, accountId }))
      }
    })
  })

  test('tell what an account used of each model since an hour', async () => {
    const accountId = seeded.accountIds[0] ?? ''
    const sinceMs = NOON - 9 * DAY_MS
    const own = rows.filter(
      (row) => row.account_id === accountId && row.group_id !== null && Number(row.created_at) >= sinceMs,
    )
    const found = await store.usage.totalsByModel(accountId, sinceMs + HOUR_MS - 1)
    expect(found.size).toBeGreaterThan(2)
    expect(Object.fromEntries([...found].map(([model, { requests, cost }]) => [model, { requests, cost }]))).toEqual(
      Object.fromEntries(
        [...Map.groupBy(own, ({ model }) => model)].map(([model, all]) => {
          const { requests, cost } = sum(all)
          return [model, { requests, cost }]
        }),
      ),
    )
  })

  test('of a key are empty for an account that it does not belong to', async () => {
    const of = { accountId: seeded.accountIds[1] ?? '', keyId: seeded.keyIds[0] }
    const found = await store.usage.summary({ ...span, by: 'day', split: 'model', top: 3, ...of })
    expect(found).toMatchObject({ total: { requests: 0, cost: 0n }, buckets: [], series: [], rest: null })
  })

  test('name keys and groups as they are called now', async () => {
    const query = { ...span, accountId: null, by: 'day', top: 3 } as const
    const byGroup = await store.usage.summary({ ...query, split: 'group' })
    const names = new Map(GROUPS.map(({ id, name }) => [id, name]))
    for (const { id, name } of byGroup.series) expect(name).toBe(names.get(id) ?? null)
    const [dearest] = (await store.usage.summary({ ...query, split: 'key' })).series
    expect(dearest?.name).toBe((await store.keys.findById(dearest?.id ?? ''))?.name)
  })

  test('find a key that spent little ever, and most of all in the span', async () => {
    const account = await fundedAccount(store, '1000')
    const settle = (keyId: string, createdAt: number, cost: bigint) =>
      aSettlement(account.id, cost, { record: { keyId, createdAt } })
    // More keys than are looked at one by one, each of which spent more long ago than the newcomer did now.
    const old = Array.from({ length: 3_200 }, (_, index) => settle(`key_old_${index}`, NOON - 30 * DAY_MS, 1_000n))
    const now = Array.from({ length: 3_200 }, (_, index) => settle(`key_old_${index}`, NOON - HOUR_MS, 1n))
    for (let start = 0; start < old.length; start += 400) {
      await store.settlements.settle([...old.slice(start, start + 400), ...now.slice(start, start + 400)])
    }
    await store.settlements.settle([settle('key_newcomer', NOON - 2 * HOUR_MS, 900n)])
    const query = {
      accountId: account.id,
      by: 'day',
      split: 'key',
      top: 2,
      fromMs: NOON - 5 * DAY_MS,
      toMs: NOON,
    } as const
    const { series, total } = await store.usage.summary(query)
    expect(series.map(({ id, total: { cost } }) => [id, cost])).toEqual([
      ['key_newcomer', 900n],
      ['key_old_0', 1n],
    ])
    expect(total.cost).toBe(900n + 3_200n)
  })

  test.each([
    ['too many hours', { by: 'hour', fromMs: NOON - 60 * DAY_MS, top: 5 }],
    ['too many days', { by: 'day', fromMs: NOON - 2_000 * DAY_MS, top: 5 }],
    ['too many series', { by: 'day', fromMs: NOON - DAY_MS, top: 51 }],
  ] as const)('of %s are refused', async (_, query) => {
    await expect(store.usage.summary({ ...query, accountId: null, split: null, toMs: NOON })).rejects.toThrow(
      RangeError,
    )
  })
})

type Plain = ReturnType<typeof plain>

/** The summary without names, and with the span of each bucket as it is. */
function plain({ fromMs, toMs, total, buckets, series, rest }: UsageSummary) {
  return {
    fromMs,
    toMs,
    total,
    buckets,
    series: series.map(({ id, total: own, buckets: parts }) => ({ id, total: own, buckets: parts })),
    rest,
  }
}

/** The summary from the records themselves. */
function naive(rows: readonly Row[], query: SummaryQuery): Plain {
  const lengthMs = query.by === 'day' ? DAY_MS : HOUR_MS
  const offset = (query.offsetMinutes ?? 0) * 60_000
  const startOf = (ms: number) => Math.floor((ms + offset) / lengthMs) * lengthMs - offset
  const fromMs = startOf(query.fromMs)
  const toMs = startOf(query.toMs + lengthMs - 1)
  const own = rows.filter((row) => {
    const ms = Number(row.created_at)
    return (
      ms >= fromMs &&
      ms < toMs &&
      (query.accountId === null || row.account_id === query.accountId) &&
      (query.keyId === undefined || row.key_id === query.keyId) &&
      (query.groupId === undefined || row.group_id === query.groupId) &&
      (query.model === undefined || (row.group_id !== null && row.model === query.model))
    )
  })
  const bucketsOf = (some: readonly Row[]) =>
    [...Map.groupBy(some, (row) => startOf(Number(row.created_at)))]
      .map(([startsAt, part]) => ({ startsAt, totals: sum(part) }))
      .sort((a, b) => a.startsAt - b.startsAt)
  const partOf = (row: Row) =>
    query.split === 'key'
      ? row.key_id
      : query.split === 'group'
        ? (row.group_id ?? '')
        : row.group_id === null
          ? ''
          : row.model
  const parts = query.split === null ? [] : [...Map.groupBy(own, partOf)]
  const all = parts
    .map(([id, part]) => ({ id, total: sum(part), buckets: bucketsOf(part) }))
    .sort((a, b) => (a.total.cost === b.total.cost ? (a.id < b.id ? -1 : 1) : a.total.cost < b.total.cost ? 1 : -1))
  const series = all.slice(0, query.top)
  const shown = new Set(series.map(({ id }) => id))
  const others = query.split === null ? [] : own.filter((row) => !shown.has(partOf(row)))
  const rest = others.length === 0 ? null : { total: sum(others), buckets: bucketsOf(others) }
  return { fromMs, toMs, total: sum(own), buckets: bucketsOf(own), series, rest }
}

function sum(rows: readonly Row[]): UsageTotals {
  const of = (figure: 'input' | 'cached' | 'output' | 'cost' | 'paid') =>
    rows.reduce((total, row) => total + row[figure], 0n)
  return {
    requests: rows.length,
    failed: rows.filter(({ fault }) => fault !== null).length,
    inputTokens: Number(of('input')),
    cacheReadTokens: Number(of('cached')),
    outputTokens: Number(of('output')),
    cost: of('cost') as UsageTotals['cost'],
    balancePaid: of('paid') as UsageTotals['balancePaid'],
  }
}
