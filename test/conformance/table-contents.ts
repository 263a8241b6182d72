import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { Place } from './store-under-test.ts'

/** The rows of each table, as texts in one order, by the name of the table. */
export type Contents = Readonly<Record<string, readonly string[]>>

/** Every row of every table but those named. */
export async function contentsOf(place: Place, without: readonly string[]): Promise<Contents> {
  const rows = place.engine === 'sqlite' ? ofSqlite(place, without) : await ofPostgres(place, without)
  const grouped = Object.entries(Object.groupBy(rows, ({ table }) => table))
  return Object.fromEntries(grouped.map(([table, each = []]) => [table, each.map(({ row }) => row).toSorted()]))
}

interface Row {
  readonly table: string
  readonly row: string
}

async function ofPostgres({ sql }: Place, without: readonly string[]): Promise<readonly Row[]> {
  const listed = await sql(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const names = listed.map(({ name }) => String(name)).filter((name) => !without.includes(name))
  const each = names.map((name) => `select '${name}' as name, to_jsonb(t)::text as row from "${name}" t`)
  return (await sql(each.join(' union all '))).map(({ name, row }) => ({ table: String(name), row: String(row) }))
}

function ofSqlite({ directory }: Place, without: readonly string[]): readonly Row[] {
  const database = new DatabaseSync(join(directory, 'tollgate.db'), { timeout: 5000, readBigInts: true })
  try {
    const listed = database.prepare(`select name from sqlite_master where type = 'table'`).all()
    const names = listed.map(({ name }) => String(name)).filter((name) => !without.includes(name))
    return names.flatMap((table) =>
      database
        .prepare(`select * from "${table}"`)
        .all()
        .map((row) => ({ table, row: JSON.stringify(row, (_, value: unknown) => plain(value)) })),
    )
  } finally {
    database.close()
  }
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}

/** Runs `work` while the table takes no row. */
export async function withoutRoomIn(place: Place, table: string, work: () => Promise<void>): Promise<void> {
  const { engine } = place
  const sqlite = [`create trigger no_entry before insert on ${table} begin select raise(abort, 'no room'); end`]
  const postgres = [
    `create function no_entry() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`,
    `create trigger no_entry before insert on ${table} execute function no_entry()`,
  ]
  await place.change(engine === 'sqlite' ? sqlite : postgres)
  try {
    await work()
  } finally {
    await place.change([engine === 'sqlite' ? 'drop trigger no_entry' : 'drop function no_entry cascade'])
  }
}
