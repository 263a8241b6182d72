import { describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { aSettlement, fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES_ABOVE_STORES, newPlace } from './store-under-test.ts'

const HOUR_MS = 3_600_000

describe.each(ENGINES_ABOVE_STORES)('sums by fault of one key on %s', (engine) => {
  test('are of all of the time, though it has more requests than are summed one by one', async () => {
    const place = await newPlace(engine)
    try {
      const store = await place.open()
      const account = await fundedAccount(store, '1')
      const keyId = await settle(store, account.id, { served: 9, failed: 3, hoursAgo: 5 })
      await settle(store, account.id, { served: 2, failed: 1, hoursAgo: 30, keyId })
      const query = { where: { key: keyId }, fromMs: NOON - 24 * HOUR_MS, toMs: NOON, newest: 5 } as const
      const found = await store.usage.explore({ ...query, by: ['fault'] })
      expect(found).toMatchObject({
        sinceMs: null,
        total: { requests: 12, failed: 3, charged: 12n, before: { requests: 3, failed: 1, charged: 3n } },
        rows: [
          { ids: [''], requests: 9, failed: 0, charged: 9n, before: { requests: 2, failed: 0 } },
          { ids: ['upstream_overloaded'], requests: 3, failed: 3, charged: 3n, before: { requests: 1, failed: 1 } },
        ],
      })
      const byModel = await store.usage.explore({ ...query, by: ['model', 'fault'] })
      expect(byModel.sinceMs).toBeNull()
      expect(byModel.rows.map(({ ids, requests }) => [ids[1], requests])).toEqual([
        ['', 9],
        ['upstream_overloaded', 3],
      ])
      // An eighth of what would be summed is timed, and of all accounts half.
      const timed = async (where: object) =>
        (await store.usage.explore({ ...query, where, by: ['model'], newest: 30 })).timedSinceMs
      expect(await timed({ key: keyId })).not.toBeNull()
      expect(await timed({})).toBeNull()
      // Clients are in no sum.
      expect((await store.usage.explore({ ...query, by: ['fault', 'client'] })).sinceMs).not.toBeNull()
    } finally {
      await place.leave()
    }
  })

  test('are of the newest requests where too many failed, and of those that are there where others were deleted', async () => {
    const place = await newPlace(engine)
    try {
      const store = await place.open()
      const account = await fundedAccount(store, '1')
      const keyId = await settle(store, account.id, { served: 4, failed: 6, hoursAgo: 5 })
      const query = { by: ['fault'], where: { key: keyId }, fromMs: NOON - 24 * HOUR_MS, toMs: NOON } as const
      const newest = await store.usage.explore({ ...query, newest: 5 })
      expect(newest.sinceMs).not.toBeNull()
      expect(newest.total.requests).toBe(5)
      expect((await store.usage.explore({ ...query, newest: 100 })).total).toMatchObject({ requests: 10, failed: 6 })
      await place.change([`delete from usage_records where fault is not null`])
      expect((await store.usage.explore({ ...query, newest: 100 })).total).toMatchObject({ requests: 4, failed: 0 })
    } finally {
      await place.leave()
    }
  })
})

/** Returns the key. */
async function settle(
  store: Store,
  accountId: string,
  {
    keyId = newId('key', NOON),
    ...of
  }: { readonly served: number; readonly failed: number; readonly hoursAgo: number; readonly keyId?: string },
): Promise<string> {
  const createdAt = NOON - of.hoursAgo * HOUR_MS
  const ends = [
    ...Array.from({ length: of.served }, () => ({ outcome: 'completed', fault: null }) as const),
    ...Array.from({ length: of.failed }, () => ({ outcome: 'failed', fault: 'upstream_overloaded' }) as const),
  ]
  await store.settlements.settle(
    ends.map((end, i) =>
      aSettlement(accountId, 1n, {
        record: { id: newId('req', createdAt + i), createdAt: createdAt + i, keyId, ...end },
      }),
    ),
  )
  return keyId
}
