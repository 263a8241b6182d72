import type { Clock } from '../../core/clock.ts'
import type { CountedLimit, CountedLimits } from '../../core/counted-limits.ts'
import type { ClusterAsk, ClusterCounts } from './cluster-counts.ts'
import { type CountedUse, together } from './counted-use.ts'
import type { OverdrawnTokenWindow } from './overdrawn-token-window.ts'
import { OwnUses, type Uses } from './key-use.ts'
import type { EstimatedTokens, Limited, LimitRefusal, LimitState, NodeShare } from './limit-terms.ts'
import type { SlidingCount } from '../../core/sliding-count.ts'

/** A running request ends when another one does: when that is cannot be known. */
const CONCURRENCY_WAIT_MS = 1_000
/** More keys with limits were used in the last minute than the threads of a process count together. */
const NO_ROOM = { part: 1, used: 1, waitMs: CONCURRENCY_WAIT_MS }

/** Another thread of the process, or another node, has taken what this one saw free or could not see. */
export class LimitTaken extends Error {
  override readonly name = 'LimitTaken'
  readonly refusal: LimitRefusal
  /** The owner of the limit: its place among those that were asked for. */
  readonly of: number

  constructor(refusal: LimitRefusal, of = 0) {
    super(`the limit on ${refusal.limit} is reached`)
    this.refusal = refusal
    this.of = of
  }
}

/**
 * Requests, tokens and running requests of the keys and accounts that have limits, in this process's memory: they end with it.
 * Threads of one process count together, in `uses` that they share. With several processes each enforces its share, so that
 * together they never let more through than the limit; or `cluster` counts for all of them, and the share is what remains
 * while that cannot be reached.
 */
export class KeyLimits {
  readonly #uses: Uses
  readonly #clock: Clock
  readonly #share: () => NodeShare
  readonly #cluster: ClusterCounts | null

  /** `clock`: with shared `uses`, one whose `elapsed` is the same in all threads. */
  constructor(options: { clock: Clock; share: () => NodeShare; uses?: Uses; cluster?: ClusterCounts | null }) {
    this.#uses = options.uses ?? new OwnUses()
    this.#clock = options.clock
    this.#share = options.share
    this.#cluster = options.cluster ?? null
  }

  /** Whether nodes count together now, so that limits are exact over all of them; null: they never do. */
  get isExact(): boolean | null {
    return this.#cluster?.isReachable ?? null
  }

  /**
   * Judges and counts a request of keys and accounts on all nodes at once: null where nodes do not count together now, or
   * nothing is limited. Resolves to null where that turns out on the way. Either way `refusal` and `begin` are for the caller
   * then. `judgedBy`: in place of their own limits. Rejects with LimitTaken, and counts nothing.
   */
  countOnAllNodes(
    limited: readonly Limited[],
    estimated: EstimatedTokens,
    judgedBy = ({ rateLimit }: Limited) => rateLimit,
  ): Promise<CountedUse | null> | null {
    const cluster = this.#cluster
    if (cluster?.isReachable !== true) return null
    const asked = limited.flatMap((each) => {
      const { id, rateLimit: limits } = each
      return limits === null ? [] : [{ id, limits, judgedBy: judgedBy(each) ?? limits, of: limited.indexOf(each) }]
    })
    return asked.length === 0 ? null : this.#countOn(cluster, asked, estimated)
  }

  async #countOn(
    cluster: ClusterCounts,
    asked: readonly (ClusterAsk & { readonly of: number })[],
    estimated: EstimatedTokens,
  ): Promise<CountedUse | null> {
    const answer = await cluster.count(asked, estimated)
    if (answer.kind === 'unreachable') return null
    if (answer.kind === 'refused') throw new LimitTaken(answer.refusal, asked[answer.of]?.of)
    const uses = [answer.use]
    try {
      // Here as well, for the share that this node enforces when the others cannot be asked.
      for (const { id, limits } of asked) {
        const own = this.#alone(() => this.#begin({ id, rateLimit: limits }, limits, { estimated, limits: null }))
        uses.push(own)
      }
    } catch (error) {
      await together(uses).undo()
      throw error
    }
    return together(uses)
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
    if (rateLimit === null) return null
    const own = this.#alone(() => this.#begin(key, rateLimit, { estimated, limits }))
    return this.#cluster === null ? own : together([own, this.#cluster.runs(key.id, estimated)])
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
      return null
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
    if (rateLimit === null) return []
    return this.#cluster?.lastStates(key.id, rateLimit) ?? this.#alone(() => this.#states(key, rateLimit))
  }

  /** The states after asking those who know of the other nodes. */
  async statesNow(key: Limited): Promise<readonly LimitState[]> {
    if (key.rateLimit !== null) await this.#cluster?.states(key.id, key.rateLimit)
    return this.states(key)
  }

  #states(key: Limited, rateLimit: CountedLimits): readonly LimitState[] {
    const elapsed = this.#clock.elapsed()
    const use = this.#uses.find(key.id)
    const states: LimitState[] = []
    const push = (limit: CountedLimit, max: number | null, count: SlidingCount | OverdrawnTokenWindow | undefined) => {
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

function wait(count: SlidingCount | OverdrawnTokenWindow | undefined, limit: number, elapsed: number): number {
  if (limit < 0) return Infinity
  return count?.waitMs(limit, elapsed) ?? 0
}

function sumOfCharacters(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i)
  return sum
}
