import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
