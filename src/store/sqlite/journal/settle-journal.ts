import type { StatementSync } from 'node:sqlite'
import { invariant } from '../../../core/invariant.ts'
import { headOf, packSettlements, unpackSettlements } from '../../books/packed-settlements.ts'
import { isRefusal } from '../../engine/refusals.ts'
import { settlementAt } from '../../engine/settlement-rows.ts'
import type { BatchWriter } from '../batch-writer.ts'
import { type FileConnection, whenFree } from '../file-connection.ts'
import { resultCode, sqliteFailure } from '../sqlite-failure.ts'
import { FOLDED_FILES, type FoldedFile, foldedFileOf, type JournalFiles, type OwnedFile } from './journal-files.ts'

/** So many settlements share the cost of one transaction, and the pages that it writes. */
const FOLD_TOGETHER = 512
/** Others may add while this process folds; what they add it folds as well. */
const FOLDS_LIMIT = 1_000

/**
 * What a fold writes, as SQL names it, and what reads everything: statements in which none of it is named see the same before
 * and after, so that the rounds of a node (who lives, what changed) need no fold of their own.
 */
export const FOLDED_INTO =
  /\b(?:usage_\w+|ledger_entries|budgets|leases|key_activity|alerts|stored_responses|settle_\w+|vacuum)\b/

/** Batches that are durable and not in the books, the oldest first. */
interface Unfolded {
  readonly batches: readonly Uint8Array[]
  /** Takes the first so many of them out of the journal, within the transaction under way. */
  takeOut(count: number): void
}

/** Where batches stand until they are in the books: batches with up to `limit` settlements, at least one; null: nothing does. */
type UnfoldedSource = (limit: number) => Unfolded | null

export interface SettleJournalParts {
  readonly connection: FileConnection
  readonly books: BatchWriter
  readonly files: JournalFiles
  /** Hears of each settlement that the database will never take. It is kept in the table `settle_journal`, and is in no book. */
  readonly onRefused: (error: Error) => void
  /** Hears that a transaction has brought some into the books. */
  readonly onFolded: () => void
}

/**
 * Brings settlements that are durable in a journal file into the books: in one transaction with the note how far the file is
 * read, so that a settlement is in the books or still in the file, and never twice. To fold waits for no disk: what a loss of
 * power takes back, books and note together, is folded again.
 *
 * What reads or writes through the store finds all of it folded, that of other processes too: see `sqlite-thread.ts`.
 */
export class SettleJournal {
  readonly #parts: SettleJournalParts
  readonly #statements: Readonly<Record<keyof typeof SQL, StatementSync>>
  readonly #owned: OwnedFile[] = []
  #overruns = 0

  constructor(parts: SettleJournalParts) {
    const { connection } = parts
    this.#parts = parts
    this.#statements = {
      files: connection.prepare(SQL.files),
      file: connection.prepare(SQL.file),
      own: connection.prepare(SQL.own),
      advance: connection.prepare(SQL.advance),
      sync: connection.prepare(SQL.sync),
      stored: connection.prepare(SQL.stored),
      remove: connection.prepare(SQL.remove),
      setAside: connection.prepare(SQL.setAside),
    }
  }

  /** Names the files that are missing, as in a database that another tool copied without them. */
  nameMissing(): void {
    for (const path of this.#parts.files.missing(this.#files())) {
      this.#parts.onRefused(
        new Error(`${path} is missing: what was settled in the last second before may be in no book`),
      )
    }
  }

  /** Folds what stands in the table: an older version, or a backup, left it there. Throws what SQLite says. */
  foldStored(): void {
    this.#foldFrom((limit) => this.#storedBatches(limit))
  }

  /** Brings all that stands in files into the books. Throws what SQLite or the file system says; what is not folded by then stays. */
  foldAll(): void {
    for (const file of this.#files()) this.#foldFrom((limit) => this.#batchesIn(file.number, limit))
  }

  /**
   * Does what `foldAll` does, and returns up to where what stands in a file is in the books for good: no loss of power takes it
   * back, and its room can be used again. Null: the file was never taken.
   */
  foldDurably(number: number): number | null {
    this.foldAll()
    // Another process may fold more of it before the commit that waits for the disk, or behind it.
    const place = this.placeIn(number)
    this.#parts.connection.synced(() => this.#statements.sync.run(number))
    return place
  }

  /** Whether something stands in a file that is not in the books. */
  get hasUnfolded(): boolean {
    return this.#files().some((file) => this.#parts.files.unfolded(file, () => true).length > 0)
  }

  /** Whether a file that was read here has lost its name. */
  isDeleted(number: number): boolean {
    return this.#parts.files.isDeleted(number)
  }

  /** Does what `foldAll` does, and returns how far a file is folded; null: it was never taken. */
  foldSoon(number: number): number | null {
    this.foldAll()
    return this.placeIn(number)
  }

  /** How far a file is folded; null: it was never taken. */
  placeIn(number: number): number | null {
    return this.#file(number)?.place ?? null
  }

  /** The overruns that were found since the last call. */
  takeOverruns(): number {
    const overruns = this.#overruns
    this.#overruns = 0
    return overruns
  }

  /** A journal file for one thread, empty; null: there is none left. Throws what SQLite or the file system says. */
  take(): (OwnedFile & { readonly epoch: number }) | null {
    const { connection, files } = this.#parts
    const file = files.take()
    if (file === null) return null
    try {
      this.foldAll()
      const row = connection.synced(() => this.#statements.own.get(file.number))
      this.#owned.push(file)
      return { ...file, epoch: Number(row?.['epoch']) }
    } catch (error) {
      file.lock.close()
      throw error
    }
  }

  /** The thread that wrote this file has ended, or will write it no more. */
  release(number: number): void {
    const at = this.#owned.findIndex((file) => file.number === number)
    if (at >= 0) this.#owned.splice(at, 1)[0]?.lock.close()
  }

  close(): void {
    for (const { lock } of this.#owned.splice(0)) lock.close()
    this.#parts.files.close()
  }

  #foldFrom(source: UnfoldedSource): void {
    for (let folds = 0; folds < FOLDS_LIMIT && this.#fold(source); folds++);
  }

  /** Folds the oldest ones. Returns whether there may be more. */
  #fold(source: UnfoldedSource): boolean {
    const { connection } = this.#parts
    // To begin one undoes what another has open.
    invariant(!connection.isInTransaction, 'nothing is folded within a transaction')
    if (source(1) === null) return false
    try {
      const hasFolded = connection.unsynced(() => this.#foldTogether(source))
      if (hasFolded) this.#parts.onFolded()
      return hasFolded
    } catch (error) {
      const code = resultCode(error)
      if (code !== null && !isRefusal(sqliteFailure('', code))) throw error
    }
    for (const refused of connection.unsynced(() => this.#foldApart(source))) this.#parts.onRefused(refused)
    return true
  }

  #foldTogether(source: UnfoldedSource): boolean {
    // Another process may have folded them just before this one began its transaction.
    const { batches = [], takeOut } = source(FOLD_TOGETHER) ?? {}
    const together = likeTheFirst(batches)
    if (takeOut === undefined || together.length === 0) return false
    this.#overruns += this.#parts.books.writeInside(unpackSettlements(together))
    takeOut(together.length)
    return true
  }

  /** Folds the oldest batch, one settlement after the other. What is refused is set aside, by itself. */
  #foldApart(source: UnfoldedSource): readonly Error[] {
    const unfolded = source(1)
    const [batch] = unfolded?.batches ?? []
    if (unfolded === null || batch === undefined) return []
    unfolded.takeOut(1)
    let rows
    try {
      rows = unpackSettlements([batch])
    } catch (error) {
      this.#statements.setAside.run(batch, String(error))
      return [new Error(`a batch of the settle journal cannot be read, and is in no book: ${String(error)}`)]
    }
    const refused: Error[] = []
    for (let index = 0; index < rows.count; index++) {
      const one = settlementAt(rows, index)
      const reason = this.#parts.connection.attempt(() => (this.#overruns += this.#parts.books.writeInside(one)))
      if (reason === null) continue
      this.#statements.setAside.run(packSettlements(one), reason.message)
      refused.push(
        new Error(`the database will not take request ${String(one.records[0])}; it is in no book: ${reason.message}`),
      )
    }
    return refused
  }

  #batchesIn(number: number, limit: number): Unfolded | null {
    const file = this.#file(number)
    if (file === null) return null
    let count = 0
    const found = this.#parts.files.unfolded(file, (batch) => (count += countOf(batch)) >= limit)
    if (found.length === 0) return null
    return {
      batches: found.map(({ batch }) => batch),
      takeOut: (taken) => void this.#statements.advance.run(found[taken - 1]?.end ?? file.place, number),
    }
  }

  #storedBatches(limit: number): Unfolded | null {
    const rows = whenFree(() => this.#statements.stored.all(limit))
    if (rows.length === 0) return null
    return {
      batches: rows.map((row) => row['batch'] as Uint8Array),
      takeOut: (taken) => void this.#statements.remove.run(rows[taken - 1]?.['id'] ?? 0),
    }
  }

  #files(): readonly FoldedFile[] {
    return whenFree(() => this.#statements.files.all()).map(foldedFileOf)
  }

  #file(number: number): FoldedFile | null {
    const row = whenFree(() => this.#statements.file.get(number))
    return row === undefined ? null : foldedFileOf(row)
  }
}

/** The first batches with one line of low balances: such can be read as one. */
function likeTheFirst(batches: readonly Uint8Array[]): readonly Uint8Array[] {
  const [first] = batches
  if (first === undefined) return []
  const line = headOf(first).lowBalance
  const other = batches.findIndex((batch) => headOf(batch).lowBalance !== line)
  return other < 0 ? batches : batches.slice(0, other)
}

/** A batch that cannot be read counts as one: it is found out when it is folded. */
function countOf(batch: Uint8Array): number {
  try {
    return headOf(batch).count
  } catch {
    return 1
  }
}

const SQL = {
  files: FOLDED_FILES,
  file: 'select number, epoch, place from settle_files where number = ?',
  own: `insert into settle_files (number, epoch, place, syncs) values (?, random() & 0xffffffffffff, 0, 0)
    on conflict (number) do update set epoch = excluded.epoch, place = 0 returning epoch`,
  advance: 'update settle_files set place = ? where number = ?',
  // A commit that changes nothing writes nothing, and waits for nothing.
  sync: 'update settle_files set syncs = syncs + 1 where number = ?',
  stored: 'select id, batch from settle_journal where refusal is null order by id limit ?',
  remove: 'delete from settle_journal where id <= ? and refusal is null',
  setAside: 'insert into settle_journal (batch, refusal) values (?, ?)',
}
