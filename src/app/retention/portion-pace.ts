/** How many rows are taken out at a time, and how long others then have the database: by what goes on there. */

/** While requests are served, a portion may take so long: what is settled meanwhile waits for it. */
const SERVING_MS = 4
/** While none is, a request that comes waits for this once. */
const QUIET_MS = 50
/** Nothing was written by requests for so long. */
const QUIET_AFTER_MS = 2_000
const FIRST_ROWS = 25
const FEWEST_ROWS = 5
const MOST_ROWS = 1_000
/** How long the pause after a portion is, as a multiple of what it took. */
const PAUSES = { serving: 5, quiet: 0.2 } as const
const SHORTEST_PAUSE_MS = { serving: 20, quiet: 1 } as const
const LONGEST_PAUSE_MS = 2_000

export class PortionPace {
  #rows = FIRST_ROWS
  #newest: string | null
  /** When requests wrote last; milliseconds that only grow. */
  #servedAt: number

  /** `newest`: the newest record of a request, if there is one. It begins as if requests were served. */
  constructor(newest: string | null, atMs: number) {
    this.#newest = newest
    this.#servedAt = atMs
  }

  /** How many rows the next portion has. */
  get rows(): number {
    return this.#rows
  }

  /** Returns how many milliseconds to wait after a portion that ended at `atMs` and took `tookMs`. */
  after({ atMs, tookMs, newest }: { readonly atMs: number; readonly tookMs: number; readonly newest: string | null }) {
    if (newest !== this.#newest) this.#servedAt = atMs
    this.#newest = newest
    const state = atMs - this.#servedAt < QUIET_AFTER_MS ? 'serving' : 'quiet'
    const most = state === 'serving' ? SERVING_MS : QUIET_MS
    // At most doubled, so that one quick portion does not make the next one a long one; cut at once.
    const fitting = tookMs <= 0 ? this.#rows * 2 : Math.floor((this.#rows * most) / tookMs)
    this.#rows = Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.min(fitting, this.#rows * 2)))
    return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS[state], tookMs * PAUSES[state]))
  }
}

/** Cuts lines anew, into portions of as many as `rows` says when each begins. */
export async function* inPortions(
  given: AsyncIterable<readonly string[]>,
  rows: () => number,
): AsyncGenerator<readonly string[]> {
  let lines: string[] = []
  let wanted = rows()
  for await (const some of given) {
    for (const line of some) {
      lines.push(line)
      if (lines.length < wanted) continue
      yield lines
      lines = []
      wanted = rows()
    }
  }
  if (lines.length > 0) yield lines
}
