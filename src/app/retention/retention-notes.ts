import type { RetentionView } from '../../contract/retention.ts'
import type { RetentionOutcome } from './retention-run.ts'

type RetentionRun = NonNullable<RetentionView['run']>

const NAMES_SHOWN = 10

/** What the runs of this process did, for the console. Times are epoch milliseconds. */
export class RetentionNotes {
  #now: RetentionRun | null = null

  /** null: nothing runs here. */
  get now(): RetentionRun | null {
    return this.#now
  }

  planned(nextAtMs: number): void {
    this.#now = { running: false, next_at: timeOf(nextAtMs), last: this.#now?.last ?? null }
  }

  began(nextAtMs: number): void {
    this.#now = { running: true, next_at: timeOf(nextAtMs), last: this.#now?.last ?? null }
  }

  /** `failure`: what went wrong, for admins; null: nothing. */
  ended(
    { retired, sessions, archives, unusable }: Pick<RetentionOutcome, 'retired' | 'sessions' | 'archives' | 'unusable'>,
    run: { readonly atMs: number; readonly tookMs: number; readonly failure: string | null },
  ): void {
    if (this.#now === null) return
    const last = {
      at: timeOf(run.atMs),
      took_ms: run.tookMs,
      deleted: { ...retired, sessions },
      archives: archives.slice(-NAMES_SHOWN),
      unusable: unusable.slice(0, NAMES_SHOWN),
      failure: run.failure,
    }
    this.#now = { ...this.#now, running: false, last }
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
