import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { Pool } from 'pg'
import { installedClients } from '../clients/installed-clients.ts'
import { FOR_SHORT_VISITS, startBrowserServer } from './browser-server.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { buildClient } from '../../tools/build-client.ts'
import { freshConsole } from './built-console.ts'
import { keepDirectory, type KeptProcess } from './kept-process.ts'
import { startPostgresServer } from './postgres-server.ts'
import { isLongSuite } from './run/suite.ts'
import { startRedisServer } from './redis-server.ts'

const ADMIN_CONNECTIONS = 4

/** Notes something that is starting, so that the desk stops it when it closes. */
type Keep = <T extends KeptProcess>(starting: Promise<T>) => Promise<T>

/** What every answer of the desk looks like: `value` is a URL or a path. */
export type DeskAnswer = { readonly value: string } | { readonly error: string }

/**
 * The desk of one test run: a loopback server in the process that outlives all test workers. Workers ask it for what
 * they need; the servers behind it start on the first question and are shared by the run.
 * @returns `address`, which only this run knows, and `close`, which stops whatever was started.
 */
export async function openServerDesk(): Promise<{ readonly address: string; close: () => Promise<void> }> {
  const started: Promise<KeptProcess>[] = []
  const keep: Keep = (starting) => {
    started.push(starting)
    return starting
  }
  const postgres = firstUse(() => openDatabases(keep))
  const directory = firstUse(() => keep(keepDirectory()))
  // Once for the run, as with the other engine: a copy takes a third of the work of making all tables.
  const migratedDirectory = firstUse(async () => {
    const dataDirectory = await mkdtemp(join((await directory()).path, 'migrated-'))
    const store = await openStore({ databaseUrl: null, dataDirectory, clock: systemClock })
    await store.close()
    return dataDirectory
  })
  const redisUrl = firstUse(async () => process.env['TEST_REDIS_URL'] ?? (await keep(startRedisServer())).url)

  const browser = firstUse(() => keep(startBrowserServer([FOR_SHORT_VISITS])))
  const console = firstUse(freshConsole)
  const clients = firstUse(installedClients)
  const clientPackage = firstUse(async () => {
    await buildClient()
    return ''
  })

  const counters: Record<string, (subject: string) => Promise<string>> = {
    'empty-database': async () => (await postgres()).createEmpty(),
    'migrated-database': async () => (await postgres()).createMigrated(),
    'drop-database': async (name) => (await postgres()).drop(name),
    redis: () => redisUrl(),
    directory: async () => (await directory()).path,
    'migrated-directory': async () => copyOf(await migratedDirectory()),
    browser: async () => (await browser()).url,
    console: () => console(),
    clients: () => clients(),
    'client-package': () => clientPackage(),
  }

  const secret = randomBytes(16).toString('hex')
  const answer = async (request: IncomingMessage): Promise<DeskAnswer> => {
    const [, given, counter, subject] = (request.url ?? '').split('/')
    const serve = given === secret ? counters[counter ?? ''] : undefined
    if (serve === undefined) return { error: `The desk of the test servers has no "${request.url}".` }
    return serve(decodeURIComponent(subject ?? '')).then(
      (value) => ({ value }),
      (cause: unknown) => ({ error: cause instanceof Error ? cause.message : String(cause) }),
    )
  }
  const http = createServer((request, response) => {
    void answer(request).then((body) => response.end(JSON.stringify(body)))
  })
  // A first question may wait for an installation.
  http.requestTimeout = 0
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('the desk of the test servers has no port')

  const close = async (): Promise<void> => {
    http.close()
    http.closeAllConnections()
    await postgres.used()?.then(
      (databases) => databases.close(),
      () => {},
    )
    // What never started has said so to the test that asked for it.
    await Promise.all(started.map((starting) => starting.then(({ stop }) => stop()).catch(() => {})))
  }
  return { address: `http://127.0.0.1:${address.port}/${secret}`, close }
}

/** Another directory beside it, with the same files. */
async function copyOf(directory: string): Promise<string> {
  const copy = await mkdtemp(join(dirname(directory), 'test-'))
  await cp(directory, copy, { recursive: true })
  return copy
}

/** Creates and drops databases on the server of `TEST_DATABASE_URL` or, where that is unset, on one of its own. */
async function openDatabases(keep: Keep) {
  const adminUrl = process.env['TEST_DATABASE_URL'] ?? (await keep(startPostgresServer({ isDurable: isLongSuite }))).url
  const pool = new Pool({ connectionString: adminUrl, max: ADMIN_CONNECTIONS })
  // A connection that breaks while idle does no harm: the next question opens another one.
  pool.on('error', () => {})
  const open = new Set<string>()
  const drop = async (name: string): Promise<string> => {
    if (open.delete(name)) await pool.query(`drop database if exists "${name}" with (force)`)
    return name
  }
  const create = async (template: string): Promise<string> => {
    const name = `tollgate_test_${randomBytes(8).toString('hex')}`
    await pool.query(`create database "${name}" template "${template}"`)
    open.add(name)
    const url = new URL(adminUrl)
    url.pathname = `/${name}`
    return url.href
  }
  const createEmpty = () => create('template0')
  // Once for the run: a copy is faster than making all tables again.
  const migrated = firstUse(async () => {
    const databaseUrl = await createEmpty()
    const store = await openStore({ databaseUrl, dataDirectory: '', clock: systemClock })
    await store.close()
    return new URL(databaseUrl).pathname.slice(1)
  })
  return {
    createEmpty,
    createMigrated: async () => create(await migrated()),
    drop,
    /** Drops what no test dropped, for the sake of a server that goes on living. */
    async close(): Promise<void> {
      await Promise.all(Array.from(open, drop))
      await pool.end()
    },
  }
}

/** A function that does its work on its first call and gives the same answer ever after. */
function firstUse<T>(work: () => Promise<T>): { (): Promise<T>; used(): Promise<T> | undefined } {
  let result: Promise<T> | undefined
  return Object.assign(() => (result ??= work()), { used: () => result })
}
