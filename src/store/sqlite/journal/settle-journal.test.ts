import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { openSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { packSettlements } from '../../books/packed-settlements.ts'
import { USAGE_WIDTH } from '../../books/usage-columns.ts'
import type { BatchWriter } from '../batch-writer.ts'
import { FileConnection } from '../file-connection.ts'
import { JournalFiles } from './journal-files.ts'
import { FILE_BYTES, frameOf } from './journal-frames.ts'
import { SettleJournal } from './settle-journal.ts'

let directory: string
let file: string
let connection: FileConnection
const opened: SettleJournal[] = []

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tollgate-journal-'))
  file = join(directory, 'tollgate.db')
  connection = FileConnection.forWriting(file)
  connection.run('create table settle_journal (id integer primary key, batch blob not null, refusal text) strict', [])
  connection.run(
    'create table settle_files (number integer primary key, epoch integer, place integer, syncs integer) strict',
    [],
  )
})
afterEach(async () => {
  for (const journal of opened.splice(0)) journal.close()
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

function journalOver(writeInside: () => number, troubles: string[] = []): SettleJournal {
  const books = { writeInside } as unknown as BatchWriter
  const files = new JournalFiles(file)
  const journal = new SettleJournal({
    connection,
    books,
    files,
    onRefused: ({ message }) => troubles.push(message),
    onFolded: () => {},
  })
  opened.push(journal)
  return journal
}

/** Takes a file and writes these batches into it, or so many, without a writer. */
function written(journal: SettleJournal, batches: number | readonly Uint8Array[]): number {
  const taken = journal.take()
  if (taken === null) throw new Error('no file was left')
  const descriptor = openSync(taken.path, 'r+')
  let place = 0
  const all = typeof batches === 'number' ? Array.from({ length: batches }, () => ONE) : batches
  for (const batch of all) {
    const frame = frameOf(batch, { epoch: taken.epoch, place })
    writeSync(descriptor, frame, 0, frame.length, place)
    place += frame.length
  }
  return taken.number
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
    { eval: true, workerData: file },
  )
  await once(other, 'message')
  return other
}

test('a fold waits for the transaction of another process', async () => {
  const journal = journalOver(() => 0)
  written(journal, 1)
  const other = await otherTransaction()
  journal.foldAll()
  await once(other, 'exit')
  expect(journal.hasUnfolded).toBe(false)
})

test('a fold that fails leaves the journal as it was', () => {
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 })
  const folds = vi.fn<() => number>(() => 0)
  folds.mockImplementationOnce(() => {
    throw full
  })
  const journal = journalOver(folds)
  const number = written(journal, 3)
  expect(() => journal.foldAll()).toThrow(full)
  expect(journal.placeIn(number)).toBe(0)
  journal.foldAll()
  expect(folds).toHaveBeenCalledTimes(2)
  expect(journal.hasUnfolded).toBe(false)
})

test('what stands in the file shares one fold, 512 settlements at most', () => {
  const folds = vi.fn<() => number>(() => 0)
  const journal = journalOver(folds)
  written(journal, 600)
  journal.foldAll()
  expect(folds).toHaveBeenCalledTimes(2)
})

test('a batch that cannot be read is set aside, and what stands behind it is folded', () => {
  const folds = vi.fn<() => number>(() => 0)
  const journal = journalOver(folds)
  written(journal, [Buffer.from([0, 255]), ONE])
  journal.foldAll()
  expect(folds).toHaveBeenCalledTimes(1)
  expect(connection.run('select refusal from settle_journal', []).rows).toHaveLength(1)
  expect(journal.hasUnfolded).toBe(false)
})

test('to fold durably commits something that waits for the disk, also where all was folded', () => {
  const journal = journalOver(() => 0)
  const number = written(journal, 2)
  journal.foldAll()
  connection.checkpoint()
  const place = journal.placeIn(number)
  expect(journal.foldDurably(number)).toBe(place)
  expect(connection.pagesAhead()).toBeGreaterThan(0)
  expect(journal.placeIn(number)).toBe(place)
})

test('a file that is missing is named when the journal is opened', async () => {
  const troubles: string[] = []
  const number = written(
    journalOver(() => 0),
    1,
  )
  await rm(`${file}-settled-${number}`)
  journalOver(() => 0, troubles).nameMissing()
  expect(troubles).toEqual([expect.stringContaining(`${file}-settled-${number} is missing`)])
})

test('each taker has a file of its own, readable by this user alone, and none that another process has', async () => {
  const [one, other] = [journalOver(() => 0), journalOver(() => 0)]
  const files = [one.take(), other.take(), one.take()]
  expect(files.map((taken) => taken?.number)).toEqual([1, 2, 3])
  for (const { path } of files.flatMap((taken) => taken ?? [])) {
    expect((await stat(path)).size).toBe(FILE_BYTES)
    for (const name of [path, `${path}.lock`]) expect((await stat(name)).mode & 0o777).toBe(0o600)
  }
  one.release(1)
  expect(other.take()?.number).toBe(1)
})

test('another process takes none of the files that this one has, however many it has taken since', async () => {
  const journal = journalOver(() => 0)
  expect([journal.take()?.number, journal.take()?.number]).toEqual([1, 2])
  const program = `const { JournalFiles } = await import(${JSON.stringify(new URL('journal-files.ts', import.meta.url).href)})
    console.log(new JournalFiles(${JSON.stringify(file)}).take().number)`
  const taken = () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim()
  expect(taken()).toBe('3')
  // It has ended, and so has its lock.
  expect(taken()).toBe('3')
  journal.release(1)
  expect(taken()).toBe('1')
})

test('what the owner before left is folded before the next one begins', () => {
  const folds = vi.fn<() => number>(() => 0)
  const first = journalOver(folds)
  const number = written(first, 2)
  first.release(number)
  const second = journalOver(folds)
  expect(second.take()?.number).toBe(number)
  expect(folds).toHaveBeenCalledTimes(1)
  expect(second.hasUnfolded).toBe(false)
})

test('what another process writes is found by all, also when its file was not there before', () => {
  const reader = journalOver(() => 0)
  expect(reader.hasUnfolded).toBe(false)
  const other = journalOver(() => 0)
  written(other, 1)
  expect(reader.hasUnfolded).toBe(true)
  reader.foldAll()
  expect(other.hasUnfolded).toBe(false)
})

test('a file that lost its name is still folded, and known to have lost it', async () => {
  const folds = vi.fn<() => number>(() => 0)
  const journal = journalOver(folds)
  const number = written(journal, 1)
  expect(journal.hasUnfolded).toBe(true)
  await rm(`${file}-settled-${number}`)
  journal.foldAll()
  expect(folds).toHaveBeenCalledTimes(1)
  expect(journal.isDeleted(number)).toBe(true)
})

test('a file that cannot be read is an error, and not an empty one', async () => {
  const other = journalOver(() => 0)
  const number = written(other, 1)
  await rm(`${file}-settled-${number}`)
  await mkdir(`${file}-settled-${number}`)
  expect(() => journalOver(() => 0).foldAll()).toThrow(/EISDIR/)
})
