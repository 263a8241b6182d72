import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/core/clock.ts'
import { openStore } from '../src/store/open-store.ts'
import { randomsFrom, type SeedPlan } from '../tools/seed/plan.ts'
import { type Seeded, seedDatabase, seedOf } from '../tools/seed/seed-database.ts'
import { writeNumber, writeTable } from './report/table.ts'
import { type ViewQuery, viewQueries } from './views/view-queries.ts'

/**
 * `npm run bench:views`: how long the console's lists and charts take on 100,000 keys and 5,000,000 usage records, asked in
 * turn with other filters each time; ends with 1 when one of them misses its bar. `--quick` for a fiftieth of that (or
 * `--accounts`, `--keys`, `--records`), `--runs 200` for another number of rounds, `--only keys` for some of them. `--data DIRECTORY` (or `--url postgres://…`)
 * for a place that `tools/seed.ts` filled with the same numbers and `--until`; otherwise one is made and thrown away.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    runs: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
    url: { type: 'string' },
    until: { type: 'string' },
    accounts: { type: 'string' },
    keys: { type: 'string' },
    records: { type: 'string' },
  },
})
const SIZE = values.quick
  ? { accounts: 50, keys: 2_000, records: 100_000 }
  : { accounts: 1_000, keys: 100_000, records: 5_000_000 }
const plan: SeedPlan = {
  accounts: Number(values.accounts ?? SIZE.accounts),
  keys: Number(values.keys ?? SIZE.keys),
  records: Number(values.records ?? SIZE.records),
  days: 90,
  seed: 1,
  untilMs: values.until === undefined ? Date.now() : Date.parse(values.until),
}

const temporary = values.data === undefined ? await mkdtemp(join(tmpdir(), 'tollgate-views-')) : null
const directory = values.data ?? temporary ?? ''
const databaseUrl = values.url ?? null
try {
  const isSeeded = values.data !== undefined || databaseUrl !== null
  const seeded = isSeeded
    ? seedOf(plan)
    : await seedDatabase({ databaseUrl, directory }, plan, (step) => console.log(step))
  const slow = await measure(seeded)
  process.exitCode = slow === 0 ? 0 : 1
} finally {
  if (temporary !== null) await rm(temporary, { recursive: true })
}

/** Prints the table; returns how many missed their bars. */
async function measure(seeded: Seeded): Promise<number> {
  const store = await openStore({ databaseUrl, dataDirectory: directory, clock: systemClock })
  try {
    const queries = viewQueries(store, seeded, plan).filter(({ name }) => name.includes(values.only))
    const times = await timesOf(queries)
    const rows = queries.map((query) => ({
      query,
      p50: quantile(times.get(query), 0.5),
      p95: quantile(times.get(query), 0.95),
    }))
    const cells = rows.map(({ query, p50, p95 }) => [
      query.name,
      writeNumber(p50),
      writeNumber(p95),
      writeNumber(query.barMs),
      p95 > query.barMs ? 'missed' : 'met',
    ])
    console.log(writeTable(['view', 'p50 ms', 'p95 ms', 'bar ms', ''], cells))
    return rows.filter(({ query, p95 }) => p95 > query.barMs).length
  } finally {
    await store.close()
  }
}

/** Each in turn, so that a slow minute of the machine falls on all of them. */
async function timesOf(queries: readonly ViewQuery[]): Promise<ReadonlyMap<ViewQuery, number[]>> {
  const random = randomsFrom(7)
  const times = new Map(queries.map((query) => [query, [] as number[]]))
  for (let round = 0; round < Number(values.runs); round++) {
    for (const query of queries) {
      const started = performance.now()
      await query.run(random)
      times.get(query)?.push(performance.now() - started)
    }
  }
  return times
}

function quantile(times: readonly number[] = [], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0
}
