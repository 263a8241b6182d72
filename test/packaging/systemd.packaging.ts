import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LAUNCHER } from '../support/gateway-process.ts'
import { needTools, runTool } from './run-tool.ts'

const UNIT = join(import.meta.dirname, '..', '..', 'packaging', 'systemd', 'tollgate.service')
const DROP_IN = join(import.meta.dirname, '..', '..', 'packaging', 'systemd', 'postgres.conf')
/** The exposure that systemd may find: it says 0 for a unit that may do nothing and 10 for one that may do all. */
const WORST_EXPOSURE = '20'

let folder = ''
let unit = ''
beforeAll(async () => {
  await needTools({ 'systemd-analyze': 'systemd', setpriv: 'util-linux' })
  folder = await mkdtemp('/var/tmp/tollgate-unit-')
  await chmod(folder, 0o755)
  unit = await readFile(UNIT, 'utf8')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The unit with a program that is there. */
async function unitHere(more = ''): Promise<string> {
  const path = join(folder, 'tollgate.service')
  expect(unit).toContain('\nExecStart=/usr/local/bin/tollgate start\n')
  await writeFile(path, unit.replace('/usr/local/bin/tollgate', '/bin/true') + more)
  return path
}

test('systemd finds nothing wrong with the unit, alone and with the drop-in for PostgreSQL', async () => {
  for (const more of ['', await readFile(DROP_IN, 'utf8')]) {
    const { stdout, stderr } = await runTool('systemd-analyze', 'verify', '--man=no', await unitHere(more))
    expect(stdout + stderr).toBe('')
  }
})

test('systemd says that the unit exposes next to nothing', async () => {
  const check = ['security', '--offline=true', `--threshold=${WORST_EXPOSURE}`, await unitHere()]
  const { stdout } = await runTool('systemd-analyze', ...check)
  const [line = ''] = /Overall exposure level.*/.exec(stdout) ?? []
  console.log(line)
  expect(line).toMatch(/ [01]\.\d /)
})

test('a user of its own, with no rights, starts it by the environment and the credential of the unit', async () => {
  const paths = { '%S': join(folder, 'state'), '%d': join(folder, 'credentials') }
  const user = 23_456
  for (const path of [join(paths['%S'], 'tollgate'), paths['%d']]) {
    await mkdir(path, { recursive: true, mode: 0o755 })
    await chown(path, user, user)
  }
  const secret = join(paths['%d'], 'secret')
  await writeFile(secret, 'a-secret-of-this-test-and-of-nothing-else\n', { mode: 0o400 })
  await chown(secret, user, user)
  const lines = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '))
  const environment = lines.map((line) => line.replace('%S', paths['%S']).replace('%d', paths['%d']))
  const who = [
    '--reuid',
    String(user),
    '--regid',
    String(user),
    '--clear-groups',
    '--bounding-set=-all',
    '--no-new-privs',
  ]
  const child = spawn('setpriv', [...who, process.execPath, LAUNCHER, 'start'], {
    env: { PATH: process.env['PATH'], PORT: '0', ...Object.fromEntries(environment.map((line) => line.split('='))) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = once(child, 'close')
  await expect.poll(() => printed, { timeout: 60_000 }).toMatch(/^curl .*$/m)
  const answer = await runTool('sh', '-c', /^curl .*$/m.exec(printed)?.[0] ?? 'false')
  expect(answer.stdout).toContain('Hello, Tollgate')
  child.kill('SIGTERM')
  await ended
  expect(child.exitCode).toBe(0)
})
