const SLICE_MS = 10_000
const SLICES = 6
const RETRIES_PART = 0.2
const RETRIES_FREE = 10

/**
 * How many requests of the last minute came to an upstream, and how many of them because another target had failed: at most
 * a fifth and ten more, so that one upstream's bad minute does not become another's.
 */
export class RetryBudget {
  readonly #requests = new Uint32Array(SLICES)
  readonly #retries = new Uint32Array(SLICES)
  #slice = 0

  /** Counts one. `now`: a reading of `Clock.elapsed`. */
  count(now: number, isRetry: boolean): void {
    const at = this.#turnTo(now)
    this.#requests[at] = (this.#requests[at] ?? 0) + 1
    if (isRetry) this.#retries[at] = (this.#retries[at] ?? 0) + 1
  }

  hasRoom(now: number): boolean {
    this.#turnTo(now)
    return sum(this.#retries) < RETRIES_FREE + RETRIES_PART * sum(this.#requests)
  }

  #turnTo(now: number): number {
    const slice = Math.floor(now / SLICE_MS)
    const passed = Math.min(slice - this.#slice, SLICES)
    for (let i = 0; i < passed; i++) {
      const at = (slice - i) % SLICES
      this.#requests[at] = 0
      this.#retries[at] = 0
    }
    if (passed > 0) this.#slice = slice
    return this.#slice % SLICES
  }
}

function sum(counts: Uint32Array): number {
  return counts.reduce((a, b) => a + b, 0)
}
