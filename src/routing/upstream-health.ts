import { RetryBudget } from './retry-budget.ts'
import { HealthByModel } from './target-health.ts'

/** What this process has seen of one upstream, whatever the credential: of each model there, and how often it was asked again. */
export class UpstreamHealth extends HealthByModel {
  readonly retries = new RetryBudget()
  /** Requests that wait until it may be asked. */
  waiting = 0
}
