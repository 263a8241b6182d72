import { collectYoung, COLLECTIONS_OF_A_SPELL } from '../../core/collect.ts'

/** More than V8 looks back. */
const QUIET_MS = 6_000

/** Collects the young objects of this thread after each spell of work, and gives up the room for them (decision 0050). */
export class QuietCollector {
  readonly #collect: () => void
  #timer: NodeJS.Timeout | undefined
  #hasWorked = false
  /** Collections that are still to come of this quiet spell. */
  #left = 0

  constructor(collect: () => void = collectYoung) {
    this.#collect = collect
  }

  /** Hears of work that leaves garbage. */
  worked(): void {
    this.#hasWorked = true
    this.#left = COLLECTIONS_OF_A_SPELL
    this.#timer ??= setTimeout(this.#look, QUIET_MS).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  readonly #look = (): void => {
    this.#timer = undefined
    if (this.#hasWorked) this.#hasWorked = false
    else {
      this.#left -= 1
      this.#collect()
    }
    if (this.#left > 0) this.#timer = setTimeout(this.#look, QUIET_MS).unref()
  }
}
