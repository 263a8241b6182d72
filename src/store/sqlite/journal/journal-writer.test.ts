import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../../../test/support/patience.ts'
import { FILE_BYTES, readFrame } from './journal-frames.ts'
import { type FoldAnswer, type JournalKeeper, JournalWriter } from './journal-writer.ts'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tollgate-journal-'))
  path = join(directory, 'journal')
  await writeFile(path, Buffer.alloc(FILE_BYTES))
})
afterEach(() => rm(directory, { recursive: true }))

const EPOCH = 7

/** A thread of the database that folds what it finds when it is asked, or fails. */
class Keeper implements JournalKeeper {
  place = 0
  folds: boolean[] = []
  released: number[] = []
  taken = 0
  failure: Error | null = null
  isDeleted = false
  path = path

  async takeJournal() {
    this.taken += 1
    return { number: this.taken, path: this.path, epoch: EPOCH }
  }

  async foldJournal({ durably }: { durably: boolean }): Promise<FoldAnswer> {
    this.folds.push(durably)
    if (this.failure !== null) throw this.failure
    this.place = (await batchesOf(path, this.place)).end
    return { overruns: 1, place: this.place, isDeleted: this.isDeleted }
  }

  async releaseJournal(number: number) {
    this.released.push(number)
  }
}

async function batchesOf(file: string, place = 0): Promise<{ lengths: number[]; end: number }> {
  const bytes = await readFile(file)
  const lengths: number[] = []
  for (;;) {
    const found = readFrame((offset, count) => bytes.subarray(offset, offset + count), { epoch: EPOCH, place })
    if (found === null) return { lengths, end: place }
    lengths.push(found.batch.length)
    place = found.end
  }
}

test('what was added is in the file when it resolves, in order, and folded by itself soon after', async () => {
  const keeper = new Keeper()
  const writer = new JournalWriter(keeper)
  expect(await Promise.all([10, 20, 30].map((length) => writer.add(Buffer.alloc(length, 1))))).toEqual([
    true,
    true,
    true,
  ])
  expect((await batchesOf(path)).lengths).toEqual([10, 20, 30])
  await vi.waitFor(() => expect(writer.takeOverruns()).toBe(1), PATIENCE_MS)
  expect(keeper.folds).toEqual([false])
  expect(writer.takeOverruns()).toBe(0)
  await writer.close()
})

test('goes around the file as often as there is room, and folds durably before a frame is written over', async () => {
  const keeper = new Keeper()
  const writer = new JournalWriter(keeper)
  for (let count = 0; count < 60; count++) expect(await writer.add(Buffer.alloc(200_000, count))).toBe(true)
  expect(keeper.folds).toContain(true)
  await writer.close()
  await keeper.foldJournal({ durably: false })
  expect(keeper.place).toBeGreaterThan(2 * FILE_BYTES)
})

test('a fold that fails sends what comes to the books, until one succeeds', async () => {
  const keeper = new Keeper()
  keeper.failure = new Error('disk full')
  const writer = new JournalWriter(keeper)
  expect(await writer.add(Buffer.alloc(500_000))).toBe(true)
  await vi.waitFor(async () => expect(await writer.add(Buffer.alloc(10))).toBe(false), PATIENCE_MS)
  keeper.failure = null
  await vi.waitFor(async () => expect(await writer.add(Buffer.alloc(10))).toBe(true), PATIENCE_MS)
  await writer.close()
})

test('with no room, since nothing can be folded, it takes nothing more and loses nothing', async () => {
  const keeper = new Keeper()
  keeper.failure = new Error('disk full')
  const writer = new JournalWriter(keeper)
  const added = await Promise.all(Array.from({ length: 20 }, () => writer.add(Buffer.alloc(300_000, 1))))
  const taken = added.filter(Boolean).length
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThan(FILE_BYTES / 300_000)
  expect((await batchesOf(path)).lengths).toHaveLength(taken)
  await writer.close()
})

test('a write that fails leaves the file to others, and the next batch goes to another one', async () => {
  const keeper = new Keeper()
  const writer = new JournalWriter(keeper)
  // Nothing can be written to it, in whatever way it was opened.
  keeper.path = '/dev/full'
  expect(await writer.add(Buffer.alloc(10))).toBe(false)
  keeper.path = path
  expect(keeper.released).toEqual([1])
  expect(await writer.add(Buffer.alloc(10))).toBe(true)
  expect(keeper.taken).toBe(2)
  await writer.close()
})

test('a file that lost its name is left', async () => {
  const keeper = new Keeper()
  const writer = new JournalWriter(keeper)
  keeper.isDeleted = true
  await writer.add(Buffer.alloc(400_000))
  await vi.waitFor(() => expect(keeper.folds).toHaveLength(1), PATIENCE_MS)
  await vi.waitFor(async () => {
    expect(await writer.add(Buffer.alloc(10))).toBe(true)
    expect(keeper.released).toEqual([1])
  }, PATIENCE_MS)
  await writer.close()
})

test('a batch too long for a frame, and one after the end, are not taken', async () => {
  const keeper = new Keeper()
  const writer = new JournalWriter(keeper)
  expect(await writer.add(Buffer.alloc(FILE_BYTES / 2))).toBe(false)
  await writer.close()
  expect(await writer.add(Buffer.alloc(10))).toBe(false)
  expect(keeper.taken).toBe(0)
})
