import type { Logger } from '../../core/log.ts'

const SAID_EVERY_MS = 60_000

/** Says in the log that telemetry was not delivered, once a minute at most, and nothing of what the collector answered. */
export class DeliveryTrouble {
  readonly #log: Logger
  readonly #elapsed: () => number
  #saidAt = -Infinity
  #count = 0

  constructor(log: Logger, elapsed: () => number) {
    this.#log = log
    this.#elapsed = elapsed
  }

  note(error: unknown): void {
    this.#count += 1
    const now = this.#elapsed()
    if (now - this.#saidAt < SAID_EVERY_MS) return
    this.#saidAt = now
    this.#log.warn({ count: this.#count, because: codeOf(error) }, 'failed to deliver telemetry to the collector')
    this.#count = 0
  }
}

/** Node's code or the HTTP status: no message, which may hold what the collector answered. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code } = error as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? String(code) : error.name
}
