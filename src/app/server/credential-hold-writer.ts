import type { Logger } from '../../core/log.ts'
import type { CredentialStateStore, HoldNote } from '../../routing/credential-states.ts'

/** After a failure the store is asked again this soon. */
const RETRY_MS = 1_000

export interface HoldNotesOptions {
  readonly store: Pick<CredentialStateStore, 'noteHolds'>
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>
}

/**
 * Writes down which credentials this process found refused, or taken again, so that all others know. No request waits for it;
 * of each credential the last finding alone is kept until it is written.
 */
export class HoldNotes {
  readonly #options: HoldNotesOptions
  readonly #waiting = new Map<string, HoldNote>()
  #writing: ReadonlyMap<string, HoldNote> = new Map()
  #isRunning = false
  #isClosed = false

  constructor(options: HoldNotesOptions) {
    this.#options = options
  }

  note(upstreamName: string, note: HoldNote): void {
    // A field that is called `credential` is blanked in the log, whatever it holds.
    const about = { upstream: upstreamName, credentialName: note.name }
    if (note.hold === null) this.#options.log.info(about, 'a credential is taken again')
    else this.#options.log.warn({ ...about, because: note.hold.because }, 'a credential is refused, and held')
    this.#waiting.set(keyOf(note), note)
    void this.#write()
  }

  /** What is known of the credential here is newer than what the store says. */
  isWaiting(of: Pick<HoldNote, 'upstreamId' | 'name'>): boolean {
    const key = keyOf(of)
    return this.#waiting.has(key) || this.#writing.has(key)
  }

  close(): void {
    this.#isClosed = true
  }

  async #write(): Promise<void> {
    if (this.#isRunning || this.#isClosed) return
    this.#isRunning = true
    while (this.#waiting.size > 0 && !this.#isClosed) {
      const batch = new Map(this.#waiting)
      this.#waiting.clear()
      this.#writing = batch
      if (!(await this.#stored(batch))) await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
      this.#writing = new Map()
    }
    this.#isRunning = false
  }

  /** What could not be written waits again, unless something newer does. */
  async #stored(batch: ReadonlyMap<string, HoldNote>): Promise<boolean> {
    const { store, log } = this.#options
    try {
      await store.noteHolds([...batch.values()])
      return true
    } catch (error) {
      log.error({ err: error }, 'which credentials are refused could not be noted; this will be tried again')
      for (const [key, note] of batch) if (!this.#waiting.has(key)) this.#waiting.set(key, note)
      return false
    }
  }
}

function keyOf({ upstreamId, name }: Pick<HoldNote, 'upstreamId' | 'name'>): string {
  return `${upstreamId}\n${name}`
}
