import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { namesOf } from '../../src/store/migrations/migration.ts'
import { MIGRATIONS } from '../../src/store/migrations/migrations.ts'
import { seedDatabase } from '../../tools/seed/seed-database.ts'
import { gatewayEnvironment, LAUNCHER, runTollgate, startGatewayProcess } from '../support/gateway-process.ts'
import { type DatabasePlace, makeOlder } from '../support/older-database.ts'
import { temporaryDirectory, testPostgres } from '../support/test-servers.ts'

/*
 * A migration that is killed from one instruction to the next, as it comes: the database is as it was or as it is to be, the
 * next start is whole, and on the embedded database the copy of before is there.
 */

const SECRET = 'a-secret-that-is-only-for-tests-of-32-bytes'
const PLAN = { accounts: 4, keys: 40, records: 12_000, days: 20, seed: 5 }
const OLD = namesOf(MIGRATIONS.slice(0, 1)).length
const NEW = namesOf(MIGRATIONS).length

async function olderPlace(databaseUrl: () => Promise<string | null>): Promise<DatabasePlace> {
  const today = { databaseUrl: await databaseUrl(), directory: await temporaryDirectory() }
  await seedDatabase(today, { ...PLAN, untilMs: Date.now() })
  const older = { databaseUrl: await databaseUrl(), directory: await temporaryDirectory() }
  await makeOlder(today, older)
  return older
}

/** Kills `tollgate migrate` at its first sign of that; false: it was over before. */
async function killedAt(environment: Readonly<Record<string, string>>, isThere: () => boolean | Promise<boolean>) {
  const child = spawn(process.execPath, [LAUNCHER, 'migrate'], { env: environment, stdio: 'ignore' })
  const gone = once(child, 'exit')
  while (!(await isThere())) {
    if (child.exitCode !== null) return false
    await new Promise((resolve) => setImmediate(resolve))
  }
  child.kill('SIGKILL')
  await gone
  return true
}

async function startsWhole(environment: Readonly<Record<string, string>>): Promise<void> {
  const gateway = await startGatewayProcess(environment)
  expect((await fetch(`${gateway.origin}/readyz`)).status).toBe(200)
  await gateway.stop()
  expect(await runTollgate(environment, ['check-ledger'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok: /),
  })
}

describe('on the embedded database', () => {
  const applied = (path: string) => {
    using database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 })
    return Number(database.prepare('select count(*) as steps from migrations').get()?.['steps'])
  }

  test('killed while it copies, when it has, and while it changes tables: whole at the next start, with the copy', async () => {
    const { directory } = await olderPlace(async () => null)
    const environment = gatewayEnvironment(directory, { TOLLGATE_SECRET: SECRET, TOLLGATE_DEMO: '0' })
    const file = join(directory, 'tollgate.db')
    const names = () => readdirSync(directory)
    const before = new Set(names())
    const copies = () => names().filter((name) => /^before-upgrade-.*\.db$/.test(name))
    const walBytes = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
    const signs = [
      () => names().some((name) => !before.has(name) && !name.startsWith('tollgate.db')),
      () => copies().length > 0,
      () => copies().length > 0 && walBytes() > 100_000,
    ]
    for (const sign of signs) {
      await killedAt(environment, sign)
      expect([OLD, NEW]).toContain(applied(file))
    }
    await startsWhole(environment)
    expect(applied(file)).toBe(NEW)
    const steps = copies().map((name) => applied(join(directory, name)))
    expect(steps).toContain(OLD)
    expect(new Set(steps)).toEqual(new Set([OLD]))
  })
})

describe('on PostgreSQL', () => {
  test('killed while it waits, and while it changes tables: as it was, and whole at the next start', async () => {
    const place = await olderPlace(async () => (await testPostgres()).url)
    const databaseUrl = place.databaseUrl ?? ''
    const environment = gatewayEnvironment(place.directory, {
      DATABASE_URL: databaseUrl,
      TOLLGATE_SECRET: SECRET,
      TOLLGATE_DEMO: '0',
    })
    await using client = await connected(databaseUrl)
    const applied = async () => {
      const { rows } = await client.query<{ steps: string }>('select count(*) as steps from migrations')
      return Number(rows[0]?.steps)
    }
    // Another session holds a table that a step changes, so that the migration is amid its transaction for as long as this takes.
    await using holder = await connected(databaseUrl)
    await holder.query('begin')
    await holder.query('lock table plans in access share mode')
    const isAmid = async () => {
      const { rows } = await client.query(
        `select 1 from pg_locks where locktype = 'advisory' and granted and database =
          (select oid from pg_database where datname = current_database())`,
      )
      return rows.length > 0
    }
    expect(await killedAt(environment, isAmid)).toBe(true)
    expect(await applied()).toBe(OLD)
    await holder.query('rollback')
    await killedAt(environment, isAmid)
    expect([OLD, NEW]).toContain(await applied())
    await startsWhole(environment)
    expect(await applied()).toBe(NEW)
  })
})

async function connected(connectionString: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
