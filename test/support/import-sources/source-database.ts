/** A database of another gateway, made in a test on any of the engines that it supports. */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { PATIENCE_MS } from '../patience.ts'

export interface SourceDatabase {
  /** The URL as the command line takes it. */
  readonly url: string
  run(sql: string): Promise<void>
  quoted(name: string): string
  close(): Promise<void>
}

export function sqliteSource(path: string): SourceDatabase {
  const database = new DatabaseSync(path)
  // Written once and thrown away.
  database.exec('pragma synchronous = off')
  return {
    url: path,
    run: (sql) => writeWhenFree(database, sql),
    quoted: (name) => `"${name}"`,
    close: async () => database.close(),
  }
}

/** Writes as the products do: while another reads in a snapshot, a write waits. In one thread it has to let that go on. */
async function writeWhenFree(database: DatabaseSync, sql: string): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; ;) {
    try {
      database.exec(sql)
      return
    } catch (error) {
      if (!String(error).includes('database is locked') || performance.now() > until) throw error
    }
    await pause(1)
  }
}

export async function postgresSource(url: string): Promise<SourceDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    url,
    run: async (sql) => void (await client.query(sql)),
    quoted: (name) => `"${name}"`,
    close: () => client.end(),
  }
}

/** A new database beside the one that the URL names. */
export async function mysqlSource(serverUrl: string, name: string): Promise<SourceDatabase> {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const connection = await createConnection({ uri: serverUrl })
  await connection.query(`create database ${name} character set utf8mb4`)
  await connection.query(`use ${name}`)
  // A backslash is one, as it is in the others.
  await connection.query(`set session sql_mode = 'NO_BACKSLASH_ESCAPES'`)
  return {
    url: url.href,
    run: async (sql) => void (await connection.query(sql)),
    quoted: (column) => `\`${column}\``,
    close: () => connection.end(),
  }
}

export type Value = string | number | bigint | boolean | null

/** Rows of one table, each with the same columns. */
export async function insertRows(
  database: SourceDatabase,
  table: string,
  rows: readonly Readonly<Record<string, Value>>[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const named = columns.map((column) => database.quoted(column)).join(', ')
  for (let from = 0; from < rows.length; from += 200) {
    const values = rows
      .slice(from, from + 200)
      .map((row) => `(${columns.map((column) => literal(row[column] ?? null)).join(', ')})`)
    await database.run(`insert into ${database.quoted(table)} (${named}) values ${values.join(', ')}`)
  }
}

function literal(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
