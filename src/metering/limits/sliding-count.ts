/** Everything in the last minute is counted in parts of this length, and a part leaves the count as a whole. */
export const PART_MS = 250
export const PARTS = 60_000 / PART_MS

/**
 * How much there was in the last 60 seconds: never less than the truth, and more by what is at most a quarter of a second
 * too old. So a limit on it holds for any 60 seconds. Times are readings of `Clock.elapsed`, in milliseconds.
 */
export class SlidingCount {
  /** Part n of all time stands at `n mod PARTS + 1`. */
  readonly #parts = new Float64Array(PARTS + 1)
  #sum = 0
  #newest = 0

  at(elapsed: number): number {
    this.#advance(elapsed)
    return this.#sum
  }

  /** Counts `amount`; returns the part that holds it, for `correct`. */
  add(amount: number, elapsed: number): number {
    this.#advance(elapsed)
    this.#change(this.#newest, amount)
    return this.#newest
  }

  /** What was counted in `part` turned out to be `difference` more, which counts from now on, or less, which never was. */
  correct(part: number, difference: number, elapsed: number): void {
    this.#advance(elapsed)
    if (difference > 0) this.#change(this.#newest, difference)
    else if (part >= this.#newest - PARTS) this.#change(part, difference)
  }

  /** Milliseconds until the count is `limit` at most; 0 when it is. */
  waitMs(limit: number, elapsed: number): number {
    this.#advance(elapsed)
    let left = this.#sum
    for (let part = this.#newest - PARTS; part <= this.#newest; part++) {
      if (left <= limit) return Math.max(0, (part + PARTS) * PART_MS - elapsed)
      left -= this.#parts[place(part)] ?? 0
    }
    return left <= limit ? Math.max(0, (this.#newest + 1 + PARTS) * PART_MS - elapsed) : Infinity
  }

  #change(part: number, difference: number): void {
    const at = place(part)
    this.#parts[at] = (this.#parts[at] ?? 0) + difference
    this.#sum += difference
  }

  #advance(elapsed: number): void {
    const now = Math.floor(elapsed / PART_MS)
    if (now <= this.#newest) return
    const gone = Math.min(now - this.#newest, PARTS + 1)
    for (let part = now - gone + 1; part <= now; part++) {
      const at = place(part)
      this.#sum -= this.#parts[at] ?? 0
      this.#parts[at] = 0
    }
    this.#newest = now
  }
}

function place(part: number): number {
  const rest = part % (PARTS + 1)
  return rest < 0 ? rest + PARTS + 1 : rest
}
