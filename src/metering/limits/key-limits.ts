import type { Clock } from '../../core/clock.ts'
import type { CountedLimit, CountedLimits } from '../../core/counted-limits.ts'
import type { IndebtedWindow } from './indebted-window.ts'
import { OwnUses, type Uses } from './key-use.ts'
import type { SlidingCount } from '../../core/sliding-count.ts'

/** A key, or an account with all of its keys. */
export interface Limited {
  readonly id: string
  readonly rateLimit: CountedLimits | null
}

/** How one limit stands. `resetMs`: until all of it is free again, were nothing more to come; 0 for `concurrency`. */
export interface LimitState {
  readonly limit: CountedLimit
  readonly max: number
  readonly used: number
  readonly resetMs: number
}

/** Why a request may not run now. `waitMs` is Infinity when waiting will not help. */
export interface LimitRefusal {
  readonly limit: CountedLimit
  readonly max: number
  readonly used: number
  readonly waitMs: number
  /** This node's part of `max`, and among how many nodes it is divided. */
  readonly part: number
  readonly nodes: number
}

/** This node's part of every limit: `index` of `count` nodes. */
export interface NodeShare {
  readonly index: number
  readonly count: number
}

/** A running request ends when another one does: when that is cannot be known. */
const CONCURRENCY_WAIT_MS = 1_000
/** More keys with limits were used in the last minute than the threads of a process count together. */
const NO_ROOM = { part: 1, used: 1, waitMs: CONCURRENCY_WAIT_MS }

/** How many tokens a request may have, before it is known. */
export interface EstimatedTokens {
  readonly input: number
  /** As many as it may write. */
  readonly output: number
}

/** One admitted request in the counts of its key. Given back once, at the request's end. */
export interface CountedUse {
  /** Its client is gone: it no longer counts for `concurrency`, though it may run on for its usage. May come more than once. */
  leave(): void
  /** `tokens`: what it really used, in place of what was estimated. */
  end(tokens: number): void
  /** In place of `end`: the request is refused after all, and counts for nothing. */
  undo(): void
}

/** Another thread of the process has taken what this one saw free a moment before. */
export class LimitTaken extends Error {
  override readonly name = 'LimitTaken'
  readonly refusal: LimitRefusal

  constructor(refusal: LimitRefusal) {
    super(`the limit on ${refusal.limit} is reached`)
    this.refusal = refusal
  }
}

/**
 * Requests, tokens and running requests of the keys and accounts that have limits, in this process's memory: they end with it.
 * Threads of one process count together, in `uses` that they share. With several processes each enforces its share, so that
 * together they never let more through than the limit.
 */
export class KeyLimits {
  readonly #uses: Uses
  readonly #clock: Clock
  readonly #share: () => NodeShare

  /** `clock`: with shared `uses`, one whose `elapsed` is the same in all threads. */
  constructor(options: { clock: Clock; share: () => NodeShare; uses?: Uses }) {
    this.#uses = options.uses ?? new OwnUses()
    this.#clock = options.clock
    this.#share = options.share
  }

  /**
   * The limit that stops a request of about so many tokens; null when it may run. Counts nothing. Beside others that run, its
   * input and all that it may write must fit into what the last minute left. Alone its input must: what it then writes beyond
   * the limit is taken from the minutes that follow.
   */
  refusal(key: Limited, estimated: EstimatedTokens): LimitRefusal | null {
    const { rateLimit } = key
    if (rateLimit === null) return null
    return this.#alone(() => this.#judge(key, rateLimit, estimated))
  }

  #judge(key: Limited, rateLimit: CountedLimits, estimated: EstimatedTokens): LimitRefusal | null {
    const elapsed = this.#clock.elapsed()
    const use = this.#uses.find(key.id)
    const { concurrency, requestsPerMinute, tokensPerMinute } = rateLimit
    if (concurrency !== null) {
      const max = this.#ownPart(key.id, concurrency)
      const used = use?.present ?? 0
      if (used >= max) {
        const waitMs = concurrency === 0 ? Infinity : CONCURRENCY_WAIT_MS
        return this.#refused('concurrency', concurrency, { part: max, used, waitMs })
      }
    }
    if (requestsPerMinute !== null) {
      const max = this.#ownPart(key.id, requestsPerMinute)
      const used = use?.requests.at(elapsed) ?? 0
      if (used + 1 > max) {
        // Another node may have the part that this one lacks.
        const isElsewhere = max === 0 && requestsPerMinute > 0
        const waitMs = isElsewhere ? CONCURRENCY_WAIT_MS : wait(use?.requests, max - 1, elapsed)
        return this.#refused('requests', requestsPerMinute, { part: max, used, waitMs })
      }
    }
    if (tokensPerMinute === null) return null
    const max = this.#ownPart(key.id, tokensPerMinute)
    const used = use?.tokens.at(elapsed) ?? 0
    const { input, output } = estimated
    const isAlone = use === null || use.running === 0
    if (used + input + (isAlone ? 0 : output) <= max) return null
    // When those that run will end cannot be known, nor how much less than they may write that will have been.
    const isOnlyReserved = !isAlone && used - use.reserved + input <= max
    const waitMs = isOnlyReserved ? CONCURRENCY_WAIT_MS : wait(use?.tokens, max - input, elapsed)
    return this.#refused('tokens', tokensPerMinute, { part: max, used, waitMs })
  }

  #refused(limit: CountedLimit, max: number, how: Pick<LimitRefusal, 'part' | 'used' | 'waitMs'>): LimitRefusal {
    return { limit, max, ...how, nodes: this.#share().count }
  }

  /**
   * Counts a request that runs from now on. null: its key has no limits, and there is nothing to end. `limits`: those that it
   * was judged by. Throws LimitTaken, and counts nothing, where another thread was faster since it was judged.
   */
  begin(key: Limited, estimated: EstimatedTokens, limits = key.rateLimit): CountedUse | null {
    const { rateLimit } = key
    return rateLimit === null ? null : this.#alone(() => this.#begin(key, rateLimit, { estimated, limits }))
  }

  #begin(
    key: Limited,
    { tokensPerMinute }: CountedLimits,
    { estimated, limits }: { estimated: EstimatedTokens; limits: CountedLimits | null },
  ): CountedUse {
    const { isShared } = this.#uses
    const refusal = isShared && limits !== null ? this.#judge(key, limits, estimated) : null
    if (refusal !== null) throw new LimitTaken(refusal)
    const tokens = estimated.input + estimated.output
    const elapsed = this.#clock.elapsed()
    const use = this.#uses.of(key.id, elapsed)
    if (use === null) throw new LimitTaken(this.#refused('requests', 1, NO_ROOM))
    use.usedAt = elapsed
    use.running += 1
    use.present += 1
    use.reserved += tokens
    use.tokens.ceiling = tokensPerMinute === null ? Infinity : this.#ownPart(key.id, tokensPerMinute)
    const part = use.requests.add(1, elapsed)
    const entry = use.tokens.begin(tokens, elapsed)
    let isPresent = true
    const leave = () => {
      if (isPresent) use.present -= 1
      isPresent = false
    }
    const end = (used: number) => {
      leave()
      use.running -= 1
      use.reserved -= tokens
      use.usedAt = this.#clock.elapsed()
      use.tokens.end(entry, used, use.usedAt)
    }
    const undo = () => {
      end(0)
      use.requests.correct(part, -1, use.usedAt)
    }
    if (!isShared) return { leave, end, undo }
    return {
      leave: () => this.#alone(leave),
      end: (used) => this.#alone(() => end(used)),
      undo: () => this.#alone(undo),
    }
  }

  #alone<T>(work: () => T): T {
    this.#uses.enter()
    try {
      return work()
    } finally {
      this.#uses.leave()
    }
  }

  /** The key's limits as they stand, the whole installation's as far as this node can tell. */
  states(key: Limited): readonly LimitState[] {
    const { rateLimit } = key
    return rateLimit === null ? [] : this.#alone(() => this.#states(key, rateLimit))
  }

  #states(key: Limited, rateLimit: CountedLimits): readonly LimitState[] {
    const elapsed = this.#clock.elapsed()
    const use = this.#uses.find(key.id)
    const states: LimitState[] = []
    const push = (limit: CountedLimit, max: number | null, count: SlidingCount | IndebtedWindow | undefined) => {
      if (max === null) return
      states.push({ limit, max, used: count?.at(elapsed) ?? 0, resetMs: count?.waitMs(0, elapsed) ?? 0 })
    }
    push('requests', rateLimit.requestsPerMinute, use?.requests)
    push('tokens', rateLimit.tokensPerMinute, use?.tokens)
    if (rateLimit.concurrency !== null) {
      states.push({ limit: 'concurrency', max: rateLimit.concurrency, used: use?.present ?? 0, resetMs: 0 })
    }
    return states
  }

  /** Forgets keys of which nothing counts any more. To be called now and then. */
  forgetIdle(): void {
    this.#uses.forgetIdle(this.#clock.elapsed())
  }

  /** Keys that are remembered. */
  get size(): number {
    return this.#uses.size
  }

  /** The parts of all nodes add up to the limit. What cannot be divided goes to other nodes for other keys. */
  #ownPart(keyId: string, limit: number): number {
    const { index, count } = this.#share()
    if (count <= 1) return limit
    const turn = (index + sumOfCharacters(keyId)) % count
    return Math.floor(limit / count) + (turn < limit % count ? 1 : 0)
  }
}

function wait(count: SlidingCount | IndebtedWindow | undefined, limit: number, elapsed: number): number {
  if (limit < 0) return Infinity
  return count?.waitMs(limit, elapsed) ?? 0
}

function sumOfCharacters(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i)
  return sum
}
