import type { Logger } from '../../core/log.ts'
import type { KeptLimitStore, LimitNote } from '../../routing/kept-limits.ts'
import { WriteQueue } from './write-queue.ts'

export interface OutputLimitWriterOptions {
  readonly store: Pick<KeptLimitStore, 'noteLimit'>
  readonly log: Pick<Logger, 'warn' | 'error'>
}

/**
 * Writes which targets keep to output limits and which do not, once each, so that other processes and later ones know. At
 * most two verdicts of each target wait, as `IgnoredLimits` gives no more.
 */
export class OutputLimitWriter {
  readonly #log: OutputLimitWriterOptions['log']
  readonly #queue: WriteQueue<LimitNote>

  constructor({ store, log }: OutputLimitWriterOptions) {
    this.#log = log
    this.#queue = new WriteQueue({
      write: (note) => store.noteLimit(note),
      onError: (error) => log.error({ err: error }, 'failed to write whether a model keeps to its limit; will retry'),
    })
  }

  write(note: LimitNote): void {
    const { upstreamId, model, verdict } = note
    if (verdict === 'ignores')
      this.#log.warn({ upstreamId, model }, 'received more output than the limit that was sent')
    void this.#queue.add(note)
  }

  close(): void {
    this.#queue.close()
  }
}
