import {
  FIRST_BYTE_TIMEOUT_MS,
  FIRST_EVENT_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  TOTAL_TIMEOUT_MS,
  TRY_AGAIN_WITHIN_MS,
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

/** What is being tried. */
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

  /** Whether the client of a stream that has begun is to hear that it goes on. */
  clientWaitsSince(elapsed: number): boolean {
    return elapsed - this.#sentAt >= KEEP_ALIVE_MS
  }
}
