import pg from 'pg'
import type { Row } from '../source.ts'
import type { SqlAccess } from './sql-source.ts'

const COLUMNS = `select table_name::text, column_name::text, column_default::text from information_schema.columns
  where table_schema = current_schema()`
const CONNECT_TIMEOUT_MS = 10_000

/** A database of a PostgreSQL server, within one transaction that cannot write. */
export async function postgresAccess(url: string): Promise<SqlAccess> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // A lost connection fails the query that runs; between two there is nothing to do.
  client.on('error', () => {})
  await client.connect()
  const query = async (text: string): Promise<readonly Row[]> => {
    const { rows } = await client.query<Row>({ text, types: { getTypeParser: () => (value: string) => value } })
    return rows
  }
  try {
    await query(`set time zone 'UTC'`)
    await query('begin isolation level repeatable read read only')
    await query('set local statement_timeout = 0')
    await query('set local idle_in_transaction_session_timeout = 0')
  } catch (error) {
    await client.end()
    throw error
  }
  return {
    columnsQuery: COLUMNS,
    quoted: (name) => pg.escapeIdentifier(name),
    query,
    close: () => client.end(),
  }
}
