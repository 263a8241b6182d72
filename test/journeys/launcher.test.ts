import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../support/test-servers.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { LAUNCHER, READY_WITHIN_MS } from '../support/gateway-process.ts'
import { longTest } from '../support/run/long-test.ts'

/** A Node that is not the pinned one, as the system's would be. */
let otherNode = ''
beforeAll(async () => {
  otherNode = join(await temporaryDirectory(), 'node')
  await copyFile(process.execPath, otherNode)
})
const withoutExecve = ['--import', 'data:text/javascript,process.execve=undefined']

test('the launcher replaces itself with the pinned Node: the process stays the same one', async () => {
  const gateway = await startGateway(await freshEnvironment(), { command: [otherNode, LAUNCHER] })
  expect(await readFile(`/proc/${gateway.processId}/cmdline`, 'utf8')).not.toContain(otherNode)
  expect(await gateway.stop()).toBe(0)
})

test('the launcher where it cannot, passes signals and the exit code on', async () => {
  const gateway = await startGateway(await freshEnvironment(), { command: [otherNode, ...withoutExecve, LAUNCHER] })
  expect(await readFile(`/proc/${gateway.processId}/cmdline`, 'utf8')).toContain(otherNode)
  expect(await gateway.stop()).toBe(0)
  expect(gateway.printed()).toContain('"msg":"stopped"')
  const failed = spawn(otherNode, [...withoutExecve, LAUNCHER, 'frobnicate'], { stdio: 'ignore' })
  expect((await once(failed, 'exit'))[0]).toBe(2)
})

test('the launcher takes the gateway with it when it is killed', async () => {
  const gateway = await startGateway(await freshEnvironment(), { command: [otherNode, ...withoutExecve, LAUNCHER] })
  await gateway.kill()
  const isGone = () =>
    fetch(`${gateway.origin}/healthz`).then(
      () => false,
      () => true,
    )
  await expect.poll(isGone).toBe(true)
})

test('the launcher ends the gateway when the shell that npm put before it is gone', async () => {
  const environment = await freshEnvironment({ npm_command: 'start' })
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${LAUNCHER}" start; true`], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await expect.poll(() => printed, { timeout: READY_WITHIN_MS }).toContain('"msg":"ready"')
  shell.kill('SIGTERM')
  await expect.poll(() => printed, { timeout: READY_WITHIN_MS }).toContain('"msg":"stopped"')
})

longTest(
  'a gateway begins with the settings of memory, however it was started, and keeps what was set by hand',
  async () => {
    const pinned = [process.execPath, LAUNCHER]
    for (const command of [pinned, [otherNode, LAUNCHER], [otherNode, ...withoutExecve, LAUNCHER]]) {
      const gateway = await startGateway(await freshEnvironment(), { command })
      const serving = await servingProcess(gateway.processId)
      expect(await readFile(`/proc/${serving}/cmdline`, 'utf8')).toContain('--max-semi-space-size=8')
      expect(await readFile(`/proc/${serving}/environ`, 'utf8')).toContain('MALLOC_ARENA_MAX=1\0')
      expect(await gateway.stop()).toBe(0)
    }
    const environment = await freshEnvironment({ MALLOC_ARENA_MAX: '3', NODE_OPTIONS: '--max-semi-space-size=4' })
    const gateway = await startGateway(environment, { command: pinned })
    expect(await readFile(`/proc/${gateway.processId}/cmdline`, 'utf8')).not.toContain('semi-space')
    expect(await readFile(`/proc/${gateway.processId}/environ`, 'utf8')).toContain('MALLOC_ARENA_MAX=3\0')
    expect(await gateway.stop()).toBe(0)
  },
)

/** The process itself, or the one that a launcher which cannot be replaced has started. */
async function servingProcess(processId: number): Promise<number> {
  const children = await readFile(`/proc/${processId}/task/${processId}/children`, 'utf8')
  const [child] = children.trim().split(' ')
  return child === undefined || child === '' ? processId : Number(child)
}
