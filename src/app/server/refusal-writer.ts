import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { LearnedRefusalStore, RefusalNote } from '../../routing/learned-refusals.ts'
import { NoteQueue } from './write-queue.ts'

export interface RefusalNotesOptions {
  readonly store: Pick<LearnedRefusalStore, 'noteRefusal'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Logger, 'info' | 'error'>
}

/** Writes down which settings targets refuse, so that other processes and later ones know. `LearnedRefusals` bounds how many. */
export class RefusalNotes {
  readonly #log: RefusalNotesOptions['log']
  readonly #queue: NoteQueue<RefusalNote>

  constructor({ store, clock, log }: RefusalNotesOptions) {
    this.#log = log
    this.#queue = new NoteQueue({
      write: (note) => store.noteRefusal(note, clock.now()),
      onError: (error) =>
        log.error({ err: error }, 'what an upstream refuses could not be noted; this will be tried again'),
    })
  }

  /** Resolves when it is written. */
  note(note: RefusalNote): Promise<void> {
    const { upstreamId, model, setting, value, said } = note
    this.#log.info({ upstreamId, model, setting, value, said }, 'a setting is left out, since the upstream refuses it')
    return this.#queue.add(note)
  }

  close(): void {
    this.#queue.close()
  }
}
