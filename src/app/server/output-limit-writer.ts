import type { Logger } from '../../core/log.ts'
import type { KeptLimitStore, LimitNote } from '../../routing/kept-limits.ts'
import { NoteQueue } from './write-queue.ts'

export interface LimitNotesOptions {
  readonly store: Pick<KeptLimitStore, 'noteLimit'>
  readonly log: Pick<Logger, 'warn' | 'error'>
}

/**
 * Writes down which targets keep to output limits and which do not, once each, so that other processes and later ones know.
 * It has at most two notes of each target, as `IgnoredLimits` gives no more.
 */
export class LimitNotes {
  readonly #log: LimitNotesOptions['log']
  readonly #queue: NoteQueue<LimitNote>

  constructor({ store, log }: LimitNotesOptions) {
    this.#log = log
    this.#queue = new NoteQueue({
      write: (note) => store.noteLimit(note),
      onError: (error) =>
        log.error({ err: error }, 'whether a model keeps to its limit could not be noted; this will be tried again'),
    })
  }

  note(note: LimitNote): void {
    const { upstreamId, model, verdict } = note
    if (verdict === 'ignores')
      this.#log.warn({ upstreamId, model }, 'a model wrote beyond the output limit that it was sent')
    void this.#queue.add(note)
  }

  close(): void {
    this.#queue.close()
  }
}
