import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STORED_RESPONSE_KEPT_MS, STORED_RESPONSES_AT_A_TIME } from '../../src/core/limits.ts'
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
      storedResponse: { id: 'resp_1', upstreamId },
    })
    const settled = stored(one, 'ups_1')
    await store.settlements.settle([settled, stored(other, 'ups_2'), stored(one, 'ups_3')])
    await store.settlements.settle([settled])
    const { storedResponses } = store
    expect(await storedResponses.upstreamOf(one, 'resp_1', NOON)).toBe('ups_1')
    expect(await storedResponses.upstreamOf(other, 'resp_1', NOON)).toBe('ups_2')
    expect(await storedResponses.upstreamOf(one, 'resp_2', NOON)).toBeNull()
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
})
