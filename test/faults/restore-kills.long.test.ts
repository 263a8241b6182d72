import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatewayEnvironment, LAUNCHER, runTollgate, startGatewayProcess } from '../support/gateway-process.ts'

/*
 * A restore that is killed while it proves the books, and from one instruction to the next while it puts the copy in place: the
 * directory is as empty as before or whole, and the next restore, or the gateway, goes on from there.
 */

const KILL = new URL('../support/preload-kill.ts', import.meta.url)
const PROVING = 'says Proving the books'
/** A step of the proof. */
const PROVED = 'says ledger entries: '
let root: string
let file: string
let secret: string
/** The environment without a secret, which is in the backup. */
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tollgate-restore-kills-'))
  file = join(root, 'one.db')
  environment = gatewayEnvironment(join(root, 'data'), { TOLLGATE_BACKUP_PASSPHRASE: 'a phrase of many words' })
  const gateway = await startGatewayProcess(environment, { until: /sk-tg-\w{46}/ })
  await gateway.stop()
  secret = await readFile(join(root, 'data', 'secret'), 'utf8')
  expect(await runTollgate(environment, ['backup', file])).toMatchObject({ code: 0 })
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** What is in the directory after a restore that was killed at this point. */
async function leftAfter(directory: string, killBefore: string): Promise<readonly string[]> {
  const child = spawn(process.execPath, [LAUNCHER, 'restore', file, '--into', directory], {
    env: { ...environment, KILL_BEFORE: killBefore, NODE_OPTIONS: `--import ${KILL.href}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  await once(child, 'close')
  expect({ killBefore, signal: child.signalCode, said }).toMatchObject({ killBefore, signal: 'SIGKILL' })
  return readdir(directory)
}

const draftsIn = (names: readonly string[]) => names.filter((name) => name.startsWith('.restore-'))
const placedIn = (names: readonly string[]) => names.filter((name) => !name.startsWith('.restore-')).sort()

async function expectWhole(directory: string): Promise<void> {
  expect((await readdir(directory)).sort()).toEqual(['secret', 'tollgate.db'])
  expect(await readFile(join(directory, 'secret'), 'utf8')).toBe(secret)
  const proof = await runTollgate({ ...environment, TOLLGATE_DATA_DIR: directory }, ['check-ledger'])
  expect(proof).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok: 1 account/) })
}

test.for([
  ['as it begins to prove the books', () => PROVING, []],
  ['while it proves the books', () => PROVED, []],
  ['before the first rename', (directory: string) => `rename ${join(directory, 'secret')}`, []],
  ['between its renames', (directory: string) => `rename ${join(directory, 'tollgate.db')}`, ['secret']],
] as const)(
  'a restore that is killed %s has put no database in place, and the next one is whole',
  async ([, before, placed]) => {
    const directory = await mkdtemp(join(root, 'restored-'))
    const at = before(directory)
    for (let kill = 0; kill < 2; kill++) {
      // The second restore begins on what the first has left.
      const left = await leftAfter(directory, kill === 0 ? at : PROVING)
      expect({ at, placed: placedIn(left), drafts: draftsIn(left).length }).toEqual({ at, placed, drafts: 1 })
    }
    expect(await runTollgate(environment, ['restore', file, '--into', directory])).toMatchObject({ code: 0 })
    await expectWhole(directory)
  },
)

test('a restore that is killed behind its renames is whole, and another one overwrites nothing', async () => {
  const directory = await mkdtemp(join(root, 'restored-'))
  expect(placedIn(await leftAfter(directory, `chmod ${join(directory, 'tollgate.db')}`))).toEqual([
    'secret',
    'tollgate.db',
  ])
  const again = await runTollgate(environment, ['restore', file, '--into', directory])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing is overwritten') })
  const started = await startGatewayProcess({ ...environment, TOLLGATE_DATA_DIR: directory })
  await started.stop()
  const proof = await runTollgate({ ...environment, TOLLGATE_DATA_DIR: directory }, ['check-ledger'])
  expect(proof).toMatchObject({ code: 0 })
})
