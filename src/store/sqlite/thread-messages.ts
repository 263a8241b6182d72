import type { SettlementRows } from '../books/settlement-rows.ts'
import type { Bindable, EngineRow } from '../engine/values.ts'

/** What the thread that holds the database file can be asked. */
export type ThreadQuestion =
  /** A writer has a connection for writing and one for reading; a reader has the latter alone. */
  | { readonly kind: 'open'; readonly file: string; readonly role: 'writer' | 'reader' }
  | {
      readonly kind: 'run'
      readonly on: ConnectionName
      readonly sql: string
      readonly parameters: readonly Bindable[]
    }
  | { readonly kind: 'settle'; readonly batch: SettlementRows }
  /** Look for commits of other connections this often; null: stop looking. */
  | { readonly kind: 'watch'; readonly everyMs: number | null }
  | { readonly kind: 'close' }

export type ConnectionName = 'writer' | 'reader'

/** Answers to `run`; that of `settle` has the overruns, the others nothing. */
export interface RunAnswer {
  readonly rows: readonly EngineRow[]
  readonly changed: bigint
}

export type ThreadRequest = { readonly id: number; readonly question: ThreadQuestion }

/** `committed` comes unasked: another process changed the database. */
export type ThreadMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string; readonly code: number | null }
  | { readonly kind: 'committed' }
