import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { LOOK_ENDS_MS } from '../../src/routing/listed-models.ts'
import { NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

describe.each(ENGINES)('what upstreams list, on %s', (engine) => {
  let place: Place
  let store: Store
  let other: Store
  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    other = await place.open()
  })
  afterAll(() => place.leave())

  /** How many of two nodes claim the look at once. */
  const claims = async (id: string, nowMs: number) => {
    const claimed = [store, other].map((each) => each.listedModels.claimLook(id, { nowMs, everyMs: DAY_MS }))
    return (await Promise.all(claimed)).filter((isClaimed) => isClaimed).length
  }

  test('is looked at by one of two nodes, once a day', async () => {
    expect(await claims('ups_a', NOON)).toBe(1)
    await store.listedModels.noteLook('ups_a', { result: 'listed', listed: null })
    expect(await claims('ups_a', NOON + DAY_MS - 1)).toBe(0)
    expect(await claims('ups_a', NOON + DAY_MS)).toBe(1)
  })

  test('is looked at again where a wrong clock looked last, and not where clocks differ a little', async () => {
    await claims('ups_b', NOON + 2 * HOUR_MS)
    await store.listedModels.noteLook('ups_b', { result: 'listed', listed: null })
    expect(await claims('ups_b', NOON + HOUR_MS)).toBe(0)
    expect(await claims('ups_b', NOON)).toBe(1)
  })

  test('is looked at again where a look was broken off, and not where one goes on', async () => {
    await claims('ups_d', NOON)
    expect(await claims('ups_d', NOON + LOOK_ENDS_MS - 1)).toBe(0)
    expect(await claims('ups_d', NOON + LOOK_ENDS_MS)).toBe(1)
    await store.listedModels.noteLook('ups_d', { result: 'too_slow', listed: null })
    expect(await claims('ups_d', NOON + 3 * LOOK_ENDS_MS)).toBe(0)
  })

  test('is kept until the upstream is gone, also while it gives no list', async () => {
    const listed = { baseUrl: 'https://one.test/v1', known: ['a', 'b'], added: ['b'], gone: ['c'] }
    await store.listedModels.claimLook('ups_c', { nowMs: NOON, everyMs: DAY_MS })
    expect(await store.listedModels.listedModels('ups_c')).toBeNull()
    await store.listedModels.noteLook('ups_c', { result: 'listed', listed })
    await store.listedModels.noteLook('ups_c', { result: 'too_slow', listed: null })
    expect(await other.listedModels.listedModels('ups_c')).toEqual(listed)
    expect(await other.listedModels.standings()).toContainEqual({
      upstreamId: 'ups_c',
      baseUrl: listed.baseUrl,
      checkedAt: NOON,
      result: 'too_slow',
      added: ['b'],
      gone: ['c'],
    })
    await store.listedModels.forget(['ups_b', 'ups_c', 'ups_d'])
    expect((await other.listedModels.standings()).map(({ upstreamId }) => upstreamId)).toEqual(['ups_a'])
  })
})
