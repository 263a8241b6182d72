import type { MessagePort } from 'node:worker_threads'
import type { SettlementRows } from './settlement-rows.ts'
import type { Bindable, EngineRow } from './values.ts'

/** A database as the stores see it below Kysely: statements in, plain rows out, and the one path that must be fast. */
export interface Engine {
  readonly kind: EngineKind
  /** A connection for one statement or one transaction. To be released, whatever happens. */
  acquire(): Promise<EngineConnection>
  /** A connection for single readings that may take a while: they keep no settle waiting. */
  acquireForViews(): Promise<EngineConnection>
  /** Opens the journal of settlements, when the tables are up to date and before anything is settled. */
  openJournal(): Promise<void>
  /** Writes a batch in one transaction, durable when the promise resolves. Resolves with the overruns. */
  settle(batch: SettlementRows, options: SettleOptions): Promise<number>
  /** Calls back soon after another process (and perhaps this one) committed something. Returns how to stop. */
  watch(listener: () => void): () => void
  /** Has the other threads of this process that share the engine look for what was just committed. */
  announce(): void
  /** What another thread of this process joins the same database by; null: it opens the database by itself. */
  share(): EngineLink | null
  /** How many connections the database server grants to all that have our role, as far as it says so; null: as many as are wanted. */
  readonly connectionLimit: number | null
  /** Resolves when the database answers. */
  ping(): Promise<void>
  /** What is written now is gone when the process ends: the files are not where they were opened. */
  readonly isLost: boolean
  close(): Promise<void>
}

export interface SettleOptions {
  /** Durable is enough: the batch may stand in a journal until anything is read. See `SettlementStore`. */
  readonly mayJournal: boolean
}

/** What a file is known again by, whatever it is called. */
export interface FileIdentity {
  readonly device: bigint
  readonly inode: bigint
  readonly bornNs: bigint
}

/** The files of an open database, by the ends of their names; null: not there yet when they were looked at. */
export type FileIdentities = Readonly<Record<'' | '-wal' | '-shm', FileIdentity | null>>

/** A line to the one thread that writes the embedded database. `line` has to be transferred to the thread that takes it. */
export interface EngineLink {
  readonly file: string
  readonly opened: FileIdentities
  readonly line: MessagePort
}

export type EngineKind = 'sqlite' | 'postgres'

export interface EngineConnection {
  execute(statement: Statement): Promise<EngineResult>
  begin(mode: TransactionMode): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  release(): void
}

/** `write`: locks what it reads for update. `snapshot`: reads only, all of it as of one moment. */
export type TransactionMode = 'write' | 'snapshot'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly Bindable[]
  /** Changes nothing. */
  readonly isRead: boolean
}

export interface EngineResult {
  readonly rows: readonly EngineRow[]
  /** Rows that a statement without `returning` changed. */
  readonly changed: bigint
}

/** A database that cannot be used any more answers every call with this. */
export function storeClosed(cause?: unknown): Error {
  return new Error('store closed', cause === undefined ? undefined : { cause })
}
