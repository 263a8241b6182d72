import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import pg from 'pg'
import type { Account } from '../../src/access/account.ts'
import type { Settlement } from '../../src/metering/settle/settlement.ts'
import { postgresAccess } from '../../src/import/sources/postgres-source.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type DatabaseProxy, databaseProxy } from '../support/database-link.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startPgbouncer } from '../support/pgbouncer-server.ts'
import { longTest } from '../support/run/long-test.ts'
import { inSuite } from '../support/run/suite.ts'
import { anAccount, aSettlement, fundedAccount, noonClock } from './store-fixtures.ts'
import { newPlace, type Place } from './store-under-test.ts'

// What networks, failovers, poolers and scarce connections do between a store and its database.

/** What is promised; it takes some seconds. */
const HEALED_WITHIN_MS = 60_000

let place: Place
const opened: Store[] = []

beforeEach(async () => {
  place = await newPlace('postgres')
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
  await place.leave()
})

async function openAt(databaseUrl: string, databaseConnections = 12): Promise<Store> {
  const store = await openStore({ databaseUrl, databaseConnections, dataDirectory: '', clock: noonClock })
  opened.push(store)
  return store
}

/** Settles as the queue does: the same batch until it is taken. */
async function settleUntilTaken(
  store: Store,
  batch: readonly Settlement[],
  refusals = new Set<string>(),
): Promise<void> {
  const settled = () =>
    store.settlements.settle(batch).catch((error: unknown) => {
      refusals.add(String(error))
      throw error
    })
  await vi.waitFor(settled, { timeout: PATIENCE_MS, interval: 100 })
}

function batchesOf(account: Account, count: number): (readonly Settlement[])[] {
  return Array.from({ length: count }, () => [aSettlement(account.id, 1n)])
}

async function expectBooks(store: Store, account: Account, settled: number): Promise<void> {
  expect(await store.ledger.balance(account.id)).toBe(1_000_000_000n - BigInt(settled))
  expect((await store.ledger.prove()).disagreements).toEqual([])
}

describe('by a proxy', () => {
  let proxy: DatabaseProxy
  let store: Store
  let account: Account

  beforeEach(async () => {
    proxy = await databaseProxy(place.databaseUrl ?? '')
    store = await openAt(proxy.url)
    account = await fundedAccount(store, '1')
  })
  afterEach(() => proxy.close())

  // from: brianc/node-postgres#3399 (the next statement on the connection times out too), vitaly-t/pg-promise#944 (the same
  // connections are used again and again), brianc/node-postgres#2973 (never connected again)
  test.for(inSuite({ long: ['silence', 'loseAnswers'] as const, short: ['silence'] as const }))(
    'connections that go silent (%s) are given up, and no settle is lost or doubled',
    async (manner) => {
      const stop = store.nodes.onCommit(() => {})
      // So many connections are open, and idle.
      await Promise.all(batchesOf(account, 8).map((batch) => store.settlements.settle(batch)))
      proxy[manner]()
      const silentAt = performance.now()
      const refusals = new Set<string>()
      await Promise.all(batchesOf(account, 8).map((batch) => settleUntilTaken(store, batch, refusals)))
      // Each was asked about: none had to wait for the limit of a statement.
      expect([...refusals]).toEqual([expect.stringMatching(/did not answer, and was given up$/)])
      await store.ledger.balance(account.id)
      expect(performance.now() - silentAt).toBeLessThan(HEALED_WITHIN_MS)
      stop()
      await expectBooks(store, account, 16)
    },
  )

  // from: pgjdbc/r2dbc-postgresql#595 (new connections are taken and nothing comes of them)
  test('while nothing can be reached every manner of it is refused as unavailable, and it is found again', async () => {
    let taken = 0
    for (const manner of ['refuse', 'keepWaiting'] as const) {
      for (const how of ['reset', 'half-close'] as const) {
        await proxy[manner]()
        proxy.end(how)
        // By a connection that was open, and by one that is to be made.
        for (const _ of [1, 2]) {
          await expect(store.ledger.balance(account.id)).rejects.toMatchObject({ name: 'StoreUnavailable' })
        }
        const settling = batchesOf(account, 4).map((batch) => settleUntilTaken(store, batch))
        await proxy.heal()
        const healedAt = performance.now()
        await Promise.all(settling)
        expect(performance.now() - healedAt).toBeLessThan(HEALED_WITHIN_MS)
        taken += 4
      }
    }
    await expectBooks(store, account, taken)
  })

  longTest('a statement that is slow is waited for, though it takes longer than silence is believed', async () => {
    const other = new pg.Client({ connectionString: place.databaseUrl ?? '' })
    await other.connect()
    await other.query('begin')
    await other.query('select id from budgets for update')
    const settled = store.settlements.settle([aSettlement(account.id, 1n)])
    const made = proxy.made
    // It was asked about by a connection of its own.
    await expect.poll(() => proxy.made, { timeout: PATIENCE_MS }).toBeGreaterThan(made)
    await other.query('commit')
    await other.end()
    await settled
    await expectBooks(store, account, 1)
  })

  longTest('changes are heard while the listening connection is silent, and it is replaced', async () => {
    let heard = 0
    const stop = store.nodes.onCommit(() => {
      heard += 1
    })
    const other = await openAt(place.databaseUrl ?? '')
    const listens = async () => (await place.sql(LISTENING)).length
    await expect.poll(listens, { timeout: PATIENCE_MS }).toBe(1)
    const [before] = await place.sql(LISTENING)
    proxy.silence()
    await vi.waitFor(
      async () => {
        const count = heard
        await other.accounts.create(anAccount(), null)
        await vi.waitFor(() => expect(heard).toBeGreaterThan(count), { timeout: 2_000 })
      },
      { timeout: PATIENCE_MS },
    )
    const isReplaced = async () => (await place.sql(LISTENING)).some((row) => row['pid'] !== before?.['pid'])
    await expect.poll(isReplaced, { timeout: PATIENCE_MS }).toBe(true)
    stop()
  })

  // from: brettwooldridge/HikariCP#1802, lidofinance/lido-keys-api#268, sidorares/node-mysql2#4075
  test('where nothing can be written any more the connections go, so that the server that took over is found', async () => {
    await place.sql(`do $do$ begin
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'cannot execute INSERT in a read-only transaction' using errcode = '25006'; end $$;
      create trigger refuse before insert on usage_records for each statement execute function refuse();
    end $do$`)
    const batches = batchesOf(account, 4)
    const refused = await Promise.allSettled(batches.map((batch) => store.settlements.settle(batch)))
    expect(refused.map((each) => each.status === 'rejected' && (each.reason as Error).name)).toEqual(
      batches.map(() => 'StoreUnavailable'),
    )
    const made = proxy.made
    await place.sql('drop trigger refuse on usage_records')
    await Promise.all(batches.map((batch) => settleUntilTaken(store, batch)))
    expect(proxy.made - made).toBeGreaterThanOrEqual(1)
    await expectBooks(store, account, 4)
  })
})

test('an import whose source goes silent ends in words, and not never', async () => {
  const proxy = await databaseProxy(place.databaseUrl ?? '')
  try {
    const source = await postgresAccess(proxy.url, 1_000)
    expect(await source.query('select count(*) as counted from accounts')).toEqual([{ counted: '0' }])
    proxy.silence()
    await expect(source.query('select id from accounts')).rejects.toThrow('it did not answer within 1 s')
    await source.close()
  } finally {
    await proxy.close()
  }
})

const LISTENING = `select pid from pg_stat_activity where datname = current_database() and query like 'listen %'
  or datname = current_database() and query = 'select 1' and application_name = 'tollgate'`

test('a role with few connections waits for them, and nothing fails', async () => {
  const role = new URL(place.databaseUrl ?? '').pathname.slice(1).replace('tollgate_test', 'few')
  await place.sql(`create role "${role}" login superuser password 'only for tests' connection limit 4`)
  await place.sql(`alter role "${role}" nosuperuser`)
  await place.sql(`grant all on all tables in schema public to "${role}"`)
  const url = new URL(place.databaseUrl ?? '')
  Object.assign(url, { username: role, password: 'only for tests' })
  const store = await openAt(url.href)
  const stop = store.nodes.onCommit(() => {})
  try {
    expect(store.connectionLimit).toBe(4)
    const account = await fundedAccount(store, '1')
    const reads = Array.from({ length: 40 }, () => store.ledger.balance(account.id))
    const settles = batchesOf(account, 20).map((batch) => store.settlements.settle(batch))
    await Promise.all([...reads, ...settles])
    await expectBooks(store, account, 20)
  } finally {
    stop()
    await opened.pop()?.close()
    await place.sql(`drop owned by "${role}"`)
    await place.sql(`drop role "${role}"`)
  }
})

test('a database that cannot hold all texts is refused in a sentence', async () => {
  const name = new URL(place.databaseUrl ?? '').pathname.slice(1).replace('tollgate_test', 'latin')
  await place.sql(
    `create database "${name}" encoding 'LATIN1' locale_provider libc lc_collate 'C' lc_ctype 'C' template template0`,
  )
  const url = new URL(place.databaseUrl ?? '')
  url.pathname = `/${name}`
  try {
    await expect(openAt(url.href)).rejects.toMatchObject({
      name: 'UnfitDatabase',
      message: expect.stringMatching(
        /^its encoding is LATIN1, .* create it with "encoding 'UTF8' template template0"$/,
      ),
    })
  } finally {
    await place.sql(`drop database "${name}"`)
  }
})

// from: logto-io/logto#8065, brianc/node-postgres#2103 (start-up parameters), rust-postgres/rust-postgres#1054 (statements by name),
// pgbouncer/pgbouncer#525 (limits that are ignored in silence)
test('behind a pooler that gives each transaction another session, as it comes, two nodes settle at once and hear changes', async () => {
  const pooler = await startPgbouncer(place.databaseUrl ?? '', { mode: 'transaction', poolSize: 3 })
  try {
    const [one, two] = [await openAt(pooler.url), await openAt(pooler.url)]
    let heard = 0
    const stop = two.nodes.onCommit(() => {
      heard += 1
    })
    const account = await fundedAccount(one, '1')
    const batches = batchesOf(account, 120)
    await Promise.all(batches.map((batch, index) => (index % 2 === 0 ? one : two).settlements.settle(batch)))
    await expectBooks(two, account, 120)
    const before = heard
    await one.accounts.create(anAccount(), null)
    await vi.waitFor(() => expect(heard).toBeGreaterThan(before), PATIENCE_MS)
    stop()
    expect(await place.sql(LEFT_BEHIND), 'what is left in sessions that others get').toEqual([])
  } finally {
    await Promise.all(opened.splice(0).map((store) => store.close()))
    await pooler.stop()
  }
})

/** Nothing of a session can be seen from another but what it holds: locks that outlive their transactions. */
const LEFT_BEHIND = `select pid from pg_locks where locktype = 'advisory' and database = (
  select oid from pg_database where datname = current_database())`
