import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { nanoUsd } from '../../src/core/money.ts'
import { balanceBudget } from '../../src/metering/budgets/budget.ts'
import { type Settlement, SettlementRefused } from '../../src/metering/settle/settlement.ts'
import { unpackBackup, writeBackup } from '../../src/store/backup.ts'
import { openStore } from '../../src/store/open-store.ts'
import { FOLDED_INTO } from '../../src/store/sqlite/journal/settle-journal.ts'
import type { Store } from '../../src/store/store.ts'
import { Chance } from '../faults/chance.ts'
import { copyDatabase, readWalTail, spoilLastCommit } from '../faults/wal-tail.ts'
import { aPosting, aSettlement, fundedAccount, grant, NOON, noonClock, quotaOf, leaseFor } from './store-fixtures.ts'
import { newId } from '../../src/core/ids.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const stringify = (rows: unknown) =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

const BALANCE = 1_000_000_000n
const journaled = { mayJournal: true }

describe.each(ENGINES)('a settle that may stand in a journal, on %s,', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  test('is found by whatever reads next: a record, a list, a balance, a proof, another process', async () => {
    const account = await fundedAccount(store, '1')
    const other = await place.open()
    const readings: (() => Promise<unknown>)[] = [
      async () => expect(await store.usage.record(settlements[0]?.record.id ?? '')).toEqual(settlements[0]?.record),
      async () => expect(await store.ledger.balance(account.id)).toBe(BALANCE - 2n),
      async () => expect((await store.ledger.prove()).charged).toBe(3n),
      async () =>
        expect((await store.usage.list({ accountId: account.id }, { after: null, limit: 10 })).records).toHaveLength(4),
      async () => expect(await other.ledger.balance(account.id)).toBe(BALANCE - 5n),
      async () => expect((await other.ledger.prove()).charged).toBe(6n),
    ]
    const settlements: Settlement[] = []
    for (const read of readings) {
      const settlement = aSettlement(account.id, 1n)
      settlements.push(settlement)
      await store.settlements.settle([settlement], journaled)
      await read()
    }
    expect((await store.ledger.prove()).disagreements).toEqual([])
    await other.close()
  })

  test('is in the budget that a grant reads, that of another process too', async () => {
    const account = await fundedAccount(store, '0.000000100')
    const other = await place.open()
    const quota = quotaOf(newId('key', NOON), nanoUsd(100n))
    const lease = await leaseFor(store, quota, { need: 50n })
    const charge = { budgetId: quota.id, leaseId: lease.id, cost: nanoUsd(70n) }
    await store.settlements.settle([aSettlement(account.id, 70n, { quota: charge })], journaled)
    expect(await grant(other, quota, { need: 31n })).toMatchObject({ kind: 'refused' })
    expect(await grant(other, balanceBudget(account.id), { need: 31n })).toMatchObject({ kind: 'refused' })
    expect(await grant(other, quota, { need: 30n })).toMatchObject({ kind: 'granted' })
    await other.close()
  })

  test('is written once, however often it is given, and in however many batches', async () => {
    const account = await fundedAccount(store, '1')
    const batch = Array.from({ length: 150 }, () => aSettlement(account.id, 1n))
    await store.settlements.settle(batch, journaled)
    await Promise.all([0, 40, 80, 120].map((from) => store.settlements.settle(batch.slice(from, from + 40), journaled)))
    await store.settlements.settle(batch.slice(10, 20))
    expect(await store.ledger.balance(account.id)).toBe(BALANCE - 150n)
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('is refused at once when no column takes it, with nothing of its batch written', async () => {
    const account = await fundedAccount(store, '1')
    const fine = aSettlement(account.id, 1n)
    for (const poison of [
      aSettlement(account.id, 2n ** 64n),
      aSettlement(account.id, 1n, { record: { outcome: undefined as never } }),
    ]) {
      await expect(store.settlements.settle([fine, poison], journaled)).rejects.toThrow(SettlementRefused)
    }
    expect(await store.usage.record(fine.record.id)).toBe(null)
  })

  test('is counted among the overruns of it or of a later one', async () => {
    const account = await fundedAccount(store, '1')
    // No fold of an earlier test has found any here.
    const own = await place.open()
    let overruns = 0
    const settle = async (batch: readonly Settlement[]) => {
      overruns += (await own.settlements.settle(batch, journaled)).overruns
    }
    await settle([aSettlement(account.id, 1n)])
    await own.ledger.balance(account.id)
    await vi.waitFor(async () => {
      await settle([])
      expect(overruns).toBe(1)
    }, PATIENCE_MS)
    await own.close()
  })
})

describe('the journal of the embedded database', () => {
  let place: Place
  let store: Store
  const troubles: string[] = []

  beforeEach(async () => {
    place = await newPlace('sqlite')
    const onTrouble = (error: Error) => troubles.push(error.message)
    store = await openStore({ databaseUrl: null, dataDirectory: place.directory, clock: noonClock, onTrouble })
    troubles.length = 0
  })
  afterEach(async () => {
    await store.close()
    await place.leave()
  })

  const inJournal = () => place.sql('select refusal from settle_journal')

  test('is in the books soon after, with no one asking, and after the end of a process', async () => {
    const account = await fundedAccount(store, '1')
    await store.settlements.settle([aSettlement(account.id, 1n)], journaled)
    const records = () => place.sql('select id from usage_records')
    await vi.waitFor(async () => expect(await records()).toHaveLength(1), PATIENCE_MS)
    await store.settlements.settle([aSettlement(account.id, 1n)], journaled)
    await store.close()
    expect(await records()).toHaveLength(2)
  })

  test('keeps what a process left there when it was killed, and the next process that opens the file brings it into the books', async () => {
    const account = await fundedAccount(store, '1')
    const { directory, settlements } = await killedBeforeFolding(account.id)
    const again = await openStore({ databaseUrl: null, dataDirectory: directory, clock: noonClock })
    for (const { record } of settlements) expect(await again.usage.record(record.id)).toEqual(record)
    const count = settlements.length
    expect(await again.ledger.balance(account.id)).toBe(BALANCE - BigInt(count))
    expect(await again.ledger.prove()).toMatchObject({ records: count, disagreements: [] })
    await again.close()
  })

  test('keeps what it had when a power cut takes back that it was folded', async () => {
    const account = await fundedAccount(store, '1')
    const settlement = aSettlement(account.id, 7n)
    await store.settlements.settle([settlement], journaled)
    expect(await store.ledger.balance(account.id)).toBe(BALANCE - 7n)
    const copy = await copyDatabase(place.directory)
    await spoilLastCommit(copy, await readWalTail(copy), new Chance(7))
    const again = await openStore({ databaseUrl: null, dataDirectory: copy, clock: noonClock })
    expect(await again.usage.record(settlement.record.id)).toEqual(settlement.record)
    expect(await again.ledger.prove()).toMatchObject({ records: 1, disagreements: [] })
    await again.close()
    await rm(copy, { recursive: true })
  })

  test('becomes durable within a transaction, of which nothing is undone, and is read behind it', async () => {
    const account = await fundedAccount(store, '1')
    const settlement = aSettlement(account.id, 7n)
    // The first one waits for the journal, and that for a transaction.
    await store.settlements.settle([aSettlement(account.id, 1n)], journaled)
    let reading: Promise<unknown> | undefined
    await store.together(async ({ ledger }) => {
      await ledger.post(aPosting(account.id, '1'))
      // Longer than it takes until what stands in the journal is folded.
      for (let tries = 0; tries < 13; tries++) {
        await store.settlements.settle([tries === 0 ? settlement : aSettlement(account.id, 1n)], journaled)
        await pause(100)
      }
      reading = store.usage.record(settlement.record.id)
      await pause(10)
    })
    expect(await reading).toEqual(settlement.record)
    expect(await store.ledger.balance(account.id)).toBe(2n * BALANCE - 20n)
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('is folded into no table that a statement could read without a fold before it', async () => {
    const account = await fundedAccount(store, '1.005')
    const tables = (await place.sql("select name from sqlite_master where type = 'table'")).map(({ name }) =>
      String(name),
    )
    const contents = async () =>
      new Map(
        await Promise.all(
          tables.map(async (name) => [name, stringify(await place.sql(`select * from "${name}"`))] as const),
        ),
      )
    const storedResponse = { id: 'resp_1', upstreamId: 'ups_1', items: [] }
    await store.settlements.settle([{ ...aSettlement(account.id, 10_000_000n), storedResponse }], journaled)
    const before = await contents()
    await store.ledger.balance(account.id)
    const after = await contents()
    const changed = tables.filter((name) => before.get(name) !== after.get(name))
    expect(changed.length).toBeGreaterThan(8)
    expect(changed.filter((name) => !FOLDED_INTO.test(`select * from "${name}"`))).toEqual([])
  })

  test('is in a backup, also what no book has yet', async () => {
    const account = await fundedAccount(store, '1')
    const settlements = [aSettlement(account.id, 7n), aSettlement(account.id, 8n)]
    for (const settlement of settlements) await store.settlements.settle([settlement], journaled)
    const [file, directory] = [join(place.directory, 'backup.db'), await temporaryDirectory()]
    const note = { version: '0', madeAt: NOON, sealedSecret: null }
    await writeBackup(place.directory, file, { note, onProgress: () => {} })
    expect(await place.sql('select id from usage_records')).toEqual([])
    await unpackBackup(file, directory, {
      onProgress: () => {},
      onCopied: () => {},
      signal: AbortSignal.timeout(60_000),
    })
    const restored = await openStore({ databaseUrl: null, dataDirectory: directory, clock: noonClock })
    for (const { record } of settlements) expect(await restored.usage.record(record.id)).toEqual(record)
    expect(await restored.ledger.prove()).toMatchObject({ records: 2, disagreements: [] })
    await restored.close()
  })

  test('sets aside what the books will never take, says so, and books everything else', async () => {
    const [account, full] = [await fundedAccount(store, '1'), await fundedAccount(store, '1')]
    await place.change([`update budgets set used_nano = ${2n ** 63n - 2n} where id = '${balanceBudget(full.id).id}'`])
    const poison = aSettlement(full.id, 5n)
    const before = await place.sql(`select * from budgets where subject_id = '${full.id}'`)
    await store.settlements.settle([aSettlement(account.id, 1n)], journaled)
    await store.settlements.settle([aSettlement(account.id, 1n), poison, aSettlement(account.id, 1n)], journaled)
    await store.settlements.settle([aSettlement(account.id, 1n)], journaled)
    expect(await store.ledger.balance(account.id)).toBe(BALANCE - 4n)
    expect(await store.usage.record(poison.record.id)).toBe(null)
    expect(await place.sql(`select * from budgets where subject_id = '${full.id}'`)).toEqual(before)
    expect(await inJournal()).toHaveLength(1)
    expect(troubles).toEqual([expect.stringContaining(poison.record.id)])
    const { disagreements } = await store.ledger.prove()
    expect(disagreements).toContainEqual(expect.stringMatching(/settlement \d+ of the journal is in no book/))
  })

  test('sets aside what it cannot read, and goes on', async () => {
    const account = await fundedAccount(store, '1')
    await place.change([`insert into settle_journal (batch) values (x'00ff')`])
    const onTrouble = (error: Error) => troubles.push(error.message)
    const other = await openStore({ databaseUrl: null, dataDirectory: place.directory, clock: noonClock, onTrouble })
    await other.settlements.settle([aSettlement(account.id, 1n)], journaled)
    expect(await store.ledger.balance(account.id)).toBe(BALANCE - 1n)
    expect(troubles).toEqual([expect.stringContaining('cannot be read')])
    await other.close()
  })

  test('is folded before more is taken on when there is much of it, and in the order in which it came', async () => {
    const account = await fundedAccount(store, '1')
    const batches = Array.from({ length: 60 }, () => Array.from({ length: 20 }, () => aSettlement(account.id, 1n)))
    await Promise.all(batches.map((batch) => store.settlements.settle(batch, journaled)))
    expect(await store.ledger.balance(account.id)).toBe(BALANCE - 1_200n)
    const rows = await place.sql(`select request_id from ledger_entries where kind = 'usage' order by seq`)
    expect(rows.map((row) => row['request_id'])).toEqual(batches.flat().map(({ record }) => record.id))
  })

  /** The files as a kill leaves them that comes between an answer and the fold, which may be over before they are copied. */
  async function killedBeforeFolding(accountId: string) {
    const settlements: Settlement[] = []
    for (let tries = 0; tries < 100; tries++) {
      const batch = [aSettlement(accountId, 1n), aSettlement(accountId, 1n)]
      settlements.push(...batch)
      await store.settlements.settle(batch, journaled)
      const directory = await copyDatabase(place.directory)
      const copy = new DatabaseSync(join(directory, 'tollgate.db'), { readOnly: true })
      const isLeft =
        copy.prepare('select id from usage_records where id = ?').get(batch[0]?.record.id ?? '') === undefined
      copy.close()
      if (isLeft) return { directory, settlements }
    }
    throw new Error('all were folded at once')
  }
})
