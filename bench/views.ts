import { systemClock } from '../src/core/clock.ts'
import { openStore } from '../src/store/open-store.ts'
import { type Program, UsageError } from '../tools/sub-commands.ts'
import { takeOption } from './command.ts'
import { onLargePlace } from './views/large-place.ts'
import { timeViews } from './views/timed-views.ts'

/** What is measured in place of the store's views, by what `--only` calls it. */
const PARTS: ReadonlyMap<string, () => Promise<Program>> = new Map([
  ['pages', async () => timePages],
  ['retention', async () => (await import('./views/aging/retention.ts')).retention],
  ['year', async () => (await import('./views/aging/year.ts')).year],
])

/**
 * `npm run bench -- views`: how long the console's lists and charts take on 100,000 keys and 5,000,000 usage records, asked in
 * turn with other filters each time, against their bars. `--quick` for a fiftieth of that (or `--accounts`, `--keys`,
 * `--records`), `--runs 200` for another number of rounds, `--part keys` for those with that in their names. `--data DIRECTORY`
 * (or `--url postgres://…`) for a place that `tools/seed.ts` filled with the same numbers and `--until`; otherwise one is made
 * and thrown away. `--only` takes pages, retention or year instead.
 */
export async function views(argv: readonly string[]): Promise<boolean> {
  const { value: only, rest } = takeOption(argv, 'only')
  if (only === null) return timeStore(argv)
  const load = PARTS.get(only)
  if (load === undefined) throw new UsageError(`--only takes ${[...PARTS.keys()].join(', ')}`)
  return (await load())(rest)
}

async function timeStore(argv: readonly string[]): Promise<boolean> {
  const { viewQueries } = await import('./views/view-queries.ts')
  const defaults = {
    whole: { accounts: 1_000, keys: 100_000, records: 5_000_000 },
    quick: { accounts: 50, keys: 2_000, records: 100_000 },
    rounds: 200,
  }
  return onLargePlace(argv, defaults, async ({ directory, databaseUrl, plan, seeded, part, rounds }) => {
    const store = await openStore({ databaseUrl, dataDirectory: directory, clock: systemClock })
    try {
      const queries = viewQueries(store, seeded, plan).filter(({ name }) => name.includes(part))
      return await timeViews(queries, rounds)
    } finally {
      await store.close()
    }
  })
}

/**
 * `npm run bench -- views --only pages`: how long the API takes to answer the lists and the explorer of the administration,
 * asked over HTTP of a gateway with 10,000 accounts, 100,000 keys, 10,000,000 usage records, 1,000 models and 200 credentials,
 * against their bars. `--quick` for a hundredth of the records; `--part explorer` and all else as of the store's views. A place
 * that is given gets the models, credentials, plans and redeem codes as well.
 */
async function timePages(argv: readonly string[]): Promise<boolean> {
  const { openPlace } = await import('./views/pages/place.ts')
  const { pageRequests } = await import('./views/pages/page-requests.ts')
  const defaults = {
    whole: { accounts: 10_000, keys: 100_000, records: 10_000_000 },
    quick: { accounts: 1_000, keys: 10_000, records: 100_000 },
    rounds: 40,
  }
  return onLargePlace(argv, defaults, async ({ part, rounds, ...large }) => {
    const place = await openPlace(large)
    try {
      return await timeViews(
        pageRequests(place).filter(({ name }) => name.includes(part)),
        rounds,
      )
    } finally {
      await place.stop()
    }
  })
}
