import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StoreUnavailable } from '../../core/store-unavailable.ts'
import { BoundedClient, saidBackend } from './bounded-client.ts'
import { isFull, READ_ONLY, unavailable } from './failures.ts'
import { settingsFor } from './session-settings.ts'
import { StatementWatch } from './statement-watch.ts'

/** How long one waits for a connection that others use. */
const TURN_MS = 15_000
/** Where the server has none left for us, it is asked again so often, some eight seconds in all. */
const FULL_TRIES = 12
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000
/** So long no more connections are asked for than the server granted last. */
const GRANTED_FOR_MS = 30_000

/** A server that follows another one, and takes no writes. */
export class StandbyServer extends StoreUnavailable {
  override readonly name = 'StandbyServer'
  /** As a server says of a write there. */
  readonly code = READ_ONLY
}

/** A connection that is in use by one. */
export interface HeldClient {
  readonly client: pg.PoolClient & Pick<pg.Client, 'end'>
  /** The server process that works for this connection alone; null: a pooler chooses one for each transaction. */
  readonly backend: number | null
}

interface Session {
  readonly backend: number | null
  readonly generation: number
}

/**
 * Connections to one database. A new one is greeted: the server must not be a standby, and has to be the one whose process
 * introduced itself. Where another process answers, a pooler is in between that may give each transaction to another session:
 * then nothing is left in a session, in whichever mode the pooler is (decision 0118).
 */
export class ConnectionPool {
  readonly #pool: pg.Pool
  readonly #most: number
  readonly #onTrouble: (error: Error) => void
  readonly #sessions = new WeakMap<pg.PoolClient, Session>()
  /** Connections of earlier ones are not used again. */
  #generation = 0
  #lowered: NodeJS.Timeout | null = null
  /** Whether the server may be asked to keep statements by their names. */
  keepsNames = true
  readonly watch: StatementWatch

  constructor(settings: pg.ClientConfig, options: { most: number; onTrouble: (error: Error) => void }) {
    this.#most = options.most
    this.#onTrouble = options.onTrouble
    this.#pool = new pg.Pool({
      ...settings,
      Client: BoundedClient,
      max: options.most,
      connectionTimeoutMillis: TURN_MS,
    })
    this.#pool.on('error', options.onTrouble)
    // Without a listener a connection that breaks in use would end the process; the statement under way rejects anyway.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
    this.watch = new StatementWatch({ newClient: () => new BoundedClient(settings), onSilent: () => this.retire() })
  }

  /** Rejects with StoreUnavailable. */
  async take(): Promise<HeldClient> {
    for (;;) {
      const client = (await this.#connected()) as HeldClient['client']
      const session = this.#sessions.get(client) ?? (await this.#greeted(client))
      if (session.generation === this.#generation) return { client, backend: session.backend }
      // Each time round one of them is gone.
      client.release(true)
    }
  }

  /** Whatever is open now may lead to what is not the database any more. */
  retire(): void {
    this.#generation += 1
  }

  async end(): Promise<void> {
    if (this.#lowered !== null) clearTimeout(this.#lowered)
    await this.#pool.end()
  }

  async #connected(): Promise<pg.PoolClient> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#pool.connect()
      } catch (error) {
        if (!isFull(error) || tries === FULL_TRIES) throw unavailable(error as Error)
        this.#useNoMore(error as Error)
      }
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries))
    }
  }

  /** Those who come now wait for what is open, instead of being refused by the server. */
  #useNoMore(error: Error): void {
    const { options } = this.#pool
    options.max = Math.max(1, Math.min(options.max, this.#pool.totalCount))
    if (this.#lowered !== null) return
    this.#onTrouble(unavailable(error))
    this.#lowered = setTimeout(() => {
      this.#lowered = null
      options.max = this.#most
    }, GRANTED_FOR_MS).unref()
  }

  async #greeted(client: HeldClient['client']): Promise<Session> {
    const { watch } = this
    const ask = async (sql: string, backend: number | null) =>
      watch.during({ client, sql, backend }, client.query<Greeting>(sql))
    try {
      const said = saidBackend(client)
      // A pooler may let it wait, so that it is looked for by its text.
      const { rows } = await ask(GREETING, null)
      const [{ pid, standby } = { pid: '', standby: '' }] = rows
      if (standby === 'true') throw new StandbyServer('the server is a standby, which takes no writes')
      const backend = pid === String(said) ? said : null
      if (backend !== null) await ask(settingsFor('session'), backend)
      const session = { backend, generation: this.#generation }
      this.#sessions.set(client, session)
      return session
    } catch (error) {
      client.release(true)
      throw unavailable(error as Error)
    }
  }
}

interface Greeting {
  readonly pid: string
  readonly standby: string
}

const GREETING = 'select pg_backend_pid()::text as pid, pg_is_in_recovery()::text as standby'
