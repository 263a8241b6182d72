import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import { Thread } from '../../src/store/sqlite/thread.ts'
import { aSettlement, fundedAccount, noonClock } from '../conformance/store-fixtures.ts'
import { newPlace } from '../conformance/store-under-test.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { Chance } from './chance.ts'
import { journalNames } from './wal-tail.ts'

const BATCHES = 200
const TOGETHER = 200
const CUTS = 12
const DATABASE = ['tollgate.db', 'tollgate.db-wal']

afterEach(() => vi.restoreAllMocks())

test('a loss of power that takes back all that no sync has reached loses nothing that was acknowledged', async () => {
  const place = await newPlace('sqlite')
  const store = await openStore({ databaseUrl: null, dataDirectory: place.directory, clock: noonClock })
  const account = await fundedAccount(store, '1000')
  // The database as it was when the last durable fold had ended: what came behind it may be lost.
  const synced = await temporaryDirectory()
  const copySynced = async () => {
    for (const name of DATABASE) await copyFile(join(place.directory, name), join(synced, name))
  }
  // The journal file is taken with the first settlement, by a commit that waits for the disk.
  await store.settlements.settle([aSettlement(account.id, 1n)], { mayJournal: true })
  await copySynced()
  let folds = 0
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this`.
  const foldJournal = Thread.prototype.foldJournal
  vi.spyOn(Thread.prototype, 'foldJournal').mockImplementation(async function (this: Thread, options) {
    const answer = await foldJournal.call(this, options)
    if (options.durably) {
      await copySynced()
      folds += 1
    }
    return answer
  })
  const chance = new Chance(4_711)
  const cuts = new Set(Array.from({ length: CUTS }, () => chance.between(1, BATCHES - 1)))
  const acknowledged: string[] = []
  for (let round = 0; round < BATCHES; round++) {
    const batch = Array.from({ length: TOGETHER }, () => aSettlement(account.id, 1n))
    await store.settlements.settle(batch, { mayJournal: true })
    acknowledged.push(...batch.map(({ record }) => record.id))
    if (!cuts.has(round)) continue
    const cut = await temporaryDirectory()
    for (const name of DATABASE) await copyFile(join(synced, name), join(cut, name))
    for (const name of await journalNames(place.directory)) await copyFile(join(place.directory, name), join(cut, name))
    expect(await missingIn(cut, acknowledged)).toEqual([])
  }
  // The file was gone around several times, so that what stood in it was written over.
  expect(folds).toBeGreaterThan(4)
  expect((await store.ledger.prove()).disagreements).toEqual([])
  await store.close()
  await place.leave()
})

async function missingIn(directory: string, ids: readonly string[]): Promise<readonly string[]> {
  const store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: noonClock })
  expect((await store.ledger.prove()).disagreements).toEqual([])
  await store.close()
  const database = new DatabaseSync(join(directory, 'tollgate.db'), { readOnly: true })
  const stored = new Set(
    database
      .prepare('select id from usage_records')
      .all()
      .map(({ id }) => id),
  )
  database.close()
  return ids.filter((id) => !stored.has(id))
}
