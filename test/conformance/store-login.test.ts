import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newestUrl } from '../../src/app/installation/newest-url.ts'
import { openStore } from '../../src/store/open-store.ts'
import { RedisCounts } from '../../src/store/redis/redis-counts.ts'
import { startRedisServer } from '../support/redis-server.ts'
import { migratedPostgres, temporaryDirectory } from '../support/test-servers.ts'
import { noonClock } from './store-fixtures.ts'

// A login that is changed while the gateway runs: its file is written anew, and nothing is started again.

const clock = noonClock
const onTrouble = (error: Error): never => {
  throw error
}

// from: MagicStack/asyncpg#291, FusionAuth/fusionauth-issues#1235
test('PostgreSQL: new connections use the password that the file has now, and open ones go on', async () => {
  const database = await migratedPostgres()
  onTestFinished(() => database.drop())
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  onTestFinished(() => admin.end())
  const role = `r${randomUUID().replaceAll('-', '')}`
  await admin.query(`create role ${role} login superuser password 'one'`)
  onTestFinished(() => void admin.query(`drop role ${role}`).catch(() => {}))
  const file = join(await temporaryDirectory(), 'url')
  const urlWith = (password: string) => {
    const url = new URL(database.url)
    url.username = role
    url.password = password
    return url.href
  }
  await writeFile(file, urlWith('one'))
  const given = urlWith('one')
  const newestDatabaseUrl = newestUrl('databaseUrl', { given, environment: { DATABASE_URL_FILE: file }, onTrouble })
  const dataDirectory = await temporaryDirectory()
  const store = await openStore({ databaseUrl: given, newestDatabaseUrl, dataDirectory, clock })
  onTestFinished(() => store.close())
  await admin.query(`alter role ${role} password 'two'`)
  // The one that is open has signed in before.
  await store.check(10_000)
  await writeFile(file, urlWith('two'))
  const readings = await Promise.allSettled(Array.from({ length: 8 }, () => store.groups.groups()))
  expect(readings.map(({ status }) => status)).toEqual(readings.map(() => 'fulfilled'))
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`)
  await expect.poll(() => store.check(10_000).then(() => true)).toBe(true)
})

test('Redis: the next connection uses the password that the file has now', async () => {
  const server = await startRedisServer()
  onTestFinished(() => server.stop())
  const file = join(await temporaryDirectory(), 'url')
  await writeFile(file, server.url)
  const newest = newestUrl('redisUrl', { given: server.url, environment: { REDIS_URL_FILE: file }, onTrouble })
  const log = { info: () => {}, warn: () => {} }
  const counts = new RedisCounts({ url: server.url, newestUrl: newest, clock, log })
  onTestFinished(() => counts.close())
  await expect.poll(() => counts.isReachable).toBe(true)
  const admin = createClient({ url: server.url })
  await admin.connect()
  onTestFinished(() => admin.destroy())
  await admin.sendCommand(['CONFIG', 'SET', 'requirepass', 'two'])
  const url = new URL(server.url)
  url.password = 'two'
  await writeFile(file, url.href)
  await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
  await expect.poll(() => counts.isReachable).toBe(false)
  await expect.poll(() => counts.isReachable).toBe(true)
})
