import type { TablesTransaction } from '../engine/database.ts'
import type { EngineKind } from '../engine/engine.ts'

/**
 * One step of the schema. Never edited after a release: what must change is a new step at the end. Nodes of the release before
 * run on beside it while they are replaced, so it only adds; what is used no more is dropped by a release after the next.
 */
export interface Migration {
  readonly name: string
  statements(words: DialectWords): readonly string[]
  /** What statements cannot do alike on both engines, behind them in the same transaction. */
  readonly fill?: (transaction: TablesTransaction) => Promise<void>
}

/** The few words in which the two engines' table definitions differ. */
export interface DialectWords {
  readonly integer: string
  readonly text: string
  /** Ends a table that is found by its primary key. */
  readonly byKey: string
  /** Ends a table that only grows at its end. */
  readonly appended: string
  /** The database is a file of this process, and keeps the journal of settlements. */
  readonly isEmbedded: boolean
}

/** `strict` keeps SQLite from storing a fraction or a text where an integer belongs. */
const WORDS: Record<EngineKind, DialectWords> = {
  sqlite: { integer: 'integer', text: 'text', byKey: 'strict, without rowid', appended: 'strict', isEmbedded: true },
  // Ids sort bytewise everywhere, so that both engines and JavaScript agree on an order (of locks, for one).
  postgres: { integer: 'bigint', text: 'text collate "C"', byKey: '', appended: '', isEmbedded: false },
}

export function statementsOf(migration: Migration, kind: EngineKind): readonly string[] {
  return migration.statements(WORDS[kind])
}

/** The column of a yes or no. */
export const flag = (name: string, { integer }: DialectWords) => `${name} ${integer} not null check (${name} in (0, 1))`
