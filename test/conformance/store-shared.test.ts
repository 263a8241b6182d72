import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseUsd } from '../../src/core/money.ts'
import { joinStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { anAccount, aPosting, fundedAccount, noonClock } from './store-fixtures.ts'
import { newPlace, type Place } from './store-under-test.ts'

// Several threads of one process on the embedded database: one of them opened it, the others joined.

let place: Place
let opener: Store
let joined: Store

beforeEach(async () => {
  place = await newPlace('sqlite')
  opener = await place.open()
  joined = await join()
})
afterEach(async () => {
  await joined.close()
  await place.leave()
})

function join(): Promise<Store> {
  return joinStore(opener.share(), { databaseUrl: null, dataDirectory: place.directory, clock: noonClock })
}

async function balanceOf(accountId: string): Promise<string> {
  const [row] = await place.sql(
    `select limit_nano - used_nano as balance from budgets where subject_id = '${accountId}' and kind = 'balance'`,
  )
  return String(row?.['balance'])
}

test('threads that share the database see what the others committed', async () => {
  const account = await fundedAccount(joined, '1')
  expect(await opener.accounts.findById(account.id)).toEqual(account)
})

test('transactions of several threads at once are kept apart: every one of them is whole', async () => {
  const third = await join()
  const account = await fundedAccount(opener, '1')
  const postings = [opener, joined, third].flatMap((store) =>
    Array.from({ length: 20 }, () => store.ledger.post(aPosting(account.id, '0.01'))),
  )
  await Promise.all(postings)
  expect(await balanceOf(account.id)).toBe(String(parseUsd('1.6')))
  await third.close()
})

test('what one thread does in a transaction that fails is undone, and nothing that others did meanwhile', async () => {
  const inside = Promise.withResolvers<void>()
  const account = anAccount()
  const failing = joined.together(async (stores) => {
    await stores.accounts.create(account, null)
    inside.resolve()
    throw new Error('no more of this')
  })
  const refused = expect(failing).rejects.toThrow('no more of this')
  await inside.promise
  const other = await fundedAccount(opener, '2')
  await refused
  expect(await opener.accounts.findById(account.id)).toBeNull()
  expect(await opener.accounts.findById(other.id)).not.toBeNull()
})

test('a thread that dies in the middle of a transaction takes it along, and keeps no other waiting', async () => {
  const link = opener.share()
  if (link === null) throw new Error('the embedded database is shared by a line')
  // The thread that died: its end of the line is closed with a transaction open.
  const answered = Promise.withResolvers<void>()
  link.line.on('message', () => answered.resolve())
  link.line.postMessage({ id: 1, question: { kind: 'run', on: 'writer', sql: 'begin immediate', parameters: [] } })
  await answered.promise
  const account = fundedAccount(opener, '3')
  link.line.close()
  expect(await opener.accounts.findById((await account).id)).not.toBeNull()
})

test('a thread hears of what another thread of the process changed', { timeout: PATIENCE_MS }, async () => {
  const heard = Promise.withResolvers<void>()
  const stop = joined.nodes.onCommit(() => heard.resolve())
  await opener.accounts.create(anAccount(), null)
  await heard.promise
  stop()
  const heardToo = Promise.withResolvers<void>()
  const stopToo = opener.nodes.onCommit(() => heardToo.resolve())
  await joined.accounts.create(anAccount(), null)
  await heardToo.promise
  stopToo()
})

test('a thread that leaves closes the database for itself alone', async () => {
  const third = await join()
  await third.close()
  await expect(third.accounts.findById('acc_none')).rejects.toThrow(/store closed/)
  expect(await joined.accounts.findById('acc_none')).toBeNull()
})

test('when the opener closes the database, those that joined hear that it is closed', async () => {
  await opener.close()
  await expect.poll(() => joined.accounts.findById('acc_none').then(String, String)).toMatch(/store closed/)
})
