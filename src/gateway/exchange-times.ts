import {
  FIRST_BYTE_TIMEOUT_MS,
  HEADERS_AT_LATEST_MS,
  IDLE_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  TOTAL_TIMEOUT_MS,
} from '../core/limits.ts'
import type { Upstream } from '../routing/catalog.ts'

/** What takes too long, in words for the caller. */
export interface Overdue {
  readonly message: string
  /** The whole took too long, which no other target would mend. Else the upstream was silent for too long. */
  readonly isOurLimit: boolean
}

/** The clocks of one request. All times are readings of `Clock.elapsed`, in milliseconds. */
export class ExchangeTimes {
  attemptBeganAt: number
  /** The client reads slowly, so the upstream is made to wait: its silence is no fault of its own. */
  isPaused = false
  readonly #beganAt: number
  #heardAt: number | null = null
  #sentAt: number

  constructor(elapsed: number) {
    this.#beganAt = elapsed
    this.attemptBeganAt = elapsed
    this.#sentAt = elapsed
  }

  attemptBegins(elapsed: number): void {
    this.attemptBeganAt = elapsed
    this.#heardAt = null
  }

  /** Something came from the upstream. */
  heard(elapsed: number): void {
    this.#heardAt = elapsed
  }

  /** Something went to the client. */
  sent(elapsed: number): void {
    this.#sentAt = elapsed
  }

  overdue(elapsed: number, upstream: Upstream | null): Overdue | null {
    if (elapsed - this.#beganAt > (upstream?.timeoutMs ?? TOTAL_TIMEOUT_MS)) {
      return {
        message: 'The model did not finish its answer in the time allowed. Ask for less at a time.',
        isOurLimit: true,
      }
    }
    if (this.#heardAt === null) {
      const limit = upstream?.firstByteTimeoutMs ?? FIRST_BYTE_TIMEOUT_MS
      if (elapsed - this.attemptBeganAt <= limit) return null
      return { message: 'The model did not begin to answer in time. Try again in a moment.', isOurLimit: false }
    }
    if (this.isPaused) {
      this.#heardAt = elapsed
      return null
    }
    if (elapsed - this.#heardAt <= IDLE_TIMEOUT_MS) return null
    return { message: 'The model stopped in the middle of its answer. Try again.', isOurLimit: false }
  }

  clientWaitsSince(elapsed: number): boolean {
    return elapsed - this.#sentAt >= KEEP_ALIVE_MS
  }

  headersAreDue(elapsed: number): boolean {
    return elapsed - this.#beganAt >= HEADERS_AT_LATEST_MS
  }
}
