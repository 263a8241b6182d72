import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { balanceBudget } from '../../src/metering/budgets/budget.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { anAccount, aPosting, aSettlement, fundedAccount, grant, noonClock } from './store-fixtures.ts'
import { newPlace, type Place } from './store-under-test.ts'

// What only the embedded database can do wrong: its files, its thread, and several processes on one file.

let place: Place
const running: ChildProcess[] = []

beforeEach(async () => {
  place = await newPlace('sqlite')
})
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await place.leave()
})

/** A process that settles for `accountId`; see store-process.ts. */
function settler(accountId: string, times: number) {
  const program = fileURLToPath(new URL('./store-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program, place.directory, accountId, String(times)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  running.push(child)
  const lines: string[] = []
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line))
  const line = async (fits: (line: string) => boolean): Promise<void> => {
    const from = lines.length
    while (!lines.slice(from).some(fits)) await once(reader, 'line')
  }
  return { child, lines, line, exit: once(child, 'exit') }
}

/** A reading through the store brings into the books what other processes left in the journal. */
async function recordIds(store: Store): Promise<ReadonlySet<unknown>> {
  // What stands in journals is folded before balances are read.
  await store.ledger.balance('any')
  return new Set((await place.sql('select id from usage_records')).map((row) => row['id']))
}

test('only the owner reads the files, even where they were open before', async () => {
  const directory = join(await temporaryDirectory(), 'new', 'data')
  const store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: noonClock })
  const modes = async () => {
    const names = ['.', 'tollgate.db', 'tollgate.db-wal', 'tollgate.db-shm']
    return Promise.all(names.map(async (name) => (await stat(join(directory, name))).mode & 0o777))
  }
  expect(await modes()).toEqual([0o700, 0o600, 0o600, 0o600])
  await store.close()
  await chmod(join(directory, 'tollgate.db'), 0o644)
  const again = await openStore({ databaseUrl: null, dataDirectory: directory, clock: noonClock })
  expect(await modes()).toEqual([0o700, 0o600, 0o600, 0o600])
  await again.close()
})

test('an orderly end leaves one file, and everything in it', async () => {
  const store = await place.open()
  const account = await fundedAccount(store, '1')
  await store.ledger.prove()
  await store.close()
  await expect(stat(join(place.directory, 'tollgate.db-wal'))).rejects.toThrow(/ENOENT/)
  const again = await place.open()
  expect(await again.ledger.balance(account.id)).toBe(1_000_000_000n)
})

test('what was asked before the end is answered before it', async () => {
  const store = await place.open()
  const account = await fundedAccount(store, '1')
  const settles = Array.from({ length: 20 }, () => store.settlements.settle([aSettlement(account.id, 1n)]))
  await Promise.all([store.close(), ...settles])
  const again = await place.open()
  expect(await again.ledger.balance(account.id)).toBe(999_999_980n)
})

test('what is asked at the moment of closing is answered or rejected, and never left waiting', async () => {
  for (let turns = 0; turns < 20; turns++) {
    const store = await place.open()
    const asked = [
      store.settings.write('x', 'y'),
      store.accounts.create(anAccount(), null),
      store.settlements.settle([]),
    ]
    for (let i = 0; i < turns; i++) await Promise.resolve()
    const [answers] = await Promise.all([Promise.allSettled(asked), store.close()])
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason.message).toBe('store closed')
  }
})

test('three processes that start at once on an empty directory share one database', async () => {
  const children = [settler('', 0), settler('', 0), settler('', 0)]
  expect((await Promise.all(children.map(({ exit }) => exit))).map(([code]) => code)).toEqual([0, 0, 0])
  const store = await place.open()
  await store.check(5_000)
})

test('two processes and this one settle on one file without losing a nano-USD', async () => {
  const store = await place.open()
  const account = await fundedAccount(store, '1')
  const children = [settler(account.id, 300), settler(account.id, 300)]
  for (let i = 0; i < 100; i++) {
    await store.settlements.settle([aSettlement(account.id, 1n)])
    await grant(store, balanceBudget(account.id), { need: 1n })
  }
  expect((await Promise.all(children.map(({ exit }) => exit))).map(([code]) => code)).toEqual([0, 0])
  expect(await store.ledger.balance(account.id)).toBe(999_999_300n)
  expect(await recordIds(store)).toEqual(
    new Set([...(await recordIds(store)), ...children.flatMap(({ lines }) => lines)]),
  )
  expect(await store.ledger.prove()).toMatchObject({ records: 700, disagreements: [] })
})

test('whatever was acknowledged is there after kill -9', async () => {
  const store = await place.open()
  const account = await fundedAccount(store, '1')
  for (let round = 0; round < 3; round++) {
    const child = settler(account.id, 1_000_000)
    await child.line(() => child.lines.length >= 50 * (round + 1))
    child.child.kill('SIGKILL')
    await child.exit
    const stored = await recordIds(store)
    expect(child.lines.filter((id) => !stored.has(id))).toEqual([])
  }
  const proof = await store.ledger.prove()
  expect(proof.disagreements).toEqual([])
  expect(await store.ledger.balance(account.id)).toBe(1_000_000_000n - BigInt(proof.records))
})

test('a full disk is said, nothing is half written, and all goes on when there is room again', async () => {
  const store = await place.open()
  const account = await fundedAccount(store, '1')
  const child = settler(account.id, 1_000_000)
  await child.line((line) => line.startsWith('req_'))
  child.child.stdin.write('limit 4096\n')
  await child.line((line) => /^failed: .*(could not be read or written|disk is full)/.test(line))
  child.child.stdin.write('no limit\n')
  await child.line((line) => line.startsWith('req_'))
  child.child.kill('SIGTERM')
  await child.exit
  const stored = await recordIds(store)
  expect(child.lines.filter((line) => line.startsWith('req_') && !stored.has(line))).toEqual([])
  expect((await store.ledger.prove()).disagreements).toEqual([])
})

test('a thread that dies rejects what waits and every later call, and closing still ends', async () => {
  const posted = vi.spyOn(Worker.prototype, 'postMessage')
  const store = await place.open()
  const [worker] = posted.mock.contexts as Worker[]
  posted.mockRestore()
  const account = await fundedAccount(store, '1')
  const waiting = Array.from({ length: 50 }, () => store.settlements.settle([aSettlement(account.id, 1n)]))
  await worker?.terminate()
  const answers = await Promise.allSettled(waiting)
  expect(answers.at(-1)).toMatchObject({ status: 'rejected', reason: { message: 'store closed' } })
  await expect(store.settings.read('x')).rejects.toThrow('store closed')
  await expect(store.ledger.post(aPosting(account.id, '1'))).rejects.toThrow('store closed')
  await expect(store.check(1_000)).rejects.toThrow('store closed')
  await store.close()
})

test('a write waits for the transaction of another process', async () => {
  const store = await place.open()
  const other = new DatabaseSync(join(place.directory, 'tollgate.db'))
  other.exec('begin immediate')
  const writing = store.settings.write('x', 'y')
  setTimeout(() => other.close(), 100)
  await writing
  expect(await store.settings.read('x')).toBe('y')
})
