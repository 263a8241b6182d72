import type { OpenRequest, OpenRequestStore } from '../metering/usage/open-request.ts'

/** Requests that are over sooner leave no trace here: most are, and each note is a write. */
const NOTED_AFTER_MS = 250
/** Streams by the thousand are noted in several rounds. */
const NOTES_A_ROUND = 2_000

/** A running request, as far as it is noted. */
export interface NotableRequest {
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
  /** Noted in the name of `#notedFor`: when this node joins under another id, all of them are noted again. */
  #noted = new Set<string>()
  #notedFor: string
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
    if (this.#writing !== null) return
    if (this.#notedFor !== this.#node.id) {
      this.#notedFor = this.#node.id
      this.#noted = new Set()
    }
    const opened: OpenRequest[] = []
    const stillRunning = new Set<string>()
    for (const request of running) {
      if (elapsed - request.startedAt < NOTED_AFTER_MS) continue
      const description = request.describe()
      if (this.#noted.has(description.id)) stillRunning.add(description.id)
      else if (opened.length < NOTES_A_ROUND) opened.push(description)
    }
    const closed = [...this.#noted].filter((id) => !stillRunning.has(id))
    if (opened.length === 0 && closed.length === 0) return
    this.#writing = this.#write(opened, { closed, stillRunning }).finally(() => {
      this.#writing = null
    })
  }

  /** Forgets the last of what is over, before the node leaves. To be called when nothing runs any more. */
  async finish(): Promise<void> {
    await this.#writing
    this.look([], 0)
    await this.#writing
  }

  async #write(
    opened: readonly OpenRequest[],
    noted: { closed: readonly string[]; stillRunning: Set<string> },
  ): Promise<void> {
    try {
      await this.#store.note(this.#notedFor, { opened, closed: noted.closed })
      this.#noted = noted.stillRunning
      for (const { id } of opened) this.#noted.add(id)
    } catch (error) {
      this.#onError(error)
    }
  }
}
