import type { StatementSync } from 'node:sqlite'
import { headOf, packSettlements, unpackSettlements } from '../books/packed-settlements.ts'
import { settlementAt } from '../engine/settlement-rows.ts'
import { isRefusal } from '../engine/refusals.ts'
import type { BatchWriter } from './batch-writer.ts'
import { type FileConnection, whenFree } from './file-connection.ts'
import { resultCode, sqliteFailure } from './sqlite-failure.ts'

/** So many settlements share the cost of one transaction. A settle that comes meanwhile waits one or two milliseconds. */
const FOLD_TOGETHER = 128
/** How long settlements stand in the journal, unless they are many or something else is asked of the database. */
const FOLD_AFTER_MS = 100
/** How many batches may wait to be folded: beyond it none is taken on, and all who read the books wait for that. */
const UNFOLDED_LIMIT = 1_000
/** Another process that settles may add to the journal while this one folds; what it adds it folds as well. */
const FOLDS_LIMIT = 1_000

/**
 * Settlements that are durable and not yet in the books. To write one into all its tables takes a dozen pages to the disk
 * before it can be answered; here it takes one. Soon after, it is folded into the books with those that came meanwhile, in
 * the transaction that takes it out of here.
 *
 * To fold waits for no disk: what is folded was synced before, so whatever a power cut leaves of the write-ahead file, a
 * settlement is in the books or still here, and never in both.
 *
 * What reads or writes through the store finds all of it folded, that of other processes too: see `sqlite-thread.ts`.
 */
export class SettleJournal {
  readonly #connection: FileConnection
  readonly #books: BatchWriter
  readonly #onRefused: (error: Error) => void
  readonly #statements: Readonly<Record<keyof typeof SQL, StatementSync>>
  #unfolded = 0
  #overruns = 0
  #timer: NodeJS.Timeout | undefined
  #isDue = false
  #isClosed = false

  /** `onRefused` hears of each settlement that the database will never take. It stays here, and is in no book. */
  constructor(parts: { connection: FileConnection; books: BatchWriter; onRefused: (error: Error) => void }) {
    const { connection } = parts
    this.#connection = connection
    this.#books = parts.books
    this.#onRefused = parts.onRefused
    this.#statements = {
      add: connection.prepare(SQL.add),
      next: connection.prepare(SQL.next),
      remove: connection.prepare(SQL.remove),
      setAside: connection.prepare(SQL.setAside),
      refuse: connection.prepare(SQL.refuse),
    }
  }

  /**
   * Makes a packed batch durable. Returns the overruns that were found since the last call. Throws what SQLite says, with
   * nothing of the batch stored.
   */
  add(batch: Uint8Array): number {
    this.#connection.rollBack()
    if (this.#unfolded >= UNFOLDED_LIMIT) this.foldAll()
    whenFree(() => this.#statements.add.run(batch))
    this.#unfolded += headOf(batch).count
    this.#schedule()
    const overruns = this.#overruns
    this.#overruns = 0
    return overruns
  }

  /** Brings all of it into the books. Throws what SQLite says; what is not folded by then stays. */
  foldAll(): void {
    for (let folds = 0; folds < FOLDS_LIMIT && this.#fold(); folds++);
    this.#unfolded = 0
  }

  /** Ends the journal before its connection is closed: a fold that is due by then is left out. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#isDue || this.#isClosed) return
    if (this.#unfolded >= FOLD_TOGETHER) {
      this.#isDue = true
      clearTimeout(this.#timer)
      this.#timer = undefined
      // A settle that is waiting by now comes first.
      setImmediate(this.#foldSome)
    } else this.#timer ??= setTimeout(this.#foldSome, FOLD_AFTER_MS)
  }

  readonly #foldSome = (): void => {
    this.#isDue = false
    this.#timer = undefined
    if (this.#isClosed) return
    // Another process may have added to the journal just before this one began a transaction.
    if (this.#connection.isInTransaction) return this.#schedule()
    try {
      this.#unfolded = this.#fold() ? Math.max(0, this.#unfolded - FOLD_TOGETHER) : 0
    } catch {
      // The disk or another process is in the way. Who asks next hears of it; without anyone asking it is tried again.
      this.#timer = setTimeout(this.#foldSome, FOLD_AFTER_MS)
      return
    }
    if (this.#unfolded > 0) this.#schedule()
  }

  /** Folds the oldest ones. Returns whether there may be more. */
  #fold(): boolean {
    if (whenFree(() => this.#statements.next.get(0)) === undefined) return false
    try {
      return this.#connection.unsynced(() => this.#foldTogether())
    } catch (error) {
      const code = resultCode(error)
      if (code !== null && !isRefusal(sqliteFailure('', code))) throw error
    }
    for (const refused of this.#connection.unsynced(() => this.#foldApart())) this.#onRefused(refused)
    return true
  }

  #foldTogether(): boolean {
    const { batches, lastId } = this.#oldest()
    if (batches.length === 0) return false
    this.#overruns += this.#books.writeInside(unpackSettlements(batches))
    this.#statements.remove.run(lastId)
    return true
  }

  /** Batches that can be read as one. */
  #oldest(): { batches: readonly Uint8Array[]; lastId: bigint } {
    const batches: Uint8Array[] = []
    let [lastId, count, line] = [0n, 0, null as bigint | null]
    while (count < FOLD_TOGETHER) {
      const row = this.#statements.next.get(lastId)
      if (row === undefined) break
      const batch = row['batch'] as Uint8Array
      const head = headOf(batch)
      if (batches.length > 0 && head.lowBalance !== line) break
      batches.push(batch)
      line = head.lowBalance
      count += head.count
      lastId = row['id'] as bigint
    }
    return { batches, lastId }
  }

  /** Folds the oldest batch, one settlement after the other. What is refused is set aside, by itself. */
  #foldApart(): readonly Error[] {
    const row = this.#statements.next.get(0)
    if (row === undefined) return []
    const id = row['id'] as bigint
    const refused: Error[] = []
    let rows
    try {
      rows = unpackSettlements([row['batch'] as Uint8Array])
    } catch (error) {
      this.#statements.refuse.run(String(error), id)
      return [new Error(`batch ${id} of the settle journal cannot be read, and is in no book: ${String(error)}`)]
    }
    this.#statements.remove.run(id)
    for (let index = 0; index < rows.count; index++) {
      const one = settlementAt(rows, index)
      const reason = this.#connection.attempt(() => (this.#overruns += this.#books.writeInside(one)))
      if (reason === null) continue
      this.#statements.setAside.run(packSettlements(one), reason.message)
      refused.push(
        new Error(`the database will not take request ${String(one.records[0])}; it is in no book: ${reason.message}`),
      )
    }
    return refused
  }
}

const SQL = {
  add: 'insert into settle_journal (batch) values (?)',
  next: 'select id, batch from settle_journal where id > ? and refusal is null order by id limit 1',
  remove: 'delete from settle_journal where id <= ? and refusal is null',
  setAside: 'insert into settle_journal (batch, refusal) values (?, ?)',
  refuse: 'update settle_journal set refusal = ? where id = ?',
}
