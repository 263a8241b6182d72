import { type EngineResult, storeClosed } from '../engine/engine.ts'
import type { Bindable } from '../engine/values.ts'
import type { FileGuard } from './file-guard.ts'
import { Thread } from './thread.ts'
import type { ConnectionName } from './thread-messages.ts'
import { Turns } from './turns.ts'

/** The thread takes 10 to 20 MB, and hours may pass between two long readings. */
const IDLE_MS = 30_000

/** Long readings, in a thread that is started for them, so that no settle waits behind one. */
export class SnapshotReader {
  readonly #file: string
  readonly #writer: Thread
  readonly #guard: Pick<FileGuard, 'isLost'>
  readonly #turns = new Turns()
  #thread: Promise<Thread> | null = null
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  /** `writer`: who has to bring into the books what a reading must find there. */
  constructor(file: string, parts: { writer: Thread; guard: Pick<FileGuard, 'isLost'> }) {
    this.#file = file
    this.#writer = parts.writer
    this.#guard = parts.guard
  }

  /** One statement, as of its own moment. */
  async run(sql: string, parameters: readonly Bindable[]): Promise<EngineResult> {
    if (this.#guard.isLost) return this.#writer.run('reader', sql, parameters)
    const { thread, on, endTurn } = await this.begin()
    try {
      return await thread.run(on, sql, parameters)
    } finally {
      endTurn()
    }
  }

  /** Waits for the reading before; returns where to read, and how to end the turn. */
  async begin(): Promise<{ thread: Thread; on: ConnectionName; endTurn: () => void }> {
    const endTurn = await this.#turns.take()
    try {
      clearTimeout(this.#idle)
      if (this.#isClosed) throw storeClosed()
      // Under its name there is nothing any more, or another database: it is read where it is open.
      if (this.#guard.isLost) return { thread: this.#writer, on: 'reader', endTurn }
      let thread = await (this.#thread ??= Thread.start(this.#file, 'reader'))
      if (thread.isOver) thread = await (this.#thread = Thread.start(this.#file, 'reader'))
      // A disk that is full keeps only what came last out of the reading.
      await this.#writer.fold().catch(() => {})
      return { thread, on: 'reader', endTurn: () => this.#rest(endTurn) }
    } catch (error) {
      this.#thread = null
      endTurn()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#stop()
  }

  #rest(endTurn: () => void): void {
    this.#idle = setTimeout(() => void this.#stop(), IDLE_MS)
    endTurn()
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = null
    await thread?.then(
      (running) => running.close(),
      () => {},
    )
  }
}
