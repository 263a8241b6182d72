import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, type Transaction } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { invariant } from '../../core/invariant.ts'
import { engineDialect } from './dialect.ts'
import type { Engine, EngineKind } from './engine.ts'

export type TablesTransaction = Transaction<Tables>

/** Deadlocks and conflicts between nodes are expected; more than this many in a row are a defect somewhere. */
const TRIES_LIMIT = 6
const FIRST_PAUSE_MS = 4

/** One open database: queries through Kysely, the two ways to begin a transaction, and news of commits. */
export class Database {
  readonly engine: Engine
  /** Runs single statements. */
  readonly kysely: Kysely<Tables>
  /** Runs single statements that read lists and charts: they may take a while, and keep no settle waiting. */
  readonly views: Kysely<Tables>
  readonly #listeners = new Set<() => void>()
  /** The transaction under way that this database is part of; null: none. */
  readonly #joined: JoinedTransaction | null

  constructor(engine: Engine, joined: (JoinedTransaction & { readonly views: Kysely<Tables> }) | null = null) {
    this.engine = engine
    this.#joined = joined
    this.kysely = joined?.transaction ?? new Kysely<Tables>({ dialect: engineDialect(engine) })
    const reading = { kind: engine.kind, acquire: () => engine.acquireForViews() }
    this.views = joined?.views ?? new Kysely<Tables>({ dialect: engineDialect(reading) })
  }

  /** Calls back after commits that changed something gateways remember, of this process or another. Returns how to stop. */
  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener)
    const stopWatching = this.engine.watch(listener)
    return () => {
      this.#listeners.delete(listener)
      stopWatching()
    }
  }

  /** Tells the listeners of a commit of this process that changed something gateways remember. */
  committed(): void {
    if (this.#joined !== null) this.#joined.hasNews = true
    else this.engine.announce()
    for (const listener of this.#listeners) listener()
  }

  get kind(): EngineKind {
    return this.engine.kind
  }

  /** Runs `work` in one transaction, and again when the database gave it up for another's sake. */
  async transaction<T>(work: (transaction: TablesTransaction) => Promise<T>): Promise<T> {
    const joined = this.#joined
    if (joined === null) return retried(() => this.kysely.transaction().execute(work))
    try {
      return await work(joined.transaction)
    } catch (error) {
      joined.hasFailed = true
      throw error
    }
  }

  /**
   * Runs `work` on a database of which every statement and transaction is part of one transaction: all of it is kept, or
   * nothing. Run again when the database gave it up for another's sake. While it runs, whatever writes elsewhere may have to
   * wait for it, so `work` writes to nothing but what it is given, and waits for nothing but the database.
   */
  async together<T>(work: (inside: Database) => Promise<T>): Promise<T> {
    let hasNews = false
    const result = await this.transaction(async (transaction) => {
      const joined: JoinedTransaction = { transaction, hasNews: false, hasFailed: false }
      const made = await work(new Database(this.engine, Object.assign(joined, { views: this.views })))
      // What a failed part had written by then would be kept as well.
      invariant(!joined.hasFailed, 'a part of a transaction failed, and the rest went on without it')
      hasNews = joined.hasNews
      return made
    })
    if (hasNews) this.committed()
    return result
  }

  /** Runs `work` on the state of one moment, for long reading. It cannot write. */
  snapshot<T>(work: (transaction: TablesTransaction) => Promise<T>): Promise<T> {
    invariant(this.#joined === null, 'what reads for long is not part of a change')
    return this.kysely.transaction().setAccessMode('read only').execute(work)
  }
}

/** A store on a database, as part of one transaction or by itself. */
export abstract class SqlStore {
  protected readonly database: Database

  constructor(database: Database) {
    this.database = database
  }
}

/** A transaction that a whole `Database` is part of. */
interface JoinedTransaction {
  readonly transaction: TablesTransaction
  /** Whether it changed something that gateways remember. */
  hasNews: boolean
  /** A transaction within it threw. */
  hasFailed: boolean
}

/** Tries again what PostgreSQL gave up because of a deadlock or of a conflict with another transaction. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES_LIMIT || !isConflict(error)) throw error
    }
    await pause(FIRST_PAUSE_MS * 2 ** tries)
  }
}

/** 40P01: deadlock, 40001: serialization failure. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')
}
