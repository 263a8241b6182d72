import { BoundedClient, CONNECT_MS, saidBackend } from './bounded-client.ts'
import { CHANGES_TOPIC } from '../engine/changes.ts'

/** While notifications come, looking only guards against one that was lost. */
const SLOW_LOOK_MS = 1_000
/** While the listening connection is away, looking takes its place. */
const QUICK_LOOK_MS = 100
const LOOKS_PER_CONNECT = 10
/** A pooler that gives each transaction another session passes no notification on; it may be gone some day. */
const LOOKS_PER_CONNECT_BY_POOLER = 600
/** A listening connection says nothing by itself for hours, so it is asked whether it is there. */
const LOOKS_PER_PING = 5

/**
 * Hears from PostgreSQL that some process changed something; looks from time to time as well, and often where nothing can be
 * heard. Idle without listeners.
 */
export class ChangeListener {
  readonly #newClient: () => BoundedClient
  readonly #lastChange: () => Promise<unknown>
  readonly #listeners = new Set<() => void>()
  #client: BoundedClient | null = null
  #following: Promise<void> | null = null
  #listening: Promise<void> | null = null
  #looksUntilConnect = 0
  #seenSeq: unknown
  #wake: () => void = () => {}

  /** `lastChange`: the number of the last one in the database. */
  constructor(parts: { newClient: () => BoundedClient; lastChange: () => Promise<unknown> }) {
    this.#newClient = parts.newClient
    this.#lastChange = parts.lastChange
  }

  add(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#following ??= this.#follow()
    return () => {
      this.#listeners.delete(listener)
      this.#wake()
    }
  }

  async close(): Promise<void> {
    this.#listeners.clear()
    this.#wake()
    await this.#following
  }

  async #follow(): Promise<void> {
    for (let looks = 0; this.#listeners.size > 0; looks++) {
      if (this.#client === null) this.#connect()
      else if (looks % LOOKS_PER_PING === 0) void this.#ping(this.#client)
      await this.#look()
      if (this.#listeners.size > 0) await this.#pause(this.#client === null ? QUICK_LOOK_MS : SLOW_LOOK_MS)
    }
    this.#following = null
    await this.#listening
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }

  /** Connects beside the looks: a server that lets connections wait must not keep them from going on. */
  #connect(): void {
    if (this.#listening !== null || this.#looksUntilConnect-- > 0) return
    this.#looksUntilConnect = LOOKS_PER_CONNECT
    this.#listening = this.#listen().finally(() => (this.#listening = null))
  }

  async #listen(): Promise<void> {
    const client = this.#newClient()
    const lose = () => {
      if (this.#client !== client) return
      this.#client = null
      this.#looksUntilConnect = 0
      this.#wake()
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', () => this.#tell())
    try {
      await client.connect()
      const { rows } = await client.query<{ pid: string }>(`select pg_backend_pid()::text as pid`)
      if (rows[0]?.pid !== String(saidBackend(client))) {
        this.#looksUntilConnect = LOOKS_PER_CONNECT_BY_POOLER
        return await client.end()
      }
      await client.query(`listen ${CHANGES_TOPIC}`)
      this.#client = client
      // What was changed meanwhile is seen by the next look.
      this.#wake()
    } catch {
      await client.end().catch(() => {})
    }
  }

  async #ping(client: BoundedClient): Promise<void> {
    try {
      await client.query('select 1')
    } catch {
      await client.end().catch(() => {})
    }
  }

  async #look(): Promise<void> {
    try {
      const seq = await this.#lastChange()
      if (seq !== this.#seenSeq) this.#tell()
      this.#seenSeq = seq
    } catch {
      // The database is away; the next look comes soon, and callers that need an answer now get it from their own query.
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** The time that a statement of the listening connection may take: none of them has anything to wait for. */
export const LISTENER_STATEMENT_MS = CONNECT_MS
