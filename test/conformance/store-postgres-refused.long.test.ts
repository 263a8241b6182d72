import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import { postgresAccess } from '../../src/import/sources/postgres-source.ts'
import { openStore } from '../../src/store/open-store.ts'
import { gatewayEnvironment, runTollgate, startGatewayProcess } from '../support/gateway-process.ts'
import { type PoolerOptions, startPgbouncer } from '../support/pgbouncer-server.ts'
import { FOR_STANDBYS, startPostgresServer, startStandbyServer } from '../support/postgres-server.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { aSettlement, fundedAccount, noonClock } from './store-fixtures.ts'

// Databases that answer and cannot be used, each with its sentence, and poolers in each of their modes.

let server: Awaited<ReturnType<typeof startPostgresServer>>

beforeAll(async () => {
  server = await startPostgresServer({ isDurable: false, settings: FOR_STANDBYS })
})
afterAll(() => server.stop())

const open = (databaseUrl: string) => openStore({ databaseUrl, dataDirectory: '', clock: noonClock })

async function asAdmin(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

async function newDatabase(name: string): Promise<string> {
  await asAdmin(`create database ${name} template template0`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}

const TOKEN = 'only-for-tests-7vq2kd93mxw4rzt8hbn6'

async function environmentFor(databaseUrl: string) {
  return gatewayEnvironment(await temporaryDirectory(), {
    DATABASE_URL: databaseUrl,
    TOLLGATE_ADMIN_TOKEN: TOKEN,
    TOLLGATE_SECRET: 'only for tests: 32 bytes and more',
  })
}

function refusal(message: RegExp) {
  return { name: 'UnfitDatabase', message: expect.stringMatching(message) }
}

test('a standby is refused in a sentence', async () => {
  const standby = await startStandbyServer(server.url)
  try {
    const because = /^the server is a standby, which takes no writes: name the primary$/
    await expect(open(standby.url)).rejects.toMatchObject(refusal(because))
    const started = await runTollgate(await environmentFor(standby.url), ['start'])
    expect(started).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^The database that DATABASE_URL names cannot be used: the server is a standby, which takes no writes: name the primary\.\n$/,
      ),
    })
  } finally {
    await standby.stop()
  }
})

test('a database that takes no writes is refused in a sentence', async () => {
  const url = await newDatabase('read_only')
  await asAdmin('alter database read_only set default_transaction_read_only = on')
  await expect(open(url)).rejects.toMatchObject(refusal(/^it takes no writes at present/))
})

test('a role that has no connection left is refused in a sentence, after some seconds', async () => {
  const url = new URL(await newDatabase('taken'))
  await asAdmin(`create role taken login password 'taken' connection limit 0`)
  Object.assign(url, { username: 'taken', password: 'taken' })
  await expect(open(url.href)).rejects.toMatchObject(
    refusal(/^it grants no more connections \(too many connections for role "taken"\): raise its limit/),
  )
})

test('a node that may open more connections than its role has says so at its start, and serves', async () => {
  const url = new URL(await newDatabase('few'))
  await asAdmin(`create role few login password 'few' connection limit 6`, 'alter database few owner to few')
  Object.assign(url, { username: 'few', password: 'few' })
  const gateway = await startGatewayProcess(await environmentFor(url.href))
  try {
    expect(gateway.printed()).toMatch(/"msg":"TOLLGATE_DATABASE_CONNECTIONS is 12, so that .* or set it to 4 or less"/)
    const lists = Array.from({ length: 20 }, async () => {
      const answer = await fetch(`${gateway.origin}/api/accounts`, { headers: { authorization: `Bearer ${TOKEN}` } })
      return answer.status
    })
    expect(new Set(await Promise.all(lists))).toEqual(new Set([200]))
  } finally {
    expect(await gateway.stop()).toBe(0)
  }
})

test('a pooler in statement mode is refused in a sentence', async () => {
  const pooler = await startPgbouncer(await newDatabase('by_statement'), { mode: 'statement' })
  try {
    await expect(open(pooler.url)).rejects.toMatchObject(refusal(/in statement mode, where there are no transactions/))
  } finally {
    await pooler.stop()
  }
})

// from: pgbouncer/pgbouncer#381 and #525 (limits that are ignored in silence), mtxr/vscode-sqltools#272 (as it comes)
const POOLERS: readonly (PoolerOptions & { readonly about: string })[] = [
  { about: 'transaction mode as it comes', mode: 'transaction' },
  { about: 'session mode as it comes', mode: 'session' },
  {
    about: 'transaction mode that ignores what is asked of it',
    mode: 'transaction',
    settings: { ignore_startup_parameters: 'statement_timeout,lock_timeout,options,extra_float_digits' },
  },
  { about: 'transaction mode with two connections', mode: 'transaction', poolSize: 2 },
  { about: 'session mode that resets nothing', mode: 'session', poolSize: 60, settings: { server_reset_query: '' } },
]

test.for(POOLERS)('behind a pooler in $about two nodes settle at once, and an import reads', async (pooler) => {
  const url = await newDatabase(`pooled_${POOLERS.indexOf(pooler)}`)
  const bouncer = await startPgbouncer(url, pooler)
  const stores = [await open(bouncer.url), await open(bouncer.url)]
  try {
    const [one, two] = stores
    if (one === undefined || two === undefined) throw new Error('there are two of them')
    const account = await fundedAccount(one, '1')
    for (let burst = 0; burst < 4; burst++) {
      const settled = Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? one : two).settlements.settle([aSettlement(account.id, 1n)]),
      )
      await Promise.all(settled)
    }
    expect(await two.ledger.balance(account.id)).toBe(999_999_760n)
    expect((await one.ledger.prove()).disagreements).toEqual([])
    const source = await postgresAccess(bouncer.url)
    expect(await source.query(`select current_setting('TimeZone') as zone, count(*) as counted from accounts`)).toEqual(
      [{ zone: 'UTC', counted: '1' }],
    )
    await source.close()
  } finally {
    await Promise.all(stores.map((store) => store.close()))
    await bouncer.stop()
  }
})
