import { PART_MS, PARTS, SlidingCount } from '../../core/sliding-count.ts'

/** What is owed beyond so many minutes of the limit is let go: no request runs for longer. */
export const OWED_MINUTES_LIMIT = 60

/** One request in a window. What of it did not fit is owed, and counts bit by bit as room comes free. */
export interface TokenEntry {
  /** Tokens that it is counted with, owed ones included. */
  tokens: number
  owed: number
  /** The parts of the count that hold it, oldest first: one, where it fitted. */
  readonly placed: { readonly part: number; tokens: number }[]
}

/**
 * The tokens of the last 60 seconds against a limit. What one request has beyond the limit takes the room of the minutes
 * that follow, so that the limit holds on average whatever a single request takes. Times are readings of `Clock.elapsed`.
 */
export class TokenWindow {
  /** The limit in tokens a minute. */
  ceiling = Infinity
  readonly #count = new SlidingCount()
  /** Entries of which something is owed, oldest first. */
  #debtors: TokenEntry[] = []
  #owed = 0
  #newest = 0

  at(elapsed: number): number {
    this.#advance(elapsed)
    return this.#count.at(elapsed)
  }

  begin(tokens: number, elapsed: number): TokenEntry {
    this.#advance(elapsed)
    const entry: TokenEntry = { tokens: 0, owed: 0, placed: [] }
    this.#raise(entry, tokens, elapsed)
    return entry
  }

  /** The request used so many in all. What is more counts from now on; what is less never did. */
  end(entry: TokenEntry, used: number, elapsed: number): void {
    this.#advance(elapsed)
    if (used > entry.tokens) this.#raise(entry, used - entry.tokens, elapsed)
    else this.#lower(entry, entry.tokens - used, elapsed)
  }

  /** Milliseconds until `limit` at most counts, were nothing more to come; 0 when that is so, Infinity where it never is. */
  waitMs(limit: number, elapsed: number): number {
    const counted = this.at(elapsed)
    if (this.#owed === 0 || limit < 0) return limit < 0 ? Infinity : this.#count.waitMs(limit, elapsed)
    // What is owed fills the window up to the ceiling, so the same leaves it in every minute until nothing is owed.
    const leaving = counted + this.#owed - limit
    const minutes = Math.max(0, Math.ceil(leaving / this.ceiling) - 1)
    const ofLast = leaving - minutes * this.ceiling
    return minutes * (PARTS + 1) * PART_MS + this.#count.waitMs(Math.max(0, counted - ofLast), elapsed)
  }

  /** Nothing counts, and nothing is owed. */
  isEmpty(elapsed: number): boolean {
    return this.at(elapsed) === 0 && this.#owed === 0
  }

  #raise(entry: TokenEntry, more: number, elapsed: number): void {
    const room = Math.max(0, this.ceiling - this.#count.at(elapsed))
    const fitting = Math.min(more, room)
    const owed = Math.min(more - fitting, Math.max(0, this.ceiling * OWED_MINUTES_LIMIT - this.#owed))
    this.#place(entry, fitting, elapsed)
    entry.tokens += fitting + owed
    entry.owed += owed
    this.#owed += owed
    if (owed > 0 && !this.#debtors.includes(entry)) this.#debtors.push(entry)
  }

  #lower(entry: TokenEntry, less: number, elapsed: number): void {
    const ofOwed = Math.min(entry.owed, less)
    entry.tokens -= less
    entry.owed -= ofOwed
    this.#owed -= ofOwed
    let rest = less - ofOwed
    for (const place of entry.placed.toReversed()) {
      const ofPlace = Math.min(place.tokens, rest)
      place.tokens -= ofPlace
      rest -= ofPlace
      this.#count.correct(place.part, -ofPlace, elapsed)
    }
  }

  #place(entry: TokenEntry, tokens: number, elapsed: number): void {
    entry.placed.push({ part: this.#count.add(tokens, elapsed), tokens })
  }

  /** Each quarter of a second that leaves the minute makes room for some of what is owed. */
  #advance(elapsed: number): void {
    const now = Math.floor(elapsed / PART_MS)
    for (let part = this.#newest + 1; part <= now && this.#owed > 0; part++) this.#repay(part * PART_MS)
    this.#newest = Math.max(this.#newest, now)
  }

  #repay(elapsed: number): void {
    // A limit of nothing lets nothing in, whatever is owed.
    let room = this.ceiling <= 0 ? Infinity : this.ceiling - this.#count.at(elapsed)
    for (const entry of this.#debtors) {
      const paid = Math.min(entry.owed, room)
      if (paid <= 0) continue
      this.#place(entry, paid, elapsed)
      entry.owed -= paid
      this.#owed -= paid
      room -= paid
    }
    this.#debtors = this.#debtors.filter(({ owed }) => owed > 0)
  }
}
