import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { CredentialStateStore, HoldNote } from '../../routing/credential-states.ts'
import type { KeptLimitStore, LimitNote } from '../../routing/kept-limits.ts'
import type { LearnedRefusalStore, RefusalNote } from '../../routing/learned-refusals.ts'

/** Writes which credentials this process found refused, or taken again, so that all others know. */
export class CredentialHoldWriter {
  readonly #log: Pick<Logger, 'warn' | 'info'>
  readonly #queue: WriteQueue<HoldNote>

  constructor(store: Pick<CredentialStateStore, 'noteHolds'>, log: Pick<Logger, 'error' | 'warn' | 'info'>) {
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

/**
 * Writes which targets keep to output limits and which do not, once each, so that other processes and later ones know. At
 * most two verdicts of each target wait, as `IgnoredLimits` gives no more.
 */
export function outputLimitWriter(
  store: Pick<KeptLimitStore, 'noteLimit'>,
  log: Pick<Logger, 'warn' | 'error'>,
): WriteQueue<LimitNote> {
  return new WriteQueue({
    say({ upstreamId, model, verdict }) {
      if (verdict === 'ignores') log.warn({ upstreamId, model }, 'received more output than the limit that was sent')
    },
    write: (note) => store.noteLimit(note),
    onError: (error) => log.error({ err: error }, 'failed to write whether a model keeps to its limit; will retry'),
  })
}

/** Writes which settings targets refuse, so that other processes and later ones know. `LearnedRefusals` bounds how many. */
export function refusalWriter(
  store: Pick<LearnedRefusalStore, 'noteRefusal'>,
  { clock, log }: { readonly clock: Pick<Clock, 'now'>; readonly log: Pick<Logger, 'info' | 'error'> },
): WriteQueue<RefusalNote> {
  return new WriteQueue({
    say: ({ upstreamId, model, setting, value, said }) =>
      log.info({ upstreamId, model, setting, value, said }, 'left out a setting, since the upstream refuses it'),
    write: (note) => store.noteRefusal(note, clock.now()),
    onError: (error) => log.error({ err: error }, 'failed to write what an upstream refuses; will retry'),
  })
}

/** How soon a write that failed is tried again. */
const RETRY_MS = 1_000

interface WriteQueueOptions<Entry> {
  /** Says at once what is to be written. */
  readonly say?: (entry: Entry) => void
  readonly write: (entry: Entry) => Promise<void>
  readonly onError: (error: unknown) => void
}

interface WaitingEntry<Entry> {
  readonly entry: Entry
  readonly written: PromiseWithResolvers<void>
}

/**
 * Writes what was found out, one entry after the other, until each is written. No request waits for it. Of entries with the
 * same key the last one alone is written. How many there can be is bounded by those who add them.
 */
export class WriteQueue<Entry> {
  readonly #options: WriteQueueOptions<Entry>
  readonly #waiting = new Map<unknown, WaitingEntry<Entry>>()
  #isRunning = false
  #isClosed = false

  constructor(options: WriteQueueOptions<Entry>) {
    this.#options = options
  }

  /** Resolves when the entry is written, or the one that took its place. Without a key it is never replaced. */
  add(entry: Entry, key: unknown = Symbol()): Promise<void> {
    this.#options.say?.(entry)
    const written = this.#waiting.get(key)?.written ?? Promise.withResolvers<void>()
    this.#waiting.set(key, { entry, written })
    void this.#write()
    return written.promise
  }

  /** Whether an entry with this key is not written yet. */
  isWaiting(key: unknown): boolean {
    return this.#waiting.has(key)
  }

  close(): void {
    this.#isClosed = true
  }

  async #write(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    for (let [next] = this.#waiting; next !== undefined && !this.#isClosed; [next] = this.#waiting) {
      const [key, waiting] = next
      if (await this.#isWritten(waiting.entry)) {
        if (this.#waiting.get(key) !== waiting) continue
        this.#waiting.delete(key)
        waiting.written.resolve()
      } else await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
    }
    this.#isRunning = false
  }

  async #isWritten(entry: Entry): Promise<boolean> {
    try {
      await this.#options.write(entry)
      return true
    } catch (error) {
      this.#options.onError(error)
      return false
    }
  }
}
