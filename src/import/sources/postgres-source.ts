import pg from 'pg'
import { offersNoTls, readPostgresUrl, tlsFailure } from '../../core/postgres-url.ts'
import type { Row } from '../source.ts'
import { CONNECT_TIMEOUT_MS, QUERY_TIMEOUT_MS, silentSource, type SqlAccess } from './sql-source.ts'

const COLUMNS = `select table_name::text, column_name::text, column_default::text from information_schema.columns
  where table_schema = current_schema()`
const KEEPALIVE_AFTER_MS = 10_000
const GOODBYE_MS = 1_000

/** All that a transaction needs is said in it: a pooler may have another session for what comes before. */
const BEGIN = [
  'begin isolation level repeatable read read only',
  `set local time zone 'UTC'`,
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
]

/** A database of a PostgreSQL server, within one transaction that cannot write. `limitMs`: what each query may take. */
export async function postgresAccess(url: string, limitMs = QUERY_TIMEOUT_MS): Promise<SqlAccess> {
  const client = await connected(url, limitMs).catch((error: unknown) => {
    const said = error instanceof Error ? tlsFailure(error) : null
    throw said === null ? error : new Error(said, { cause: error })
  })
  const query = async (text: string): Promise<readonly Row[]> => {
    const asked = client.query<Row>({ text, types: { getTypeParser: () => (value: string) => value } })
    const { rows } = await asked.catch((error: unknown) => {
      throw error instanceof Error && error.message === 'Query read timeout' ? silentSource(error, limitMs) : error
    })
    return rows
  }
  try {
    for (const statement of BEGIN) await query(statement)
  } catch (error) {
    await left(client)
    throw error
  }
  return {
    columnsQuery: COLUMNS,
    quoted: (name) => pg.escapeIdentifier(name),
    query,
    close: () => left(client),
  }
}

async function connected(url: string, limitMs: number): Promise<pg.Client> {
  const { connectionString, ssl, isTlsOptional, sslnegotiation } = readPostgresUrl(url)
  const connect = async (tls: typeof ssl): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString,
      ...(tls !== undefined && { ssl: tls }),
      ...(sslnegotiation === 'direct' && { sslnegotiation }),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: limitMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    })
    // A lost connection fails the query that runs; between two there is nothing to do.
    client.on('error', () => {})
    await client.connect()
    return client
  }
  return connect(ssl).catch((error: unknown) => {
    if (isTlsOptional && offersNoTls(error)) return connect(false)
    throw error
  })
}

/** Also where the server answers nothing any more. */
async function left(client: pg.Client): Promise<void> {
  const { stream } = client.connection
  setTimeout(() => stream.destroy(), GOODBYE_MS).unref()
  await client.end()
}
