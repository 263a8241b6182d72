import type { Clock } from '../../core/clock.ts'
import type { CountedLimit, CountedLimits } from '../../core/counted-limits.ts'
import { SlidingCount } from './sliding-count.ts'
import { TokenWindow } from './token-window.ts'

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
const FORGOTTEN_AFTER_MS = 61_000

/** What one key has running, and what it did in the last minute. */
class Use {
  running = 0
  /** Of those, the ones whose client is there. */
  present = 0
  /** Tokens that the running requests are counted with. */
  reserved = 0
  readonly requests = new SlidingCount()
  readonly tokens = new TokenWindow()
  usedAt = 0
}

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

/**
 * Requests, tokens and running requests of the keys and accounts that have limits, in this process's memory: they end with it.
 * With several nodes each enforces its share, so that together they never let more through than the limit.
 */
export class KeyLimits {
  readonly #uses = new Map<string, Use>()
  readonly #clock: Clock
  readonly #share: () => NodeShare

  constructor(options: { clock: Clock; share: () => NodeShare }) {
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
    const elapsed = this.#clock.elapsed()
    const use = this.#uses.get(key.id)
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
    const isAlone = use === undefined || use.running === 0
    if (used + input + (isAlone ? 0 : output) <= max) return null
    // When those that run will end cannot be known, nor how much less than they may write that will have been.
    const isOnlyReserved = !isAlone && used - use.reserved + input <= max
    const waitMs = isOnlyReserved ? CONCURRENCY_WAIT_MS : wait(use?.tokens, max - input, elapsed)
    return this.#refused('tokens', tokensPerMinute, { part: max, used, waitMs })
  }

  #refused(limit: CountedLimit, max: number, how: Pick<LimitRefusal, 'part' | 'used' | 'waitMs'>): LimitRefusal {
    return { limit, max, ...how, nodes: this.#share().count }
  }

  /** Counts a request that runs from now on. null: its key has no limits, and there is nothing to end. */
  begin(key: Limited, estimated: EstimatedTokens): CountedUse | null {
    if (key.rateLimit === null) return null
    const tokens = estimated.input + estimated.output
    const elapsed = this.#clock.elapsed()
    const use = this.#use(key.id)
    use.usedAt = elapsed
    use.running += 1
    use.present += 1
    use.reserved += tokens
    const { tokensPerMinute } = key.rateLimit
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
    return { leave, end, undo }
  }

  /** The key's limits as they stand, the whole installation's as far as this node can tell. */
  states(key: Limited): readonly LimitState[] {
    const { rateLimit } = key
    if (rateLimit === null) return []
    const elapsed = this.#clock.elapsed()
    const use = this.#uses.get(key.id)
    const states: LimitState[] = []
    const push = (limit: CountedLimit, max: number | null, count: SlidingCount | TokenWindow | undefined) => {
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
    const elapsed = this.#clock.elapsed()
    const since = elapsed - FORGOTTEN_AFTER_MS
    for (const [id, use] of this.#uses) {
      if (use.running === 0 && use.usedAt < since && use.tokens.isEmpty(elapsed)) this.#uses.delete(id)
    }
  }

  /** Keys that are remembered. */
  get size(): number {
    return this.#uses.size
  }

  #use(keyId: string): Use {
    let use = this.#uses.get(keyId)
    if (use === undefined) {
      use = new Use()
      this.#uses.set(keyId, use)
    }
    return use
  }

  /** The parts of all nodes add up to the limit. What cannot be divided goes to other nodes for other keys. */
  #ownPart(keyId: string, limit: number): number {
    const { index, count } = this.#share()
    if (count <= 1) return limit
    const turn = (index + sumOfCharacters(keyId)) % count
    return Math.floor(limit / count) + (turn < limit % count ? 1 : 0)
  }
}

function wait(count: SlidingCount | TokenWindow | undefined, limit: number, elapsed: number): number {
  if (limit < 0) return Infinity
  return count?.waitMs(limit, elapsed) ?? 0
}

function sumOfCharacters(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i)
  return sum
}
