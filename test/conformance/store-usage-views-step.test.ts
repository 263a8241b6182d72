import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Database } from '../../src/store/engine/database.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { MIGRATIONS } from '../../src/store/migrations/migrations.ts'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import { NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const STEP = MIGRATIONS.findIndex(({ name }) => name === '0009_usage_views')
const HOUR_MS = 3_600_000

describe.each(ENGINES)('usage that was recorded before there were these roll-ups, on %s', (engine) => {
  let place: Place

  beforeAll(async () => {
    place = await newPlace(engine, { hasTables: false })
    const opened =
      place.databaseUrl === null
        ? openSqlite(place.directory, () => {})
        : openPostgres(place.databaseUrl, { onTrouble: () => {} })
    const database = new Database(await opened)
    await migrate(database, 1, { steps: MIGRATIONS.slice(0, STEP) })
    await place.sql(`insert into accounts (id, email, email_lower, role, status, created_at, is_managed)
      values ('A', 'a@x', 'a@x', 'user', 'active', 1, 0) returning id`)
    await place.sql(`insert into api_keys (id, account_id, name, group_id, fallback_group_ids_json, status, status_changed_at,
        quota_reset, allowed_models_json, allowed_ips_json, secret_hash, secret_start, secret_end, created_at, is_managed)
      values ('key_1', 'A', 'ÄRZTE 1', 'g', '[]', 'active', 1, 'never', '[]', '[]', 'h1', 's', 'e', 1, 0),
        ('key_2', 'A', 'plain', 'g', '[]', 'active', 1, 'never', '[]', '[]', 'h2', 's', 'e', 1, 0) returning id`)
    await place.sql(
      `insert into usage_hours values ${[
        hour('key_1', NOON, { model: 'm', cost: 1 }),
        hour('key_1', NOON + HOUR_MS, { model: 'm', cost: 2 }),
        hour('key_2', NOON, { model: 'm', cost: 4 }),
        hour('key_2', NOON + 24 * HOUR_MS, { model: 'n', cost: 8 }),
      ].join(', ')} returning key_id`,
    )
    await place.sql(`insert into usage_records (id, created_at, account_id, key_id, key_name, is_stream, outcome, usage_source,
        is_capped, cost_nano, balance_paid_nano, attempts_json, total_ms)
      values ('req_1', ${NOON + 7}, 'A', 'key_1', 'k', 0, 'completed', 'none', 0, 3, 0, '[]', 1),
        ('req_2', ${NOON + 9}, 'A', 'key_1', 'k', 0, 'interrupted', 'none', 0, 0, 0, '[]', 1) returning id`)
    await migrate(database, 2)
    await database.engine.close()
  })
  afterAll(() => place.leave())

  const hour = (key: string, at: number, { model, cost }: { model: string; cost: number }) =>
    `('${key}', ${at}, 'g', '${model}', 'A', 1, 0, 10, 0, 5, ${cost}, ${cost})`

  test.each([
    [
      'usage_account_hours',
      'hour_at',
      [
        [NOON, 5n, 2n],
        [NOON + HOUR_MS, 2n, 1n],
        [NOON + 24 * HOUR_MS, 8n, 1n],
      ],
    ],
    [
      'usage_all_hours',
      'hour_at',
      [
        [NOON, 5n, 2n],
        [NOON + HOUR_MS, 2n, 1n],
        [NOON + 24 * HOUR_MS, 8n, 1n],
      ],
    ],
    [
      'usage_days',
      'day_at',
      [
        [NOON - 12 * HOUR_MS, 3n, 2n],
        [NOON - 12 * HOUR_MS, 4n, 1n],
        [NOON + 12 * HOUR_MS, 8n, 1n],
      ],
    ],
  ] as const)('is in %s', async (table, time, sums) => {
    const rows = await place.sql(`select ${time} as at, cost_nano as cost, requests from ${table} order by 1, 2`)
    expect(rows.map((row) => [Number(row['at']), row['cost'], row['requests']])).toEqual(sums)
  })

  test('tells when a key was used last, and an interrupted request is not a use', async () => {
    const rows = await place.sql('select key_id, last_used_at, spent_nano from key_activity order by key_id')
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { key_id: 'key_1', last_used_at: BigInt(NOON + 7), spent_nano: 3n },
      { key_id: 'key_2', last_used_at: 0n, spent_nano: 0n },
    ])
  })

  test('leaves keys that are found whatever the case of their names', async () => {
    const rows = await place.sql('select name_lower from api_keys order by id')
    expect(rows.map((row) => row['name_lower'])).toEqual(['ärzte 1', 'plain'])
  })
})
