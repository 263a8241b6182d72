import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { clearUpAfterDead } from '../../src/cluster/dead-nodes.ts'
import { NodeLife } from '../../src/cluster/node-life.ts'
import { NodeWatch } from '../../src/cluster/node-watch.ts'
import { newId } from '../../src/core/ids.ts'
import { NODE_BEAT_MS, NODE_LIFE_MS } from '../../src/core/limits.ts'
import { balanceBudget } from '../../src/metering/budgets/budget.ts'
import type { OpenRequest } from '../../src/metering/usage/open-request.ts'
import type { Store } from '../../src/store/store.ts'
import { aSettlement, fundedAccount, leaseFor, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place, readBudget } from './store-under-test.ts'

const HERE = 'here'
const NO_SUCH_PROCESS = 2 ** 22 + 1

describe.each(ENGINES)('nodes that die, on %s', (engine) => {
  let place: Place
  /** A reader of the books. */
  let store: Store
  let account: Account
  let time = 0

  beforeEach(async () => {
    place = await newPlace(engine)
    store = await place.open()
    account = await fundedAccount(store, '10')
    time = 1_000
  })
  afterEach(() => place.leave())

  const clock = { elapsed: () => time, now: () => NOON + time }

  /** A node with a database connection of its own; it beats and looks on demand. */
  async function aNode(processId = process.pid, host = HERE) {
    const own = await place.open()
    const buried: string[] = []
    const life = new NodeLife({
      nodes: own.nodes,
      clock,
      process: { host, processId },
      newId: () => newId('nod', clock.now()),
      onRetired: () => buried.push(life.id),
      forgetEverything: async () => {},
    })
    await life.join()
    const watch = new NodeWatch({ store: own, clock, node: life, host, processId })
    const lease = (need: bigint) => leaseFor(own, balanceBudget(account.id), { need, nodeId: life.id })
    const ask = async () => {
      const request = openRequest(account.id)
      await own.openRequests.note(life.id, { opened: [request], closed: [] })
      return request
    }
    return { store: own, life, watch, buried, lease, ask }
  }

  type Node = Awaited<ReturnType<typeof aNode>>

  /** Lets a node live its ordinary life, and watch, for so long. */
  async function live(node: Node, forMs: number): Promise<void> {
    const until = time + forMs
    for (; time < until; time += NODE_BEAT_MS) {
      await node.life.renew()
      await node.watch.look()
    }
  }

  async function left() {
    const budget = await readBudget(place, balanceBudget(account.id).id)
    const records = await place.sql(`select id, outcome from usage_records where account_id = '${account.id}'`)
    return {
      held: budget?.['held'],
      interrupted: records.filter((row) => row['outcome'] === 'interrupted').map((row) => row['id']),
      nodes: (await store.nodes.all()).length,
      unsettled: await store.nodes.unsettled(),
    }
  }

  const nothingLeft = (...interrupted: readonly { id: string }[]) => ({
    held: 0n,
    interrupted: interrupted.map(({ id }) => id),
    nodes: 1,
    unsettled: [],
  })

  test('what a node held that went silent is free after its life, and not before', async () => {
    const [silent, observer] = [await aNode(), await aNode()]
    await silent.lease(5_000n)
    const request = await silent.ask()
    await live(observer, NODE_LIFE_MS)
    expect(await left()).toEqual({ held: 5_000n, interrupted: [], nodes: 2, unsettled: [] })
    await live(observer, NODE_BEAT_MS)
    expect(await left()).toEqual(nothingLeft(request))
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('a node that beats lives on, however long', async () => {
    const [one, other] = [await aNode(), await aNode()]
    await one.lease(5_000n)
    for (let beat = 0; beat < 20; beat++) {
      await one.life.renew()
      await live(other, NODE_BEAT_MS)
    }
    expect(await left()).toMatchObject({ held: 5_000n, nodes: 2 })
  })

  test('a database that could not be written to for long costs no node its life', async () => {
    const [one, other] = [await aNode(), await aNode()]
    await one.lease(5_000n)
    await one.ask()
    // Both look on, and no beat can be written.
    const until = time + 2 * NODE_LIFE_MS
    for (; time < until; time += 1_000) await other.watch.look()
    expect(await left()).toMatchObject({ held: 5_000n, interrupted: [], nodes: 2 })
    // The first that can write again leaves the other the time to do so.
    await live(other, NODE_LIFE_MS)
    expect(await left()).toMatchObject({ held: 5_000n, interrupted: [], nodes: 2 })
    await one.life.renew()
    expect(one.buried).toEqual([])
  })

  test('a process of this host that is gone is buried at the first look', async () => {
    const [dead, observer] = [await aNode(NO_SUCH_PROCESS), await aNode()]
    await dead.lease(5_000n)
    const request = await dead.ask()
    expect(await observer.watch.look()).toBe(1)
    expect(await left()).toEqual(nothingLeft(request))
  })

  test('a node that is killed while burying leaves the rest to the others', async () => {
    const [dead, observer] = [await aNode(), await aNode()]
    await dead.lease(5_000n)
    const request = await dead.ask()
    // Killed after the first step: the node is off the list, and unknown to all others.
    await observer.store.nodes.retire([{ id: dead.life.id, beat: 0 }])
    expect(await left()).toMatchObject({ held: 5_000n, unsettled: [dead.life.id] })
    // Killed after the second: the leases are closed.
    await observer.store.leases.closeOfNodes([dead.life.id])
    expect(await left()).toMatchObject({ held: 0n, interrupted: [], unsettled: [dead.life.id] })
    // Killed after the third: recorded, and still noted.
    const openRequests = {
      note: () => Promise.reject(new Error('not asked for')),
      abandoned: () => observer.store.openRequests.abandoned(),
      forget: () => Promise.reject(new Error('killed')),
    }
    const { nodes, leases, settlements } = observer.store
    const killed = { nodes, leases, settlements, openRequests }
    await expect(clearUpAfterDead(killed)).rejects.toThrow('killed')
    expect(await left()).toMatchObject({ interrupted: [request.id], unsettled: [dead.life.id] })
    await observer.watch.look()
    expect(await left()).toEqual(nothingLeft(request))
  })

  test('several nodes that retire the same one at once do it once', async () => {
    const dead = await aNode(NO_SUCH_PROCESS)
    const observers = [await aNode(), await aNode(), await aNode()]
    await dead.lease(5_000n)
    const requests = [await dead.ask(), await dead.ask()]
    await Promise.all(observers.map(({ watch }) => watch.look()))
    await Promise.all(observers.map(({ watch }) => watch.look()))
    const { interrupted, ...rest } = await left()
    expect(rest).toEqual({ held: 0n, nodes: 3, unsettled: [] })
    expect(interrupted).toHaveLength(2)
    expect(new Set(interrupted)).toEqual(new Set(requests.map(({ id }) => id)))
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('a node that comes back after it was buried begins anew, and what is still cleared up after it takes nothing from it', async () => {
    const [frozen, observer] = [await aNode(), await aNode()]
    const before = await frozen.lease(5_000n)
    const request = await frozen.ask()
    const oldId = frozen.life.id
    await live(observer, NODE_LIFE_MS + NODE_BEAT_MS)
    expect(frozen.life.isAlive).toBe(false)
    // A grant that it had asked for arrives late, in the name of the old life.
    await frozen.lease(3_000n)
    await frozen.life.renew()
    expect(frozen.buried).toHaveLength(1)
    expect([frozen.life.isAlive, frozen.life.id === oldId]).toEqual([true, false])
    await frozen.lease(2_000n)
    await observer.store.leases.closeOfNodes([oldId])
    await observer.watch.look()
    expect(await left()).toEqual({ held: 2_000n, interrupted: [request.id], nodes: 2, unsettled: [] })
    // The request that was thought dead ends after all, by a lease that is closed: the balance pays for it all the same.
    const truth = aSettlement(account.id, 700n, { leaseId: before.id, record: { id: request.id } })
    expect(await frozen.store.settlements.settle([truth])).toMatchObject({ overruns: 1 })
    expect(await left()).toMatchObject({ interrupted: [] })
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('every node knows how many live, and no two have the same place', async () => {
    const nodes = [await aNode(1, 'one'), await aNode(1, 'two'), await aNode(2, 'two')]
    const shares = async () => {
      await Promise.all(nodes.map(({ watch }) => watch.look()))
      return nodes.map(({ watch }) => watch.share())
    }
    expect((await shares()).sort((a, b) => a.index - b.index)).toEqual([
      { index: 0, count: 3 },
      { index: 1, count: 3 },
      { index: 2, count: 3 },
    ])
    const [gone] = nodes.splice(1, 1)
    await store.nodes.remove([gone?.life.id ?? ''])
    expect((await shares()).map(({ count }) => count)).toEqual([2, 2])
    // One that was buried and does not know it yet counts itself.
    await gone?.watch.look()
    expect(gone?.watch.share().count).toBe(3)
  })

  test('nodes that are threads of one process have one place together', async () => {
    const process = [await aNode(1, 'one'), await aNode(1, 'one')]
    const other = await aNode(1, 'two')
    const third = await aNode(1, 'one')
    const nodes = [...process, third, other]
    await Promise.all(nodes.map(({ watch }) => watch.look()))
    const shares = nodes.map(({ watch }) => watch.share())
    expect(shares.map(({ count }) => count)).toEqual([2, 2, 2, 2])
    const [first, second, last, elsewhere] = shares.map(({ index }) => index)
    expect([second, last]).toEqual([first, first])
    expect(elsewhere).toBe(1 - (first ?? 0))
  })

  function openRequest(accountId: string): OpenRequest {
    return {
      id: newId('req', NOON),
      createdAt: NOON,
      accountId,
      keyId: 'key_1',
      keyName: 'laptop',
      groupId: 'grp_1',
      groupName: 'default',
      model: 'm',
      wire: 'openai-chat',
      isStream: true,
      client: null,
    }
  }
})
