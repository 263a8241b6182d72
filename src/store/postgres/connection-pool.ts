import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StoreUnavailable } from '../../core/store-unavailable.ts'
import { BoundedClient, type BoundedClientSettings, saidBackend } from './bounded-client.ts'
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
/** How long a pooler is asked for no more connections: each try there costs the one who makes it some seconds. */
const POOLER_GRANTED_FOR_MS = 60_000
/** How long a new connection may take for its first answers. */
const GREETING_MS = 4_000

/** A server that follows another one, and takes no writes. */
export class StandbyServer extends StoreUnavailable {
  override readonly name = 'StandbyServer'
  /** The code with which a server refuses a write there. */
  readonly code = READ_ONLY
}

/** A connection that is in use by one. */
export interface HeldClient {
  readonly client: pg.PoolClient & Pick<pg.Client, 'end' | 'connection'>
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
  /** Whether the last connection that was greeted came from a pooler. */
  #isBehindPooler = false
  #lowered: NodeJS.Timeout | null = null
  /** Whether the server may be asked to keep statements by their names. */
  keepsNames = true
  readonly watch: StatementWatch

  constructor(settings: BoundedClientSettings, options: { most: number; onTrouble: (error: Error) => void }) {
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
    const newClient = (): BoundedClient => new BoundedClient({ ...settings, query_timeout: GREETING_MS })
    this.watch = new StatementWatch({ newClient, onSilent: () => this.retire() })
  }

  /** Rejects with StoreUnavailable. */
  async take(): Promise<HeldClient> {
    for (let unanswered = 0; ;) {
      const client = (await this.#connected()) as HeldClient['client']
      try {
        const session = this.#sessions.get(client) ?? (await this.#greeted(client))
        if (session.generation === this.#generation) return { client, backend: session.backend }
      } catch (error) {
        client.release(true)
        // A pooler lets those wait for whom it has no connection: the next one waits for one of ours.
        const mayWait = this.#isBehindPooler && this.#pool.totalCount > 0
        if (!(error instanceof UnansweredGreeting) || unanswered++ > 0 || !mayWait) throw error
        this.#useNoMore(error, POOLER_GRANTED_FOR_MS)
        continue
      }
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
        this.#useNoMore(error as Error, GRANTED_FOR_MS)
      }
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries))
    }
  }

  /** Opens no more connections for a while: who comes now waits for an open one, instead of being refused by the server. */
  #useNoMore(error: Error, forMs: number): void {
    const { options } = this.#pool
    options.max = Math.max(1, Math.min(options.max, this.#pool.totalCount))
    if (this.#lowered !== null) return
    this.#onTrouble(unavailable(error))
    this.#lowered = setTimeout(() => {
      this.#lowered = null
      options.max = this.#most
    }, forMs).unref()
  }

  async #greeted(client: HeldClient['client']): Promise<Session> {
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      void client.end().catch(() => {})
    }, GREETING_MS)
    try {
      const said = saidBackend(client)
      const { rows } = await client.query<Greeting>(GREETING)
      const [{ pid, standby } = { pid: '', standby: '' }] = rows
      if (standby === 'true') throw new StandbyServer('the server is a standby, which takes no writes')
      const backend = pid === String(said) ? said : null
      this.#isBehindPooler = backend === null
      if (backend !== null) await client.query(settingsFor('session'))
      const session = { backend, generation: this.#generation }
      this.#sessions.set(client, session)
      return session
    } catch (error) {
      if (isLate) throw new UnansweredGreeting('the database did not answer a new connection', { cause: error })
      throw unavailable(error as Error)
    } finally {
      clearTimeout(late)
    }
  }
}

/** A new connection on which nothing was answered in time. */
class UnansweredGreeting extends StoreUnavailable {}

interface Greeting {
  readonly pid: string
  readonly standby: string
}

const GREETING = 'select pg_backend_pid()::text as pid, pg_is_in_recovery()::text as standby'
