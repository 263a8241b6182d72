import type { ThreadRequest } from './thread-messages.ts'

/** What the lines take turns at: the one connection that writes. */
export interface SharedWriter<Line> {
  serve(line: Line, request: ThreadRequest): void
  isInTransaction(): boolean
  rollBack(): void
}

/**
 * Several threads write by one connection: what comes while another line has a transaction open waits for its end, in the
 * order in which it came. Each line has one request that writes under way at a time, so no more wait than there are lines.
 */
export class LineTurns<Line> {
  readonly #writer: SharedWriter<Line>
  /** The line whose transaction is open; null: none is. */
  #holder: Line | null
  #waiting: { readonly line: Line; readonly request: ThreadRequest }[] = []

  /** `only`: the line that wrote alone until now, and may be in the middle of a transaction. */
  constructor(writer: SharedWriter<Line>, only: Line) {
    this.#writer = writer
    this.#holder = writer.isInTransaction() ? only : null
  }

  /** Serves a request that writes, now or when it is this line's turn. */
  take(line: Line, request: ThreadRequest): void {
    if (this.#holder !== null && this.#holder !== line) this.#waiting.push({ line, request })
    else {
      this.#serve(line, request)
      this.#goOn()
    }
  }

  /** A line has ended: what it had open is undone, and what of it waits is dropped. */
  leave(line: Line): void {
    this.#waiting = this.#waiting.filter((each) => each.line !== line)
    if (this.#holder !== line) return
    this.#writer.rollBack()
    this.#holder = null
    this.#goOn()
  }

  #serve(line: Line, request: ThreadRequest): void {
    this.#writer.serve(line, request)
    this.#holder = this.#writer.isInTransaction() ? line : null
  }

  #goOn(): void {
    while (this.#holder === null) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#serve(next.line, next.request)
    }
  }
}
