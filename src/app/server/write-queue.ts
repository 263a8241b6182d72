/** After a failure the store is asked again this soon. */
const RETRY_MS = 1_000

export interface NoteQueueOptions<Note> {
  readonly write: (note: Note) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Writes down what was found out, one after the other, until each is written. No request waits for it. Who adds bounds it. */
export class NoteQueue<Note> {
  readonly #options: NoteQueueOptions<Note>
  #waiting: { readonly note: Note; readonly onWritten: () => void }[] = []
  #isRunning = false
  #isClosed = false

  constructor(options: NoteQueueOptions<Note>) {
    this.#options = options
  }

  /** Resolves when it is written. */
  add(note: Note): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ note, onWritten: resolve })
    void this.#write()
    return promise
  }

  close(): void {
    this.#isClosed = true
  }

  async #write(): Promise<void> {
    if (this.#isRunning || this.#isClosed) return
    this.#isRunning = true
    for (let next = this.#waiting[0]; next !== undefined && !this.#isClosed; next = this.#waiting[0]) {
      if (await this.#isWritten(next.note)) {
        this.#waiting = this.#waiting.slice(1)
        next.onWritten()
      } else await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
    }
    this.#isRunning = false
  }

  async #isWritten(note: Note): Promise<boolean> {
    try {
      await this.#options.write(note)
      return true
    } catch (error) {
      this.#options.onError(error)
      return false
    }
  }
}
