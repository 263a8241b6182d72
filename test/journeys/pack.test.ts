import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../support/test-servers.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const NPM_MS = 240_000
const START_MS = 60_000

test(
  'the packed package starts with npx in an empty directory and answers the curl line that it prints',
  { timeout: 300_000 },
  async () => {
    const packed = await temporaryDirectory()
    const empty = await temporaryDirectory()
    await run('npm', ['pack', '--pack-destination', packed], { cwd: await checkoutBeside(), timeout: NPM_MS })
    const [tarball] = await readdir(packed)
    expect(tarball).toMatch(/^tollgate-\d+\.\d+\.\d+\.tgz$/)
    await run(
      'npm',
      [
        'install',
        '--no-save',
        '--omit=dev',
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
        join(packed, tarball ?? ''),
      ],
      {
        cwd: empty,
        timeout: NPM_MS,
      },
    )

    const gateway = spawn('npx', ['--no-install', 'tollgate', 'start'], {
      cwd: empty,
      env: { PATH: process.env['PATH'], HOME: empty, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    onTestFinished(() => stop(gateway))
    const printed = await printedUntil(gateway, /curl[\s\S]*?'\s*$/m)
    const { stdout } = await run('bash', ['-c', curlLine(printed)], { timeout: START_MS })
    expect(stdout).toContain('"object"')
    expect(await readdir(empty)).toContain('data')
  },
)

/** A copy of this checkout: packing empties `dist` and fills it again, and other tests have gateways that serve from it. */
async function checkoutBeside(): Promise<string> {
  const copy = await temporaryDirectory()
  const left = await readdir(ROOT)
  for (const name of left.filter((each) => !LEFT_OUT.has(each))) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

const LEFT_OUT = new Set(['.git', 'data', 'dist', 'node_modules'])

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
  if (child.pid === undefined || child.exitCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await gone
}
