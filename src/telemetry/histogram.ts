/** A distribution of durations in fixed steps. Observing allocates nothing. */
export class Histogram {
  /** The upper ends of the steps in seconds, growing; the last step has none. */
  readonly bounds: readonly number[]
  readonly #counts: Float64Array
  readonly #sum = new Float64Array(1)

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(seconds: number): void {
    const { bounds } = this
    let at = 0
    while (at < bounds.length && seconds > (bounds[at] ?? Infinity)) at += 1
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum[0] = (this.#sum[0] ?? 0) + seconds
  }

  /** The counts of each step by itself, as they are now. */
  read(): Distribution {
    return { bounds: this.bounds, counts: [...this.#counts], sum: this.#sum[0] ?? 0 }
  }
}

/** `counts`: of each step by itself, with one more than there are bounds. */
export interface Distribution {
  readonly bounds: readonly number[]
  readonly counts: readonly number[]
  /** The sum of all observed values. */
  readonly sum: number
}

/** Steps for whole requests: seconds to the longest that one may take. */
export const REQUEST_STEPS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600]
/** Steps for the wait until a model begins to answer. */
export const FIRST_EVENT_STEPS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 5, 10, 30, 60, 120, 600]
/** Steps for what the gateway and its database take: from a quarter of a millisecond on. */
export const OWN_STEPS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]
