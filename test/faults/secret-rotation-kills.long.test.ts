import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealedTextsIn, sealer } from '../../src/core/secret-box.ts'
import {
  gatewayEnvironment,
  type GatewayProcess,
  LAUNCHER,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'

/* Another secret, beside a gateway that runs on: killed in the middle, and whole in the end. */

const UPSTREAMS = 2_000
const KILLS = 3
let root: string
let data: string
let gateway: GatewayProcess
let environment: Readonly<Record<string, string>>
let key: string
let old: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tollgate-rotation-'))
  data = join(root, 'data')
  environment = gatewayEnvironment(data)
  gateway = await startGatewayProcess(environment, { until: /sk-tg-\w{46}/ })
  key = /sk-tg-\w{46}/.exec(gateway.printed())?.[0] ?? ''
  old = await secretIn('secret')
  addUpstreams()
})
afterAll(async () => {
  await gateway.stop()
  await rm(root, { recursive: true, force: true })
})

const secretIn = async (name: string) => (await readFile(join(data, name), 'utf8')).trim()

function database(): DatabaseSync {
  return new DatabaseSync(join(data, 'tollgate.db'), { timeout: 10_000 })
}

/** So many that the work can be killed in the middle. */
function addUpstreams(): void {
  using file = database()
  const box = sealer(old)
  const insert =
    file.prepare(`insert into upstreams (id, name, protocol, base_url, credentials_json, headers_json, is_managed)
    values (?, ?, 'openai-chat', 'http://127.0.0.1:9/v1', ?, ?, 0)`)
  file.exec('begin')
  for (let i = 0; i < UPSTREAMS; i++) {
    const credentials = [
      { name: 'main', sealedSecret: box.seal(`sk-${i}`), weight: 1, sealedProxyUrl: box.seal('http://p') },
    ]
    insert.run(`ups_${i}`, `many-${i}`, JSON.stringify(credentials), JSON.stringify({ 'x-team': box.seal('blue') }))
  }
  file.exec('commit')
}

/** What is sealed, opened with this secret. Throws for what was sealed with another. */
function opened(secret: string): readonly string[] {
  using file = database()
  const rows = file
    .prepare(`select credentials_json || headers_json as sealed from upstreams where id like 'ups\\_%' escape '\\'`)
    .all()
  return rows.flatMap(({ sealed }) => [...sealedTextsIn(String(sealed))].map(([text]) => sealer(secret).open(text)))
}

function isRunning(): boolean {
  using file = database()
  return file.prepare(`select value from settings where name = 'secret_rotation'`).get()?.['value'] === 'running'
}

const answers = async () => {
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await response.arrayBuffer()
  return response.status
}

test('the secret is replaced while gateways run on, whatever is killed, and keys stay as they are', async () => {
  expect(await runTollgate(environment, ['secret', 'rotate'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^prepared: /),
  })
  const next = await secretIn('secret.next')
  expect(await runTollgate(environment, ['secret', 'rotate'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^These gateways were started before the next secret was there/m),
  })
  await gateway.stop()
  gateway = await startGatewayProcess(environment)
  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawn(process.execPath, [LAUNCHER, 'secret', 'rotate'], { env: environment, stdio: 'ignore' })
    const gone = once(child, 'exit')
    while (!isRunning() && child.exitCode === null) await pause(1)
    await pause(150 * kill)
    child.kill('SIGKILL')
    await gone
    expect(await answers()).toBe(200)
    // It was over before it was killed.
    if (!isRunning()) break
  }
  if (isRunning()) {
    expect(await runTollgate(environment, ['secret', 'rotate'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^rotated: /),
    })
  }
  expect([await secretIn('secret'), await secretIn('secret.previous')]).toEqual([next, old])
  expect(opened(next).filter((text) => text.startsWith('sk-'))).toHaveLength(UPSTREAMS)
  expect(() => opened(old)).toThrow('sealed with another secret')
  expect(await answers()).toBe(200)
  await gateway.stop()
  gateway = await startGatewayProcess(environment)
  expect(await answers()).toBe(200)
  expect(await runTollgate(environment, ['check-ledger'])).toMatchObject({ code: 0 })
})
