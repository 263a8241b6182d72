/** What bringing a database up to this version would do to it, read without doing any of it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { Database } from './engine/database.ts'
import type { EngineKind } from './engine/engine.ts'
import { openEngine, type StoreOptions } from './open-engine.ts'
import { pendingSteps } from './migrations/migrate.ts'
import { statementsOf } from './migrations/migration.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { type StepEffect, effectsOf } from './migrations/step-effects.ts'
import { resultCode, sqliteFailure } from './sqlite/sqlite-failure.ts'

export interface MigrationPlan {
  readonly engine: EngineKind
  readonly steps: readonly { readonly name: string; readonly effects: readonly SizedEffect[] }[]
  /** The size of PostgreSQL's table of usage records while it is not partitioned by day; null: it is, or never will be. */
  readonly plainUsageBytes: number | null
}

export interface SizedEffect extends StepEffect {
  /** How many rows the table has now, on PostgreSQL as the server last counted; null: an earlier step makes it. */
  readonly rows: number | null
  /** What PostgreSQL would have to read; null: not known. */
  readonly bytes: number | null
}

/** Rejects for a database that a newer version has written, and with what stands in the way of opening it. */
export async function planMigration(
  options: Pick<StoreOptions, 'databaseUrl' | 'dataDirectory'>,
): Promise<MigrationPlan> {
  const engine = await openEngine(options)
  try {
    const database = new Database(engine)
    const steps = []
    for (const step of await pendingSteps(database)) {
      const effects = []
      for (const effect of effectsOf(statementsOf(step, engine.kind))) {
        effects.push({ ...effect, ...(await sizeOf(database, effect.table)) })
      }
      steps.push({ name: step.name, effects })
    }
    return { engine: engine.kind, steps, plainUsageBytes: await plainUsageBytes(database) }
  } finally {
    await engine.close()
  }
}

/**
 * The steps that the embedded database lacks; none where there is no database yet, or a newer version has written it. Throws,
 * in the words of a failed start, where the file cannot be read as a database.
 */
export function pendingInFile(dataDirectory: string): readonly string[] {
  const path = join(dataDirectory, 'tollgate.db')
  if (!existsSync(path)) return []
  try {
    // Not `readOnly`: what a start that was killed in its first moments left half done could not be rolled back.
    using database = new DatabaseSync(path, { timeout: BUSY_MS })
    const has = database.prepare("select 1 from sqlite_master where type = 'table' and name = 'migrations'").get()
    if (has === undefined) return []
    const rows = database.prepare('select name from migrations').all()
    const applied = new Set(rows.map(({ name }) => String(name)))
    return MIGRATIONS.filter(({ name }) => !applied.has(name)).map(({ name }) => name)
  } catch (error) {
    throw error instanceof Error ? sqliteFailure(error.message, resultCode(error)) : error
  }
}

const BUSY_MS = 5_000

async function plainUsageBytes(database: Database): Promise<number | null> {
  if (database.kind === 'sqlite') return null
  const { rows } = await sql<{ bytes: number | bigint }>`select pg_table_size(oid) as bytes from pg_class
    where oid = to_regclass('usage_records') and relkind = 'r'`.execute(database.kysely)
  return rows[0] === undefined ? null : Number(rows[0].bytes)
}

async function sizeOf(database: Database, table: string | null): Promise<Pick<SizedEffect, 'rows' | 'bytes'>> {
  if (table === null) return { rows: null, bytes: null }
  if (database.kind === 'sqlite') {
    const is = await sql`select 1 from sqlite_master where type = 'table' and name = ${table}`.execute(database.kysely)
    if (is.rows.length === 0) return { rows: null, bytes: null }
    const counted = sql<{ rows: number | bigint }>`select count(*) as rows from ${sql.table(table)}`
    return { rows: Number((await counted.execute(database.kysely)).rows[0]?.rows ?? 0), bytes: null }
  }
  const found = await sql<{ rows: number | string; bytes: number | bigint | null }>`
    select sum(greatest(reltuples, 0))::float8 as rows, sum(pg_table_size(oid))::bigint as bytes from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and (relname = ${table}
      or oid in (select inhrelid from pg_inherits where inhparent = to_regclass(${table})))`.execute(database.kysely)
  const [row] = found.rows
  return row === undefined || row.bytes === null
    ? { rows: null, bytes: null }
    : { rows: Number(row.rows), bytes: Number(row.bytes) }
}
