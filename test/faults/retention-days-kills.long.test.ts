import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { openStore } from '../../src/store/open-store.ts'
import { aSettlement } from '../conformance/store-fixtures.ts'
import {
  gatewayEnvironment,
  type GatewayProcess,
  LAUNCHER,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'
import { temporaryDirectory, testPostgres } from '../support/test-servers.ts'

/*
 * PostgreSQL's table of usage records is made one of days, and days are dropped, by commands that are killed from one instruction
 * to the next beside a gateway under load: every request is answered, and the books agree after each.
 */

const DAY_MS = 86_400_000
const DAYS = 3
const RECORDS_A_DAY = 1_500
const KEY = /sk-tg-\w{46}/

/** A gateway under load on a database of its own, and what commands do to it. `prepare` comes before the gateway. */
class Place {
  readonly environment: Readonly<Record<string, string>>
  readonly archive: string
  readonly client: pg.Client
  readonly #gateway: GatewayProcess
  readonly #over = new AbortController()
  readonly #load: Promise<readonly number[]>

  private constructor(parts: Pick<Place, 'environment' | 'archive' | 'client'>, gateway: GatewayProcess) {
    this.environment = parts.environment
    this.archive = parts.archive
    this.client = parts.client
    this.#gateway = gateway
    this.#load = this.#askOn(KEY.exec(gateway.printed())?.[0] ?? '')
  }

  static async open(prepare: (databaseUrl: string) => Promise<void>): Promise<Place> {
    const [directory, archive, { url }] = await Promise.all([
      temporaryDirectory(),
      temporaryDirectory(),
      testPostgres(),
    ])
    const environment = gatewayEnvironment(directory, {
      DATABASE_URL: url,
      TOLLGATE_SECRET: 'a-secret-that-is-only-for-tests-of-32-bytes',
      TOLLGATE_KEEP_USAGE_DAYS: '30',
      TOLLGATE_ARCHIVE_DIR: archive,
    })
    const gateway = await startGatewayProcess(environment, { until: KEY })
    await prepare(url)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return new Place({ environment, archive, client }, gateway)
  }

  /** One request after the other until the end. Returns their statuses. */
  async #askOn(key: string): Promise<readonly number[]> {
    const statuses: number[] = []
    while (!this.#over.signal.aborted) {
      const response = await fetch(`${this.#gateway.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] }),
      })
      await response.arrayBuffer()
      statuses.push(response.status)
    }
    return statuses
  }

  async isSo(condition: string): Promise<boolean> {
    return (await this.client.query(`select 1 where ${condition}`)).rows.length > 0
  }

  /** Kills `tollgate retention` at the first sign of that; false: it was over before. */
  async killedAt(isThere: () => Promise<boolean>): Promise<boolean> {
    const child = spawn(process.execPath, [LAUNCHER, 'retention'], { env: this.environment, stdio: 'ignore' })
    const gone = once(child, 'exit')
    while (!(await isThere())) if (child.exitCode !== null) return false
    child.kill('SIGKILL')
    await gone
    return true
  }

  async prove(...flags: readonly string[]): Promise<void> {
    expect(await runTollgate(this.environment, ['check-ledger', ...flags])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok: /),
    })
  }

  /** The statuses of all requests. */
  async endOfLoad(): Promise<readonly number[]> {
    this.#over.abort()
    return this.#load
  }

  async close(): Promise<void> {
    await this.endOfLoad()
    await this.client.end()
    await this.#gateway.stop()
  }
}

const PARTED = `(select relkind from pg_class where oid = 'usage_records'::regclass) = 'p'`
const partsOf = (like: string) =>
  `(select count(*) from pg_inherits where inhparent = 'usage_records'::regclass
    and inhrelid::regclass::text like '${like}')`

async function writeRecords(databaseUrl: string, firstDay: number): Promise<void> {
  const store = await openStore({ databaseUrl, dataDirectory: '', clock: systemClock })
  const [account] = await store.accounts.list(1)
  for (let day = 0; day < DAYS; day++) {
    for (let written = 0; written < RECORDS_A_DAY; written += 500) {
      const settlements = Array.from({ length: 500 }, (_, index) => {
        const createdAt = firstDay + day * DAY_MS + (written + index) * 40_000
        return aSettlement(account?.id ?? '', 3n, { record: { id: newId('req', createdAt), createdAt } })
      })
      await store.settlements.settle(settlements)
    }
  }
  await store.close()
}

const today = Math.floor(systemClock.now() / DAY_MS) * DAY_MS

describe('making the table one of days', () => {
  let place: Place
  beforeAll(async () => {
    place = await Place.open((url) => writeRecords(url, today - 20 * DAY_MS))
  })
  afterAll(() => place.close())

  const check = () => runTollgate(place.environment, ['migrate', '--check'])

  test('migrate --check says what is read and locked', async () => {
    expect(await check()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/a table of days.*MB are read.* s, .*ACCESS EXCLUSIVE/),
    })
  })

  test('killed with the limit set, with it proven, with the parts and amid the days: a later run makes all of it', async () => {
    const limit = (is: string) => `exists (select 1 from pg_constraint where conname = 'usage_first_limit' and ${is})`
    const signs = [limit('true'), limit('convalidated'), PARTED, `${partsOf('usage_day%')} > 1`]
    for (const sign of signs) {
      await place.killedAt(() => place.isSo(sign))
      await place.prove()
    }
    expect(await runTollgate(place.environment, ['retention'])).toMatchObject({ code: 0 })
    expect(await place.isSo(PARTED)).toBe(true)
    expect(await place.isSo(`${partsOf('usage_day%')} = 5`)).toBe(true)
    expect(await place.isSo(limit('true'))).toBe(false)
    expect(await check()).toMatchObject({ code: 0, stdout: expect.not.stringContaining('a table of days') })
    await place.prove()
  })

  test('every request was answered meanwhile', async () => {
    const statuses = await place.endOfLoad()
    expect(statuses.length).toBeGreaterThan(10)
    expect(new Set(statuses)).toEqual(new Set([200]))
    await place.prove()
  })
})

describe('dropping days', () => {
  let place: Place
  beforeAll(async () => {
    place = await Place.open(async (url) => {
      const store = await openStore({ databaseUrl: url, dataDirectory: '', clock: systemClock })
      // As a gateway did that began 90 days ago.
      expect(await store.retention.setDaysApart(today - 90 * DAY_MS, true)).toBe('yes')
      await store.close()
      await writeRecords(url, today - 79 * DAY_MS)
    })
  })
  afterAll(() => place.close())

  test('killed while it writes, compares and drops: no day is lost, and none is in the archive twice', async () => {
    const files = async (like: RegExp) => (await readdir(place.archive)).filter((name) => like.test(name)).length
    const left = async () => Number((await place.client.query(`select ${partsOf('usage_day%')} as days`)).rows[0]?.days)
    const all = await left()
    const comparing = `exists (select 1 from pg_locks where mode = 'ShareLock' and granted
      and relation in (select inhrelid from pg_inherits where inhparent = 'usage_records'::regclass))`
    const signs = [
      async () => (await files(/\.part-[0-9a-f]{12}$/)) > 0,
      async () => (await files(/\.manifest\.json$/)) > 0,
      () => place.isSo(comparing),
      async () => (await left()) < all,
      () => place.isSo(comparing),
    ]
    for (const sign of signs) {
      await place.killedAt(sign)
      await place.prove()
    }
    await place.prove('--archive')
    expect(await runTollgate(place.environment, ['retention'])).toMatchObject({ code: 0 })
    const gone = `select count(*) as records from usage_records where created_at < ${today - 30 * DAY_MS}`
    expect((await place.client.query(gone)).rows).toEqual([{ records: '0' }])
    const archived = 'select sum(records) as records, count(*) as files from archives'
    expect((await place.client.query(archived)).rows).toEqual([
      { records: String(DAYS * RECORDS_A_DAY), files: String(DAYS) },
    ])
    await place.prove()
    await place.prove('--archive')
  })

  test('every request was answered meanwhile', async () => {
    const statuses = await place.endOfLoad()
    expect(statuses.length).toBeGreaterThan(10)
    expect(new Set(statuses)).toEqual(new Set([200]))
    await place.prove()
  })
})
