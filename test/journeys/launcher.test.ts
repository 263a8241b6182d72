import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../support/test-servers.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { LAUNCHER, READY_WITHIN_MS } from '../support/gateway-process.ts'

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
