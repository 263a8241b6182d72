import { seedDatabase, seedOf } from '../tools/seed/seed-database.ts'
import { inFolder, readFlags } from './command.ts'
import { openLargeGateway } from './views/large-gateway.ts'
import { timeViews } from './views/timed-views.ts'
import { viewRequests } from './views/view-requests.ts'

const WHOLE = { accounts: 1_000, keys: 100_000, records: 1_000_000 }
const QUICK = { accounts: 50, keys: 2_000, records: 50_000 }

/**
 * `npm run bench -- views`: how long the API takes to answer the console's lists and charts, asked over HTTP with other filters
 * each time, against their bars. The gateway has 1,000 accounts, 100,000 keys and 1,000,000 usage records; `--quick` for a
 * twentieth of that (or `--accounts`, `--keys`, `--records`), `--runs 100` for another number of rounds, `--part keys` for the
 * views with that in their names. `--data DIRECTORY` (or `--url postgres://…`) names a place that `tools/seed.ts` filled with the
 * same numbers and `--until`; otherwise one is made and thrown away.
 */
export async function views(argv: readonly string[]): Promise<boolean> {
  const sizes = argv.includes('--quick') ? QUICK : WHOLE
  const flags = readFlags(argv, { ...sizes, quick: false, runs: 40, part: '', data: null, url: null, until: null })
  const { accounts, keys, records, url: databaseUrl } = flags
  const untilMs = flags.until === null ? Date.now() : Date.parse(flags.until)
  const plan = { accounts, keys, records, days: 90, seed: 1, untilMs }
  return inFolder('views', async (temporary) => {
    const place = { directory: flags.data ?? temporary, databaseUrl }
    const isThere = flags.data !== null || databaseUrl !== null
    const seeded = isThere ? seedOf(plan) : await seedDatabase(place, plan, (step) => console.log(step))
    await using gateway = await openLargeGateway(place)
    const requests = viewRequests({ ...seeded, untilMs, ask: gateway.ask })
    return await timeViews(
      requests.filter(({ name }) => name.includes(flags.part)),
      flags.runs,
    )
  })
}
