import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordInterrupted } from '../../src/cluster/dead-nodes.ts'
import { newId } from '../../src/core/ids.ts'
import type { OpenRequest } from '../../src/metering/usage/open-request.ts'
import type { Store } from '../../src/store/store.ts'
import { aRecord, aSettlement, fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

describe.each(ENGINES)('open requests on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  const join = (id: string) => store.nodes.join({ id, host: 'here', processId: 1 })

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

  test('those of a node that is not registered any more are abandoned, those of any other are not', async () => {
    await join('nod_living')
    await join('nod_dying')
    const [living, dying, gone] = [open('acc_1'), open('acc_1'), open('acc_1')]
    await store.openRequests.note('nod_living', { opened: [living], closed: [] })
    await store.openRequests.note('nod_dying', { opened: [dying], closed: [] })
    await store.openRequests.note('nod_gone', { opened: [gone], closed: [] })
    expect(await store.openRequests.abandoned()).toEqual([gone])
    expect(await store.nodes.unsettled()).toEqual(['nod_gone'])
    await store.nodes.remove(['nod_dying'])
    expect(await store.openRequests.abandoned()).toEqual([dying, gone].sort((a, b) => (a.id < b.id ? -1 : 1)))
    expect(await store.nodes.unsettled()).toEqual(['nod_dying', 'nod_gone'])
    await store.openRequests.note('nod_dying', { opened: [], closed: [dying.id] })
    expect(idsOf(await store.openRequests.abandoned())).toEqual([gone.id])
    await store.openRequests.forget([gone.id, living.id])
    expect(await store.openRequests.abandoned()).toEqual([])
    expect(await store.nodes.unsettled()).toEqual([])
  })

  test('a request that goes on under another id of its node is not abandoned with the old one', async () => {
    const request = open('acc_1')
    await join('nod_new')
    await store.openRequests.note('nod_old', { opened: [request], closed: [] })
    await store.openRequests.note('nod_new', { opened: [request], closed: [] })
    expect(await store.openRequests.abandoned()).toEqual([])
    await store.openRequests.forget([request.id])
  })

  test('what was abandoned is recorded as interrupted once, and a request that was settled keeps its record', async () => {
    const account = await fundedAccount(store, '1')
    const [cut, settled] = [open(account.id), open(account.id)]
    await store.openRequests.note('nod_gone', { opened: [cut, settled], closed: [] })
    await store.settlements.settle([{ record: { ...aRecord(account.id, 0n), id: settled.id }, charges: [] }])
    const other = await place.open()
    await Promise.all([recordInterrupted(store), recordInterrupted(other)])
    expect(await recordInterrupted(store)).toBe(0)
    expect(await outcomes(account.id)).toEqual([
      [settled.id, 'completed', 0n],
      [cut.id, 'interrupted', 0n],
    ])
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('a request that was only thought dead is charged when it ends, once, even if it is buried again', async () => {
    const account = await fundedAccount(store, '1')
    const request = open(account.id)
    await store.openRequests.note('nod_gone', { opened: [request], closed: [] })
    expect(await recordInterrupted(store)).toBe(1)
    const truth = aSettlement(account.id, 70_000_000n, { record: { id: request.id } })
    await store.settlements.settle([truth])
    await store.settlements.settle([truth])
    await store.openRequests.note('nod_gone', { opened: [request], closed: [] })
    expect(await recordInterrupted(store)).toBe(1)
    expect(await outcomes(account.id)).toEqual([[request.id, 'completed', 70_000_000n]])
    expect(await store.ledger.balance(account.id)).toBe(930_000_000n)
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  async function outcomes(accountId: string) {
    const rows = await place.sql(
      `select id, outcome, cost_nano from usage_records where account_id = '${accountId}' order by outcome`,
    )
    return rows.map((row) => [row['id'], row['outcome'], row['cost_nano']])
  }
})
