import type { Logger } from '../../core/log.ts'
import type { CredentialStateStore, HoldNote } from '../../routing/credential-states.ts'
import { WriteQueue } from './write-queue.ts'

export interface CredentialHoldWriterOptions {
  readonly store: Pick<CredentialStateStore, 'noteHolds'>
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>
}

/** Writes which credentials this process found refused, or taken again, so that all others know. */
export class CredentialHoldWriter {
  readonly #log: CredentialHoldWriterOptions['log']
  readonly #queue: WriteQueue<HoldNote>

  constructor({ store, log }: CredentialHoldWriterOptions) {
    this.#log = log
    this.#queue = new WriteQueue({
      write: (hold) => store.noteHolds([hold]),
      onError: (error) => log.error({ err: error }, 'failed to write which credentials are held; will retry'),
    })
  }

  write(upstreamName: string, note: HoldNote): void {
    // A field that is called `credential` is blanked in the log, whatever it holds.
    const about = { upstream: upstreamName, credentialName: note.name }
    if (note.hold === null) this.#log.info(about, 'released a credential, which the provider accepts again')
    else this.#log.warn({ ...about, because: note.hold.because }, 'held a credential, which the provider refuses')
    void this.#queue.add(note, keyOf(note))
  }

  /** Whether this process knows something newer of the credential than the store. */
  isWaiting(of: Pick<HoldNote, 'upstreamId' | 'name'>): boolean {
    return this.#queue.isWaiting(keyOf(of))
  }

  close(): void {
    this.#queue.close()
  }
}

function keyOf({ upstreamId, name }: Pick<HoldNote, 'upstreamId' | 'name'>): string {
  return `${upstreamId}\n${name}`
}
