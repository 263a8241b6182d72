import { nanoUsd } from '../../src/core/money.ts'
import { windowMs } from '../../src/core/quota-window.ts'
import { balanceBudget, type Budget, keySpendBudget, windowRowId } from '../../src/metering/budgets/budget.ts'
import type { LocalBudget } from '../../src/metering/budgets/local-budget.ts'
import { LeaseBook } from '../../src/metering/budgets/lease-book.ts'
import { LeasesInMemory } from './leases-in-memory.ts'

export const START = Date.UTC(2026, 10, 21, 12)
export const HOURS_5 = windowMs('5h')
export const balance = balanceBudget('acc_1')
export const spend = keySpendBudget('key_1', nanoUsd(10_000n), '5h')
export const firstWindow = windowRowId(spend.id, 1)
export const secondWindow = windowRowId(spend.id, 2)
export const STEP = nanoUsd(1000n)

/** A node's lease book on leases in memory, with a clock in the test's hand. */
export function aNode(store = new LeasesInMemory()) {
  const time = { elapsed: 0, now: START }
  const node = { id: 'nod_1', isAlive: true }
  const clock = { now: () => time.now, elapsed: () => time.elapsed }
  const book = new LeaseBook({ store, clock, node })
  const pass = (ms: number) => {
    time.elapsed += ms
    time.now += ms
  }
  return { store, time, node, book, pass }
}

/** Holds as a request does: takes, asks where there is too little, and looks again. null: refused. */
export async function hold(book: LeaseBook, budgets: readonly Budget[], amount = STEP) {
  for (let look = 0; look < 20; look++) {
    const answer = book.take(budgets, amount)
    if (answer.kind === 'taken') return answer.localBudgets
    for (const localBudget of answer.localBudgets) {
      const replenished = await book.replenish(localBudget, amount)
      if (replenished.kind === 'refused') return null
    }
  }
  throw new Error('no end of looking')
}

export async function holdOne(book: LeaseBook, budget: Budget, amount = STEP): Promise<LocalBudget> {
  const localBudgets = await hold(book, [budget], amount)
  const [localBudget] = localBudgets ?? []
  if (localBudget === undefined) throw new Error('refused')
  return localBudget
}

/** Closes a hold of one step with its cost, which is in the books at once. */
export function settle(
  store: LeasesInMemory,
  localBudget: LocalBudget,
  on: { cost: bigint; nowMs: number; held?: bigint },
): void {
  const cost = nanoUsd(on.cost)
  const leaseId = localBudget.charge(nanoUsd(on.held ?? STEP), cost, on.nowMs)
  store.charge({ budgetId: localBudget.rowId, leaseId, cost }, on.nowMs)
  localBudget.settled()
}

/** Lets questions and answers arrive, one after the other, in the order of `picks`. */
export async function arriving(arrivals: (() => void)[], picks: readonly number[]): Promise<void> {
  for (const pick of picks) {
    await turn()
    const [arrive] = arrivals.splice(pick % Math.max(arrivals.length, 1), 1)
    arrive?.()
  }
  await turn()
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
