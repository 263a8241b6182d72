import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  acts,
  aWorld,
  balance,
  begin,
  clearUpAfterEarlierLives,
  end,
  finish,
  LIMIT,
  long,
  mostBeyond,
  peaceful,
  perform,
  release,
  run,
  runningOn,
  settleAll,
  short,
  unlimited,
  unruly,
} from '../../../test/support/lease-world.ts'
import { nanoUsd } from '../../core/money.ts'
import { windowRowId } from './budget.ts'

const RUNS = 300

test('whatever happens in whatever order, no row of a budget is passed, and each charge goes where it was held', async () => {
  await fc.assert(
    fc.asyncProperty(acts(peaceful), async (sequence) => {
      const world = await run(sequence)
      await finish(world, ...world.nodes.map(({ book }) => book.closeAll()))
      expect(world.store.row(balance.id)).toMatchObject({ used: world.spent, held: 0n })
      for (const row of world.store.rows.values()) expect(row.held).toBe(0n)
    }),
    { numRuns: RUNS },
  )
})

test('what requests of two nodes cost beyond what was held adds up, also of two that never ran at the same time', async () => {
  const world = aWorld()
  const [one, other] = world.nodes
  if (one === undefined || other === undefined) throw new Error('there are two')
  const quarter = nanoUsd(LIMIT / 4n)
  const dearly = { which: 0, percent: 500n }
  // It keeps its lease, of half the window, when its first request is over.
  expect(await finish(world, begin(other, [short], quarter))).toEqual([true])
  other.holds.splice(0).forEach(release)
  expect(await finish(world, begin(one, [short], quarter))).toEqual([true])
  end(world, one, dearly)
  settleAll(world, one)
  world.time.step += 1
  expect(await finish(world, begin(other, [short], quarter))).toEqual([true])
  end(world, other, dearly)
  settleAll(world, other)
  const row = windowRowId(short.id, 1)
  expect(world.nodes.map((node) => mostBeyond(node, row))).toEqual([LIMIT, LIMIT])
  expect(world.store.row(row).used - LIMIT).toBe((LIMIT * 3n) / 2n)
})

test('requests that cost more than was held pass a limit by no more than those of one moment did, on each node by itself', async () => {
  let passed = 0
  await fc.assert(
    fc.asyncProperty(acts(unlimited), async (sequence) => {
      const { store, nodes } = await run(sequence)
      for (const { id, used, limit } of store.rows.values()) {
        if (used > limit) passed += 1
        const beyond = nodes.reduce((sum, node) => sum + mostBeyond(node, id), 0n)
        expect(used - limit).toBeLessThanOrEqual(beyond)
      }
    }),
    { numRuns: RUNS },
  )
  expect(passed).toBeGreaterThan(RUNS / 20)
})

test('with nodes that are taken for dead and limits that are moved as well, only what they had in flight comes on top', async () => {
  await fc.assert(
    fc.asyncProperty(acts([...peaceful, ...unruly]), async (sequence) => {
      const world = await run(sequence)
      expect(world.store.row(balance.id).used).toBe(world.spent)
    }),
    { numRuns: RUNS },
  )
})

test('once all nodes have heard of a lower limit, nothing is spent beyond it but what was running', async () => {
  const lower = fc.bigInt({ min: 0n, max: LIMIT })
  await fc.assert(
    fc.asyncProperty(acts([...peaceful, ...unruly]), acts(peaceful), lower, async (before, after, limit) => {
      const world = aWorld()
      await perform(world, before)
      world.store.trouble = 'none'
      world.mayOverrun = true
      world.store.move(short, limit, world.time.now)
      const hearing = world.nodes.map(({ book }) => book.reconsider(({ id }) => id === short.id))
      await finish(world, ...world.doings.splice(0), ...hearing)
      const most = new Map<string, bigint>()
      for (const { id, used, limit: itsLimit } of world.store.rows.values()) {
        most.set(id, (used > itsLimit ? used : itsLimit) + runningOn(world, id))
      }
      await perform(world, after)
      world.store.trouble = 'none'
      await finish(world, ...world.doings)
      for (const node of world.nodes) {
        settleAll(world, node)
        node.holds.splice(0).forEach(release)
      }
      for (const { id, used } of world.store.rows.values()) expect(used).toBeLessThanOrEqual(most.get(id) ?? used)
    }),
    { numRuns: RUNS },
  )
})

test('nodes at rest give everything back by themselves, whatever went wrong before, and one can then have it all', async () => {
  await fc.assert(
    fc.asyncProperty(acts([...peaceful, ...unruly]), async (sequence) => {
      const world = await run(sequence)
      const { store, time, nodes } = world
      for (const waitMs of [0, 11_000, 61_000]) {
        time.elapsed += waitMs
        await finish(world, ...nodes.map(({ book }) => book.maintain()))
        clearUpAfterEarlierLives(world)
      }
      for (const row of store.rows.values()) expect(row.held).toBe(0n)
      const [node] = nodes
      const { limit, used } = store.row(balance.id)
      if (node === undefined || limit === used) return
      expect(await finish(world, begin(node, [balance], nanoUsd(limit - used)))).toEqual([true])
    }),
    { numRuns: RUNS },
  )
})

test('windows follow each other without a gap, and each but the last is over', async () => {
  await fc.assert(
    fc.asyncProperty(acts(peaceful), async (sequence) => {
      const { store } = await run(sequence)
      for (const budget of [short, long]) {
        const rows = [...store.rows.values()].filter(({ id }) => id.startsWith(`${budget.id}:`))
        expect(rows.map(({ id }) => id)).toEqual(rows.map((_, index) => windowRowId(budget.id, index + 1)))
        for (const row of rows.slice(0, -1)) expect(row.endsAt).not.toBeNull()
      }
    }),
    { numRuns: RUNS },
  )
})

test('what a node knows to be used is never more than is, and all of it once it has looked after its leases', async () => {
  let looked = 0
  await fc.assert(
    fc.asyncProperty(acts([...peaceful, ...unruly]), async (sequence) => {
      const world = await run(sequence)
      const known = world.nodes.flatMap(({ book }) => [balance, short, long].map((budget) => book.holderOf(budget)))
      for (const { used, row } of known) {
        if (used !== null && row !== null) expect(used).toBeLessThanOrEqual(world.store.row(row).used)
      }
      await finish(world, ...world.nodes.map(({ book }) => book.maintain()))
      for (const { used, rowId, lease } of known) {
        if (lease === null) continue
        looked += 1
        expect(used).toBe(world.store.row(rowId).used)
      }
    }),
    { numRuns: RUNS },
  )
  expect(looked).toBeGreaterThan(RUNS)
})
