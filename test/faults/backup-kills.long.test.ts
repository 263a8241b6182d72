import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  gatewayEnvironment,
  type GatewayProcess,
  LAUNCHER,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'

/*
 * Backups and restores that are killed from one instruction to the next, beside a gateway under load: what has the name of a
 * backup is one, and a directory that was half restored can be restored into.
 */

const KILLS = 3
const ROWS = 40_000
let root: string
let gateway: GatewayProcess
let environment: Readonly<Record<string, string>>
const over = new AbortController()
let load: Promise<number>

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tollgate-backup-kills-'))
  environment = gatewayEnvironment(join(root, 'data'))
  gateway = await startGatewayProcess(environment, { until: /sk-tg-\w{46}/ })
  enlarge(join(root, 'data', 'tollgate.db'))
  load = askOn(/sk-tg-\w{46}/.exec(gateway.printed())?.[0] ?? '')
})
afterAll(async () => {
  over.abort()
  await load
  await gateway.stop()
  await rm(root, { recursive: true, force: true })
})

/** Copying takes long enough to be killed in. The table is one that Litestream and the like leave: the gateway ignores it. */
function enlarge(path: string): void {
  const database = new DatabaseSync(path, { timeout: 10_000 })
  database.exec('create table _litestream_lock (id integer, text text); begin')
  const insert = database.prepare('insert into _litestream_lock values (?, ?)')
  for (let i = 0; i < ROWS; i++) insert.run(i, 'x'.repeat(1_000))
  database.exec('commit')
  database.close()
}

/** One request after the other until the tests are over; how many were answered. */
async function askOn(key: string): Promise<number> {
  let answered = 0
  while (!over.signal.aborted) {
    const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await response.arrayBuffer()
    if (response.status === 200) answered++
  }
  return answered
}

/** Kills the command as soon as it has made a file whose name matches in the directory. */
async function killedAt(args: readonly string[], directory: string, name: RegExp): Promise<void> {
  const before = await readdir(directory)
  const child = spawn(process.execPath, [LAUNCHER, ...args], { env: environment, stdio: 'ignore' })
  const gone = once(child, 'exit')
  while (!(await readdir(directory)).some((each) => name.test(each) && !before.includes(each))) {
    if (child.exitCode !== null) throw new Error(`the command ended by itself with ${child.exitCode}`)
  }
  child.kill('SIGKILL')
  await gone
}

test('a backup that is killed leaves no file that could be taken for one, and the next one is sound', async () => {
  const directory = await mkdtemp(join(root, 'backups-'))
  for (let kill = 0; kill < KILLS; kill++) await killedAt(['backup', directory], directory, /part-[0-9a-f]{12}$/)
  const left = await readdir(directory)
  expect(left.filter((name) => name.endsWith('.db'))).toEqual([])
  expect(left.length).toBeGreaterThanOrEqual(KILLS)
  const made = await runTollgate(environment, ['backup', directory])
  expect(made).toMatchObject({ code: 0 })
  const file = made.stdout.split(' (')[0] ?? ''
  const rehearsed = await runTollgate(environment, ['restore', file, '--rehearse'])
  expect(rehearsed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok: 1 account, \d+ ledger entries/) })
})

test('a restore that is killed has put nothing in place, and the next one into the same directory is whole', async () => {
  const file = join(root, 'one.db')
  expect(await runTollgate(environment, ['backup', file])).toMatchObject({ code: 0 })
  const directory = await mkdtemp(join(root, 'restored-'))
  for (let kill = 0; kill < KILLS; kill++) {
    await killedAt(['restore', file, '--into', directory], directory, /^\.restore-/)
    expect(await readdir(directory)).not.toContain('tollgate.db')
  }
  expect(await runTollgate(environment, ['restore', file, '--into', directory])).toMatchObject({ code: 0 })
  expect(await readdir(directory)).toEqual(['tollgate.db'])
  const proof = await runTollgate({ ...environment, TOLLGATE_DATA_DIR: directory }, ['check-ledger'])
  expect(proof).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok: /) })
})

test('the gateway went on meanwhile, and its books agree', async () => {
  over.abort()
  expect(await load).toBeGreaterThan(10)
  expect(await runTollgate(environment, ['check-ledger'])).toMatchObject({ code: 0 })
})
