import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import pg from 'pg'
import type { Clock } from '../../src/core/clock.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { inSuite } from '../support/run/suite.ts'
import { migratedDirectory, migratedPostgres, temporaryDirectory, testPostgres } from '../support/test-servers.ts'
import { noonClock } from './store-fixtures.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]

/**
 * Engines for tests of what is above the stores, as the console API: their SQL has tests of its own, on both, so the short suite
 * takes the embedded one.
 */
export const ENGINES_ABOVE_STORES: readonly EngineName[] = inSuite({ long: ENGINES, short: ['sqlite'] as const })

/** Engines for tests of what lists read of many rows: the short suite takes the one that reads types and orders more strictly. */
export const ENGINES_OF_LISTS: readonly EngineName[] = inSuite({ long: ENGINES, short: ['postgres'] as const })

/** One empty database. Each store that is opened on it is one node. */
export interface Place {
  readonly engine: EngineName
  readonly directory: string
  readonly databaseUrl: string | null
  open(clock?: Clock): Promise<Store>
  /** Runs a statement past the store: to look behind it, or to damage the books. Integers come as bigint. */
  sql(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Runs statements past the store, all in one transaction. */
  change(statements: readonly string[]): Promise<void>
  /** Closes every store and removes the database. */
  leave(): Promise<void>
}

/** `hasTables: false`: for tests of the migrations themselves. Others need not wait until all tables are made. */
export async function newPlace(engine: EngineName, { hasTables = true } = {}): Promise<Place> {
  const hasFile = hasTables && engine === 'sqlite'
  const directory = await (hasFile ? migratedDirectory() : temporaryDirectory())
  const makeDatabase = hasTables ? migratedPostgres : testPostgres
  const database = engine === 'postgres' ? await makeDatabase() : null
  const databaseUrl = database?.url ?? null
  const opened: Store[] = []
  return {
    engine,
    directory,
    databaseUrl,
    async open(clock = noonClock) {
      const store = await openStore({ databaseUrl, dataDirectory: directory, clock })
      opened.push(store)
      return store
    },
    sql: (statement) => (databaseUrl === null ? askSqlite(directory, statement) : askPostgres(databaseUrl, statement)),
    change: (statements) =>
      databaseUrl === null ? changeSqlite(directory, statements) : changePostgres(databaseUrl, statements),
    async leave() {
      await Promise.all(opened.map((store) => store.close()))
      await database?.drop()
    },
  }
}

export async function readBudget(place: Place, id: string) {
  const rows = await place.sql(
    `select limit_nano as "limit", used_nano as used, held_nano as held, overruns, overrun_nano as overrun
     from budgets where id = '${id}'`,
  )
  return rows[0]
}

async function changeSqlite(directory: string, statements: readonly string[]): Promise<void> {
  const database = new DatabaseSync(join(directory, 'tollgate.db'), { timeout: 5000 })
  try {
    database.exec(['begin immediate', ...statements, 'commit'].join(';\n'))
  } finally {
    database.close()
  }
}

/** Statements that are sent together are one transaction. */
async function changePostgres(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statements.join(';\n'))
  } finally {
    await client.end()
  }
}

async function askSqlite(directory: string, statement: string) {
  const database = new DatabaseSync(join(directory, 'tollgate.db'), { timeout: 5000, readBigInts: true })
  try {
    return database.prepare(statement).all()
  } finally {
    database.close()
  }
}

async function askPostgres(url: string, statement: string) {
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: (type: number) => (type === 20 ? BigInt : String) },
  })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}
