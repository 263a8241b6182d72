import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordInterrupted } from '../../src/app/interrupted-requests.ts'
import { newId } from '../../src/core/ids.ts'
import type { OpenRequest } from '../../src/metering/open-request.ts'
import type { Store } from '../../src/store/store.ts'
import { aRecord, fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const HOUR_MS = 3_600_000

describe.each(ENGINES)('open requests on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  const join = (id: string, aliveUntilMs: number) =>
    store.nodes.join({ id, host: 'here', processId: 1, nowMs: NOON, aliveUntilMs })

  function open(accountId: string): OpenRequest {
    return {
      id: newId('req', NOON),
      createdAt: NOON,
      accountId,
      keyId: 'key_1',
      keyName: 'laptop "é"',
      groupId: 'grp_1',
      groupName: 'default',
      model: 'm',
      wire: 'openai-chat',
      isStream: true,
      client: null,
    }
  }

  const idsOf = (requests: readonly OpenRequest[]) => requests.map(({ id }) => id).sort()

  test('those of a node that left or died are abandoned, those of a living one are not', async () => {
    await join('nod_living', NOON + 2 * HOUR_MS)
    await join('nod_dead', NOON - 1)
    const [living, dead, gone] = [open('acc_1'), open('acc_1'), open('acc_1')]
    await store.openRequests.note('nod_living', { opened: [living], closed: [] })
    await store.openRequests.note('nod_dead', { opened: [dead], closed: [] })
    await store.openRequests.note('nod_gone', { opened: [gone], closed: [] })
    expect(await store.openRequests.abandoned(NOON)).toEqual([dead, gone].sort((a, b) => (a.id < b.id ? -1 : 1)))
    await store.openRequests.note('nod_dead', { opened: [], closed: [dead.id] })
    expect(idsOf(await store.openRequests.abandoned(NOON))).toEqual([gone.id])
    await store.openRequests.forget([gone.id, living.id])
    expect(await store.openRequests.abandoned(NOON + 3 * HOUR_MS)).toEqual([])
  })

  test('what was abandoned is recorded as interrupted once, and a request that was settled keeps its record', async () => {
    const account = await fundedAccount(store, '1')
    const [cut, settled] = [open(account.id), open(account.id)]
    await store.openRequests.note('nod_gone', { opened: [cut, settled], closed: [] })
    await store.settlements.settle([{ record: { ...aRecord(account.id, 0n), id: settled.id }, charges: [] }])
    expect(await recordInterrupted(store, NOON)).toBe(2)
    expect(await recordInterrupted(store, NOON)).toBe(0)
    const rows = await place.sql(
      `select id, outcome from usage_records where account_id = '${account.id}' order by outcome`,
    )
    expect(rows.map((row) => [row['id'], row['outcome']])).toEqual([
      [settled.id, 'completed'],
      [cut.id, 'interrupted'],
    ])
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })
})
