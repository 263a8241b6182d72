import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { retried } from '../engine/database.ts'
import { type Engine, storeClosed } from '../engine/engine.ts'
import type { SettlementRows } from '../books/settlement-rows.ts'
import { writeBatch } from './batch-writer.ts'
import { ChangeListener } from './change-listener.ts'
import { PostgresConnection } from './postgres-connection.ts'

const CONNECTIONS_LIMIT = 12
const CONNECT_MS = 5_000
/** A settle or a grant takes milliseconds: what takes this long never comes. */
const STATEMENT_MS = 30_000
const LOCK_MS = 10_000
const LAST_TURN_MS = 10_000
/** A node that freezes in the middle of a transaction must not keep a budget locked for the others. */
const IDLE_IN_TRANSACTION_MS = 10_000

/**
 * Opens a PostgreSQL database. `newestUrl` is read for each connection: its login may change. `onTrouble` hears of connections
 * that broke while idle.
 */
export async function openPostgres(
  url: string,
  onTrouble: (error: Error) => void,
  newestUrl = () => url,
): Promise<Engine> {
  const settings: pg.PoolConfig = {
    application_name: 'tollgate',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    // The server ends a statement at its limit; this one is for a server that went away without a word.
    query_timeout: STATEMENT_MS + CONNECT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  }
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: newestUrl() })
    }
  }
  const pool = new pg.Pool({ ...settings, max: CONNECTIONS_LIMIT, Client })
  pool.on('error', onTrouble)
  // Without a listener a connection that breaks in use would end the process; the statement under way rejects anyway.
  pool.on('connect', (client) => client.on('error', () => {}))
  const listener = new ChangeListener({ newClient: () => new Client(settings), pool })
  const engine = new PostgresEngine(pool, listener)
  try {
    await engine.ping()
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

class PostgresEngine implements Engine {
  readonly kind = 'postgres'
  readonly #pool: pg.Pool
  readonly #listener: ChangeListener
  /** The connections that `prepare` has seen. */
  readonly #prepared = new WeakSet<pg.PoolClient>()
  #isClosed = false

  constructor(pool: pg.Pool, listener: ChangeListener) {
    this.#pool = pool
    this.#listener = listener
  }

  async acquire(): Promise<PostgresConnection> {
    if (this.#isClosed) throw storeClosed()
    const client = await this.#pool.connect()
    const connection = new PostgresConnection(client)
    if (this.#prepared.has(client)) return connection
    try {
      await prepare(connection)
      this.#prepared.add(client)
      return connection
    } catch (error) {
      connection.release()
      throw error
    }
  }

  acquireForViews(): Promise<PostgresConnection> {
    return this.acquire()
  }

  /** The server gathers the writes of a transaction by itself. */
  async openJournal(): Promise<void> {}

  settle(batch: SettlementRows): Promise<number> {
    return retried(async () => {
      const connection = await this.acquire()
      try {
        return await writeBatch(connection, batch)
      } finally {
        connection.release()
      }
    })
  }

  watch(listener: () => void): () => void {
    return this.#listener.add(listener)
  }

  /** Its notifications reach every connection. */
  announce(): void {}

  share(): null {
    return null
  }

  readonly isLost = false

  async ping(): Promise<void> {
    const connection = await this.acquire()
    try {
      await connection.execute({ sql: 'select 1', parameters: [], isRead: true })
    } finally {
      connection.release()
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#listener.close()
    // Waits for transactions to end; those that never do must not keep the process.
    await Promise.race([this.#pool.end(), pause(LAST_TURN_MS, undefined, { ref: false })])
  }
}

/**
 * A charge that was acknowledged must outlive the server, whatever its configuration is content with. No statement is
 * compiled or given workers of its own: those of the lists and sums take less than the compilation, or than the start of a
 * worker for each.
 */
async function prepare(connection: PostgresConnection): Promise<void> {
  await connection.query(
    `select case when current_setting('jit', true) = 'on' then set_config('jit', 'off', false) end,
      case when current_setting('max_parallel_workers_per_gather') <> '0'
        then set_config('max_parallel_workers_per_gather', '0', false) end,
      case when current_setting('synchronous_commit') in ('off', 'local')
        then set_config('synchronous_commit', 'on', false) end`,
    [],
  )
}

const INT8 = 20
const INT4 = 23
const INT2 = 21

/** Integers come as bigint, as from SQLite; the driver would give texts and floats. Everything else is text here. */
function parserOf(type: number): (text: string) => unknown {
  return type === INT8 || type === INT4 || type === INT2 ? BigInt : String
}
