import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nanoUsd } from '../../src/core/money.ts'
import type { Store } from '../../src/store/store.ts'
import { BALANCE_DAMAGES, BUDGET_DAMAGES, GRANT_DAMAGES, HOUR_DAMAGES, RECORD_DAMAGES } from './store-damages.ts'
import { aSettlement } from './store-fixtures.ts'
import { soundBooks } from './store-sound-books.ts'
import { ENGINES, ENGINES_OF_LISTS, newPlace, type Place } from './store-under-test.ts'

/** Tables in an order in which their rows can be deleted. */
const TABLES = [
  'leases',
  'budgets',
  'ledger_entries',
  'usage_records',
  'usage_hours',
  'usage_account_hours',
  'usage_all_hours',
  'usage_days',
  'usage_upstream_hours',
  'usage_credential_days',
  'key_activity',
  'alerts',
  'redeem_codes',
  'subscriptions',
]

describe.each(ENGINES_OF_LISTS)('the proof of the books on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    await soundBooks(place)
    store = await place.open()
  })
  afterAll(() => place.leave())

  test('of sound books counts them and finds nothing', async () => {
    expect(await store.ledger.prove()).toEqual({
      accounts: 2,
      entries: 8,
      records: 8,
      retired: 0,
      charged: 110n,
      overruns: 1,
      disagreements: [],
    })
  })

  describe('that were damaged', () => {
    beforeAll(async () => {
      await place.change(TABLES.map((table) => `create table sound_${table} as select * from ${table}`))
    })
    afterEach(async () => {
      await place.change([
        ...TABLES.map((table) => `delete from ${table}`),
        ...TABLES.toReversed().map((table) => `insert into ${table} select * from sound_${table}`),
      ])
    })
    afterAll(async () => {
      expect((await store.ledger.prove()).disagreements).toEqual([])
    })

    const damages = [BALANCE_DAMAGES, BUDGET_DAMAGES, RECORD_DAMAGES, HOUR_DAMAGES, GRANT_DAMAGES].flat()
    test.each(damages)('names $what', async ({ sql, says }) => {
      await place.sql(sql)
      const { disagreements } = await store.ledger.prove()
      for (const pattern of says) expect(disagreements).toContainEqual(expect.stringMatching(pattern))
      expect(disagreements).toHaveLength(says.length)
    })
  })
})

describe.each(ENGINES)('the proof of growing books on %s', (engine) => {
  let place: Place
  let store: Store

  beforeEach(async () => {
    place = await newPlace(engine)
    await soundBooks(place)
    store = await place.open()
  })
  afterEach(() => place.leave())

  test('sees one moment while others go on settling', async () => {
    const other = await place.open()
    const proving = { isOver: false }
    const settling = (async () => {
      while (!proving.isOver) await other.settlements.settle([aSettlement('A', 1n)])
    })()
    for (let i = 0; i < 5; i++) expect((await store.ledger.prove()).disagreements).toEqual([])
    proving.isOver = true
    await settling
  })

  test('reads books that are longer than one portion', async () => {
    for (let i = 0; i < 5; i++) {
      await store.settlements.settle(
        Array.from({ length: 500 }, () => aSettlement('A', 0n, { record: { balancePaid: nanoUsd(0n) } })),
      )
      await store.settlements.settle(Array.from({ length: 300 }, () => aSettlement('A', 1n)))
    }
    expect(await store.ledger.prove()).toMatchObject({ records: 4_008, entries: 1_508, disagreements: [] })
    await place.sql(`update usage_records set balance_paid_nano = 0 where account_id = 'A' and balance_paid_nano = 1`)
    expect((await store.ledger.prove()).disagreements).toHaveLength(100)
  })
})
