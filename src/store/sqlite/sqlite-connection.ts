import type { EngineConnection, EngineResult, Statement, TransactionMode } from '../engine/engine.ts'
import type { SnapshotReader } from './snapshot-reader.ts'
import type { Thread } from './thread.ts'
import type { ConnectionName } from './thread-messages.ts'
import type { Turns } from './turns.ts'

interface ConnectionParts {
  readonly writer: Thread
  readonly turns: Turns
  readonly snapshots: SnapshotReader
}

/** A transaction under way: where its statements go, and how its turn ends. */
interface OpenTransaction {
  readonly thread: Thread
  readonly on: ConnectionName
  readonly endTurn: () => void
}

/**
 * What Kysely holds for one statement or one transaction. Reads outside of transactions go to a connection of their own and
 * wait for no transaction; everything that writes waits for its turn at the one connection that can.
 */
export class SqliteConnection implements EngineConnection {
  readonly #parts: ConnectionParts
  #running: OpenTransaction | null = null

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  async execute({ sql, parameters, isRead }: Statement): Promise<EngineResult> {
    const { writer, turns } = this.#parts
    if (this.#running !== null) return this.#running.thread.run(this.#running.on, sql, parameters)
    if (isRead) return writer.run('reader', sql, parameters)
    const endTurn = await turns.take()
    try {
      return await writer.run('writer', sql, parameters)
    } finally {
      endTurn()
    }
  }

  async begin(mode: TransactionMode): Promise<void> {
    const running = mode === 'write' ? await this.#writing() : await this.#parts.snapshots.begin()
    try {
      // A deferred transaction sees one moment from its first read on; an immediate one locks, as an UPDATE must not begin late.
      await running.thread.run(running.on, mode === 'write' ? 'begin immediate' : 'begin deferred')
    } catch (error) {
      running.endTurn()
      throw error
    }
    this.#running = running
  }

  async commit(): Promise<void> {
    await this.#running?.thread.run(this.#running.on, 'commit')
    this.release()
  }

  async rollback(): Promise<void> {
    try {
      await this.#running?.thread.run(this.#running.on, 'rollback')
    } finally {
      this.release()
    }
  }

  release(): void {
    this.#running?.endTurn()
    this.#running = null
  }

  async #writing(): Promise<OpenTransaction> {
    return { thread: this.#parts.writer, on: 'writer', endTurn: await this.#parts.turns.take() }
  }
}
