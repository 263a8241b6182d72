import type { Logger } from '../core/log.ts'

export interface PeriodicTaskOptions {
  /** Does what is due. What a run that failed left is done by the next. */
  run(): Promise<void>
  /** Does all that is left, before the node leaves. Absent: nothing has to be done by then. */
  finish?(): Promise<void>
  onError(error: unknown): void
}

/** Does something every so often, one run at a time; no request waits for it. */
export class PeriodicTask {
  readonly #options: PeriodicTaskOptions
  #running: Promise<void> | null = null
  #first: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: PeriodicTaskOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  start({ everyMs, firstAfterMs = everyMs }: { readonly everyMs: number; readonly firstAfterMs?: number }): this {
    if (firstAfterMs !== everyMs) this.#first = setTimeout(() => void this.run(), firstAfterMs).unref()
    this.#timer = setInterval(() => void this.run(), everyMs).unref()
    return this
  }

  /** Runs now, or resolves with the run that is under way. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#options
      .run()
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => (this.#running = null))
    return this.#running
  }

  /** Resolves when the run that is under way has ended, and all that is left is done. Never rejects. */
  async stop(): Promise<void> {
    clearTimeout(this.#first)
    clearInterval(this.#timer)
    await this.#running
    await this.#options.finish?.().catch((error: unknown) => this.#options.onError(error))
  }
}

/** Writes what waits to be written, every so often and once more at the end. */
export function writingTask(
  write: () => Promise<void>,
  { log, failed }: { readonly log: Pick<Logger, 'warn'>; readonly failed: string },
): PeriodicTask {
  const onError = (error: unknown) => log.warn({ err: error }, `${failed}; will retry`)
  return new PeriodicTask({ run: write, finish: write, onError })
}
