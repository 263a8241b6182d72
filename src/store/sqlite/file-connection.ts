import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SettlementValue } from '../engine/settlement-rows.ts'
import { isRefusal } from '../engine/refusals.ts'
import { addPercentiles } from './percentiles.ts'
import { resultCode, sqliteFailure } from './sqlite-failure.ts'
import type { RunAnswer } from './thread-messages.ts'

/** Several processes may share the file: one waits this long for another's transaction. */
const BUSY_MS = 5_000
/**
 * How often it looks whether that is over. SQLite's own waiting pauses for up to 100 ms between two looks, and a gateway whose
 * threads write one after the other leaves others only moments.
 */
const LOOK_EVERY_MS = 1
/** Statements kept prepared; Kysely writes the same few dozen again and again. */
const STATEMENTS_LIMIT = 200
const WRITER_CACHE_KIB = 16_384
const READER_CACHE_KIB = 4_096
/**
 * Pages in the write-ahead file before a commit brings it back into the database by itself, which keeps all settles waiting.
 * Usually another thread has done so long before (`checkpoints.ts`).
 */
const CHECKPOINT_PAGES = 4_000
/** What the write-ahead file is cut back to after a long reader let it grow. */
const JOURNAL_BYTES = 64 * 1024 * 1024

interface PreparedStatement {
  readonly statement: StatementSync
  readonly hasRows: boolean
}

/** One connection to the database file, inside the thread. */
export class FileConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, PreparedStatement>()
  readonly #version: StatementSync
  readonly #begin: StatementSync
  readonly #pages: StatementSync

  private constructor(database: DatabaseSync) {
    this.#database = database
    this.#version = database.prepare('pragma data_version')
    this.#begin = database.prepare('begin immediate')
    this.#pages = database.prepare('pragma wal_checkpoint(noop)')
  }

  static forWriting(file: string): FileConnection {
    const database = new DatabaseSync(file, { timeout: 0, readBigInts: true })
    turnOnWriteAhead(database)
    whenFree(() =>
      database.exec(
        `pragma synchronous = full; pragma cache_size = -${WRITER_CACHE_KIB};
         pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}; pragma journal_size_limit = ${JOURNAL_BYTES}`,
      ),
    )
    return new FileConnection(database)
  }

  static forReading(file: string): FileConnection {
    const database = new DatabaseSync(file, { timeout: 0, readBigInts: true, readOnly: true })
    whenFree(() => database.exec(`pragma cache_size = -${READER_CACHE_KIB}`))
    addPercentiles(database)
    return new FileConnection(database)
  }

  /** Runs any statement, with those that begin and end transactions among them. */
  run(sql: string, parameters: readonly SettlementValue[]): RunAnswer {
    if (sql === 'rollback' && !this.#database.isTransaction) return { rows: [], changed: 0n }
    if (sql.startsWith('begin')) this.rollBack()
    return whenFree(() => {
      const { statement, hasRows } = this.#prepare(sql)
      if (!hasRows) return { rows: [], changed: BigInt(statement.run(...parameters).changes) }
      const rows = statement.all(...parameters)
      return { rows, changed: BigInt(rows.length) }
    })
  }

  /** Begins a transaction that writes, when no other process has one. Whatever was open is undone. */
  begin(): void {
    this.rollBack()
    whenFree(() => this.#begin.run())
  }

  /** A statement that the caller keeps. SQLite waits for no other process here: within `begin`, or else by `whenFree`. */
  prepare(sql: string): StatementSync {
    return this.#database.prepare(sql)
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  /**
   * Runs `work` in a transaction that a power cut may take back as a whole, with all that come after it: its commit does not
   * wait for the disk. Throws what `work` throws, with nothing written.
   */
  unsynced<T>(work: () => T): T {
    this.rollBack()
    this.#database.exec('pragma synchronous = normal')
    try {
      return this.synced(work)
    } finally {
      this.#database.exec('pragma synchronous = full')
    }
  }

  /** Runs `work` in a transaction. It is durable, with all that came before it, when this returns. Throws what `work` throws. */
  synced<T>(work: () => T): T {
    try {
      this.begin()
      const result = work()
      this.#database.exec('commit')
      return result
    } finally {
      this.rollBack()
    }
  }

  /** Runs `work` within a transaction. When SQLite refuses something of it, nothing of `work` is written, and its error returned. */
  attempt(work: () => void): Error | null {
    this.#database.exec('savepoint attempt')
    try {
      work()
      return null
    } catch (error) {
      if (!(error instanceof Error) || !isRefusal(sqliteFailure(error.message, resultCode(error)))) throw error
      this.#database.exec('rollback to attempt')
      return error
    } finally {
      if (this.#database.isTransaction) this.#database.exec('release attempt')
    }
  }

  /** Whatever failed before: leaves no transaction open. */
  rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec('rollback')
  }

  /** Changes when another connection, of any process, commits. */
  dataVersion(): unknown {
    return whenFree(() => this.#version.get()?.['data_version'])
  }

  /** How many pages of the write-ahead file are not in the database. For SQLite from 3.51.3 on: older ones know no such question. */
  pagesAhead(): number {
    const row = this.#pages.get()
    return Number(row?.['log'] ?? 0) - Number(row?.['checkpointed'] ?? 0)
  }

  /** Brings what it can of the write-ahead file back into the database, unless a transaction is open. */
  checkpoint(): void {
    if (this.#database.isTransaction) return
    try {
      this.#database.exec('pragma wal_checkpoint(passive)')
    } catch {
      // The disk or another process stands in the way: SQLite tries again when it writes.
    }
  }

  close(): void {
    this.#database.close()
  }

  #prepare(sql: string): PreparedStatement {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    const prepared = { statement, hasRows: statement.columns().length > 0 }
    const [oldest] = this.#prepared.keys()
    if (oldest !== undefined && this.#prepared.size >= STATEMENTS_LIMIT) this.#prepared.delete(oldest)
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

/** Two processes that open a new file at once are in each other's way here, and SQLite does not wait in this one place. */
function turnOnWriteAhead(database: DatabaseSync): void {
  whenFree(() => database.exec('pragma journal_mode = wal'))
}

const BUSY = 5

/** Runs `work`, one statement, again and again while another process has the file locked, until the pauses between are `BUSY_MS`. */
export function whenFree<T>(work: () => T): T {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    try {
      return work()
    } catch (error) {
      const isBusy = ((resultCode(error) ?? 0) & 0xff) === BUSY
      if (!isBusy || waitedMs >= BUSY_MS) throw error
      Atomics.wait(SLEEP, 0, 0, LOOK_EVERY_MS)
    }
  }
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4))
