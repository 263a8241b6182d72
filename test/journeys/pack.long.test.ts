import { type ChildProcess, execFile, spawn, type SpawnOptions } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { packTollgate } from '../support/pack-tollgate.ts'
import { temporaryDirectory } from '../support/test-servers.ts'

const run = promisify(execFile)
const NPM_MS = 240_000
const START_MS = 60_000

test(
  'the packed package, installed for all, starts by npx and by its name wherever one is, with its data in the user’s data home',
  { timeout: 300_000 },
  async () => {
    const [packed, prefix] = [await temporaryDirectory(), await temporaryDirectory()]
    const [home, elsewhere] = [await temporaryDirectory(), await temporaryDirectory()]
    const tarball = await packTollgate(await temporaryDirectory(), packed)
    const flags = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--prefix', prefix]
    await run('npm', ['install', '--global', ...flags, tarball], {
      cwd: elsewhere,
      timeout: NPM_MS,
    })

    const env = { PATH: process.env['PATH'], HOME: home, PORT: '0', npm_config_prefix: prefix }
    const gateway = started('npx', ['--no-install', 'tollgate', 'start'], { cwd: elsewhere, env })
    const printed = await printedUntil(gateway, /curl[\s\S]*?'\s*$/m)
    const { stdout } = await run('bash', ['-c', curlLine(printed)], { timeout: START_MS })
    expect(stdout).toContain('"object"')
    const data = join(home, '.local', 'share', 'tollgate')
    expect(printed).toContain(`\nData and secret are kept in:\n  ${data}\n`)
    await stop(gateway)

    const again = started(join(prefix, 'bin', 'tollgate'), [], { cwd: home, env })
    expect(await printedUntil(again, /"ready"/)).toContain(`"dataDirectory":"${data}"`)
    await stop(again)
    expect(await readdir(elsewhere)).toEqual([])
    expect(await readdir(data)).toEqual(expect.arrayContaining(['secret', 'tollgate.db']))
  },
)

/** A process that is ended with its children when the test is over. */
function started(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  onTestFinished(() => stop(child))
  return child
}

/** The command as a person would copy it: from `curl` to the end of its last line. */
function curlLine(printed: string): string {
  const start = printed.indexOf('curl ')
  const lines = printed.slice(start).split('\n')
  const end = lines.findIndex((line) => !line.trimEnd().endsWith('\\'))
  return lines.slice(0, end + 1).join('\n')
}

async function printedUntil(child: ChildProcess, pattern: RegExp): Promise<string> {
  let printed = ''
  return await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not started in time; it printed: ${printed}`)), START_MS)
    const add = (chunk: Buffer) => {
      printed += chunk.toString()
      if (!pattern.test(printed)) return
      clearTimeout(timer)
      resolve(printed)
    }
    child.stdout?.on('data', add)
    child.stderr?.on('data', add)
    child.once('exit', (code) => reject(new Error(`it ended with ${code} and printed: ${printed}`)))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await gone
}
