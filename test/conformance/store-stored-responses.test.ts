import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  STORED_RESPONSE_KEPT_MS,
  STORED_RESPONSES_AT_A_TIME,
  STORED_RESPONSES_OF_ACCOUNT_LIMIT,
} from '../../src/core/limits.ts'
import type { Store } from '../../src/store/store.ts'
import { aSettlement, fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

describe.each(ENGINES)('stored responses on %s', (engine) => {
  let place: Place
  let store: Store
  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  test('are written with the settlement, once, each for its own account, until they are deleted or too old', async () => {
    const [{ id: one }, { id: other }] = [await fundedAccount(store, '1'), await fundedAccount(store, '1')]
    const stored = (accountId: string, upstreamId: string) => ({
      ...aSettlement(accountId, 1n),
      storedResponse: { id: 'resp_1', items: ['rs_1', 'msg_1'], upstreamId },
    })
    const settled = stored(one, 'ups_1')
    await store.settlements.settle([settled, stored(other, 'ups_2'), stored(one, 'ups_3')])
    await store.settlements.settle([settled])
    const { storedResponses } = store
    expect(await storedResponses.upstreamOf(one, 'resp_1', NOON)).toBe('ups_1')
    expect(await storedResponses.upstreamOf(other, 'resp_1', NOON)).toBe('ups_2')
    expect(await storedResponses.upstreamOf(one, 'resp_2', NOON)).toBeNull()
    const ids = ['msg_1', 'resp_1', 'rs_1', 'resp_2']
    expect(await storedResponses.ownersOf(one, ids, NOON)).toEqual({
      own: new Map([
        ['msg_1', 'ups_1'],
        ['resp_1', 'ups_1'],
        ['rs_1', 'ups_1'],
      ]),
      others: new Set(),
    })
    const nothing = { own: new Map(), others: new Set() }
    expect(await storedResponses.ownersOf(one, [], NOON)).toEqual(nothing)
    const ofOthers = { own: new Map(), others: new Set(['msg_1', 'resp_1', 'rs_1']) }
    expect(await storedResponses.ownersOf('acc_3', ids, NOON)).toEqual(ofOthers)
    expect(await storedResponses.ownersOf('acc_3', ids, NOON + 2 * STORED_RESPONSE_KEPT_MS)).toEqual(nothing)
    const many = Array.from({ length: 1_200 }, (_, n) => `msg_${n}`)
    expect([...(await storedResponses.ownersOf(other, many, NOON)).own]).toEqual([['msg_1', 'ups_2']])
    await storedResponses.forget(one, 'resp_1')
    expect(await storedResponses.upstreamOf(one, 'resp_1', NOON)).toBeNull()
    const later = NOON + 2 * STORED_RESPONSE_KEPT_MS
    expect(await storedResponses.upstreamOf(other, 'resp_1', NOON)).toBe('ups_2')
    expect(await storedResponses.upstreamOf(other, 'resp_1', later)).toBeNull()
  })

  test('are forgotten portion by portion when they are too old, and no others', async () => {
    const values = Array.from({ length: STORED_RESPONSES_AT_A_TIME + 5 }, (_, n) => `('acc', 'old_${n}', 'ups', ${n})`)
    await place.change([
      `insert into stored_responses (account_id, response_id, upstream_id, created_at) values ${values.join(', ')}`,
      `insert into stored_responses (account_id, response_id, upstream_id, created_at) values ('acc', 'new', 'ups', ${NOON})`,
    ])
    await store.storedResponses.prune(NOON)
    const rows = await place.sql(`select response_id from stored_responses where account_id = 'acc'`)
    expect(rows).toEqual([{ response_id: 'new' }])
  })

  test('of an account that has too many, the oldest are forgotten', async () => {
    await place.change([
      `insert into stored_responses (account_id, response_id, upstream_id, created_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${STORED_RESPONSES_OF_ACCOUNT_LIMIT + 2})
        select 'acc_many', 'r_' || cast(n as text), 'ups', ${NOON} + n from numbers`,
      `insert into stored_responses (account_id, response_id, upstream_id, created_at) values ('acc_few', 'old', 'ups', ${NOON})`,
    ])
    await store.storedResponses.prune(NOON)
    const left = [{ oldest: NOON + 3, count: STORED_RESPONSES_OF_ACCOUNT_LIMIT }]
    const many = await place.sql(
      `select min(created_at) as oldest, count(*) as count from stored_responses where account_id = 'acc_many'`,
    )
    expect(many.map(({ oldest, count }) => ({ oldest: Number(oldest), count: Number(count) }))).toEqual(left)
    expect(await store.storedResponses.upstreamOf('acc_few', 'old', NOON)).toBe('ups')
  })
})
