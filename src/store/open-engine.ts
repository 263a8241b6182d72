import type { Clock } from '../core/clock.ts'
import type { NanoUsd } from '../core/money.ts'
import type { Engine } from './engine/engine.ts'
import type { MigrationStep } from './migration-step.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

export interface StoreOptions {
  /** `postgres://…`; null: the embedded database in the data directory. */
  readonly databaseUrl: string | null
  /** How many connections to PostgreSQL there are at most for statements; one more listens to changes. */
  readonly databaseConnections?: number
  /** Read for each connection that is made: the same URL, with the login of now. Default: `databaseUrl`. */
  readonly newestDatabaseUrl?: () => string
  /** Made where it is missing. Not touched when there is a `databaseUrl`. */
  readonly dataDirectory: string
  readonly clock: Clock
  /** Owners get an alert when their balance falls below this; null: never. Default: 1 USD. */
  readonly lowBalance?: NanoUsd | null
  /** Hears of connections that broke while idle, and of settlements that no book takes; for the log. */
  readonly onTrouble?: (error: Error) => void
  /** Hears of each step by which the tables are brought up to this version. */
  readonly onStep?: (step: MigrationStep) => void
}

/** Opens the database as it is. */
export async function openEngine({
  databaseUrl,
  newestDatabaseUrl: newestUrl,
  databaseConnections: connections,
  dataDirectory,
  onTrouble = () => {},
}: Omit<StoreOptions, 'clock' | 'lowBalance' | 'onStep'>): Promise<Engine> {
  if (databaseUrl === null) return openSqlite(dataDirectory, onTrouble)
  // Users of the embedded database do not load the other one's driver.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres(databaseUrl, {
    onTrouble,
    ...(connections !== undefined && { connections }),
    ...(newestUrl !== undefined && { newestUrl }),
  })
}
