import { systemClock } from '../src/core/clock.ts'
import { openStore } from '../src/store/open-store.ts'
import { onLargePlace } from './views/large-place.ts'
import { timeViews } from './views/timed-views.ts'
import { viewQueries } from './views/view-queries.ts'

/**
 * `npm run bench -- views`: how long the console's lists and charts take on 100,000 keys and 5,000,000 usage records, asked in
 * turn with other filters each time; ends with 1 when one of them misses its bar. `--quick` for a fiftieth of that (or
 * `--accounts`, `--keys`, `--records`), `--runs 200` for another number of rounds, `--only keys` for some of them. `--data DIRECTORY` (or `--url postgres://…`)
 * for a place that `tools/seed.ts` filled with the same numbers and `--until`; otherwise one is made and thrown away.
 */
await onLargePlace(
  {
    whole: { accounts: 1_000, keys: 100_000, records: 5_000_000 },
    quick: { accounts: 50, keys: 2_000, records: 100_000 },
    rounds: 200,
  },
  async ({ directory, databaseUrl, plan, seeded, only, rounds }) => {
    const store = await openStore({ databaseUrl, dataDirectory: directory, clock: systemClock })
    try {
      const queries = viewQueries(store, seeded, plan).filter(({ name }) => name.includes(only))
      return await timeViews(queries, rounds)
    } finally {
      await store.close()
    }
  },
)
