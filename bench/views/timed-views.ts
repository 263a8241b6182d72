/** Times what people open, in turn, and says which of it misses its bar. */
import { randomsFrom } from '../../tools/seed/plan.ts'
import { quantile } from '../numbers.ts'
import { writeNumber, writeTable } from '../table.ts'

/** One view that a person opens. */
export interface TimedView {
  readonly name: string
  /** The bound that 95 of 100 have to keep. */
  readonly barMs: number
  run(random: () => number): Promise<unknown>
}

/** Asks all of them so many rounds and prints a table; resolves with whether all met their bars. */
export async function timeViews(queries: readonly TimedView[], rounds: number): Promise<boolean> {
  const times = await timesOf(queries, rounds)
  const rows = queries.map((query) => ({
    query,
    p50: quantile(times.get(query) ?? [], 0.5),
    p95: quantile(times.get(query) ?? [], 0.95),
  }))
  const cells = rows.map(({ query, p50, p95 }) => [
    query.name,
    writeNumber(p50),
    writeNumber(p95),
    writeNumber(query.barMs),
    p95 > query.barMs ? 'missed' : 'met',
  ])
  console.log(writeTable(['view', 'p50 ms', 'p95 ms', 'bar ms', ''], cells))
  return rows.every(({ query, p95 }) => p95 <= query.barMs)
}

/** Each in turn, so that a slow minute of the machine falls on all of them. */
async function timesOf(
  queries: readonly TimedView[],
  rounds: number,
): Promise<ReadonlyMap<TimedView, readonly number[]>> {
  const random = randomsFrom(7)
  const times = new Map(queries.map((query) => [query, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const query of queries) {
      const started = performance.now()
      await query.run(random)
      times.get(query)?.push(performance.now() - started)
    }
  }
  return times
}
