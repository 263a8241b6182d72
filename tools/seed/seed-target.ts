import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** A row by its columns: all rows of a table have the same ones, in the same order. */
export type SeedRow = Readonly<Record<string, string | number | bigint | null>>

/** A database into which rows are poured. Its tables are there, and nothing else uses it. */
export interface SeedTarget {
  load(table: string, rows: Iterable<SeedRow>): Promise<void>
  /** Runs a statement in the SQL that both engines know. */
  run(statement: string): Promise<void>
  /** Takes the further indexes of a table away; returns how to make them again, which is faster than keeping them. */
  withoutIndexes(table: string): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** `databaseUrl` null: the embedded database of the directory. */
export async function openTarget(databaseUrl: string | null, directory: string): Promise<SeedTarget> {
  if (databaseUrl === null) return new SqliteTarget(new DatabaseSync(join(directory, 'tollgate.db')))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return new PostgresTarget(client)
}

class SqliteTarget implements SeedTarget {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    this.#database = database
    // A seed that is cut off is thrown away.
    database.exec(
      'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000; pragma temp_store = file',
    )
  }

  async load(table: string, rows: Iterable<SeedRow>): Promise<void> {
    let insert: StatementSync | null = null
    this.#database.exec('begin')
    for (const row of rows) {
      insert ??= this.#insertInto(table, Object.keys(row))
      insert.run(...Object.values(row))
    }
    this.#database.exec('commit')
  }

  #insertInto(table: string, columns: readonly string[]): StatementSync {
    const signs = columns.map(() => '?').join(', ')
    return this.#database.prepare(`insert into "${table}" (${columns.join(', ')}) values (${signs})`)
  }

  async run(statement: string): Promise<void> {
    this.#database.exec(statement)
  }

  async withoutIndexes(table: string): Promise<() => Promise<void>> {
    const indexes = this.#database
      .prepare(`select name, sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null`)
      .all(table)
    for (const { name } of indexes) this.#database.exec(`drop index ${String(name)}`)
    return async () => {
      for (const index of indexes) this.#database.exec(String(index['sql']))
    }
  }

  async close(): Promise<void> {
    this.#database.exec('pragma journal_mode = wal')
    this.#database.close()
  }
}

/** Characters that travel together. */
const PIECE = 65_536

class PostgresTarget implements SeedTarget {
  readonly #client: pg.Client

  constructor(client: pg.Client) {
    this.#client = client
  }

  async load(table: string, rows: Iterable<SeedRow>): Promise<void> {
    const left = Iterator.from(rows)
    const first = left.next()
    if (first.done === true) return
    const columns = Object.keys(first.value).join(', ')
    const copy = this.#client.query(copyFrom(`copy "${table}" (${columns}) from stdin`))
    await pipeline(Readable.from(pieces(first.value, left)), copy)
  }

  async run(statement: string): Promise<void> {
    await this.#client.query(statement)
  }

  async withoutIndexes(table: string): Promise<() => Promise<void>> {
    const { rows } = await this.#client.query<{ indexname: string; indexdef: string }>(
      `select indexname, indexdef from pg_indexes
       where schemaname = current_schema() and tablename = $1 and indexname not like '%pkey'`,
      [table],
    )
    for (const { indexname } of rows) await this.#client.query(`drop index "${indexname}"`)
    return async () => {
      for (const { indexdef } of rows) await this.#client.query(indexdef)
    }
  }

  async close(): Promise<void> {
    // Plans are made from what the tables hold; without this the first views would be planned for empty ones.
    await this.#client.query('vacuum analyze')
    await this.#client.end()
  }
}

/** Has PostgreSQL look anew at what its tables hold, by which it plans. */
export async function renewStatistics(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/** Rows as `copy` reads them, many in one. */
function* pieces(first: SeedRow, others: Iterable<SeedRow>): Iterable<string> {
  let piece = lineOf(first)
  for (const row of others) {
    piece += lineOf(row)
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}

function lineOf(row: SeedRow): string {
  return `${Object.values(row).map(copied).join('\t')}\n`
}

const MEANT_OTHERWISE: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function copied(value: SeedRow[string]): string {
  if (value === null) return '\\N'
  return typeof value === 'string'
    ? value.replace(/[\\\t\n\r]/g, (sign) => MEANT_OTHERWISE[sign] ?? sign)
    : String(value)
}
