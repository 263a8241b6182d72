import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeHistory } from '../../src/app/history/write-history.ts'
import type { ProductWithDatabase } from '../../src/import/import-plan.ts'
import { openSource } from '../../src/import/open-source.ts'
import { runCommandLine } from '../../src/app/cli/command-line.ts'
import { cliHostByHand } from '../support/cli-host-by-hand.ts'
import { runHere } from '../support/command-here.ts'
import { gatewayEnvironment, LAUNCHER } from '../support/gateway-process.ts'
import { makeNewApi, makeOneApi } from '../support/import-sources/new-api-source.ts'
import { insertRows, type SourceDatabase, sqliteSource } from '../support/import-sources/source-database.ts'
import { temporaryDirectory } from '../support/test-servers.ts'

let folder = ''
let archive = ''
let source: SourceDatabase
beforeEach(async () => {
  folder = await temporaryDirectory()
  archive = join(folder, 'archive')
  source = sqliteSource(join(folder, 'new-api.db'))
  await makeNewApi(source, { users: 3, passwordHash: 'h4sh' })
  await source.run('create table logs (id integer primary key, user_id integer, content text, quota integer)')
  await source.run('create table top_ups (id integer primary key, user_id integer, trade_no text, money real)')
  await source.run(`create table redemptions (id integer primary key, "key" text, status integer, quota integer)`)
  await source.run('create table abilities (model text)')
  await addLogs(1, 2_500)
  await insertRows(source, 'top_ups', [{ id: 1, user_id: 2, trade_no: 'order-1', money: 9.5 }])
  await insertRows(source, 'redemptions', [{ id: 1, key: 'c0de', status: 3, quota: 5 }])
})
afterEach(() => source.close())

async function addLogs(first: number, last: number): Promise<void> {
  const rows = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  await source.run('begin')
  await insertRows(
    source,
    'logs',
    rows.map((id) => ({ id, user_id: 1 + (id % 3), content: `call ${id}`, quota: id * 10 })),
  )
  await source.run('commit')
}

/** Files of a few rows, as a large source has them of many. */
async function write(rowsOfAFile = 1_000, product: ProductWithDatabase = 'new-api') {
  const reader = await openSource(source.url)
  try {
    return await writeHistory({
      source: reader,
      product,
      directory: archive,
      rowsOfAFile,
      onProgress: () => undefined,
    })
  } finally {
    await reader.close()
  }
}

interface Listed {
  readonly file: string
  readonly table: string
  readonly rows: number
  readonly sha256: string
}

/** The rows of a table, of the files that are listed, once their sums are found right. */
async function archived(table: string): Promise<readonly Record<string, string>[]> {
  const [, ...lines] = (await readFile(join(archive, 'history.ndjson'), 'utf8')).trimEnd().split('\n')
  const rows: Record<string, string>[] = []
  for (const listed of lines.map((line) => JSON.parse(line) as Listed)) {
    if (listed.table !== table) continue
    const bytes = await readFile(join(archive, listed.file))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(listed.sha256)
    const own = gunzipSync(bytes).toString().trimEnd().split('\n')
    expect(own).toHaveLength(listed.rows)
    rows.push(...own.map((line) => JSON.parse(line) as Record<string, string>))
  }
  return rows
}

const idsOf = (rows: readonly Record<string, string>[]) => rows.map(({ id }) => Number(id))
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

test('a signal ends a run at once with a sentence, and the next run has all of it', async () => {
  let hear: (signal: NodeJS.Signals) => void = () => {}
  const ended: string[] = []
  const said: string[] = []
  const { host } = cliHostByHand({
    remark(text) {
      said.push(text)
      if (text.startsWith('logs')) hear('SIGINT')
    },
    endBy: (signal) => void ended.push(signal),
    onStopSignal(listener) {
      hear = listener
      return () => (hear = () => {})
    },
  })
  await runCommandLine(['import', 'new-api', source.url, '--history', archive], host)
  expect([said.join(''), ended]).toEqual([
    expect.stringContaining('Stopped. The next run goes on behind the last file that is whole.\n'),
    ['SIGINT'],
  ])
  await runHere({}, ['import', 'new-api', source.url, '--history', archive])
  expect(await archived('logs')).toHaveLength(2_500)
})

test.for([
  ['no JSON', 'file,table,rows'],
  ['nothing', ''],
  ['JSON of something else', '{"table":"logs"}'],
  ['a number', '7'],
])(
  'a list with %s in it is refused in a sentence that names file and line, and nothing is touched',
  async ([, line]) => {
    await write()
    const list = join(archive, 'history.ndjson')
    const [head = '', first = '', ...rest] = (await readFile(list, 'utf8')).split('\n')
    const broken = [head, first, line, ...rest].join('\n')
    await writeFile(list, broken)
    const before = await readdir(archive)
    const { code, stderr } = await runHere({}, ['import', 'new-api', source.url, '--history', archive])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Line 3 of ${JSON.stringify(list)} is not what an import has written there: put the file back as it was, or name a new directory, into which all of the history is written again.\n`,
    })
    expect([await readdir(archive), await readFile(list, 'utf8')]).toEqual([before, broken])
  },
)

test('the history is archived row by row as it was, in files of so many rows, without what opens anything', async () => {
  expect(await write()).toEqual({ files: 6, rows: 2_505 })
  const logs = await archived('logs')
  expect(idsOf(logs)).toEqual(upTo(2_500))
  expect(logs[41]).toEqual({ id: '42', user_id: '1', content: 'call 42', quota: '420' })
  expect(await archived('top_ups')).toEqual([{ id: '1', user_id: '2', trade_no: 'order-1', money: '9.5' }])
  expect(await archived('redemptions')).toEqual([{ id: '1', status: '3', quota: '5' }])
  expect(await archived('users')).toMatchObject([{ id: '1', username: 'user1', used_quota: '0' }, {}, {}])
  const all = JSON.stringify([await archived('users'), await archived('redemptions')])
  expect(all).not.toMatch(/h4sh|c0de/)
})

test('of settings of sub2api the value of a secret is not written', async () => {
  await source.run('create table settings (id integer primary key, "key" text, value text)')
  await insertRows(source, 'settings', [
    { id: 1, key: 'site_name', value: 'Example' },
    { id: 2, key: 'smtp_password', value: 's3cret' },
  ])
  await write(1_000, 'sub2api')
  expect(await archived('settings')).toEqual([
    { id: '1', key: 'site_name', value: 'Example' },
    { id: '2', key: 'smtp_password', value: null },
  ])
})

test('a second run writes nothing, and one after the source has moved on what came since', async () => {
  await write()
  expect(await write()).toEqual({ files: 0, rows: 0 })
  await addLogs(2_501, 2_600)
  expect(await write()).toEqual({ files: 1, rows: 100 })
  expect(idsOf(await archived('logs'))).toEqual(upTo(2_600))
})

test('a list whose last line was cut short counts up to it, and the file of that line is written again', async () => {
  await write()
  const path = join(archive, 'history.ndjson')
  const text = await readFile(path, 'utf8')
  await truncate(path, text.length - 20)
  expect(await write()).toEqual({ files: 1, rows: 3 })
  expect(await archived('users')).toHaveLength(3)
})

test('the command archives, imports nothing, and refuses what does not belong together in one sentence', async () => {
  const environment = { TOLLGATE_DATA_DIR: join(folder, 'none') }
  const run = (...args: string[]) => runHere(environment, ['import', ...args])
  expect(await run('new-api', source.url, '--history', archive)).toMatchObject({
    code: 0,
    stdout: `2505 rows in 4 files in ${archive}.\n`,
    stderr: expect.stringContaining('logs: 2500 …'),
  })
  expect((await run('new-api', source.url, '--history', archive)).stdout).toBe('Nothing is new since the last run.\n')
  expect(existsSync(environment.TOLLGATE_DATA_DIR)).toBe(false)
  const other = sqliteSource(join(folder, 'one-api.db'))
  await makeOneApi(other, { users: 1, passwordHash: 'x', port: 9 })
  expect(await run('one-api', other.url, '--history', archive)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has another history: name a directory of its own'),
  })
  await other.close()
  expect((await run('new-api', source.url, '--history', archive, '--dry-run')).stderr).toContain('takes no --dry-run')
  expect((await run('litellm', 'config.yaml', '--history', archive)).stderr).toContain('--history reads a database')
})

test('an archive that is killed while it is written has every row once after the next run', async () => {
  await addLogs(2_501, 150_000)
  const args = ['import', 'new-api', source.url, '--history', archive]
  const environment = { ...gatewayEnvironment(folder), TOLLGATE_SECRET: 'x7'.repeat(16) }
  for (const seen of ['logs-000001.ndjson.gz.part', 'logs-000001.ndjson.gz', 'logs-000003.ndjson.gz.part']) {
    const child = spawn(process.execPath, [LAUNCHER, ...args], { env: environment, stdio: 'ignore' })
    const gone = once(child, 'exit')
    while (child.exitCode === null && !existsSync(join(archive, seen)))
      await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    await gone
  }
  expect((await runHere(environment, args)).code).toBe(0)
  expect(idsOf(await archived('logs'))).toEqual(upTo(150_000))
  expect((await readdir(archive)).filter((name) => name.endsWith('.part'))).toEqual([])
}, 120_000)
