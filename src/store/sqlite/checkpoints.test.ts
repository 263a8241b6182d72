import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/test-servers.ts'
import { Checkpoints } from './checkpoints.ts'
import { FileConnection } from './file-connection.ts'

const SAFE = '3.53.0'
const ROWS = 1_000

async function openFile() {
  const file = join(await temporaryDirectory(), 'some.db')
  const database = new DatabaseSync(file)
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = off; pragma wal_autocheckpoint = 0; create table rows (text text)',
  )
  const insert = database.prepare('insert into rows values (?)')
  const write = (): void => {
    for (let i = 0; i < ROWS; i++) insert.run('x'.repeat(3_000))
  }
  let finished = 0
  const writer = {
    pagesAhead: () => pages,
    checkpoint(): void {
      database.exec('pragma wal_checkpoint(passive)')
      finished += 1
    },
  }
  let pages = 2_500
  const ahead = (count: number): void => void (pages = count)
  return {
    file,
    database,
    write,
    writer,
    ahead,
    finished: () => finished,
    journalBytes: () => statSync(`${file}-wal`).size,
  }
}

test('what was written reaches the database by another thread, and the write-ahead file begins anew', async () => {
  const { file, database, write, writer, finished, journalBytes } = await openFile()
  const checkpoints = new Checkpoints(file, { writer, sqlite: SAFE })
  const sizes: number[] = []
  for (let round = 1; round <= 3; round++) {
    write()
    sizes.push(journalBytes())
    checkpoints.wrote()
    await expect.poll(finished).toBe(round)
  }
  expect(statSync(file).size).toBeGreaterThan(3 * ROWS * 3_000)
  // Were it not begun anew, it would be three times as long by now.
  expect(sizes[2]).toBeLessThan(1.5 * (sizes[0] ?? 0))
  checkpoints.close()
  database.close()
})

test('a few pages start nothing', async () => {
  const { file, writer, ahead } = await openFile()
  const checkpoints = new Checkpoints(file, { writer, sqlite: SAFE })
  ahead(2_499)
  checkpoints.wrote()
  expect(checkpoints.isRunning).toBe(false)
})

test('on a SQLite that two connections at once could make lose pages, the writer alone does it', async () => {
  const { file, writer } = await openFile()
  const checkpoints = new Checkpoints(file, { writer, sqlite: '3.51.2' })
  checkpoints.wrote()
  expect(checkpoints.isRunning).toBe(false)
})

test('the thread ends when there was nothing to do, and is started again when there is', async () => {
  const { file, write, writer } = await openFile()
  const checkpoints = new Checkpoints(file, { writer, sqlite: SAFE, idleMs: 1 })
  for (const _ of [1, 2]) {
    write()
    checkpoints.wrote()
    expect(checkpoints.isRunning).toBe(true)
    await expect.poll(() => checkpoints.isRunning).toBe(false)
  }
})

test('once closed it has closed the file, so that the writer is the last and leaves no write-ahead file', async () => {
  const { file, database, write, writer } = await openFile()
  const checkpoints = new Checkpoints(file, { writer, sqlite: SAFE })
  write()
  checkpoints.wrote()
  checkpoints.close()
  database.close()
  expect(existsSync(`${file}-wal`)).toBe(false)
})

test('a connection says how many pages are ahead of the database', async () => {
  const { file, database } = await openFile()
  const connection = FileConnection.forWriting(file)
  connection.run('insert into rows values (hex(zeroblob(50000)))', [])
  expect(connection.pagesAhead()).toBeGreaterThan(20)
  connection.checkpoint()
  expect(connection.pagesAhead()).toBe(0)
  connection.close()
  database.close()
})
