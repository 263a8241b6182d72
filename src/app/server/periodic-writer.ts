export interface PeriodicWriterOptions {
  /** Writes what is due. What a write that failed left is due again. */
  write(): Promise<void>
  /** Writes all that is left, before the node leaves. Default: `write`. */
  finish?(): Promise<void>
  onError(error: unknown): void
}

/** Writes to the database every few seconds, one write at a time. No request waits for it. */
export class PeriodicWriter {
  readonly #options: PeriodicWriterOptions
  #writing: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(options: PeriodicWriterOptions) {
    this.#options = options
  }

  start(everyMs: number): void {
    this.#timer ??= setInterval(() => void this.write(), everyMs).unref()
  }

  /** Writes now, or resolves with the write that is under way. Never rejects. */
  write(): Promise<void> {
    this.#writing ??= this.#options
      .write()
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => (this.#writing = null))
    return this.#writing
  }

  /** Stops, and resolves when all that is left is written. Never rejects. */
  async finish(): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing
    const { write, finish = write, onError } = this.#options
    await finish().catch(onError)
  }
}
