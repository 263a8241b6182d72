/** So many names are kept before their sums are handed on. */
const NAMES_LIMIT = 10_000

/**
 * Sums by name, kept until there are too many names or until the end: rows that follow each other are mostly about the same
 * few, and each handing on costs more than an addition.
 */
export class GatheredSums {
  readonly #handOn: (name: string, figures: readonly bigint[]) => void
  #sums = new Map<string, bigint[]>()

  constructor(handOn: (name: string, figures: readonly bigint[]) => void) {
    this.#handOn = handOn
  }

  add(name: string, figures: readonly bigint[]): void {
    const sum = this.#sums.get(name)
    if (sum !== undefined) {
      for (let at = 0; at < figures.length; at++) sum[at] = (sum[at] ?? 0n) + (figures[at] ?? 0n)
      return
    }
    if (this.#sums.size >= NAMES_LIMIT) this.flush()
    this.#sums.set(name, [...figures])
  }

  /** Hands over what is left, at the end. */
  flush(): void {
    const sums = this.#sums
    this.#sums = new Map()
    for (const [name, figures] of sums) this.#handOn(name, figures)
  }
}
