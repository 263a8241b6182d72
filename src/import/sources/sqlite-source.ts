import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { Row } from '../source.ts'
import type { SqlAccess } from './sql-source.ts'

const COLUMNS = `select m.name as table_name, p.name as column_name, p.dflt_value as column_default
  from sqlite_master m join pragma_table_info(m.name) p where m.type = 'table'`

/** A file, opened for reading alone. Throws what SQLite says of one that it cannot read. */
export function sqliteAccess(path: string): SqlAccess {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 })
  try {
    database.exec('begin')
    // The snapshot begins with the first reading.
    database.exec('select count(*) from sqlite_master')
  } catch (error) {
    database.close()
    throw error
  }
  return {
    columnsQuery: COLUMNS,
    quoted: (name) => `"${name.replaceAll('"', '""')}"`,
    async query(sql) {
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      return statement.all().map(asText)
    },
    async close() {
      database.close()
    },
  }
}

function asText(row: Readonly<Record<string, SQLOutputValue>>): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), textOf(value)]))
}

function textOf(value: SQLOutputValue): string | null {
  if (value === null) return null
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  return String(value)
}
