import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'
import { type CountedLimits, type CountedLimit } from '../../core/counted-limits.ts'
import { newId } from '../../core/ids.ts'
import type { ClusterAnswer, ClusterAsk, ClusterCounts } from '../../metering/limits/cluster-counts.ts'
import type { CountedUse } from '../../metering/limits/counted-use.ts'
import type { EstimatedTokens, LimitRefusal, LimitState } from '../../metering/limits/limit-terms.ts'
import { COUNTING_SCRIPT } from './counting-script.ts'
import { RedisLink, type RedisLinkOptions } from './redis-link.ts'

/** What a node has running counts for so long without being renewed, so a node that died holds nothing after that. */
const LEASE_MS = 20_000
const RENEWED_AFTER_MS = 5_000
const RENEWED_IN_ONE = 100
const RENEWED_AT_ONCE = 4
/** Keys and accounts whose states are remembered, each until the last minute has passed. */
const REMEMBERED = 8_192
const STATE_LASTS_MS = 60_000

const PREFIX = 'tollgate:limits:'
/** Two that lie in different parts of a cluster: it has to take both in one step, as of a key and its account. */
const PROBED = [`${PREFIX}probe`, `${PREFIX}probe-2`]
const NOTHING_RUNS = ['1', '0', '0', '0']
const LIMIT_NAMES: readonly CountedLimit[] = ['concurrency', 'requests', 'tokens']
/** Numbers of a refusal, of an entry and of how the limits stand. */
const REFUSAL = 4
const ENTRY = 3
const STATES = 5

/** What this process has running of one key or account. */
interface LocalCounts {
  present: number
  running: number
  reserved: number
  /** Requests that the server may have let in, for which it has not answered yet. All else it hears in its order. */
  asking: number
  /** The connection on which the server heard of it last. */
  saidOn: number
}

/** Where a request stands in the windows of one key or account: the part, what is placed there, what is owed. */
type WindowEntry = readonly [part: number, placed: number, owed: number]

export interface RedisCountsOptions extends Pick<RedisLinkOptions, 'url' | 'newestUrl' | 'log'> {
  readonly clock: Clock
  /** The time that the server counts by, in milliseconds; absent: its own. */
  serverTime?(): number
}

/** The counts of `metering/limits` on a Redis or Valkey server, for all nodes that use the same one. */
export class RedisCounts implements ClusterCounts {
  readonly #link: RedisLink
  readonly #options: RedisCountsOptions
  readonly #node: string
  readonly #here = new Map<string, LocalCounts>()
  readonly #last = new Map<string, { readonly at: number; readonly numbers: readonly number[] }>()
  readonly #timer: NodeJS.Timeout
  readonly #reached = Promise.withResolvers<void>()
  /** The number of the present connection of this process to the server. */
  #connection = 0
  /** The connection on which what runs is being renewed. */
  #renewing: number | null = null

  constructor(options: RedisCountsOptions) {
    this.#options = options
    this.#node = newId('nod', options.clock.now())
    const { url, newestUrl, log } = options
    this.#link = new RedisLink({
      url,
      ...(newestUrl && { newestUrl }),
      log,
      script: COUNTING_SCRIPT,
      probe: {
        keys: PROBED,
        args: ['renew', '', this.#node, '0', String(LEASE_MS), ...PROBED.flatMap(() => NOTHING_RUNS)],
      },
      onReady: () => this.#onReady(),
    })
    this.#timer = setInterval(() => void this.#renew(), RENEWED_AFTER_MS).unref()
  }

  get isReachable(): boolean {
    return this.#link.isReady
  }

  /** Resolves when the server can be asked, or after so many milliseconds. */
  async untilReachable(ms: number): Promise<void> {
    if (this.isReachable) return
    const over = new AbortController()
    const late = delay(ms, undefined, { signal: over.signal }).catch(() => {})
    await Promise.race([this.#reached.promise, late])
    over.abort()
  }

  async count(asked: readonly ClusterAsk[], tokens: EstimatedTokens): Promise<ClusterAnswer> {
    const ids = asked.map(({ id }) => id)
    void this.#say(ids.filter((id) => this.#isUnsaid(id)))
    for (const id of ids) this.#hereOf(id).asking += 1
    try {
      return await this.#count(asked, tokens)
    } finally {
      for (const id of ids) {
        this.#hereOf(id).asking -= 1
        this.#forgetIfIdle(id)
      }
    }
  }

  async #count(asked: readonly ClusterAsk[], tokens: EstimatedTokens): Promise<ClusterAnswer> {
    const ids = asked.map(({ id }) => id)
    const [input, output] = [Math.ceil(tokens.input), Math.ceil(tokens.output)]
    const limits = asked.flatMap(({ judgedBy: by, limits: all }) =>
      [by.concurrency, by.requestsPerMinute, by.tokensPerMinute, all.tokensPerMinute].map((limit) => limit ?? -1),
    )
    const numbers = await this.#ask(ids, 'count', [input, output, ...limits])
    if (numbers === null) return { kind: 'unreachable' }
    const isCounted = numbers[0] === 1
    const statesFrom = isCounted ? 1 + ids.length * ENTRY : 2 + REFUSAL
    this.#remember(ids, numbers.slice(statesFrom))
    if (!isCounted) return { kind: 'refused', of: (numbers[1] ?? 1) - 1, refusal: refusalOf(numbers.slice(2)) }
    const entries = ids.map((_, index): WindowEntry => {
      const [part = 0, placed = 0, owed = 0] = numbers.slice(1 + index * ENTRY)
      return [part, placed, owed]
    })
    return { kind: 'counted', use: this.#begin(ids, { counted: input + output, entries }) }
  }

  runs(id: string, { input, output }: EstimatedTokens): CountedUse {
    return this.#begin([id], { counted: Math.ceil(input) + Math.ceil(output), entries: [[0, 0, 0]] })
  }

  lastStates(id: string, limits: CountedLimits): readonly LimitState[] | null {
    const last = this.isReachable ? this.#last.get(id) : undefined
    const age = this.#options.clock.elapsed() - (last?.at ?? 0)
    if (last === undefined || age > STATE_LASTS_MS) return null
    return statesOf(last.numbers, limits, age)
  }

  async states(id: string, limits: CountedLimits): Promise<readonly LimitState[] | null> {
    const numbers = await this.#ask([id], 'states', [])
    if (numbers === null) return null
    this.#remember([id], numbers)
    return statesOf(numbers, limits, 0)
  }

  /** Ends the connection. What runs counts for a while on the server. */
  close(): void {
    clearInterval(this.#timer)
    this.#link.close()
  }

  #begin(ids: readonly string[], about: { counted: number; entries: readonly WindowEntry[] }): CountedUse {
    const { counted, entries } = about
    for (const id of ids) this.#change(id, { present: 1, running: 1, reserved: counted })
    let isPresent = true
    const leave = () => {
      if (!isPresent) return
      isPresent = false
      for (const id of ids) this.#change(id, { present: -1, running: 0, reserved: 0 })
      void this.#ask(ids, 'leave', [])
    }
    const end = (used: number, isUndone: boolean) => {
      const leaves = isPresent ? 1 : 0
      isPresent = false
      for (const id of ids) this.#change(id, { present: -leaves, running: -1, reserved: -counted })
      const of = entries.flatMap((entry) => [Math.ceil(used), counted, ...entry, leaves, isUndone ? 1 : 0])
      return this.#ask(ids, 'end', of)
    }
    return { leave, end: (used) => void end(used, false), undo: () => end(0, true) }
  }

  /** null: there is no answer. */
  async #ask(ids: readonly string[], operation: string, numbers: readonly number[]): Promise<readonly number[] | null> {
    if (!this.#link.isReady) return null
    try {
      const now = this.#options.serverTime?.()
      const args = [
        operation,
        now === undefined ? '' : String(now),
        this.#node,
        String(this.#connection),
        String(LEASE_MS),
        ...numbers.map(String),
      ]
      return await this.#link.run(
        ids.map((id) => PREFIX + id),
        args,
      )
    } catch {
      // The link has said so.
      return null
    }
  }

  #onReady(): void {
    this.#connection += 1
    this.#reached.resolve()
    void this.#renew()
  }

  /** What runs here goes on to count. Only so much is said at a time that requests are answered in between. */
  async #renew(): Promise<void> {
    const connection = this.#connection
    if (this.#renewing === connection) return
    this.#renewing = connection
    const ids = [...this.#here.keys()]
    const say = async () => {
      while (ids.length > 0 && this.isReachable && this.#connection === connection) {
        await this.#say(ids.splice(-RENEWED_IN_ONE).filter((id) => this.#runs(id)))
      }
    }
    await Promise.all(Array.from({ length: RENEWED_AT_ONCE }, say))
    if (this.#renewing === connection) this.#renewing = null
  }

  #runs(id: string): boolean {
    return (this.#here.get(id)?.running ?? 0) > 0
  }

  /** Returns whether a request runs that the server has not heard of on this connection: it may have lost its memory. */
  #isUnsaid(id: string): boolean {
    return this.#runs(id) && this.#here.get(id)?.saidOn !== this.#connection
  }

  /** What runs here of these is counted anew, where no answer is awaited that may change it. */
  async #say(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const numbers = ids.flatMap((id) => {
      const here = this.#hereOf(id)
      here.saidOn = this.#connection
      return [here.asking === 0 ? 1 : 0, here.present, here.running, here.reserved]
    })
    await this.#ask(ids, 'renew', numbers)
  }

  #change(id: string, by: Pick<LocalCounts, 'present' | 'running' | 'reserved'>): void {
    const here = this.#hereOf(id)
    here.present += by.present
    here.running += by.running
    here.reserved += by.reserved
    this.#forgetIfIdle(id)
  }

  #hereOf(id: string): LocalCounts {
    let here = this.#here.get(id)
    if (here === undefined) {
      here = { present: 0, running: 0, reserved: 0, asking: 0, saidOn: this.#connection }
      this.#here.set(id, here)
    }
    return here
  }

  #forgetIfIdle(id: string): void {
    const here = this.#here.get(id)
    if (here !== undefined && here.running === 0 && here.asking === 0) this.#here.delete(id)
  }

  #remember(ids: readonly string[], numbers: readonly number[]): void {
    if (this.#last.size >= REMEMBERED) this.#last.clear()
    const at = this.#options.clock.elapsed()
    for (const [index, id] of ids.entries()) {
      this.#last.set(id, { at, numbers: numbers.slice(index * STATES, (index + 1) * STATES) })
    }
  }
}

function refusalOf([limit = 1, max = 0, used = 0, waitMs = 0]: readonly number[]): LimitRefusal {
  const name = LIMIT_NAMES[limit - 1] ?? 'requests'
  return { limit: name, max, used, waitMs: waitMs < 0 ? Infinity : waitMs, part: max, nodes: 1 }
}

/** `age`: milliseconds since the numbers were true. */
function statesOf(
  [requests = 0, requestsReset = 0, tokens = 0, tokensReset = 0, present = 0]: readonly number[],
  { requestsPerMinute, tokensPerMinute, concurrency }: CountedLimits,
  age: number,
): readonly LimitState[] {
  const states: LimitState[] = []
  const window = (limit: CountedLimit, max: number | null, [used, reset]: readonly [number, number]) => {
    if (max === null) return
    const resetMs = reset < 0 ? Infinity : Math.max(0, reset - age)
    states.push({ limit, max, used: resetMs === 0 ? 0 : used, resetMs })
  }
  window('requests', requestsPerMinute, [requests, requestsReset])
  window('tokens', tokensPerMinute, [tokens, tokensReset])
  if (concurrency !== null) states.push({ limit: 'concurrency', max: concurrency, used: present, resetMs: 0 })
  return states
}
