/** How large the database is, and what of it: for admins. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from './engine/database.ts'

export interface StoreSize {
  readonly bytes: number
  /** The size of the write-ahead file; null: PostgreSQL looks after its own. */
  readonly walBytes: number | null
  /** The largest first; null: it would take too long to add them up. */
  readonly tables: readonly TableSize[] | null
  readonly migrations: { readonly count: number; readonly newest: string; readonly newestAtMs: number }
}

export interface TableSize {
  readonly name: string
  /** The size of the table with its indexes. */
  readonly bytes: number
  /** How many rows the server last counted; null: it has not counted them. */
  readonly rows: number | null
}

/** A sum as the engines return it. */
type EngineSum = number | bigint

const MOST_TABLES = 12
/** Every page of the file is looked at. */
const LARGEST_LOOKED_THROUGH = 512 * 1024 * 1024

export async function readStoreSize(database: Database, dataDirectory: string): Promise<StoreSize> {
  const migrations = await readMigrations(database)
  if (database.kind === 'postgres') {
    const { rows } = await sql<{ bytes: EngineSum }>`select pg_database_size(current_database()) as bytes`.execute(
      database.views,
    )
    return { bytes: Number(rows[0]?.bytes ?? 0), walBytes: null, tables: await tablesOfPostgres(database), migrations }
  }
  const file = join(dataDirectory, 'tollgate.db')
  const [{ size: bytes }, walBytes] = await Promise.all([
    stat(file),
    stat(`${file}-wal`).then(
      ({ size }) => size,
      () => 0,
    ),
  ])
  const tables = bytes > LARGEST_LOOKED_THROUGH ? null : await tablesOfSqlite(database)
  return { bytes, walBytes, tables, migrations }
}

async function readMigrations({ views }: Database): Promise<StoreSize['migrations']> {
  const rows = await views.selectFrom('migrations').select(['name', 'applied_at']).execute()
  const newest = rows.reduce((last, row) => (row.name > last.name ? row : last), { name: '', applied_at: 0 })
  return { count: rows.length, newest: newest.name, newestAtMs: newest.applied_at }
}

/** A table of parts counts as one. */
async function tablesOfPostgres({ views }: Database): Promise<readonly TableSize[]> {
  const { rows } = await sql<{ name: string; bytes: EngineSum; rows: EngineSum }>`
    select t.relname as name, sum(pg_total_relation_size(c.oid))::bigint as bytes,
      case when min(c.reltuples) < 0 and count(*) = 1 then -1 else sum(greatest(c.reltuples, 0)) end::bigint as rows
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      left join pg_inherits i on i.inhrelid = c.oid join pg_class t on t.oid = coalesce(i.inhparent, c.oid)
    where n.nspname = current_schema() and c.relkind = 'r' group by 1 order by 2 desc limit ${MOST_TABLES}`.execute(
    views,
  )
  return rows.map(({ name, bytes, rows: count }) => ({
    name,
    bytes: Number(bytes),
    // -1: it has not been counted yet.
    rows: Number(count) < 0 ? null : Number(count),
  }))
}

async function tablesOfSqlite({ views }: Database): Promise<readonly TableSize[]> {
  const { rows } = await sql<{ name: string; bytes: EngineSum }>`
    select m.tbl_name as name, sum(d.pgsize) as bytes
    from dbstat d join sqlite_master m on m.name = d.name
    where d.aggregate = true group by 1 order by 2 desc limit ${MOST_TABLES}`.execute(views)
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes), rows: null }))
}
