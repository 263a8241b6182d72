/** How this machine's clock compares with those of the database's server and of providers. */
import type { Clock } from '../core/clock.ts'

/**
 * How many milliseconds this clock is ahead (below 0: behind) at the least, after what an answer on its way leaves open. 0: in
 * step as far as can be seen. null: not compared often enough yet.
 */
export interface ClockDifference {
  readonly database: number | null
  readonly providers: number | null
}

export interface ClockReading {
  readonly now: number
  readonly elapsed: number
}

/** Nothing is concluded from fewer answers, and no more are kept of each side. */
const ANSWERS = 3
/** How often a provider's answer is looked at, once so many are known of it. */
const EVERY_MS = 10_000
const FORGOTTEN_MS = 3_600_000
const MOST_HOSTS = 50
/** Where the clocks of this machine differ by more over one answer, one of them was set meanwhile. */
const SET_MEANWHILE_MS = 500
/** An HTTP date has no part of a second. */
const DATE_STEP_MS = 1_000

/** Compares answers as they come; asks nothing by itself, and no single answer decides. */
export class ClockWatch {
  readonly #clock: Clock
  #database: readonly ComparedAnswer[] = []
  readonly #providers = new Map<string, readonly ComparedAnswer[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  reading(): ClockReading {
    return { now: this.#clock.now(), elapsed: this.#clock.elapsed() }
  }

  /** What is to be called with the `date` of the answer to a request that is sent now; null: enough is known of this host. */
  ask(host: string): ((date: string) => void) | null {
    const known = this.#providers.get(host)
    if (known === undefined && this.#providers.size >= MOST_HOSTS) return null
    const newest = known?.at(-1)
    if (newest !== undefined && known?.length === ANSWERS && this.#clock.elapsed() - newest.at < EVERY_MS) return null
    const sent = this.reading()
    return (date) => {
      const theirs = Date.parse(date)
      if (Number.isNaN(theirs)) return
      const compared = this.#compare({ from: theirs, to: theirs + DATE_STEP_MS }, sent)
      if (compared !== null) this.#providers.set(host, [...(this.#providers.get(host) ?? []), compared].slice(-ANSWERS))
    }
  }

  /** The database's server said what time it is, asked at `sent`. */
  heardDatabase(theirMs: number, sent: ClockReading): void {
    const compared = this.#compare({ from: theirMs, to: theirMs }, sent)
    if (compared !== null) this.#database = [...this.#database, compared].slice(-ANSWERS)
  }

  read(): ClockDifference {
    const since = this.#clock.elapsed() - FORGOTTEN_MS
    const hosts = [...this.#providers.values()].map((all) => all.filter(({ at }) => at > since))
    const heard = hosts.filter((all) => all.length > 0)
    return {
      database: this.#database.length < ANSWERS ? null : agreed(this.#database),
      providers: heard.flat().length < ANSWERS ? null : median(heard.map(agreed)),
    }
  }

  #compare(theirs: { readonly from: number; readonly to: number }, sent: ClockReading): ComparedAnswer | null {
    const { now, elapsed } = this.reading()
    if (Math.abs(now - sent.now - (elapsed - sent.elapsed)) > SET_MEANWHILE_MS) return null
    const [least, most] = [sent.now - theirs.to, now - theirs.from]
    return { at: elapsed, ahead: Math.round(least > 0 ? least : Math.min(0, most)) }
  }
}

interface ComparedAnswer {
  /** A reading of `Clock.elapsed`. */
  readonly at: number
  readonly ahead: number
}

/** What all of them say at the least; 0 where they do not agree on the direction. */
function agreed(all: readonly ComparedAnswer[]): number {
  const aheads = all.map(({ ahead }) => ahead)
  const [least, most] = [Math.min(...aheads), Math.max(...aheads)]
  return least > 0 ? least : Math.min(0, most)
}

/** What more than half of them say at the least. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [lower = 0, upper = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return lower > 0 ? lower : Math.min(0, upper)
}
