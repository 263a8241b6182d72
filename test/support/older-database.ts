import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import pg from 'pg'
import { Database } from '../../src/store/engine/database.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { MIGRATIONS } from '../../src/store/migrations/migrations.ts'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'

export interface DatabasePlace {
  /** null: the embedded database of the directory. */
  readonly databaseUrl: string | null
  readonly directory: string
}

/** Gives an empty place the tables of 0.1.0, with all that a place of today has in such columns. */
export async function makeOlder(of: DatabasePlace, into: DatabasePlace): Promise<void> {
  const engine = await (into.databaseUrl === null
    ? openSqlite(into.directory, () => {})
    : openPostgres(into.databaseUrl, { onTrouble: () => {} }))
  await migrate(new Database(engine), 1, { steps: MIGRATIONS.slice(0, 1) })
  await engine.close()
  if (of.databaseUrl === null || into.databaseUrl === null) copyFile(of.directory, into.directory)
  else await copyPostgres(of.databaseUrl, into.databaseUrl)
}

function copyFile(from: string, to: string): void {
  using database = new DatabaseSync(join(to, 'tollgate.db'))
  database.exec(`attach '${join(from, 'tollgate.db')}' as newer; pragma foreign_keys = off; begin`)
  const tables = database
    .prepare(`select name from main.sqlite_master where type = 'table' and name not like 'sqlite_%'`)
    .all()
  const columnsOf = (schema: string, table: string) =>
    database
      .prepare(`select name from pragma_table_info('${table}', '${schema}')`)
      .all()
      .map(({ name }) => String(name))
  for (const { name } of tables) {
    const table = String(name)
    const known = new Set(table === 'migrations' ? [] : columnsOf('newer', table))
    const shared = columnsOf('main', table)
      .filter((column) => known.has(column))
      .join(', ')
    if (shared === '') continue
    database.exec(`delete from main."${table}"`)
    database.exec(`insert into main."${table}" (${shared}) select ${shared} from newer."${table}"`)
  }
  database.exec('commit; detach newer')
}

async function copyPostgres(from: string, to: string): Promise<void> {
  const [newer, older] = [new pg.Client({ connectionString: from }), new pg.Client({ connectionString: to })]
  await Promise.all([newer.connect(), older.connect()])
  const tablesOf = async (client: pg.Client) => {
    const { rows } = await client.query<{ tablename: string }>(
      'select tablename from pg_tables where schemaname = current_schema()',
    )
    return rows.map(({ tablename }) => tablename)
  }
  const known = new Set(await tablesOf(newer))
  for (const name of await tablesOf(older)) {
    if (name === 'migrations' || !known.has(name)) continue
    const { rows } = await newer.query<{ all: string }>(
      `select coalesce(json_agg(t), '[]')::text as all from "${name}" t`,
    )
    await older.query(`delete from "${name}"`)
    await older.query(`insert into "${name}" select * from json_populate_recordset(null::"${name}", $1::json)`, [
      rows[0]?.all ?? '[]',
    ])
  }
  await Promise.all([newer.end(), older.end()])
}
