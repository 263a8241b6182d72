import { createConnection } from 'mysql2/promise'
import type { Row } from '../source.ts'
import { CONNECT_TIMEOUT_MS, QUERY_TIMEOUT_MS, silentSource, type SqlAccess } from './sql-source.ts'

const COLUMNS = `select table_name as table_name, column_name as column_name,
  column_default as column_default from information_schema.columns
  where table_schema = database()`

const SILENT = 'PROTOCOL_SEQUENCE_TIMEOUT'

/** A database of a MySQL or MariaDB server, within one transaction that cannot write. */
export async function mysqlAccess(url: string): Promise<SqlAccess> {
  const connection = await createConnection({
    uri: url,
    connectTimeout: CONNECT_TIMEOUT_MS,
    charset: 'utf8mb4',
    // Every value as the server writes it.
    typeCast: (field) => field.string(),
  })
  // A lost connection fails the query that runs; between two there is nothing to do.
  connection.on('error', () => {})
  const query = async (sql: string): Promise<readonly Row[]> => {
    const [rows] = await connection.query({ sql, timeout: QUERY_TIMEOUT_MS }).catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === SILENT ? silentSource(error) : error
    })
    return Array.isArray(rows) ? (rows as Row[]) : []
  }
  try {
    await query(`set time_zone = '+00:00'`)
    await query('set session transaction isolation level repeatable read')
    await query('start transaction with consistent snapshot, read only')
  } catch (error) {
    connection.destroy()
    throw error
  }
  return {
    columnsQuery: COLUMNS,
    quoted: (name) => `\`${name.replaceAll('`', '``')}\``,
    query,
    close: () => connection.end(),
  }
}
