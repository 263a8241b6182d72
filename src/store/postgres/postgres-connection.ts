import type { EngineConnection, EngineResult, Statement, TransactionMode } from '../engine/engine.ts'
import type { EngineRow } from '../engine/values.ts'
import type { ConnectionPool, HeldClient } from './connection-pool.ts'
import { meaningOf } from './failures.ts'
import { settingsFor } from './session-settings.ts'

/** One connection of the pool, held for one statement or one transaction. */
export class PostgresConnection implements EngineConnection {
  readonly #held: HeldClient
  readonly #pool: Pick<ConnectionPool, 'watch' | 'retire' | 'keepsNames'>
  #inTransaction = false
  #isSpoiled = false
  #isReleased = false

  constructor(held: HeldClient, pool: Pick<ConnectionPool, 'watch' | 'retire' | 'keepsNames'>) {
    this.#held = held
    this.#pool = pool
  }

  /** A pooler is in between, so that each transaction may be in another session. */
  get isPooled(): boolean {
    return this.#held.backend === null
  }

  execute({ sql, parameters }: Statement): Promise<EngineResult> {
    return this.query(sql, parameters)
  }

  /** `name`: the server keeps the statement prepared under it, where the session is ours. */
  async query(sql: string, parameters: readonly unknown[], name?: string): Promise<EngineResult> {
    const { client, backend } = this.#held
    const isNamed = name !== undefined && backend !== null && this.#pool.keepsNames
    const statement = isNamed ? { text: sql, name } : { text: sql }
    try {
      const answer = client.query<EngineRow>({ ...statement, values: [...parameters] })
      const { rows, rowCount } = await this.#pool.watch.during({ client, sql, backend }, answer)
      return { rows, changed: BigInt(rowCount ?? 0) }
    } catch (failure) {
      throw this.#judged(failure)
    }
  }

  async begin(mode: TransactionMode): Promise<void> {
    // Also where the answer never comes: the server may have begun it.
    this.#inTransaction = true
    await this.query(this.isPooled ? BEGIN_ANYWHERE[mode] : BEGIN[mode], [])
  }

  async commit(): Promise<void> {
    await this.query('commit', [])
    this.#inTransaction = false
  }

  /** What cannot even be rolled back is thrown away with its connection: who asks for it has a failure to speak of already. */
  async rollback(): Promise<void> {
    if (this.#isSpoiled) return
    try {
      await this.query('rollback', [])
      this.#inTransaction = false
    } catch {
      this.#isSpoiled = true
    }
  }

  /** The state of a connection whose transaction was never ended is unknown: it is not used again. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#held.client.release(this.#inTransaction || this.#isSpoiled)
  }

  #judged(failure: unknown): unknown {
    const { isSpoiled, isOfServer, isOfNames, error } = meaningOf(failure)
    if (isSpoiled) this.#isSpoiled = true
    if (isOfServer) this.#pool.retire()
    if (isOfNames) this.#pool.keepsNames = false
    return error
  }
}

/** Settings of long readings, in one message with their beginning: they may think about each piece for as long as they like, and lock nothing. */
const READING = `set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0`

const BEGIN: Readonly<Record<TransactionMode, string>> = {
  write: 'begin isolation level read committed',
  snapshot: `begin isolation level repeatable read read only; ${READING}`,
}

/** The beginnings where the session may be another one each time: the settings are of the transaction. */
const BEGIN_ANYWHERE: Readonly<Record<TransactionMode, string>> = {
  write: `begin isolation level read committed; ${settingsFor('transaction')}`,
  snapshot: `begin isolation level repeatable read read only; ${settingsFor('transaction')}; ${READING}`,
}
