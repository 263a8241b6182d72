import { openPlace } from './pages/place.ts'
import { pageRequests } from './pages/page-requests.ts'
import { onLargePlace } from './views/large-place.ts'
import { timeViews } from './views/timed-views.ts'

/**
 * `npm run bench -- views --only pages`: how long the API takes to answer the lists and the explorer of the administration,
 * asked over HTTP of a gateway with 10,000 accounts, 100,000 keys, 10,000,000 usage records, 1,000 models and 200
 * credentials; ends with 1 when one of them misses its bar. `--quick` for a hundredth of the records; `--runs`, `--only
 * explorer` and all else as of `npm run bench -- views`. A place that is given gets the models, credentials, plans and
 * redeem codes as well.
 */
await onLargePlace(
  {
    whole: { accounts: 10_000, keys: 100_000, records: 10_000_000 },
    quick: { accounts: 1_000, keys: 10_000, records: 100_000 },
    rounds: 40,
  },
  async ({ only, rounds, ...large }) => {
    const place = await openPlace(large)
    try {
      const requests = pageRequests(place).filter(({ name }) => name.includes(only))
      return await timeViews(requests, rounds)
    } finally {
      await place.stop()
    }
  },
)
