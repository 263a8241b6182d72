/** How many may wait: beyond it the database is behind for good, and waiting longer does not help. */
const WAITING_LIMIT = 10_000

/** Turns to use something that only one may use at a time. First come, first served. */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /** Resolves when it is the caller's turn, with the function that ends it. */
  take(): Promise<() => void> {
    if (this.#waiting.length >= WAITING_LIMIT) return Promise.reject(new Error('too many transactions are waiting'))
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(this.#ending()))
      this.#next()
    })
  }

  #next(): void {
    if (this.#isTaken) return
    const begin = this.#waiting.shift()
    if (begin === undefined) return
    this.#isTaken = true
    begin()
  }

  #ending(): () => void {
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#isTaken = false
      this.#next()
    }
  }
}
