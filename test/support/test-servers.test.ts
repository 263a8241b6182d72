import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { migratedDirectory, migratedPostgres, temporaryDirectory, testPostgres } from './test-servers.ts'
import { inSuite } from './run/suite.ts'

beforeAll(async () => {
  const first = await testPostgres()
  await first.drop()
})

test('each call gives an empty database of its own, in the long suite on a server that keeps what it acknowledged', async () => {
  const [one, other] = await Promise.all([testPostgres(), testPostgres()])
  expect(one.url).not.toBe(other.url)
  await query(one.url, 'create table only_here (id bigint primary key)')
  expect(await query(other.url, `select to_regclass('only_here') as found`)).toEqual([{ found: null }])
  const durability = inSuite({ long: 'on', short: 'off' })
  for (const [setting, value] of [
    ['fsync', durability],
    ['full_page_writes', durability],
    ['synchronous_commit', 'on'],
  ] as const) {
    expect(await query(one.url, `show ${setting}`)).toEqual([{ [setting]: value }])
  }
  await Promise.all([one.drop(), other.drop()])
})

test('a migrated database has the tables, nothing in them, and is its own', async () => {
  const [one, other] = await Promise.all([migratedPostgres(), migratedPostgres()])
  expect(one.url).not.toBe(other.url)
  await query(one.url, `insert into settings (name, value) values ('only here', '1')`)
  expect(await query(other.url, 'select count(*) as found from settings')).toEqual([{ found: '0' }])
  expect(await query(other.url, 'select count(*) > 0 as found from migrations')).toEqual([{ found: true }])
  await Promise.all([one.drop(), other.drop()])
})

test('a migrated directory has an embedded database with the tables, nothing in them, and is its own', async () => {
  const [one, other] = await Promise.all([migratedDirectory(), migratedDirectory()])
  expect(one).not.toBe(other)
  using first = new DatabaseSync(join(one, 'tollgate.db'))
  using second = new DatabaseSync(join(other, 'tollgate.db'))
  first.exec(`insert into settings (name, value) values ('only here', '1')`)
  expect(second.prepare('select count(*) as found from settings').get()).toEqual({ found: 0 })
  expect(second.prepare('select count(*) > 0 as found from migrations').get()).toEqual({ found: 1 })
})

test('a dropped database is gone, even with a client still connected', async () => {
  const database = await testPostgres()
  const client = new Client({ connectionString: database.url })
  const cut = Promise.withResolvers<Error>()
  client.on('error', cut.resolve)
  await client.connect()
  await database.drop()
  await expect(cut.promise).resolves.toMatchObject({ code: '57P01' })
  await expect(query(database.url, 'select 1')).rejects.toMatchObject({ code: '3D000' })
})

test('temporary directories exist and differ', async () => {
  const [one, other] = await Promise.all([temporaryDirectory(), temporaryDirectory()])
  expect(one).not.toBe(other)
  expect([existsSync(one), existsSync(other)]).toEqual([true, true])
})

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
