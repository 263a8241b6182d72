import type { AttemptClass } from '../request-observer.ts'
import { RequestFigures } from '../request-figures.ts'

/**
 * What a test counts: its attempts and what they cost, as all attempts. A client did not send it, and so it stands in no figure
 * of how their requests end or how long they take.
 */
export class TrialFigures extends RequestFigures {
  last: AttemptClass | null = null
  readonly #all: RequestFigures

  constructor(all: RequestFigures) {
    super()
    this.#all = all
  }

  override attempted(upstream: string, credential: string, ended: AttemptClass): void {
    this.last = ended
    this.#all.attempted(upstream, credential, ended)
  }

  override used(usage: Parameters<RequestFigures['used']>[0]): void {
    this.#all.used(usage)
  }
}
