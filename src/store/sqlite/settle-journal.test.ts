import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { packSettlements } from '../books/packed-settlements.ts'
import { USAGE_WIDTH } from '../books/usage-columns.ts'
import type { BatchWriter } from './batch-writer.ts'
import { FileConnection } from './file-connection.ts'
import { SettleJournal } from './settle-journal.ts'

let directory: string
let connection: FileConnection

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tollgate-journal-'))
  connection = FileConnection.forWriting(join(directory, 'tollgate.db'))
  connection.run('create table settle_journal (id integer primary key, batch blob not null, refusal text) strict', [])
})
afterEach(async () => {
  vi.useRealTimers()
  connection.close()
  await rm(directory, { recursive: true })
})

const ONE = packSettlements({
  count: 1,
  records: Array<null>(USAGE_WIDTH).fill(null),
  charges: [],
  payments: [],
  storedResponses: [],
  lowBalance: null,
})

function journalOver(writeInside: () => number): SettleJournal {
  const books = { writeInside } as unknown as BatchWriter
  return new SettleJournal({ connection, books, onRefused: () => {} })
}

/** Another process's transaction, begun when this resolves. It ends by itself, a moment later. */
async function otherTransaction(): Promise<Worker> {
  const other = new Worker(
    `const { DatabaseSync } = require('node:sqlite')
     const { parentPort, workerData } = require('node:worker_threads')
     const database = new DatabaseSync(workerData)
     database.exec('begin immediate')
     parentPort.postMessage('begun')
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
     database.exec('commit')`,
    { eval: true, workerData: join(directory, 'tollgate.db') },
  )
  await once(other, 'message')
  return other
}

const inJournal = () => connection.run('select id from settle_journal', []).rows.length

test.each([1, 200])('a fold that is due when the journal of %i closes keeps no thread from ending', (count) => {
  vi.useFakeTimers()
  const folds = vi.fn<() => number>(() => 0)
  const journal = journalOver(folds)
  for (let added = 0; added < count; added++) journal.add(ONE)
  journal.close()
  vi.runOnlyPendingTimers()
  expect(vi.getTimerCount()).toBe(0)
  expect(folds).not.toHaveBeenCalled()
  expect(inJournal()).toBe(count)
})

test('a settlement waits for the transaction of another process, and so does a fold', async () => {
  const journal = journalOver(() => 0)
  const first = await otherTransaction()
  journal.add(ONE)
  await once(first, 'exit')
  expect(inJournal()).toBe(1)
  const second = await otherTransaction()
  journal.foldAll()
  await once(second, 'exit')
  expect(inJournal()).toBe(0)
  journal.close()
})

test('a fold that fails leaves the journal as it was, and is tried again by itself', () => {
  vi.useFakeTimers()
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 })
  const folds = vi.fn<() => number>(() => 0)
  folds.mockImplementationOnce(() => {
    throw full
  })
  const journal = journalOver(folds)
  journal.add(ONE)
  vi.runOnlyPendingTimers()
  expect(inJournal()).toBe(1)
  vi.runOnlyPendingTimers()
  expect(inJournal()).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
  journal.close()
})

test('settlements that come within a moment share one fold, 128 at most', () => {
  vi.useFakeTimers()
  const folds = vi.fn<() => number>(() => 0)
  const journal = journalOver(folds)
  for (let added = 0; added < 100; added++) journal.add(ONE)
  vi.runOnlyPendingTimers()
  expect(folds).toHaveBeenCalledTimes(1)
  for (let added = 0; added < 200; added++) journal.add(ONE)
  vi.runAllTimers()
  expect(folds).toHaveBeenCalledTimes(3)
  expect(inJournal()).toBe(0)
  journal.close()
})
