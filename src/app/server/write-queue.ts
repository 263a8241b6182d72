/** How soon a write that failed is tried again. */
const RETRY_MS = 1_000

export interface WriteQueueOptions<Entry> {
  readonly write: (entry: Entry) => Promise<void>
  readonly onError: (error: unknown) => void
}

interface WaitingEntry<Entry> {
  readonly entry: Entry
  readonly written: PromiseWithResolvers<void>
}

/**
 * Writes what was found out, one entry after the other, until each is written. No request waits for it. Of entries with the
 * same key the last one alone is written. How many there can be is bounded by those who add them.
 */
export class WriteQueue<Entry> {
  readonly #options: WriteQueueOptions<Entry>
  readonly #waiting = new Map<unknown, WaitingEntry<Entry>>()
  #isRunning = false
  #isClosed = false

  constructor(options: WriteQueueOptions<Entry>) {
    this.#options = options
  }

  /** Resolves when the entry is written, or the one that took its place. Without a key it is never replaced. */
  add(entry: Entry, key: unknown = Symbol()): Promise<void> {
    const written = this.#waiting.get(key)?.written ?? Promise.withResolvers<void>()
    this.#waiting.set(key, { entry, written })
    void this.#write()
    return written.promise
  }

  /** Whether an entry with this key is not written yet. */
  isWaiting(key: unknown): boolean {
    return this.#waiting.has(key)
  }

  close(): void {
    this.#isClosed = true
  }

  async #write(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    for (let [next] = this.#waiting; next !== undefined && !this.#isClosed; [next] = this.#waiting) {
      const [key, waiting] = next
      if (await this.#isWritten(waiting.entry)) {
        if (this.#waiting.get(key) !== waiting) continue
        this.#waiting.delete(key)
        waiting.written.resolve()
      } else await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
    }
    this.#isRunning = false
  }

  async #isWritten(entry: Entry): Promise<boolean> {
    try {
      await this.#options.write(entry)
      return true
    } catch (error) {
      this.#options.onError(error)
      return false
    }
  }
}
