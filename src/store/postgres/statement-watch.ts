import type pg from 'pg'
import { StoreUnavailable } from '../../core/store-unavailable.ts'
import { CONNECT_MS, type BoundedClient } from './bounded-client.ts'
import { STATEMENT_MS } from './session-settings.ts'

/** A statement that is not answered for so long is asked about: by then nearly all have ended. */
const DOUBT_MS = 3_000
/** The server ends a statement at its own limit; this one is for a server that went away without a word. */
const LIMIT_MS = STATEMENT_MS + CONNECT_MS

export interface RunningStatement {
  readonly client: Pick<pg.Client, 'end' | 'connection'>
  readonly sql: string
  /** The server process that works for this connection alone; null: a pooler chooses one each time. */
  readonly backend: number | null
}

/**
 * Gives up connections that went silent, and with them the statement that waits there. After a few seconds without an answer a
 * new connection asks the server whether it works on the statement. A slow one is waited for; one that never arrived, or whose
 * answer was lost, is not. Where the server cannot be asked, the statement has the whole of its limit.
 *
 * Behind a pooler it is looked for by its text. The pooler serves in turn, so that one which waits there for a connection comes
 * before the question.
 */
export class StatementWatch {
  readonly #newClient: () => BoundedClient
  readonly #onSilent: () => void
  /** One question is under way at a time, for all who are in doubt. */
  #asking: Promise<readonly Activity[]> | null = null

  /** `onSilent`: hears of each connection that was given up so. */
  constructor(parts: { newClient: () => BoundedClient; onSilent: () => void }) {
    this.#newClient = parts.newClient
    this.#onSilent = parts.onSilent
  }

  /** Resolves and rejects as `answer` does; rejects with StoreUnavailable where the connection was given up. */
  async during<T>(statement: RunningStatement, answer: Promise<T>): Promise<T> {
    let lost: StoreUnavailable | null = null
    const giveUp = (why: string): void => {
      lost = new StoreUnavailable(why)
      // What still waits there is rejected by that.
      void statement.client.end().catch(() => {})
    }
    const atLimit = setTimeout(giveUp, LIMIT_MS, `the database did not answer within ${LIMIT_MS / 1_000} s`)
    const stopDoubting = this.#doubt(statement, () => {
      giveUp('a connection to the database did not answer, and was given up')
      this.#onSilent()
    })
    try {
      return await answer
    } catch (error) {
      throw lost ?? error
    } finally {
      clearTimeout(atLimit)
      stopDoubting()
    }
  }

  /** Asks about the statement every few seconds until it is at work no more. Returns how to stop. */
  #doubt(statement: RunningStatement, onSilent: () => void): () => void {
    let isOver = false
    let wasSending = false
    let next: NodeJS.Timeout
    const ask = async (): Promise<void> => {
      // A large statement on a slow way has not arrived yet; what the system holds of it needs a moment more.
      const isSending = statement.client.connection.stream.writableLength > 0
      const isOnItsWay = isSending || wasSending
      wasSending = isSending
      const isAtWork = isOnItsWay || (await this.#isAtWork(statement))
      if (isOver) return
      if (isAtWork) wait()
      else onSilent()
    }
    const wait = (): void => {
      next = setTimeout(() => void ask(), DOUBT_MS)
    }
    wait()
    return () => {
      isOver = true
      clearTimeout(next)
    }
  }

  async #isAtWork({ sql, backend }: RunningStatement): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = null))
    try {
      const activities = await this.#asking
      // The server keeps the beginning of a text, and nothing where it is set up to keep none.
      return activities.some(({ pid, query }) =>
        backend === null ? query === null || sql.startsWith(query) : pid === String(backend),
      )
    } catch {
      return true
    }
  }

  async #ask(): Promise<readonly Activity[]> {
    const client = this.#newClient()
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<Activity>(AT_WORK)
      return rows
    } finally {
      void client.end().catch(() => {})
    }
  }
}

interface Activity {
  readonly pid: string
  readonly query: string | null
}

const ACTIVITIES = 10_000

const AT_WORK = `select pid::text as pid, nullif(query, '') as query from pg_stat_activity
  where usename = session_user and datname = current_database() and pid <> pg_backend_pid()
    and coalesce(state, 'disabled') in ('active', 'fastpath function call', 'disabled') limit ${ACTIVITIES}`
