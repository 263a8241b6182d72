import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LeasesInMemory } from '../../../test/support/leases-in-memory.ts'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import { windowMs } from '../../core/quota-window.ts'
import { balanceBudget, type Budget, keySpendBudget, windowRowId } from './budget.ts'
import type { LocalBudget } from './local-budget.ts'
import { LeaseBook } from './lease-book.ts'
import type { Charge } from '../settle/settlement.ts'

const START = Date.UTC(2026, 10, 21, 12)
const NODES = 2
const LOOKS_LIMIT = 50
const RUNS = 300
const LIMIT = nanoUsd(20_000n)
const balance = balanceBudget('acc_1')
const short = keySpendBudget('key_1', LIMIT, '5h')
const long = keySpendBudget('key_1', LIMIT, '7d')
const BUDGETS: readonly (readonly Budget[])[] = [[balance], [balance, short], [balance, short, long]]

/** A request that runs: so much is held on each of these. */
interface Hold {
  readonly localBudgets: readonly LocalBudget[]
  /** The rows they were when it began. */
  readonly rows: readonly string[]
  amount: bigint
  isOpen: boolean
}

interface Node {
  readonly identity: { id: string; isAlive: boolean }
  readonly book: LeaseBook
  holds: Hold[]
  /** Charges that are not in the books yet, and the hold to tell when they are. */
  unsettled: { readonly charges: readonly Charge[]; readonly atMs: number; readonly hold: Hold }[]
}

interface World {
  readonly store: LeasesInMemory
  readonly time: { elapsed: number; now: number }
  readonly nodes: readonly Node[]
  /** Questions and answers under way between nodes and database: they arrive when the world says so. */
  readonly underWay: (() => void)[]
  /** What the nodes are doing. */
  readonly doings: Promise<unknown>[]
  spent: bigint
  /** A limit was lowered, or a node robbed: what runs may come on top. */
  mayOverrun: boolean
}

function aWorld(): World {
  const store = new LeasesInMemory()
  const time = { elapsed: 0, now: START }
  const underWay: (() => void)[] = []
  store.open(balance, LIMIT * 5n)
  store.way = () => new Promise((resolve) => underWay.push(resolve))
  const nodes = Array.from({ length: NODES }, (_, index): Node => {
    const identity = { id: `nod_${index}`, isAlive: true }
    const clock = { now: () => time.now, elapsed: () => time.elapsed }
    return { identity, book: new LeaseBook({ store, clock, node: identity }), holds: [], unsettled: [] }
  })
  return { store, time, nodes, underWay, doings: [], spent: 0n, mayOverrun: false }
}

/** What it answers goes on while other things happen. */
type Act = (world: World, node: Node) => Promise<unknown> | undefined

async function begin(node: Node, budgets: readonly Budget[], amount: NanoUsd): Promise<boolean> {
  for (let look = 0; look < LOOKS_LIMIT; look++) {
    const answer = node.book.take(budgets, amount)
    if (answer.kind === 'taken') {
      const rows = answer.localBudgets.map(({ rowId }) => rowId)
      node.holds.push({ localBudgets: answer.localBudgets, rows, amount, isOpen: true })
      return true
    }
    for (const localBudget of answer.localBudgets) {
      const replenished = await node.book.replenish(localBudget, amount)
      if (replenished.kind === 'refused' && !replenished.isOver) return false
    }
  }
  throw new Error('no end of looking')
}

async function grow(node: Node, hold: Hold, amount: NanoUsd): Promise<void> {
  for (let look = 0; look < LOOKS_LIMIT && hold.isOpen; look++) {
    const answer = node.book.raise(hold.localBudgets, amount)
    if (answer === 'raised') {
      hold.amount += amount
      return
    }
    for (const localBudget of answer.short) {
      if ((await node.book.replenish(localBudget, amount)).kind === 'refused') return
    }
  }
  expect(hold.isOpen).toBe(false)
}

function end(world: World, node: Node, { which, percent }: { which: number; percent: bigint }): void {
  const [hold] = node.holds.splice(which % Math.max(node.holds.length, 1), 1)
  if (hold === undefined) return
  hold.isOpen = false
  const cost = nanoUsd((hold.amount * percent) / 100n)
  world.spent += cost
  const charges = hold.localBudgets.map((localBudget) => {
    const leaseId = localBudget.charge(nanoUsd(hold.amount), cost, world.time.now)
    return { budgetId: localBudget.rowId, leaseId, cost }
  })
  expect(charges.map(({ budgetId }) => budgetId)).toEqual(hold.rows)
  node.unsettled.push({ charges, atMs: world.time.now, hold })
}

function settleAll(world: World, node: Node): void {
  for (const { charges, atMs, hold } of node.unsettled.splice(0)) {
    for (const charge of charges) world.store.charge(charge, atMs)
    for (const localBudget of hold.localBudgets) localBudget.settled()
  }
}

function release(hold: Hold): void {
  hold.isOpen = false
  for (const localBudget of hold.localBudgets) localBudget.release(nanoUsd(hold.amount))
}

/** Acts that are over at once. */
function atOnce(act: (world: World, node: Node) => void): Act {
  return (world, node) => {
    act(world, node)
    return undefined
  }
}

const beginning = fc.record({ which: fc.nat(2), amount: fc.bigInt({ min: 1n, max: 6_000n }) }).map(
  ({ which, amount }): Act =>
    (_, node) =>
      begin(node, BUDGETS[which] ?? [], nanoUsd(amount)),
)
const growing = fc
  .record({ which: fc.nat(20), amount: fc.bigInt({ min: 1n, max: 3_000n }) })
  .map(({ which, amount }): Act => (_, node) => {
    const hold = node.holds[which % Math.max(node.holds.length, 1)]
    return hold === undefined ? undefined : grow(node, hold, nanoUsd(amount))
  })
const ending = fc
  .record({ which: fc.nat(20), percent: fc.bigInt({ min: 0n, max: 100n }) })
  .map((choice) => atOnce((world, node) => end(world, node, choice)))
const settling = fc.constant(atOnce(settleAll))
const maintaining = fc.constant<Act>((_, node) => node.book.maintain())
const arriving = fc.nat(9).map((which) =>
  atOnce(({ underWay }) => {
    const [arrive] = underWay.splice(which % Math.max(underWay.length, 1), 1)
    arrive?.()
  }),
)
const waiting = fc.constantFrom(50, 3_000, 12_000, 25_000, 70_000, windowMs('5h') + 1).map((ms) =>
  atOnce(({ time }) => {
    time.elapsed += ms
    time.now += ms
  }),
)
/** Only the wall clock. */
const jumping = fc.constantFrom(-windowMs('7d'), -windowMs('5h'), -1, windowMs('5h'), windowMs('7d')).map((ms) =>
  atOnce(({ time }) => {
    time.now += ms
  }),
)
const troubling = fc
  .constantFrom('silent' as const, 'unheard' as const, 'none' as const, 'none' as const)
  .map((trouble) =>
    atOnce(({ store }) => {
      store.trouble = trouble
    }),
  )
/** The others think that the node is dead; it learns that when it renews its life, or looks after its leases. */
const robbing = fc.boolean().map((isBuried) =>
  atOnce((world, node) => {
    world.mayOverrun = true
    world.store.rob(node.identity.id)
    if (!isBuried) return
    node.identity.id += '+'
    node.book.loseAll()
  }),
)
/** An admin gives the key another limit; the nodes hear of it one after the other. */
const limiting = fc
  .record({ limit: fc.bigInt({ min: 0n, max: 2n * LIMIT }), isShort: fc.boolean() })
  .map(({ limit, isShort }): Act => (world) => {
    const budget = isShort ? short : long
    world.mayOverrun = true
    world.store.move(budget, limit, world.time.now)
    return Promise.all(world.nodes.map(({ book }) => book.reconsider(({ id }) => id === budget.id)))
  })

const peaceful = [
  { weight: 6, arbitrary: beginning },
  { weight: 4, arbitrary: growing },
  { weight: 6, arbitrary: ending },
  { weight: 4, arbitrary: settling },
  { weight: 3, arbitrary: maintaining },
  { weight: 20, arbitrary: arriving },
  { weight: 3, arbitrary: waiting },
  { weight: 1, arbitrary: jumping },
  { weight: 1, arbitrary: troubling },
]

const unruly = [
  { weight: 1, arbitrary: robbing },
  { weight: 1, arbitrary: limiting },
]

const acts = (choices: typeof peaceful) =>
  fc.array(fc.record({ act: fc.oneof(...choices), node: fc.nat(NODES - 1) }), { maxLength: 120, size: 'max' })

async function run(sequence: readonly { act: Act; node: number }[]): Promise<World> {
  const world = aWorld()
  await perform(world, sequence)
  world.store.trouble = 'none'
  await finish(world, ...world.doings)
  for (const node of world.nodes) {
    settleAll(world, node)
    node.holds.splice(0).forEach(release)
  }
  keepsTheLaws(world)
  return world
}

async function perform(world: World, sequence: readonly { act: Act; node: number }[]): Promise<void> {
  for (const { act, node } of sequence) {
    const acting = world.nodes[node]
    const doing = acting === undefined ? undefined : act(world, acting)
    if (doing !== undefined) world.doings.push(doing.catch(mayBeInTrouble))
    await microtasks()
    keepsTheLaws(world)
  }
}

/** What is held by requests on this row, or charged to it and not in the books. */
function runningOn({ nodes }: World, rowId: string): bigint {
  let sum = 0n
  for (const { holds, unsettled } of nodes) {
    for (const { rows, amount } of holds) if (rows.includes(rowId)) sum += amount
    const charged = unsettled.flatMap(({ charges }) => charges).filter(({ budgetId }) => budgetId === rowId)
    for (const { cost } of charged) sum += cost
  }
  return sum
}

/** Lets everything arrive until all of this is done. */
async function finish<T>(world: World, ...doings: readonly Promise<T>[]): Promise<readonly T[]> {
  const state = { isDone: false }
  const done = Promise.all(doings).finally(() => {
    state.isDone = true
  })
  for (let round = 0; round < 10_000 && !(state.isDone && world.underWay.length === 0); round++) {
    world.underWay.shift()?.()
    await microtasks()
  }
  return done
}

/** What was under way to the database while a node was buried arrives there in the name of a retired node; all nodes look for that. */
function clearUpAfterEarlierLives({ store, nodes }: World): void {
  const living = nodes.map(({ identity }) => identity.id)
  const gone = [...store.leases.values()].map(({ nodeId }) => nodeId).filter((id) => !living.includes(id))
  for (const nodeId of gone) store.rob(nodeId)
}

async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

function mayBeInTrouble(error: Error): void {
  expect(error.message).toMatch(/no answer|was lost/)
}

function keepsTheLaws({ store, mayOverrun }: World): void {
  for (const row of store.rows.values()) {
    const held = [...store.leases.values()]
      .filter((lease) => lease.budgetId === row.id)
      .reduce((sum, { granted, charged }) => sum + (granted > charged ? granted - charged : 0n), 0n)
    expect(row.held).toBe(held)
    expect(row.used + row.held).toBeLessThanOrEqual(row.limit + store.overrun)
  }
  if (!mayOverrun) expect(store.overrun).toBe(0n)
}

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
