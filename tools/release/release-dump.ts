import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import pg from 'pg'
import { postgresPrograms } from '../../test/support/postgres-server.ts'
import { UPKEEP_MS } from './release-plan.ts'

/** A database as SQL: what makes its tables, its rows, and what is made once they are in. */
interface Dump {
  readonly tables: readonly string[]
  readonly rows: readonly TableRows[]
  readonly rest: readonly string[]
}

interface TableRows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
}

type Value = string | bigint | Uint8Array | null

/** The embedded database of a directory, which no process has open. */
export function dumpSqlite(directory: string): string {
  using database = new DatabaseSync(join(directory, 'tollgate.db'), { readBigInts: true })
  const made = (types: string) =>
    database
      .prepare(`select sql from sqlite_master where type in (${types}) and sql is not null and name not like 'sqlite_%'
        order by name`)
      .all()
      .map(({ sql }) => `${String(sql)};`)
  const names = database
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`)
    .all()
  const rows = names.map(({ name }) => {
    const table = String(name)
    const columns = database.prepare(`select name from pragma_table_info(?)`).all(table)
    const statement = database.prepare(`select * from "${table}"`)
    statement.setReturnArrays(true)
    return {
      table,
      columns: columns.map((each) => String(each['name'])),
      rows: statement.all() as unknown as Value[][],
    }
  })
  return written({ tables: made(`'table'`), rows, rest: made(`'index'`) })
}

/** A database of PostgreSQL. Of a table in parts the rows are those of the whole. */
export async function dumpPostgres(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: (type: number) => (type === BIGINT ? BigInt : String) },
  })
  await client.connect()
  try {
    const { rows: found } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
        and relnamespace = 'public'::regnamespace order by relname collate "C"`,
    )
    const rows: TableRows[] = []
    for (const { name } of found) {
      const result = await client.query<Value[]>({ text: `select * from "${name}"`, rowMode: 'array' })
      rows.push({ table: name, columns: result.fields.map((field) => field.name), rows: result.rows })
    }
    return written({ tables: await schemaOf(url, 'pre-data'), rows, rest: await schemaOf(url, 'post-data') })
  } finally {
    await client.end()
  }
}

const BIGINT = 20

/** The schema without lines about the server and the session that write or read it. */
async function schemaOf(url: string, section: 'pre-data' | 'post-data'): Promise<readonly string[]> {
  const program = join(await postgresPrograms(), 'pg_dump')
  const args = ['--schema-only', `--section=${section}`, '--no-owner', '--no-privileges', url]
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 10_000_000 })
  return stdout.split('\n').filter((line) => line !== '' && !/^(?:--|SET |SELECT pg_catalog|\\)/.test(line))
}

function written({ tables, rows, rest }: Dump): string {
  const empty = rows.filter((each) => each.rows.length === 0).map(({ table }) => table)
  if (empty.length > 0) throw new Error(`nothing is in ${empty.join(', ')}`)
  return [...tables, ...rows.flatMap(insertsOf), ...rest, ''].join('\n')
}

function insertsOf({ table, columns, rows }: TableRows): readonly string[] {
  const lines = rows.map((row) => row.map((value, at) => literal(settled(`${table}.${columns[at]}`, value))).join(','))
  // Engines keep rows in orders of their own.
  return [
    `insert into "${table}" (${columns.join(', ')}) values`,
    lines
      .sort()
      .map((line) => `(${line})`)
      .join(',\n') + ';',
  ]
}

/** What no two runs have alike: the machine, the process and its load, when it wrote what waits, and which of equal sums it added to. */
const SETTLED: Readonly<Record<string, Value>> = {
  'nodes.host': 'the machine of release databases',
  'nodes.process_id': 1n,
  'nodes.beat': 1n,
  'nodes.in_flight': 0n,
  'nodes.busy_permille': 0n,
  'alert_deliveries.delivered_at': BigInt(UPKEEP_MS),
  'key_activity.last_address_at': BigInt(UPKEEP_MS),
  'usage_all_hours.lane': 0n,
  'usage_upstream_hours.lane': 0n,
  'usage_credential_days.lane': 0n,
}

const LEFT_OUT = ['nodes.providers_ahead_ms', 'nodes.database_ahead_ms']

function settled(column: string, value: Value): Value {
  if (value === null || LEFT_OUT.includes(column)) return null
  return SETTLED[column] ?? value
}

function literal(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return `x'${Buffer.from(value).toString('hex')}'`
}
