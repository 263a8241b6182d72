/** Boots a Debian with systemd in a container of its own, and follows docs/installing.md there: the unit runs as it is shipped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packTollgate } from '../support/pack-tollgate.ts'
import { furnishRoot, makeRoot, ROOT_USER, spawnIn } from './debian-root.ts'
import { needTools, runTool } from './run-tool.ts'

const WAIT = { timeout: 120_000, interval: 250 }
const PACKAGE = '/opt/tollgate.tgz'
/** A port of this test alone: the container shares the network with the machine. */
const PORT = 18_787
const GUIDE = join(import.meta.dirname, '..', '..', 'docs', 'installing.md')

let folder = ''
let root = ''
let container: ChildProcess | null = null
/** The process id of its systemd, seen from here. */
let systemd = ''
beforeAll(async () => {
  if (process.getuid?.() !== 0) throw new Error('Booting a container needs root: run the packaging tests as root.')
  await needTools({ 'systemd-nspawn': 'systemd-container', nsenter: 'util-linux', pgrep: 'procps' })
  folder = await mkdtemp('/var/tmp/tollgate-boot-')
  root = join(folder, 'root')
  const archive = join(folder, 'root.tar')
  const source = await makeRoot(archive, ['systemd', 'systemd-sysv', 'dbus', 'openssl'])
  if (source !== 'mmdebstrap') throw new Error('A Debian with systemd could not be made: no mirror can be reached.')
  const [copy, packed] = [join(folder, 'copy'), join(folder, 'packed')]
  for (const path of [root, copy, packed]) await mkdir(path)
  await runTool('tar', '--extract', '--file', archive, '--directory', root)
  await furnishRoot(root)
  await copyFile(await packTollgate(copy, packed), join(root, PACKAGE))
  await install()
  const options = ['--directory', root, '--register=no', '--keep-unit', '--boot', '--console=pipe']
  container = spawn('systemd-nspawn', options, { stdio: 'ignore' })
})
afterAll(async () => {
  if (container !== null) {
    const ended = once(container, 'close')
    container.kill('SIGKILL')
    await ended
  }
  await rm(folder, { recursive: true, force: true })
})

async function install(): Promise<void> {
  const npm_config_registry = (await runTool('npm', 'config', 'get', 'registry')).stdout.trim()
  const command = ['npm', 'install', '--global', '--no-audit', '--no-fund', PACKAGE]
  const npm = spawnIn(root, { user: ROOT_USER, more: { npm_config_registry } }, command)
  let printed = ''
  npm.stderr?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const [code] = await once(npm, 'close')
  expect({ code, printed: code === 0 ? '' : printed }).toEqual({ code: 0, printed: '' })
}

async function booted(): Promise<void> {
  const child = () => runTool('pgrep', '--parent', String(container?.pid)).then(({ stdout }) => stdout.trim(), String)
  await expect.poll(child, WAIT).toMatch(/^\d+$/)
  systemd = await child()
  const state = () => inside('systemctl is-system-running || true')
  await expect.poll(state, WAIT).toMatch(/^(running|degraded)/)
}

/** What a command prints in the booted container; what went wrong where it fails. */
async function inside(script: string): Promise<string> {
  return runTool('nsenter', '--all', '--target', systemd, 'sh', '-c', script).then(
    ({ stdout }) => stdout.trim(),
    (failure: unknown) => String(failure),
  )
}

const journal = () => inside('journalctl --unit tollgate --output cat')
const property = (name: string) => inside(`systemctl show --property ${name} --value tollgate`)

/** The lines of the first block of code below a heading of the guide, without the installation from a registry. */
async function guide(): Promise<readonly string[]> {
  const text = await readFile(GUIDE, 'utf8')
  const section = text.slice(text.indexOf('\n## As a service of systemd'))
  const [, block = ''] = /```sh\n([^]*?)```/.exec(section) ?? []
  const lines = block.trim().split('\n')
  expect(lines[0]).toBe('npm install --global --prefix /usr/local tollgate')
  return lines.slice(1, -1)
}

test('the guide’s lines start the unit within its own sandbox, to a first answer', async () => {
  await booted()
  await inside(`printf 'PORT=${PORT}\\n' > /tmp/environment`)
  const [etc = '', ...others] = await guide()
  for (const line of [etc, 'cp /tmp/environment /etc/tollgate/environment', ...others]) {
    expect(await inside(`${line} 2>&1`)).not.toMatch(/fail|error/i)
  }
  await expect.poll(journal, WAIT).toMatch(/^curl .*$/m)
  const asks = /^curl .*$/m.exec(await journal())?.[0] ?? 'false'
  expect((await runTool('sh', '-c', asks)).stdout).toContain('Hello, Tollgate')

  const status = await inside(`cat /proc/${await property('MainPID')}/status`)
  expect(status).toMatch(/^CapBnd:\s+0+$/m)
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
  expect(status).toMatch(/^Seccomp:\s+2$/m)
  expect(status).not.toMatch(/^Uid:\s+0\s/m)
  expect(await inside('stat --format %a /var/lib/private/tollgate /var/lib/private/tollgate/tollgate.db')).toBe(
    '700\n600',
  )
})

test('a command on its data runs as the guide says, beside the service', async () => {
  const text = await readFile(GUIDE, 'utf8')
  const [command = ''] = /systemd-run --pipe[^`]*/.exec(text) ?? []
  expect(await inside(`${command} 2>/dev/null`)).toMatch(/http:.*\/console\//)
})

test('it is started again after it was killed, keeps its data, and ends well by SIGTERM', async () => {
  const first = await property('MainPID')
  await inside('systemctl kill --signal=KILL tollgate')
  await expect.poll(async () => (await property('NRestarts')) + (await property('ActiveState')), WAIT).toBe('1active')
  expect(await property('MainPID')).not.toBe(first)
  const ready = async () => (await journal()).match(/"msg":"ready"/g)?.length
  await expect.poll(ready, WAIT).toBe(2)
  expect((await journal()).match(/This is shown only once/g)).toHaveLength(1)
  await inside('systemctl stop tollgate')
  expect(await property('Result')).toBe('success')
  expect(await journal()).toContain('"msg":"stopped"')
})
