import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { LearnedRefusalStore, RefusalNote } from '../../routing/learned-refusals.ts'
import { WriteQueue } from './write-queue.ts'

export interface RefusalWriterOptions {
  readonly store: Pick<LearnedRefusalStore, 'noteRefusal'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Logger, 'info' | 'error'>
}

/** Writes which settings targets refuse, so that other processes and later ones know. `LearnedRefusals` bounds how many. */
export class RefusalWriter {
  readonly #log: RefusalWriterOptions['log']
  readonly #queue: WriteQueue<RefusalNote>

  constructor({ store, clock, log }: RefusalWriterOptions) {
    this.#log = log
    this.#queue = new WriteQueue({
      write: (note) => store.noteRefusal(note, clock.now()),
      onError: (error) => log.error({ err: error }, 'failed to write what an upstream refuses; will retry'),
    })
  }

  /** Resolves when it is written. */
  write(note: RefusalNote): Promise<void> {
    const { upstreamId, model, setting, value, said } = note
    this.#log.info({ upstreamId, model, setting, value, said }, 'left out a setting, since the upstream refuses it')
    return this.#queue.add(note)
  }

  close(): void {
    this.#queue.close()
  }
}
