import type { Logger } from '../../core/log.ts'
import type { KeptLimitStore, LimitNote } from '../../routing/kept-limits.ts'

/** After a failure the store is asked again this soon. */
const RETRY_MS = 1_000

export interface LimitNotesOptions {
  readonly store: Pick<KeptLimitStore, 'noteLimit'>
  readonly log: Pick<Logger, 'warn' | 'error'>
}

/**
 * Writes down which targets keep to output limits and which do not, once each, so that other processes and later ones know.
 * No request waits for it. It has at most two notes of each target, as `IgnoredLimits` gives no more.
 */
export class LimitNotes {
  readonly #options: LimitNotesOptions
  #waiting: LimitNote[] = []
  #isRunning = false
  #isClosed = false

  constructor(options: LimitNotesOptions) {
    this.#options = options
  }

  note(note: LimitNote): void {
    const { upstreamId, model, verdict } = note
    if (verdict === 'ignores') {
      this.#options.log.warn({ upstreamId, model }, 'a model wrote beyond the output limit that it was sent')
    }
    this.#waiting.push(note)
    void this.#write()
  }

  close(): void {
    this.#isClosed = true
  }

  async #write(): Promise<void> {
    if (this.#isRunning || this.#isClosed) return
    this.#isRunning = true
    for (let note = this.#waiting[0]; note !== undefined && !this.#isClosed; note = this.#waiting[0]) {
      if (await this.#stored(note)) this.#waiting = this.#waiting.slice(1)
      else await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
    }
    this.#isRunning = false
  }

  async #stored(note: LimitNote): Promise<boolean> {
    const { store, log } = this.#options
    try {
      await store.noteLimit(note)
      return true
    } catch (error) {
      log.error({ err: error }, 'whether a model keeps to its limit could not be noted; this will be tried again')
      return false
    }
  }
}
