import { sql } from 'kysely'
import type { OnProofProgress } from '../../../metering/funds/ledger.ts'
import type { TablesTransaction } from '../../engine/database.ts'

/** How far a proof is, in rows of the table that it reads. What the listener throws ends the proof. */
export class ProofProgress {
  readonly #onProgress: OnProofProgress | null
  #isAgain = false

  /** `onProgress` null: nothing is counted. */
  constructor(onProgress: OnProofProgress | null) {
    this.#onProgress = onProgress
  }

  /** Everything is read a second time. */
  beginAgain(): void {
    this.#isAgain = true
  }

  /** Passes portions of rows on. A table without rows is not spoken of. */
  async *ofTable<Row>(
    transaction: TablesTransaction,
    table: string,
    portionsOf: (transaction: TablesTransaction) => AsyncIterable<readonly Row[]>,
  ): AsyncGenerator<readonly Row[]> {
    const all = this.#onProgress === null ? 0 : await countIn(transaction, table)
    yield* this.of(table.replaceAll('_', ' '), all, portionsOf(transaction))
  }

  /** Passes portions of what is in no table on. */
  async *of<Row>(step: string, all: number, portions: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
    const name = this.#isAgain ? `${step}, to name what disagrees` : step
    let done = 0
    if (all > 0) this.#onProgress?.(name, done, all)
    for await (const rows of portions) {
      yield rows
      done += rows.length
      if (done > 0) this.#onProgress?.(name, done, Math.max(all, done))
    }
  }
}

async function countIn(transaction: TablesTransaction, table: string): Promise<number> {
  const counted = sql<{ rows: number | bigint }>`select count(*) as rows from ${sql.table(table)}`
  return Number((await counted.execute(transaction)).rows[0]?.rows ?? 0)
}
