import { RetryBudget } from './retry-budget.ts'
import { TargetHealth } from './target-health.ts'

/** What this process has seen of one upstream, whatever the credential: of each model there, and how often it was asked again. */
export class UpstreamHealth {
  readonly retries = new RetryBudget()
  /** Requests that wait until it may be asked. */
  waiting = 0
  readonly #random: () => number
  readonly #byModel = new Map<string, TargetHealth>()

  /** `random` gives numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random
  }

  /** Forgets models that are configured no more. */
  keepOnly(models: ReadonlySet<string>): void {
    for (const model of this.#byModel.keys()) if (!models.has(model)) this.#byModel.delete(model)
  }

  /** The health of all models that were asked for since the start. */
  get models(): ReadonlyMap<string, TargetHealth> {
    return this.#byModel
  }

  /** The health of one model, by its name at the upstream. */
  of(model: string): TargetHealth {
    let health = this.#byModel.get(model)
    if (health === undefined) {
      health = new TargetHealth(this.#random)
      this.#byModel.set(model, health)
    }
    return health
  }
}
