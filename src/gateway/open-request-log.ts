import type { OpenRequest, OpenRequestStore } from '../metering/usage/open-request.ts'

/** Requests that are over sooner leave no trace here: most are, and each note is a write. */
const NOTED_AFTER_MS = 250
/** A round is a transaction, whose commit waits for the disk. */
const ROUND_MS = 250
/** Streams by the thousand are noted in several rounds. */
const NOTES_A_ROUND = 2_000

/** A running request, as far as it is noted. */
export interface NotableRequest {
  /** The id that its description has. */
  readonly id: string
  /** A reading of `Clock.elapsed`. */
  readonly startedAt: number
  describe(): OpenRequest
}

/**
 * Notes in the database which requests are running, as soon as they run for longer than a moment. After a crash those that
 * were noted and have no usage record are recorded as interrupted.
 */
export class OpenRequestLog {
  readonly #store: OpenRequestStore
  readonly #node: { readonly id: string }
  readonly #onError: (error: unknown) => void
  /** The ids of what is noted in the name of `#notedFor`: when this node joins under another id, all of them are noted again. */
  #noted = new Set<string>()
  #notedFor: string
  #lastRound = -Infinity
  #writing: Promise<void> | null = null

  /** `node`: this one. Its id changes when it was taken for dead. */
  constructor(options: { store: OpenRequestStore; node: { readonly id: string }; onError: (error: unknown) => void }) {
    this.#store = options.store
    this.#node = options.node
    this.#notedFor = options.node.id
    this.#onError = options.onError
  }

  /** Called several times a second with all that is running. One write is under way at a time. */
  look(running: Iterable<NotableRequest>, elapsed: number): void {
    if (this.#writing !== null || elapsed - this.#lastRound < ROUND_MS) return
    this.#lastRound = elapsed
    this.#note(running, elapsed)
  }

  /** Forgets the last of what is over, before the node leaves. To be called when nothing runs any more. */
  async finish(): Promise<void> {
    await this.#writing
    this.#note([], 0)
    await this.#writing
  }

  #note(running: Iterable<NotableRequest>, elapsed: number): void {
    if (this.#notedFor !== this.#node.id) {
      this.#notedFor = this.#node.id
      this.#noted = new Set()
    }
    const closed = new Set(this.#noted)
    const opened: OpenRequest[] = []
    for (const request of running) {
      if (closed.delete(request.id) || elapsed - request.startedAt < NOTED_AFTER_MS) continue
      if (opened.length < NOTES_A_ROUND) opened.push(request.describe())
    }
    if (opened.length === 0 && closed.size === 0) return
    this.#writing = this.#write(opened, closed).finally(() => {
      this.#writing = null
    })
  }

  async #write(opened: readonly OpenRequest[], closed: ReadonlySet<string>): Promise<void> {
    try {
      await this.#store.note(this.#notedFor, { opened, closed: [...closed] })
      for (const id of closed) this.#noted.delete(id)
      for (const { id } of opened) this.#noted.add(id)
    } catch (error) {
      this.#onError(error)
    }
  }
}
