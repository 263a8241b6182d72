import type { DatabaseSync } from 'node:sqlite'

/** Grown by doubling. */
const FIRST_SIZE = 16

/**
 * Makes `p50_p95(number)` an aggregate of this connection: the nearest ranks of 50 and 95 %, which are the smallest numbers
 * that so many in a hundred do not exceed, as `50th/95th`; null where there is no number. SQLite has window functions for it,
 * which take more than twice as long.
 */
export function addPercentiles(database: DatabaseSync): void {
  database.aggregate('p50_p95', {
    deterministic: true,
    // The first is how many come behind it.
    start: () => new Float64Array(FIRST_SIZE),
    step: (all, value) => (all instanceof Float64Array && typeof value === 'number' ? withOneMore(all, value) : all),
    result: (all) => (all instanceof Float64Array ? ranksOf(all.subarray(1, 1 + (all[0] ?? 0))) : null),
  })
}

function withOneMore(all: Float64Array, value: number): Float64Array {
  const count = (all[0] ?? 0) + 1
  const roomy = count < all.length ? all : new Float64Array(2 * all.length)
  if (roomy !== all) roomy.set(all)
  roomy[0] = count
  roomy[count] = value
  return roomy
}

function ranksOf(numbers: Float64Array): string | null {
  if (numbers.length === 0) return null
  numbers.sort()
  return `${nearestRank(numbers, 50)}/${nearestRank(numbers, 95)}`
}

function nearestRank(sorted: Float64Array, percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0
}
