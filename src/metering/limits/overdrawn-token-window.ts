import { PART_MS, PARTS, type SlidingCount } from '../../core/sliding-count.ts'

/** An overdraft beyond so many minutes of the limit is let go: no request runs for longer. */
const OVERDRAFT_MINUTES_LIMIT = 60

/** One request in a window. What of it did not fit is its overdraft, and counts bit by bit as room comes free. */
export interface TokenEntry {
  /** Tokens that it is counted with, its overdraft included. */
  tokens: number
  overdraft: number
  /** The parts of the count that hold it, oldest first: one, where it fitted. */
  readonly placed: { readonly part: number; tokens: number }[]
}

/**
 * The tokens of the last 60 seconds against a limit. What one request has beyond the limit takes the room of the minutes
 * that follow, so that the limit holds on average whatever a single request takes. Times are readings of `Clock.elapsed`.
 *
 * Where the numbers are kept, and whose they are in particular, is the subclasses' part.
 */
export abstract class OverdrawnTokenWindow {
  /** The limit in tokens a minute. */
  abstract ceiling: number
  protected readonly count: SlidingCount
  /** The overdraft of all its requests together, in tokens. */
  protected abstract overdraft: number
  /** The newest part of the count that was looked at. */
  protected abstract newest: number

  constructor(count: SlidingCount) {
    this.count = count
  }

  at(elapsed: number): number {
    this.#advance(elapsed)
    return this.count.at(elapsed)
  }

  begin(tokens: number, elapsed: number): TokenEntry {
    this.#advance(elapsed)
    const entry: TokenEntry = { tokens: 0, overdraft: 0, placed: [] }
    this.#raise(entry, tokens, elapsed)
    return entry
  }

  /** The request used so many in all. What is more counts from now on; what is less never did. */
  end(entry: TokenEntry, used: number, elapsed: number): void {
    this.#advance(elapsed)
    if (used > entry.tokens) this.#raise(entry, used - entry.tokens, elapsed)
    else this.lower(entry, entry.tokens - used, elapsed)
  }

  /** Milliseconds until `limit` at most counts, were nothing more to come; 0 when that is so, Infinity where it never is. */
  waitMs(limit: number, elapsed: number): number {
    const counted = this.at(elapsed)
    if (limit < 0) return Infinity
    if (this.overdraft === 0) return this.count.waitMs(limit, elapsed)
    // The overdraft fills the window up to the ceiling, so the same leaves it in every minute until there is none.
    const leaving = counted + this.overdraft - limit
    const minutes = Math.max(0, Math.ceil(leaving / this.ceiling) - 1)
    const ofLast = leaving - minutes * this.ceiling
    return minutes * (PARTS + 1) * PART_MS + this.count.waitMs(Math.max(0, counted - ofLast), elapsed)
  }

  /** Nothing counts, and there is no overdraft. */
  isEmpty(elapsed: number): boolean {
    return this.at(elapsed) === 0 && this.overdraft === 0
  }

  /** Takes so many tokens of an entry back, the overdraft first. */
  protected abstract lower(entry: TokenEntry, less: number, elapsed: number): void

  /** Has up to `room` tokens of the overdraft count from now on. */
  protected abstract coverOverdraft(room: number, elapsed: number): void

  /** Called when an entry has an overdraft from now on. */
  protected abstract noteOverdraft(entry: TokenEntry): void

  protected place(entry: TokenEntry, tokens: number, elapsed: number): void {
    entry.placed.push({ part: this.count.add(tokens, elapsed), tokens })
  }

  #raise(entry: TokenEntry, more: number, elapsed: number): void {
    const room = Math.max(0, this.ceiling - this.count.at(elapsed))
    const fitting = Math.min(more, room)
    const overdraft = Math.min(more - fitting, Math.max(0, this.ceiling * OVERDRAFT_MINUTES_LIMIT - this.overdraft))
    this.place(entry, fitting, elapsed)
    entry.tokens += fitting + overdraft
    if (overdraft === 0) return
    entry.overdraft += overdraft
    this.overdraft += overdraft
    this.noteOverdraft(entry)
  }

  /** Each quarter of a second that leaves the minute makes room for some of the overdraft. */
  #advance(elapsed: number): void {
    const now = Math.floor(elapsed / PART_MS)
    for (let part = this.newest + 1; part <= now && this.overdraft > 0; part++) {
      const at = part * PART_MS
      // A limit of nothing lets nothing in, whatever the overdraft is.
      this.coverOverdraft(this.ceiling <= 0 ? Infinity : Math.max(0, this.ceiling - this.count.at(at)), at)
    }
    this.newest = Math.max(this.newest, now)
  }
}
