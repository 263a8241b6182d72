import type { ModelTraffic } from '../../contract/models.ts'
import { formatUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { ModelAnswers, UsageTotals } from '../../metering/usage/usage-store.ts'

/** How many requests are needed before something is said of a model. */
const FEWEST_REQUESTS = 5
const WELL_PERCENT = 98
const PARTLY_PERCENT = 50

/** What is known of these models from requests: the account's own use, and how their upstreams answered everyone. */
export function modelTrafficView(
  names: readonly string[],
  { own, answers }: { own: ReadonlyMap<string, UsageTotals>; answers: ReadonlyMap<string, ModelAnswers> },
): ModelTraffic {
  return {
    data: names.map((name) => {
      const used = own.get(name)
      return {
        name,
        requests: used?.requests ?? 0,
        cost: formatUsd(used?.cost ?? ZERO_NANO_USD),
        answers: judged(answers.get(name)),
      }
    }),
  }
}

/** A judgement in steps, since how many requests there are is other accounts’ affair. */
function judged(answers: ModelAnswers | undefined): ModelTraffic['data'][number]['answers'] {
  if (answers === undefined) return null
  const { good, failed } = answers
  const all = good + failed
  if (all < FEWEST_REQUESTS) return null
  if (good * 100 >= all * WELL_PERCENT) return 'healthy'
  return good * 100 >= all * PARTLY_PERCENT ? 'degraded' : 'failing'
}
