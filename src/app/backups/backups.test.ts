import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { systemClock } from '../../core/clock.ts'
import { createLogger } from '../../core/log.ts'
import { writeBackup } from '../../store/backup.ts'
import { openStore } from '../../store/open-store.ts'
import { runCommandLine } from '../cli/command-line.ts'
import { backupName, deleteOldBackups, listBackups } from './backup-files.ts'
import { BackupSchedule } from './backup-schedule.ts'

const NOON = Date.parse('2026-11-23T12:00:00Z')
const PASSPHRASE = 'correct horse battery'
let root: string
let source: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tollgate-backups-'))
  source = join(root, 'source')
  expect((await run(source, ['account', 'create', '--email', 'ann@example.test'])).exitCode).toBe(0)
  expect((await run(source, ['account', 'credit', '--email', 'ann@example.test', '--amount', '5'])).exitCode).toBe(0)
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** A command on this data directory, with the real database. */
async function run(dataDir: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { host, printed, remarked } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: dataDir, ...environment },
    randomBytes,
    nowMs: () => NOON,
    openStore: (settings) => openStore({ databaseUrl: null, dataDirectory: settings.dataDir, clock: systemClock }),
  })
  const exitCode = await runCommandLine(args, host)
  return { exitCode, printed: printed.join(''), remarked: remarked.join('') }
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

test('a backup, restored into an empty directory, is the same installation with sound books', async () => {
  const file = join(root, 'whole.db')
  const environment = { TOLLGATE_BACKUP_PASSPHRASE: PASSPHRASE }
  expect(await run(source, ['backup', file], environment)).toMatchObject({ exitCode: 0 })
  expect(await modeOf(file)).toBe('600')
  const target = join(root, 'restored')
  const restored = await run(source, ['restore', file, '--into', target], environment)
  expect(restored).toMatchObject({ exitCode: 0, printed: expect.stringMatching(/^ok: 1 account, 1 ledger entry,/) })
  expect(restored.remarked).toContain('The secret is restored with it.')
  expect(await readFile(join(target, 'secret'), 'utf8')).toBe(await readFile(join(source, 'secret'), 'utf8'))
  expect([await modeOf(join(target, 'tollgate.db')), await modeOf(join(target, 'secret'))]).toEqual(['600', '600'])
  expect((await readdir(target)).toSorted()).toEqual(['secret', 'tollgate.db'])
  expect((await run(target, ['account', 'list'])).printed).toMatch(/ann@example.test  user  active  5$/m)
  expect((await run(target, ['account', 'create', '--email', 'bob@example.test'])).exitCode).toBe(0)
})

test('a backup has no minted token, which would end before it is restored', async () => {
  const [own, file] = [join(root, 'minted'), join(root, 'minted.db')]
  expect((await run(own, ['account', 'create', '--email', 'ann@example.test'])).exitCode).toBe(0)
  const database = new DatabaseSync(join(own, 'tollgate.db'))
  database.exec(
    "insert into minted_tokens values ('ups_1', 'role', 'mark', 'v1.sealed-token-of-a-cloud', 1, null, null)",
  )
  database.close()
  expect((await run(own, ['backup', file])).exitCode).toBe(0)
  expect((await readFile(file)).includes('sealed-token-of-a-cloud')).toBe(false)
})

test('the file has the secret only under the passphrase, and not without one', async () => {
  const secret = (await readFile(join(source, 'secret'), 'utf8')).trim()
  for (const [name, environment] of [
    ['sealed.db', { TOLLGATE_BACKUP_PASSPHRASE: PASSPHRASE }],
    ['plain.db', {}],
  ] as const) {
    const file = join(root, name)
    expect((await run(source, ['backup', file], environment)).exitCode).toBe(0)
    const bytes = await readFile(file)
    expect([bytes.includes(secret), bytes.includes(PASSPHRASE)]).toEqual([false, false])
    expect(bytes.includes('scrypt17.')).toBe(name === 'sealed.db')
  }
})

test('another passphrase, and none, are said in a sentence each', async () => {
  const file = join(root, 'passphrase.db')
  await run(source, ['backup', file], { TOLLGATE_BACKUP_PASSPHRASE: PASSPHRASE })
  const wrong = await run(source, ['restore', file, '--into', join(root, 'wrong')], {
    TOLLGATE_BACKUP_PASSPHRASE: 'another passphrase',
  })
  expect([wrong.exitCode, wrong.remarked]).toEqual([1, expect.stringContaining('cannot be opened with')])
  expect(await readdir(join(root, 'wrong'))).toEqual([])
  const none = await run(source, ['restore', file, '--into', join(root, 'none')])
  expect([none.exitCode, none.remarked]).toEqual([0, expect.stringContaining('The secret is not restored')])
})

test('a secret that does not belong to the backup is refused before anything is in place', async () => {
  const file = join(root, 'foreign.db')
  await run(source, ['backup', file])
  const { exitCode, remarked } = await run(source, ['restore', file, '--into', join(root, 'foreign')], {
    TOLLGATE_SECRET: 'x'.repeat(43),
  })
  expect([exitCode, remarked]).toEqual([1, expect.stringContaining('made with another secret')])
  expect(await readdir(join(root, 'foreign'))).toEqual([])
})

test('what was written while the copy ran is not in it, and what was there before is', async () => {
  const file = join(root, 'moment.db')
  const writer = new DatabaseSync(join(source, 'tollgate.db'))
  writer.exec('create table if not exists scratch (number integer); delete from scratch; begin')
  const insert = writer.prepare('insert into scratch values (?)')
  for (let i = 0; i < 400_000; i++) insert.run(i)
  writer.exec('commit')
  let steps = 0
  await writeBackup(source, file, {
    note: { version: 'test', madeAt: NOON, sealedSecret: null },
    onProgress: () => {
      steps++
      insert.run(-steps)
    },
  })
  writer.exec('drop table scratch')
  writer.close()
  const copy = new DatabaseSync(file)
  expect(copy.prepare('select count(*) as all_, min(number) as least from scratch').get()).toMatchObject({
    all_: 400_000,
    least: 0,
  })
  copy.close()
  // Otherwise nothing was written meanwhile.
  expect(steps).toBeGreaterThan(0)
})

test.each([
  [
    'what is not a database',
    async (file: string) => writeFile(file, randomBytes(9_000)),
    'cannot be read as a database',
  ],
  ['a database of something else', async (file: string) => foreignDatabase(file), 'not one of Tollgate'],
  ['a damaged one', damagedBackup, 'refused.db is damaged ('],
])('%s is refused, and leaves nothing behind', async (_what, make, reason) => {
  const file = join(root, 'refused.db')
  await rm(file, { force: true })
  await make(file)
  const target = join(root, 'refused')
  const { exitCode, remarked } = await run(source, ['restore', file, '--into', target])
  expect([exitCode, remarked]).toEqual([1, expect.stringContaining(reason)])
  expect(await readdir(target)).toEqual([])
})

function foreignDatabase(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('create table notes (text text)')
  database.close()
}

async function damagedBackup(file: string): Promise<void> {
  await run(source, ['backup', file])
  const bytes = await readFile(file)
  // A page of no kind.
  bytes.fill(0xff, 4 * 4096, 5 * 4096)
  await writeFile(file, bytes)
}

test('books that do not agree are not put in place', async () => {
  const file = join(root, 'broken.db')
  await run(source, ['backup', file])
  const database = new DatabaseSync(file)
  database.exec('update budgets set used_nano = used_nano + 1')
  database.close()
  const { exitCode, printed, remarked } = await run(source, ['restore', file, '--into', join(root, 'broken')])
  expect([exitCode, printed]).toEqual([1, expect.stringMatching(/\nbroken, 1 disagreement: /)])
  expect(remarked).toContain('nothing was put in place')
  expect(await readdir(join(root, 'broken'))).toEqual([])
})

test('a directory with anything in it is left alone, but for what an earlier try left', async () => {
  const file = join(root, 'again.db')
  await run(source, ['backup', file])
  const full = await run(source, ['restore', file])
  expect([full.exitCode, full.remarked]).toEqual([1, expect.stringContaining('is not empty')])
  const target = join(root, 'left')
  await mkdir(join(target, '.restore-0123456789ab'), { recursive: true })
  expect((await run(source, ['restore', file, '--into', target])).exitCode).toBe(0)
  expect(await readdir(target)).toEqual(['tollgate.db'])
})

test('a rehearsal proves the books and keeps nothing', async () => {
  const file = join(root, 'rehearsed.db')
  await run(source, ['backup', file])
  const before = await readdir(source)
  expect(await run(source, ['restore', file, '--rehearse'])).toMatchObject({
    exitCode: 0,
    printed: expect.stringMatching(/^ok: /),
    remarked: expect.stringContaining('nothing of it was kept'),
  })
  expect(await readdir(source)).toEqual(before)
})

test('a file that is there is not overwritten, and a directory that is named gets a name with the time', async () => {
  const file = join(root, 'there.db')
  await writeFile(file, 'mine')
  expect(await run(source, ['backup', file])).toMatchObject({ exitCode: 1 })
  expect(await readFile(file, 'utf8')).toBe('mine')
  const { printed } = await run(source, ['backup', root])
  expect(printed).toContain(join(root, 'tollgate-2026-11-23T12-00-00Z.db'))
})

test('a directory that does not exist yet is made, and a file in one that is missing is refused in a sentence', async () => {
  const directory = join(root, 'new', 'place')
  expect(await run(source, ['backup', `${directory}/`])).toMatchObject({
    exitCode: 0,
    printed: expect.stringContaining(join(directory, 'tollgate-2026-11-23T12-00-00Z.db')),
  })
  expect(await modeOf(directory)).toBe('700')
  const { exitCode, remarked } = await run(source, ['backup', join(root, 'missing', 'file.db')])
  expect([exitCode, remarked]).toEqual([
    1,
    expect.stringContaining(`no directory "${join(root, 'missing')}": create it`),
  ])
})

test('PostgreSQL is referred to its own tools', async () => {
  const environment = { DATABASE_URL: 'postgres://tollgate@127.0.0.1:1/none', TOLLGATE_SECRET: 'x'.repeat(43) }
  for (const args of [
    ['backup', join(root, 'none.db')],
    ['restore', join(root, 'whole.db')],
  ]) {
    expect(await run(source, args, environment)).toMatchObject({
      exitCode: 1,
      remarked: expect.stringContaining('has its own tools'),
    })
  }
})

test('a signal stops it between two steps, with nothing left behind', async () => {
  const directory = await mkdtemp(join(root, 'stopped-'))
  const { host, remarked } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: source },
    randomBytes,
    nowMs: () => NOON,
    onStopSignal(listener) {
      listener('SIGINT')
      return () => {}
    },
  })
  expect(await runCommandLine(['backup', join(directory, 'a.db')], host)).toBe(1)
  expect(remarked.join('')).toContain('Stopped.')
  expect(await readdir(directory)).toEqual([])
})

test('a signal while a restore looks for damage or proves the books ends it, with nothing left behind', async () => {
  const file = join(root, 'signalled.db')
  await run(source, ['backup', file])
  for (const step of ['Looking through it', 'ledger entries']) {
    const directory = await mkdtemp(join(root, 'signalled-'))
    const ended: string[] = []
    const { host, remarked } = signalledAt(step, { onEnded: (signal) => void ended.push(signal) })
    expect(await runCommandLine(['restore', file, '--into', directory], host)).toBe(1)
    expect([remarked.at(-1), ended]).toEqual(['Stopped. Nothing was left behind.\n', ['SIGINT']])
    expect(await readdir(directory)).toEqual([])
  }
})

/** A command line that gets SIGINT when it remarks this. */
function signalledAt(step: string, { onEnded }: { onEnded(signal: string): void }) {
  let hear: (signal: NodeJS.Signals) => void = () => {}
  const remarked: string[] = []
  const { host } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: source },
    randomBytes,
    nowMs: () => NOON,
    openStore: (settings) => openStore({ databaseUrl: null, dataDirectory: settings.dataDir, clock: systemClock }),
    remark(text) {
      remarked.push(text)
      if (text.startsWith(step)) hear('SIGINT')
    },
    endBy: onEnded,
    onStopSignal(listener) {
      hear = listener
      return () => (hear = () => {})
    },
  })
  return { host, remarked }
}

test('a second signal ends it at once, also where there is no step to stop at', async () => {
  const file = join(root, 'ended.db')
  await run(source, ['backup', file])
  const ended: string[] = []
  const { host } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: source },
    randomBytes,
    openStore: (settings) => openStore({ databaseUrl: null, dataDirectory: settings.dataDir, clock: systemClock }),
    endBy: (signal) => void ended.push(signal),
    onStopSignal(listener) {
      if (ended.length > 0) return () => {}
      listener('SIGINT')
      listener('SIGTERM')
      return () => {}
    },
  })
  await runCommandLine(['restore', file, '--rehearse'], host)
  expect(ended[0]).toBe('SIGTERM')
})

test('only the newest are kept, and files with other names are left alone', async () => {
  const directory = await mkdtemp(join(root, 'kept-'))
  const times = [0, 1, 2, 3].map((day) => NOON + day * 86_400_000)
  const draft = join(directory, 'tollgate-x.db.part-0123456789ab')
  for (const name of [...times.map(backupName), 'mine.db', 'tollgate-of-mine.db'])
    await writeFile(join(directory, name), '')
  await writeFile(draft, '')
  await utimes(draft, 0, 0)
  await deleteOldBackups(directory, 2, times[3] ?? 0)
  expect((await listBackups(directory)).map(({ madeAt }) => madeAt)).toEqual([times[3], times[2]])
  expect((await readdir(directory)).filter((name) => !name.includes('T12-00'))).toEqual([
    'mine.db',
    'tollgate-of-mine.db',
  ])
})

/** A schedule by a clock in the test's hand, and how often it tried. */
function scheduleByHand(directory: string, dataDir: string) {
  let now = NOON
  let tries = 0
  const schedule = new BackupSchedule({
    directory,
    settings: { backupEvery: 24, backupKeep: 3, backupPassphrase: null, secret: null, dataDir },
    clock: { now: () => now, elapsed: () => now },
    log: createLogger('silent'),
    randomBytes: (count) => {
      tries++
      return randomBytes(count)
    },
  })
  const after = async (minutes: number) => {
    now += minutes * 60_000
    await schedule.look()
    return { tries, backups: (await listBackups(directory)).length }
  }
  return after
}

test('the gateway makes one when it is due, by the newest that is there, and keeps so many', async () => {
  const after = scheduleByHand(join(root, 'schedule'), source)
  const counts: number[] = []
  for (const hours of [0, 1, 22, 1, 24, 24, 24]) counts.push((await after(hours * 60)).backups)
  expect(counts).toEqual([1, 1, 1, 2, 3, 3, 3])
})

test('one that fails is tried again in ten minutes, and leaves nothing behind', async () => {
  const directory = join(root, 'failing')
  const after = scheduleByHand(directory, join(root, 'no-such-data'))
  expect(await after(0)).toEqual({ tries: 1, backups: 0 })
  expect(await after(9)).toMatchObject({ tries: 1 })
  expect(await after(1)).toMatchObject({ tries: 2 })
  expect(await after(60)).toEqual({ tries: 3, backups: 0 })
  expect(await readdir(directory)).toEqual([])
})
