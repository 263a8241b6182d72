import type { IncomingHttpHeaders } from 'node:http'
import {
  FIRST_BYTE_TIMEOUT_MS,
  FIRST_EVENT_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  TOTAL_TIMEOUT_MS,
  TRY_AGAIN_WITHIN_MS,
  CLIENT_PATIENCE_LEAST_MS,
  TARGET_PATIENCE_MS,
  WAITING_FOR_TARGETS_LIMIT,
} from '../../core/limits.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { Serving } from '../../routing/serving.ts'

/** An upstream that breaks off after its client let it wait for so long in all is not the one to blame. */
const LONG_PAUSES_MS = 3_000

/** What takes too long, in words for the caller. */
export interface Overdue {
  readonly message: string
  /** The whole took too long, which no other target would fix. Else the upstream was silent for too long. */
  readonly isOurLimit: boolean
}

interface Trying {
  readonly upstream: Upstream | null
  /** Whether its first event is to be expected soon; asked once it has been silent for long. */
  readonly beginsSoon: boolean
}

/** The clocks of one request. All times are readings of `Clock.elapsed`, in milliseconds. */
export class ExchangeTimes {
  /** null: none is under way, since the request waits for a moment until one may be. */
  #attemptBeganAt: number | null
  #pausedSince: number | null = null
  #pausedMs = 0
  readonly #beganAt: number
  #headAt: number | null = null
  #heardAt: number | null = null
  #sentAt: number
  /** Whether the attempt is expected to begin soon; null: it was not looked at yet. */
  #beginsSoon: boolean | null = null
  readonly #idleTimeoutMs: number
  /** The model's own limits, which come before those of its upstreams. */
  readonly #serving: Serving | undefined

  /** `idleTimeoutMs`: that of the installation. */
  constructor(elapsed: number, idleTimeoutMs: number, serving?: Serving) {
    this.#idleTimeoutMs = serving?.idleTimeoutMs ?? idleTimeoutMs
    this.#serving = serving
    this.#beganAt = elapsed
    this.#attemptBeganAt = elapsed
    this.#sentAt = elapsed
  }

  attemptBegins(elapsed: number): void {
    this.#attemptBeganAt = elapsed
    this.#headAt = null
    this.#heardAt = null
    this.#beginsSoon = null
  }

  /** The attempt is over, and the request waits until another target may be asked: no upstream is late meanwhile. */
  waits(): void {
    this.#attemptBeganAt = null
    this.#headAt = null
    this.#heardAt = null
  }

  /** The head of an answer came, or a sign of life before its first event, which some upstreams send long before they have one. */
  headCame(elapsed: number): void {
    this.#headAt = elapsed
  }

  /** Something of an answer came from the upstream. */
  heard(elapsed: number): void {
    this.#heardAt = elapsed
  }

  /** Something went to the client. */
  sent(elapsed: number): void {
    this.#sentAt = elapsed
  }

  /** The client reads slowly, so the upstream is made to wait: its silence is not its own fault. */
  pause(elapsed: number): void {
    this.#pausedSince ??= elapsed
  }

  resume(elapsed: number): void {
    if (this.#pausedSince !== null) this.#pausedMs += elapsed - this.#pausedSince
    this.#pausedSince = null
  }

  /** Something came of the attempt. */
  get hasHeard(): boolean {
    return this.#heardAt !== null
  }

  get isPaused(): boolean {
    return this.#pausedSince !== null
  }

  /** Whether the upstream was made to wait for long enough to lose patience with it. */
  hasKeptUpstreamWaiting(elapsed: number): boolean {
    const now = this.#pausedSince === null ? 0 : elapsed - this.#pausedSince
    return this.#pausedMs + now >= LONG_PAUSES_MS
  }

  overdue(elapsed: number, trying: Trying): Overdue | null {
    const { upstream } = trying
    if (elapsed - this.#beganAt > (this.#serving?.timeoutMs ?? upstream?.timeoutMs ?? TOTAL_TIMEOUT_MS)) {
      return {
        message: 'The model did not finish its answer in the time allowed. Ask for less at a time.',
        isOurLimit: true,
      }
    }
    if (this.#attemptBeganAt === null) return null
    if (this.#heardAt === null) {
      const isSilent = this.#headAt !== null && elapsed - this.#headAt > this.#idleTimeoutMs
      const askedFor = elapsed - this.#attemptBeganAt
      if (askedFor <= this.#firstEventLimit(askedFor, trying) && !isSilent) return null
      return { message: 'The model did not begin to answer in time. Try again in a moment.', isOurLimit: false }
    }
    if (this.#pausedSince !== null) {
      this.#heardAt = elapsed
      return null
    }
    if (elapsed - this.#heardAt <= this.#idleTimeoutMs) return null
    return { message: 'The model stopped in the middle of its answer. Try again.', isOurLimit: false }
  }

  #firstEventLimit(askedFor: number, trying: Trying): number {
    const given = this.#serving?.firstEventTimeoutMs ?? trying.upstream?.firstByteTimeoutMs
    if (given != null) return given
    if (askedFor <= FIRST_EVENT_TIMEOUT_MS) return FIRST_BYTE_TIMEOUT_MS
    this.#beginsSoon ??= trying.beginsSoon
    return this.#beginsSoon ? FIRST_EVENT_TIMEOUT_MS : FIRST_BYTE_TIMEOUT_MS
  }

  /** Whether another target would come too late. */
  isTooLateToTry(elapsed: number): boolean {
    return elapsed - this.#beganAt > TRY_AGAIN_WITHIN_MS
  }

  /** Whether the client of a stream that has begun is to be shown that it goes on. */
  clientWaitsSince(elapsed: number): boolean {
    return elapsed - this.#sentAt >= KEEP_ALIVE_MS
  }
}

/**
 * Headers in which clients say, in seconds, how long they wait. `x-stainless-timeout`: the OpenAI and Anthropic libraries for
 * JavaScript, until the head of the answer (`buildHeaders` in `client.js` of openai 7.55 and of @anthropic-ai/sdk).
 * `x-stainless-read-timeout`: those for Python, until any bytes come (changelogs, “send `X-Stainless-Read-Timeout` header”).
 */
const HEADERS = ['x-stainless-timeout', 'x-stainless-read-timeout'] as const
const SECONDS = /^\d{1,6}(?:\.\d{1,6})?$/

/** How long the client waits for the first of an answer, in milliseconds; null: it does not say, or nothing that can be. */
export function clientPatienceMs(headers: IncomingHttpHeaders): number | null {
  let least: number | null = null
  for (const name of HEADERS) {
    const said = headers[name]
    if (typeof said !== 'string' || !SECONDS.test(said)) continue
    const ms = Number(said) * 1_000
    if (ms > 0) least = Math.min(least ?? Infinity, Math.max(ms, CLIENT_PATIENCE_LEAST_MS))
  }
  return least
}

/** Whether the client times out before `at`, a reading of `Clock.elapsed`. Asked where a first attempt was not enough. */
export function clientTimesOutBefore(
  {
    headers,
    answer,
    trace,
  }: {
    readonly headers: IncomingHttpHeaders
    readonly answer: { readonly hasBegun: boolean }
    readonly trace: { readonly startedAt: number }
  },
  at: number,
): boolean {
  // With the head of a stream, which is sent early to keep it waiting, its own time begins anew or is over.
  if (answer.hasBegun) return false
  const patience = clientPatienceMs(headers)
  return patience !== null && at - trace.startedAt >= patience
}

/** Where requests wait: so many of them hold their bodies in memory. */
interface WaitQueue {
  waiting: number
}

/** Whether a request waits so many milliseconds there, with `leftMs` of its patience left: none waits longer, and no more than so many do. */
export function mayWait(ms: number, { waiting }: Readonly<WaitQueue>, leftMs: number = TARGET_PATIENCE_MS): boolean {
  return wholeMs(ms) <= leftMs && waiting < WAITING_FOR_TARGETS_LIMIT
}

/** A millisecond at least: what is over in less is not over yet. */
export function wholeMs(ms: number): number {
  return Math.max(1, Math.ceil(ms))
}

/** One request's wait for a target that rests for a moment, so long in all at most, however often; or for money to ask one. */
export class TargetWait {
  #leftMs = TARGET_PATIENCE_MS
  #timer: NodeJS.Timeout | null = null
  #queue: WaitQueue | null = null
  #turn = 0

  /** Calls back after so many milliseconds; false: that is longer than it may wait, or too many wait already. */
  until(ms: number, queue: WaitQueue, then: () => void): boolean {
    if (!mayWait(ms, queue, this.#leftMs)) return false
    const waits = wholeMs(ms)
    this.#leftMs -= waits
    this.#queue = queue
    queue.waiting += 1
    this.#timer = setTimeout(() => {
      this.end()
      then()
    }, waits)
    return true
  }

  /** Calls back with what comes of it, unless the wait has ended by then. */
  forAnswer<T>(answer: Promise<T>, then: (value: T) => void, failed: (error: unknown) => void): void {
    const turn = ++this.#turn
    const unlessOver =
      <A>(callback: (about: A) => void) =>
      (about: A): void => {
        if (turn === this.#turn) callback(about)
      }
    answer.then(unlessOver(then), unlessOver(failed))
  }

  /** Nothing is waited for any more. */
  end(): void {
    this.#turn += 1
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#queue !== null) this.#queue.waiting -= 1
    this.#timer = null
    this.#queue = null
  }
}
