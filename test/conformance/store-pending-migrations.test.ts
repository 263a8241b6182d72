import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Database } from '../../src/store/engine/database.ts'
import { planMigration } from '../../src/store/pending-migrations.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { MIGRATIONS } from '../../src/store/migrations/migrations.ts'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const STEP = MIGRATIONS.findIndex(({ name }) => name === '0009_usage_views')

describe.each(ENGINES)('what bringing a database of before roll-ups forward would do, on %s', (engine) => {
  let place: Place
  let database: Database
  beforeAll(async () => {
    place = await newPlace(engine, { hasTables: false })
    database = new Database(
      await (place.databaseUrl === null
        ? openSqlite(place.directory, () => {})
        : openPostgres(place.databaseUrl, { onTrouble: () => {} })),
    )
    await migrate(database, 1, { steps: MIGRATIONS.slice(0, STEP) })
    await place.sql(`insert into accounts (id, email, email_lower, role, status, created_at, is_managed)
      values ('A', 'a@x', 'a@x', 'user', 'active', 1, 0), ('B', 'b@x', 'b@x', 'user', 'active', 1, 0) returning id`)
    if (engine === 'postgres') await place.sql('analyze accounts')
  })
  afterAll(async () => {
    await database.engine.close()
    await place.leave()
  })
  const plan = () => planMigration({ databaseUrl: place.databaseUrl, dataDirectory: place.directory })

  test('names every step in order, with the tables and their rows, and changes nothing', async () => {
    const { steps } = await plan()
    expect(steps.map(({ name }) => name)).toEqual(MIGRATIONS.slice(STEP).map(({ name }) => name))
    const limits = steps.find(({ name }) => name === '0013_account_limits')?.effects
    expect(limits).toMatchObject([
      { kind: 'alters', table: 'accounts', rows: 2 },
      { kind: 'alters', table: 'plans' },
      { kind: 'alters', table: 'subscriptions' },
    ])
    expect(
      steps.flatMap(({ effects }) => effects).filter(({ table, kind }) => table === null && kind !== 'fills'),
    ).toEqual([])
    expect((await plan()).steps).toEqual(steps)
  })

  test('is nothing once it is done', async () => {
    await migrate(database, 2)
    const plainUsageBytes = engine === 'sqlite' ? null : expect.any(Number)
    expect(await plan()).toEqual({ engine, steps: [], plainUsageBytes })
  })
})
