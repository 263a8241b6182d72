import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Database } from '../../src/store/engine/database.ts'
import { planMigration } from '../../src/store/pending-migrations.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { MIGRATIONS } from '../../src/store/migrations/migrations.ts'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

describe.each(ENGINES)('what bringing a database of 0.1.0 forward would do, on %s', (engine) => {
  let place: Place
  let database: Database
  beforeAll(async () => {
    place = await newPlace(engine, { hasTables: false })
    database = new Database(
      await (place.databaseUrl === null
        ? openSqlite(place.directory, () => {})
        : openPostgres(place.databaseUrl, { onTrouble: () => {} })),
    )
    await migrate(database, 1, { steps: MIGRATIONS.slice(0, 1) })
    await place.sql(`insert into plans (id, name, group_ids_json, days, price_nano, quotas_json, is_managed)
      values ('A', 'small', '[]', 30, 1, '[]', 0), ('B', 'large', '[]', 30, 1, '[]', 0) returning id`)
    if (engine === 'postgres') await place.sql('analyze plans')
  })
  afterAll(async () => {
    await database.engine.close()
    await place.leave()
  })
  const plan = () => planMigration({ databaseUrl: place.databaseUrl, dataDirectory: place.directory })

  test('names every step in order, with the tables and their rows, and changes nothing', async () => {
    const { steps } = await plan()
    expect(steps.map(({ name }) => name)).toEqual(MIGRATIONS.slice(1).map(({ name }) => name))
    expect(steps.find(({ name }) => name === '0060_plans_that_open_no_group')?.effects).toMatchObject([
      { kind: 'alters', table: 'plans', rows: 2 },
      { kind: 'alters', table: 'subscriptions' },
    ])
    expect(steps.flatMap(({ effects }) => effects).filter(({ table }) => table === null)).toEqual([])
    expect((await plan()).steps).toEqual(steps)
  })

  test('is nothing once it is done', async () => {
    await migrate(database, 2)
    const plainUsageBytes = engine === 'sqlite' ? null : expect.any(Number)
    expect(await plan()).toEqual({ engine, steps: [], plainUsageBytes })
  })
})
