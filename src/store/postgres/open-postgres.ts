import { setTimeout as pause } from 'node:timers/promises'
import { DATABASE_CONNECTIONS } from '../../core/limits.ts'
import { offersNoTls, readPostgresUrl, tlsFailure, UnusableTls } from '../../core/postgres-url.ts'
import { retried } from '../engine/database.ts'
import { type Engine, storeClosed } from '../engine/engine.ts'
import type { SettlementRows } from '../engine/settlement-rows.ts'
import { UnfitDatabase } from '../unfit-database.ts'
import { writeBatch } from './batch-writer.ts'
import { BoundedClient, type BoundedClientSettings } from './bounded-client.ts'
import { ChangeListener, LISTENER_STATEMENT_MS } from './change-listener.ts'
import { checkDatabase, type DatabaseFacts } from './check-database.ts'
import { ConnectionPool, StandbyServer } from './connection-pool.ts'
import { isFull } from './failures.ts'
import { PostgresConnection } from './postgres-connection.ts'

const LAST_TURN_MS = 10_000

export interface PostgresOptions {
  /** How many connections for statements there are at most. One more listens to changes. */
  readonly connections?: number
  /** Read for each connection that is made: the same URL, with the login of now. */
  readonly newestUrl?: () => string
  /** Hears of connections that broke while idle, and of a server that has none left. */
  readonly onTrouble: (error: Error) => void
}

/** Opens a PostgreSQL database. Rejects with UnfitDatabase for one that answers and cannot be used. */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Engine> {
  const address = addressOf(url)
  try {
    return await opened(address, options)
  } catch (error) {
    if (!address.isTlsOptional || !offersNoTls(causeOf(error))) throw inWords(error)
  }
  return opened({ ...address, ssl: false }, options).catch((error: unknown) => {
    throw inWords(error)
  })
}

function addressOf(url: string): ReturnType<typeof readPostgresUrl> {
  try {
    return readPostgresUrl(url)
  } catch (error) {
    throw error instanceof UnusableTls ? new UnfitDatabase(error.message, { cause: error }) : error
  }
}

async function opened(
  { connectionString, ssl, sslnegotiation }: ReturnType<typeof readPostgresUrl>,
  { connections = DATABASE_CONNECTIONS, newestUrl, onTrouble }: PostgresOptions,
): Promise<Engine> {
  const settings: BoundedClientSettings = {
    connectionString,
    ...(newestUrl !== undefined && { newestUrl: () => readPostgresUrl(newestUrl()).connectionString }),
    ...(ssl !== undefined && { ssl }),
    ...(sslnegotiation === 'direct' && { sslnegotiation }),
    application_name: 'tollgate',
    types: { getTypeParser: parserOf },
  }
  const pool = new ConnectionPool(settings, { most: connections, onTrouble })
  const engine = new PostgresEngine(pool, settings)
  try {
    await engine.check()
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** What keeps a database from being opened, where it is more than that nothing answers. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnfitDatabase) return error
  const cause = causeOf(error)
  const tls = cause instanceof Error ? tlsFailure(cause) : null
  if (tls !== null) return new UnfitDatabase(tls, { cause: error })
  if (error instanceof StandbyServer) {
    return new UnfitDatabase(`${error.message}: name the primary`, { cause: error })
  }
  if (isFull(cause)) {
    return new UnfitDatabase(
      `it grants no more connections (${error.message}): raise its limit, or set TOLLGATE_DATABASE_CONNECTIONS lower on each node`,
      { cause: error },
    )
  }
  return error
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}

class PostgresEngine implements Engine {
  readonly kind = 'postgres'
  readonly #pool: ConnectionPool
  readonly #listener: ChangeListener
  #facts: DatabaseFacts = { connectionLimit: null }
  #isClosed = false

  constructor(pool: ConnectionPool, settings: BoundedClientSettings) {
    this.#pool = pool
    this.#listener = new ChangeListener({
      newClient: () => new BoundedClient({ ...settings, query_timeout: LISTENER_STATEMENT_MS }),
      lastChange: () => this.#lastChange(),
    })
  }

  get connectionLimit(): number | null {
    return this.#facts.connectionLimit
  }

  async acquire(): Promise<PostgresConnection> {
    if (this.#isClosed) throw storeClosed()
    return new PostgresConnection(await this.#pool.take(), this.#pool)
  }

  acquireForViews(): Promise<PostgresConnection> {
    return this.acquire()
  }

  /** The server gathers the writes of a transaction by itself. */
  async openJournal(): Promise<void> {}

  settle(batch: SettlementRows): Promise<number> {
    return retried(() => this.#with((connection) => writeBatch(connection, batch)))
  }

  watch(listener: () => void): () => void {
    return this.#listener.add(listener)
  }

  /** Does nothing: notifications of PostgreSQL reach every connection. */
  announce(): void {}

  share(): null {
    return null
  }

  /** Rejects with UnfitDatabase. */
  async check(): Promise<void> {
    this.#facts = await this.#with((connection) => checkDatabase(connection))
  }

  readonly isLost = false

  async ping(): Promise<void> {
    await this.#with((connection) => connection.query('select 1', []))
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    // Waits for transactions to end; those that never do must not keep the process.
    const over = pause(LAST_TURN_MS, undefined, { ref: false })
    await Promise.race([this.#listener.close().then(() => this.#pool.end()), over])
  }

  async #lastChange(): Promise<unknown> {
    const { rows } = await this.#with((connection) => connection.query('select seq from change_counter', []))
    return rows[0]?.['seq']
  }

  async #with<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const connection = await this.acquire()
    try {
      return await work(connection)
    } finally {
      connection.release()
    }
  }
}

const INT8 = 20
const INT4 = 23
const INT2 = 21

/** Integers come as bigint, as from SQLite; the driver would give texts and floats. Everything else is text here. */
function parserOf(type: number): (text: string) => unknown {
  return type === INT8 || type === INT4 || type === INT2 ? BigInt : String
}
