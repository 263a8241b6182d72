import pg from 'pg'

/** How long a connection may take to be made: name, TCP, TLS and sign-in. */
export const CONNECT_MS = 5_000
/** How long a peer may take to answer the goodbye. */
const GOODBYE_MS = 1_000
/** A peer that is gone without a word is noticed some ten seconds after that. */
const KEEPALIVE_AFTER_MS = 10_000

export interface BoundedClientSettings extends pg.ClientConfig {
  /** Where to connect now, instead of what `connectionString` says: its login may change. */
  readonly newestUrl?: () => string
}

/** A client of the driver that neither connects nor says goodbye for longer than it should, in the pool or beside it. */
export class BoundedClient extends pg.Client {
  constructor({ newestUrl, ...settings }: BoundedClientSettings = {}) {
    super({
      ...settings,
      ...(newestUrl !== undefined && { connectionString: newestUrl() }),
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    })
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const { stream } = this.connection
    setTimeout(() => stream.destroy(), GOODBYE_MS).unref()
    if (callback === undefined) return super.end()
    super.end(callback)
  }
}

/** Returns the number of the server process behind a client, as the server says at the beginning; null: it says nothing. A pooler makes one up. */
export function saidBackend(client: object): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null
}
