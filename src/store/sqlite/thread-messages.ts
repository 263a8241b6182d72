import type { MessagePort } from 'node:worker_threads'
import type { Bindable, EngineRow } from '../engine/values.ts'

/** What the thread that holds the database file can be asked. */
export type ThreadQuestion =
  /** A writer has a connection for writing and one for reading; a reader has the latter alone. */
  | { readonly kind: 'open'; readonly file: string; readonly role: 'writer' | 'reader' }
  | RunQuestion
  /** The tables are up to date: from now on what stands in journals can be folded. */
  | { readonly kind: 'openJournal' }
  /** Bring all that stands in journals into the books. */
  | { readonly kind: 'fold' }
  /** A journal file for the thread that asks. */
  | { readonly kind: 'takeJournal' }
  | FoldJournalQuestion
  | { readonly kind: 'releaseJournal'; readonly number: number }
  | SettleQuestion
  /** Look for commits of other connections this often; null: stop looking. */
  | { readonly kind: 'watch'; readonly everyMs: number | null }
  /** Ends the line that this comes by; the first of a thread's lines ends the thread with it. */
  | { readonly kind: 'close' }
  /** Another thread asks by this line from now on. Has no answer. */
  | { readonly kind: 'share'; readonly line: MessagePort }
  /** The asker committed what others remember: to be passed on to the other lines. Has no answer. */
  | { readonly kind: 'announce' }

export interface RunQuestion {
  readonly kind: 'run'
  readonly on: ConnectionName
  readonly sql: string
  readonly parameters: readonly Bindable[]
}

/** A `fold` for the thread that writes this journal file. */
export interface FoldJournalQuestion {
  readonly kind: 'foldJournal'
  readonly number: number
  /** What is folded survives a loss of power when the answer comes. */
  readonly durably: boolean
}

/** Write a batch into the books. */
export interface SettleQuestion {
  readonly kind: 'settle'
  /** The batch in the form of `packed-settlements.ts`. */
  readonly batch: Uint8Array
}

export type ConnectionName = 'writer' | 'reader'

/** Answers to `run`. That of `settle` is the overruns; those about journals are in `journal-writer.ts`; the others are nothing. */
export interface RunAnswer {
  readonly rows: readonly EngineRow[]
  readonly changed: bigint
}

export type ThreadRequest = { readonly id: number; readonly question: ThreadQuestion }

/** `committed` comes unasked: another process or thread changed the database. So does `trouble`, for the log. */
export type SqliteThreadMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string; readonly code: number | null }
  | { readonly kind: 'committed' }
  | { readonly kind: 'trouble'; readonly message: string }

/** What the thread that makes checkpoints is started with. */
export interface CheckpointThreadData {
  readonly file: string
  /** A single number, which is 1 when the thread has closed the file. */
  readonly closed: Int32Array<SharedArrayBuffer>
}
