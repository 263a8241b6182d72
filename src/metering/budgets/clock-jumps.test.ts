import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LeasesInMemory } from '../../../test/support/leases-in-memory.ts'
import { HOUR_MS } from '../../core/durations.ts'
import { nanoUsd } from '../../core/money.ts'
import { windowMs } from '../../core/quota-window.ts'
import { keySpendBudget } from './budget.ts'
import { LeaseBook } from './lease-book.ts'

const START = Date.UTC(2026, 10, 21, 12)
const LIMIT = 1_000n
const WINDOW = '5h'
const BUDGET = keySpendBudget('key_1', nanoUsd(LIMIT), WINDOW)
const PART = nanoUsd(100n)
/** More than are needed to spend everything, and a bound. */
const TRIES = 50

/** A node that spends all that it gets, whatever its wall clock shows. */
function aSpender() {
  const store = new LeasesInMemory()
  const time = { now: START, elapsed: 0 }
  const clock = { now: () => time.now, elapsed: () => time.elapsed }
  const book = new LeaseBook({ store, clock, node: { id: 'nod_1', isAlive: true } })
  const spendAll = async () => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const taken = book.take([BUDGET], PART)
      if (taken.kind === 'taken') {
        for (const localBudget of taken.localBudgets) {
          const leaseId = localBudget.charge(PART, PART, time.now)
          store.charge({ budgetId: localBudget.rowId, leaseId, cost: PART }, time.now)
          localBudget.settled()
        }
        continue
      }
      const [short] = taken.localBudgets
      if (short === undefined || (await book.replenish(short, PART)).kind === 'refused') return
    }
  }
  return { store, time, spendAll }
}

test('a clock that jumps costs the limit of a window once more for each jump out of it, and no window is passed', async () => {
  // The hours around which a window ends, or is taken for one that a wrong clock opened.
  const jump = fc.oneof(fc.integer({ min: -30, max: 30 }), fc.constantFrom(-0.99, 0.99, -1.01, 4.99, 5.01, -5, 5))
  await fc.assert(
    fc.asyncProperty(fc.array(jump, { maxLength: 12 }), async (jumps) => {
      const { store, time, spendAll } = aSpender()
      await spendAll()
      let openedAt = time.now
      let windows = 1n
      for (const hours of jumps) {
        time.now += Math.round(hours * HOUR_MS)
        // Refusals are remembered for a moment.
        time.elapsed += 10_000
        await spendAll()
        if (time.now < openedAt + windowMs(WINDOW) && time.now >= openedAt - HOUR_MS) continue
        openedAt = time.now
        windows += 1n
      }
      expect([...store.rows.values()].map(({ used }) => used)).toEqual(
        Array.from({ length: Number(windows) }, () => LIMIT),
      )
    }),
    { numRuns: 500 },
  )
})
