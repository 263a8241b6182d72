import { TARGET_PATIENCE_MS, WAITING_FOR_TARGETS_LIMIT } from '../../core/limits.ts'

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
