import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { openStore } from '../../src/store/open-store.ts'
import { aSettlement } from '../conformance/store-fixtures.ts'
import {
  gatewayEnvironment,
  type GatewayProcess,
  LAUNCHER,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'

/*
 * Retention that is killed from one instruction to the next, beside a gateway under load: every record is in the books or in the
 * archive, none is in it twice, and the books agree.
 */

const DAYS = 4
const RECORDS_A_DAY = 700
const DAY_MS = 86_400_000
let root: string
let archive: string
let gateway: GatewayProcess
let environment: Readonly<Record<string, string>>
const over = new AbortController()
let load: Promise<number>

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tollgate-retention-kills-'))
  archive = join(root, 'archive')
  const periods = { TOLLGATE_KEEP_USAGE_DAYS: '30', TOLLGATE_ARCHIVE_DIR: archive }
  environment = gatewayEnvironment(join(root, 'data'), periods)
  gateway = await startGatewayProcess(environment, { until: /sk-tg-\w{46}/ })
  await writeOldRecords()
  load = askOn(/sk-tg-\w{46}/.exec(gateway.printed())?.[0] ?? '')
})
afterAll(async () => {
  over.abort()
  await load
  await gateway.stop()
  await rm(root, { recursive: true, force: true })
})

/** Past the gateway, which cannot be made to live a month in a test. */
async function writeOldRecords(): Promise<void> {
  const store = await openStore({ databaseUrl: null, dataDirectory: join(root, 'data'), clock: systemClock })
  const [account] = await store.accounts.list(1)
  const today = Math.floor(systemClock.now() / DAY_MS) * DAY_MS
  for (let day = 0; day < DAYS; day++) {
    const settlements = Array.from({ length: RECORDS_A_DAY }, (_, index) => {
      const createdAt = today - (40 + day) * DAY_MS + index * 60_000
      return aSettlement(account?.id ?? '', 3n, { record: { id: newId('req', createdAt), createdAt } })
    })
    await store.settlements.settle(settlements)
  }
  await store.close()
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

/** Kills a run as soon as the archive has one more such file than before; false: the run was over before. */
async function killedAt(name: RegExp): Promise<boolean> {
  const count = async () => (await filesOfArchive()).filter((each) => name.test(each)).length
  const before = await count()
  const child = spawn(process.execPath, [LAUNCHER, 'retention'], { env: environment, stdio: 'ignore' })
  const gone = once(child, 'exit')
  while ((await count()) <= before) if (child.exitCode !== null) return false
  child.kill('SIGKILL')
  await gone
  return true
}

async function filesOfArchive(): Promise<readonly string[]> {
  return readdir(archive).catch(() => [])
}

const proved = async (...flags: readonly string[]) => {
  expect(await runTollgate(environment, ['check-ledger', ...flags])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok: /),
  })
}

test('retention that is killed while it writes, and while it deletes, loses no record and writes none twice', async () => {
  for (const moment of [/\.part-[0-9a-f]{12}$/, /\.ndjson\.gz$/, /\.manifest\.json$/, /\.ndjson\.gz$/]) {
    expect(await killedAt(moment)).toBe(true)
    await proved()
  }
  await proved('--archive')
  expect(await runTollgate(environment, ['retention'])).toMatchObject({ code: 0 })
  expect(await runTollgate(environment, ['retention'])).toMatchObject({ stdout: 'Nothing is old enough.\n' })
  await proved()
  await proved('--archive')
  const ids = await archivedIds()
  expect(new Set(ids).size).toBe(DAYS * RECORDS_A_DAY)
  expect(ids).toHaveLength(DAYS * RECORDS_A_DAY)
})

test('the gateway went on meanwhile, and its books agree', async () => {
  over.abort()
  expect(await load).toBeGreaterThan(10)
  await proved()
})

/** The ids in every file that has a manifest: others are leftovers. */
async function archivedIds(): Promise<readonly string[]> {
  const names = await filesOfArchive()
  const whole = names.filter(
    (name) => name.endsWith('.gz') && names.includes(name.replace('.ndjson.gz', '.manifest.json')),
  )
  const texts = await Promise.all(whole.map((name) => readFile(join(archive, name))))
  return texts.flatMap((packed) =>
    gunzipSync(packed)
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id),
  )
}
