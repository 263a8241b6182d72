import type pg from 'pg'
import { CHANGES_TOPIC } from './changes-topic.ts'

/** While notifications come, looking only guards against one that was lost. */
const SLOW_LOOK_MS = 1_000
/** While the listening connection is away, looking takes its place. */
const QUICK_LOOK_MS = 100
const LOOKS_PER_CONNECT = 10

/** Hears from PostgreSQL that some process changed something; looks from time to time as well. Idle without listeners. */
export class ChangeListener {
  readonly #newClient: () => pg.Client
  readonly #pool: pg.Pool
  readonly #listeners = new Set<() => void>()
  #client: pg.Client | null = null
  #following: Promise<void> | null = null
  #seenSeq: unknown
  #wake: () => void = () => {}

  constructor(parts: { newClient: () => pg.Client; pool: pg.Pool }) {
    this.#newClient = parts.newClient
    this.#pool = parts.pool
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
      if (this.#client === null && looks % LOOKS_PER_CONNECT === 0) await this.#listen()
      if (this.#client !== null) looks = 0
      await this.#look()
      if (this.#listeners.size > 0) await this.#pause(this.#client === null ? QUICK_LOOK_MS : SLOW_LOOK_MS)
    }
    this.#following = null
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }

  async #listen(): Promise<void> {
    const client = this.#newClient()
    const lose = () => {
      if (this.#client === client) this.#client = null
      this.#wake()
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', () => this.#tell())
    try {
      await client.connect()
      await client.query(`listen ${CHANGES_TOPIC}`)
      this.#client = client
    } catch {
      await client.end().catch(() => {})
    }
  }

  async #look(): Promise<void> {
    try {
      const { rows } = await this.#pool.query<{ seq: unknown }>('select seq from change_counter')
      const seq = rows[0]?.seq
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
