import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededPlace } from '../support/seeded-place.ts'
import { aSettlement, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

describe.each(ENGINES)('a seeded place on %s', (engine) => {
  let place: Place

  beforeAll(async () => {
    place = await newPlace(engine)
  })
  afterAll(() => place.leave())

  test('has sound books, which go on being sound, and the same rows each time', async () => {
    const { store, seeded, close } = await seededPlace(place)
    const proof = await store.ledger.prove()
    expect(proof).toMatchObject({ accounts: 4, records: 3_000, disagreements: [] })
    const [accountId = ''] = seeded.accountIds
    const [keyId = ''] = seeded.keyIds
    await store.settlements.settle([aSettlement(accountId, 7n, { record: { keyId, createdAt: NOON - 1 } })])
    const heard = new Map<string, readonly number[]>()
    const onProgress = (step: string, done: number, all: number) => heard.set(step, [done, all])
    expect(await store.ledger.prove({ onProgress })).toMatchObject({ records: 3_001, disagreements: [] })
    expect(heard.get('usage records')).toEqual([3_001, 3_001])
    expect([...heard.keys()]).toEqual(
      expect.arrayContaining(['budgets', 'ledger entries', 'usage hours', 'usage days']),
    )
    expect(heard.has('orders')).toBe(false)
    await expect(
      store.ledger.prove({
        onProgress: () => {
          throw new Error('it is enough')
        },
      }),
    ).rejects.toThrow('it is enough')
    await close()
    const again = await newPlace(engine)
    const second = await seededPlace(again)
    expect(second.seeded).toEqual(seeded)
    expect((await second.store.ledger.prove()).charged).toBe(proof.charged)
    await second.close()
    await again.leave()
  })
})
