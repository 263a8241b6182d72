import { sql, type Transaction } from 'kysely'
import type { Database } from '../engine/database.ts'
import type { MigrationStep } from '../migration-step.ts'
import { type Migration, namesOf, statementsOf } from './migration.ts'
import { MIGRATIONS } from './migrations.ts'
import type { Tables } from '../schema/tables.ts'

/** Any number that is not used otherwise on that server as an advisory lock. */
const LOCK = 7_655_642_838

interface MigrateOptions {
  readonly steps?: readonly Migration[]
  /** Hears of each step before it is done; of none where the tables are made for the first time. */
  readonly onStep?: (step: MigrationStep) => void
}

/**
 * Brings the schema up to date, forward only. Several processes may do so at once: one works, the others wait and find
 * nothing left to do. Rejects when the database was written by a newer version than this one.
 */
export async function migrate(
  database: Database,
  nowMs: number,
  { steps = MIGRATIONS, onStep = () => {} }: MigrateOptions = {},
): Promise<void> {
  if (pending(await appliedSoFar(database), steps).length === 0) return
  await database.transaction(async (transaction) => {
    // On SQLite the transaction itself is the lock.
    if (database.kind === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction)
    await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(
      transaction,
    )
    const rows = await transaction.selectFrom('migrations').select('name').execute()
    const left = pending(names(rows), steps)
    for (const [at, step] of left.entries()) {
      if (rows.length > 0) onStep({ name: step.name, number: at + 1, of: left.length })
      await apply(step, { database, transaction, nowMs })
    }
  })
}

/** The steps that this database lacks. Rejects when it was written by a newer version than this one. */
export async function pendingSteps(database: Database): Promise<readonly Migration[]> {
  return pending(await appliedSoFar(database), MIGRATIONS)
}

async function apply(
  step: Migration,
  { database, transaction, nowMs }: { database: Database; transaction: Transaction<Tables>; nowMs: number },
): Promise<void> {
  for (const statement of statementsOf(step, database.kind)) await sql.raw(statement).execute(transaction)
  const rows = namesOf([step]).map((name) => ({ name, applied_at: nowMs }))
  await transaction.insertInto('migrations').values(rows).execute()
}

/** What is still to be applied. A database that holds a step unknown here was written by a later version. */
function pending(applied: ReadonlySet<string>, steps: readonly Migration[]): readonly Migration[] {
  const known = new Set(namesOf(steps))
  const unknown = [...applied].find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new Error(`the database was written by a newer version of Tollgate (it has "${unknown}"): run that version`)
  }
  const lacking = namesOf(steps.slice(0, 1)).find((name) => !applied.has(name))
  if (applied.size > 0 && lacking !== undefined) {
    throw new Error(`the database is of a snapshot from before 0.1.0 (it lacks "${lacking}"): start 0.1.0 on it first`)
  }
  return steps.filter((step) => !applied.has(step.name))
}

/** Empty, too, for a database that has no tables yet. */
async function appliedSoFar(database: Database): Promise<ReadonlySet<string>> {
  const catalog =
    database.kind === 'sqlite'
      ? sql<{ found: number }>`select count(*) as found from sqlite_master where type = 'table' and name = 'migrations'`
      : sql<{
          found: number
        }>`select count(*) as found from pg_tables where schemaname = current_schema() and tablename = 'migrations'`
  const { rows } = await catalog.execute(database.kysely)
  if (rows[0]?.found !== 1) return new Set()
  return names(await database.kysely.selectFrom('migrations').select('name').execute())
}

function names(rows: readonly { name: string }[]): ReadonlySet<string> {
  return new Set(rows.map((row) => row.name))
}
