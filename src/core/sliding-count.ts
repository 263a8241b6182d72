/** Everything in the last minute is counted in parts of this length, and a part leaves the count as a whole. */
export const PART_MS = 250
export const PARTS = 60_000 / PART_MS

const SUM = PARTS + 1
const NEWEST = PARTS + 2
/** Numbers that a count takes. */
export const SLIDING_COUNT_LENGTH = PARTS + 3

/**
 * How much there was in the last 60 seconds: never less than the truth, and more by what is at most a quarter of a second
 * too old. So a limit on it holds for any 60 seconds. Times are readings of `Clock.elapsed`, in milliseconds.
 */
export class SlidingCount {
  /** Part n of all time stands at `n mod (PARTS + 1)`; then their sum, and the newest of them. */
  readonly #parts: Float64Array

  /** `parts`: `SLIDING_COUNT_LENGTH` numbers that nothing else uses, zero at first; for counts that threads share. */
  constructor(parts: Float64Array = new Float64Array(SLIDING_COUNT_LENGTH)) {
    this.#parts = parts
  }

  get #sum(): number {
    return this.#parts[SUM] ?? 0
  }

  set #sum(sum: number) {
    this.#parts[SUM] = sum
  }

  get #newest(): number {
    return this.#parts[NEWEST] ?? 0
  }

  set #newest(part: number) {
    this.#parts[NEWEST] = part
  }

  /** Adds up anew: whatever changed it last did not come to its end. */
  repair(): void {
    this.#sum = this.#parts.subarray(0, SUM).reduce((sum, amount) => sum + amount, 0)
  }

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

  /** Takes as much out of a part again; returns how much of it there was, or has left the minute with the part. */
  takeFrom(part: number, amount: number, elapsed: number): number {
    this.#advance(elapsed)
    if (part < this.#newest - PARTS) return amount
    const taken = Math.min(amount, this.#parts[place(part)] ?? 0)
    this.#change(part, -taken)
    return taken
  }

  /** Takes as much out again, from the newest parts first; returns how much there was of it. */
  takeNewest(amount: number, elapsed: number): number {
    this.#advance(elapsed)
    let rest = amount
    for (let part = this.#newest; part >= this.#newest - PARTS && rest > 0; part--) {
      const taken = Math.min(rest, this.#parts[place(part)] ?? 0)
      this.#change(part, -taken)
      rest -= taken
    }
    return amount - rest
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
