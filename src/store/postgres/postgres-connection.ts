import type pg from 'pg'
import type { EngineConnection, EngineResult, Statement, TransactionMode } from '../engine/engine.ts'
import type { EngineRow } from '../engine/values.ts'

/** One connection of the pool, held for one statement or one transaction. */
export class PostgresConnection implements EngineConnection {
  readonly #client: pg.PoolClient
  #inTransaction = false
  #isReleased = false

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  execute({ sql, parameters }: Statement): Promise<EngineResult> {
    return this.query(sql, parameters)
  }

  /** `name`: the server keeps the statement prepared under it. */
  async query(sql: string, parameters: readonly unknown[], name?: string): Promise<EngineResult> {
    const statement = name === undefined ? { text: sql } : { text: sql, name }
    const { rows, rowCount } = await this.#client.query<EngineRow>({ ...statement, values: [...parameters] })
    return { rows, changed: BigInt(rowCount ?? 0) }
  }

  async begin(mode: TransactionMode): Promise<void> {
    const isolation = mode === 'write' ? 'read committed' : 'repeatable read read only'
    await this.query(`begin isolation level ${isolation}`, [])
    this.#inTransaction = true
    // Long readings may think about each piece for as long as they like; they lock nothing.
    if (mode === 'snapshot') {
      await this.query('set local idle_in_transaction_session_timeout = 0', [])
      await this.query('set local statement_timeout = 0', [])
    }
  }

  async commit(): Promise<void> {
    await this.query('commit', [])
    this.#inTransaction = false
  }

  async rollback(): Promise<void> {
    await this.query('rollback', [])
    this.#inTransaction = false
  }

  /** The state of a connection whose transaction was never ended is unknown: it is not used again. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#client.release(this.#inTransaction)
  }
}
