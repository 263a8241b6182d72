/** The word that has the holder's number plus one, 0 for none; and how many wait for it to change. */
const HOLDER = 0
const WAITING = 1
/** How often is looked before a wait begins: the lock is held for microseconds, and most often free again by then. */
const SPINS = 64
const WAIT_MS = 50
/** A holder that has not come to its end after so many waits, a second, has died in the middle. */
const WAITS_LIMIT = 20

/**
 * A lock between the threads of one process, for steps of microseconds. A holder that died is overcome: `repair` puts in
 * order what it may have left half done.
 */
export class SharedLock {
  readonly #words: Int32Array
  readonly #own: number
  readonly #repair: () => void

  /** `words`: at least two that nothing else uses, 0 at first. `thread`: its number, from 0 on. */
  constructor(words: Int32Array, thread: number, repair: () => void) {
    this.#words = words
    this.#own = thread + 1
    this.#repair = repair
  }

  /** Waits for it, without giving way to anything else in this thread. */
  take(): void {
    for (let spin = 0; spin < SPINS; spin++) {
      if (Atomics.compareExchange(this.#words, HOLDER, 0, this.#own) === 0) return
    }
    this.#wait()
  }

  release(): void {
    // Where it was broken meanwhile it is another's.
    if (Atomics.compareExchange(this.#words, HOLDER, this.#own, 0) !== this.#own) return
    if (Atomics.load(this.#words, WAITING) > 0) Atomics.notify(this.#words, HOLDER, 1)
  }

  /** Frees the lock where a thread held it that has died. */
  breakOf(thread: number): void {
    if (Atomics.compareExchange(this.#words, HOLDER, thread + 1, this.#own) !== thread + 1) return
    this.#repair()
    this.release()
  }

  #wait(): void {
    let waits = 0
    Atomics.add(this.#words, WAITING, 1)
    try {
      for (;;) {
        const holder = Atomics.compareExchange(this.#words, HOLDER, 0, this.#own)
        if (holder === 0) return
        if (waits >= WAITS_LIMIT && this.#overcome(holder)) return
        // Each time that it came free and was taken by another counts for nothing.
        waits = Atomics.wait(this.#words, HOLDER, holder, WAIT_MS) === 'timed-out' ? waits + 1 : 0
      }
    } finally {
      Atomics.sub(this.#words, WAITING, 1)
    }
  }

  #overcome(holder: number): boolean {
    if (Atomics.compareExchange(this.#words, HOLDER, holder, this.#own) !== holder) return false
    this.#repair()
    return true
  }
}
