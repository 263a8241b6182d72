import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cliHostByHand } from '../support/cli-host-by-hand.ts'
import { systemClock } from '../../src/core/clock.ts'
import { Database } from '../../src/store/engine/database.ts'
import { openStore } from '../../src/store/open-store.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { namesOf } from '../../src/store/migrations/migration.ts'
import { MIGRATIONS } from '../../src/store/migrations/migrations.ts'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import type { CliHost } from '../../src/app/cli/cli-host.ts'
import { runCommandLine } from '../../src/app/cli/command-line.ts'

const NOON = Date.parse('2026-11-23T12:00:00Z')
const COPY = 'before-upgrade-2026-11-23T12-00-00Z.db'
/** The steps that the older database has, and those that it lacks. */
const OLDER = namesOf(MIGRATIONS.slice(0, 1)).length
const LAST = MIGRATIONS.slice(1).map(({ name }) => name)

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-upgrade-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A database as 0.1.0 has left it. */
async function olderDatabase(): Promise<void> {
  const engine = await openSqlite(folder, () => {})
  await migrate(new Database(engine), 1, { steps: MIGRATIONS.slice(0, 1) })
  await engine.close()
}

const run = (...args: string[]) => runOn({}, ...args)

async function runOn(parts: Partial<CliHost>, ...args: string[]) {
  const { host, printed, remarked } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: folder },
    randomBytes,
    nowMs: () => NOON,
    openStore: ({ dataDir }, listeners) =>
      openStore({ databaseUrl: null, dataDirectory: dataDir, clock: systemClock, ...listeners }),
    ...parts,
  })
  const code = await runCommandLine(args, host)
  return { code, printed: printed.join(''), remarked: remarked.join('') }
}

function applied(file: string): readonly string[] {
  const database = new DatabaseSync(join(folder, file), { readOnly: true })
  const rows = database.prepare('select name from migrations order by name').all()
  database.close()
  return rows.map(({ name }) => String(name))
}

const copies = async () => (await readdir(folder)).filter((name) => name.startsWith('before-')).sort()

test('a database of an older version is copied as it was, and then changed', async () => {
  await olderDatabase()
  const { code, printed, remarked } = await run('migrate')
  expect([code, printed]).toEqual([0, 'The sqlite database is up to date.\n'])
  const steps = LAST.map((name, at) => `Changing the tables, step ${at + 1} of ${LAST.length}: ${name} …\n`)
  expect(remarked).toBe(`The database as it was before is in ${join(folder, COPY)}.\n${steps.join('')}`)
  expect(applied('tollgate.db')).toEqual(expect.arrayContaining(LAST))
  expect(applied(COPY)).toHaveLength(OLDER)
  expect((await stat(join(folder, COPY))).mode & 0o777).toBe(0o600)
})

test('neither a new database nor one of this version is copied, nor any with --no-copy', async () => {
  await run('migrate')
  await run('account', 'list')
  expect(await copies()).toEqual([])
  await rm(join(folder, 'tollgate.db'))
  await olderDatabase()
  expect((await run('migrate', '--no-copy')).remarked).not.toContain('as it was before')
  expect(await copies()).toEqual([])
  expect(applied('tollgate.db')).toEqual(expect.arrayContaining(LAST))
})

test('a signal ends the copy and leaves nothing of it, and ends a step at once; the next run does all of it', async () => {
  await olderDatabase()
  const grown = new DatabaseSync(join(folder, 'tollgate.db'))
  // Copies of some megabytes have steps between which a signal is heard.
  grown.exec('create table ballast (bytes blob)')
  for (let at = 0; at < 16; at++) grown.prepare('insert into ballast values (zeroblob(1000000))').run()
  grown.close()
  for (const step of ['Copying the database', 'Changing the tables, step 1']) {
    const listeners = new Set<(signal: NodeJS.Signals) => void>()
    const ended: string[] = []
    const endBy = (signal: string) => {
      ended.push(signal)
      // What a process of its own would do.
      throw new Error('ended')
    }
    const said: string[] = []
    await runOn(
      {
        endBy,
        remark(text) {
          said.push(text)
          if (text.startsWith(step)) for (const each of listeners) each('SIGTERM')
        },
        onStopSignal(listener) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      'migrate',
    ).catch(() => {})
    expect({ step, said: said.join(''), ended }).toMatchObject({
      said: expect.stringContaining('Stopped. The tables change as a whole or not at all'),
      ended: ['SIGTERM'],
    })
    expect(applied('tollgate.db')).toHaveLength(OLDER)
    expect((await readdir(folder)).filter((name) => name.includes('.part-'))).toEqual([])
  }
  expect((await run('migrate')).code).toBe(0)
  expect(applied('tollgate.db')).toEqual(expect.arrayContaining(LAST))
})

test('the three newest copies stay', async () => {
  const older = ['01', '02', '03'].map((day) => `before-upgrade-2026-01-${day}T00-00-00Z.db`)
  for (const name of [...older, 'before-mine.db']) await writeFile(join(folder, name), '')
  await olderDatabase()
  await run('migrate')
  expect(await copies()).toEqual(['before-mine.db', ...older.slice(1), COPY])
})

test('without room for the copy nothing is changed, and one sentence says what to do', async () => {
  await olderDatabase()
  const { host, remarked } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: folder },
    // The draft's name is the name of a file that is there.
    randomBytes: (count) => Buffer.alloc(count),
    nowMs: () => NOON,
  })
  await writeFile(join(folder, `${COPY}.part-000000000000`), '')
  expect(await runCommandLine(['migrate'], host)).toBe(1)
  expect(remarked.join('')).toMatch(/^The database in TOLLGATE_DATA_DIR, .*no copy of it can be made.*--no-copy.*\n$/)
  expect(applied('tollgate.db')).toHaveLength(OLDER)
})

test('migrate --check names each step with the tables and rows it meets, tries it on a copy, and changes nothing', async () => {
  await olderDatabase()
  const before = await readdir(folder)
  const { code, printed } = await run('migrate', '--check')
  expect(code).toBe(0)
  expect(printed).toMatch(new RegExp(`^${LAST.length} steps?, in one transaction:`))
  for (const name of LAST) expect(printed).toContain(`  ${name}: `)
  expect(printed).toMatch(/takes no writes meanwhile; on a copy of it that was \d+\.\d s\./)
  expect(applied('tollgate.db')).toHaveLength(OLDER)
  expect((await readdir(folder)).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(
    before.filter((name) => !/-(wal|shm)$/.test(name)),
  )
})

test('migrate --check of a database of this version says so, and of a newer one what to run', async () => {
  await run('migrate', '--no-copy')
  expect(await run('migrate', '--check')).toMatchObject({
    code: 0,
    printed: 'up to date: the sqlite database needs no step.\n',
  })
  const database = new DatabaseSync(join(folder, 'tollgate.db'))
  database.exec("insert into migrations values ('9999_later', 1)")
  database.close()
  const newer = await run('migrate', '--check')
  expect(newer.code).toBe(1)
  expect(newer.remarked).toMatch(/^The database was written by a newer version of Tollgate.*9999_later.*\n$/)
})

test('a database of a snapshot from before 0.1.0 is changed by 0.1.0 first, as one sentence says', async () => {
  await olderDatabase()
  const database = new DatabaseSync(join(folder, 'tollgate.db'))
  database.exec("delete from migrations where name >= '0058'")
  database.close()
  const refused = await run('migrate', '--no-copy')
  expect(refused.code).toBe(1)
  expect(refused.remarked).toMatch(/^The database .*before 0\.1\.0.*0058_listed_models.*start 0\.1\.0 on it first/)
  expect(applied('tollgate.db')).toHaveLength(OLDER - 2)
})
