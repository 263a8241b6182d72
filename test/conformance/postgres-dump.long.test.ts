import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  gatewayEnvironment,
  type GatewayProcess,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'
import { postgresPrograms } from '../support/postgres-server.ts'
import { temporaryDirectory, testPostgres } from '../support/test-servers.ts'

/* A backup of PostgreSQL as docs/backups.md has it: pg_dump beside a gateway that serves, pg_restore, and the books proved. */

const run = promisify(execFile)
const KEY = /sk-tg-\w{46}/
const SECRET = { TOLLGATE_SECRET: 'a-secret-that-is-only-for-tests-of-32-bytes' }
const over = new AbortController()

let gateway: GatewayProcess
let key: string
let load: Promise<number>
let databaseUrl: string

beforeAll(async () => {
  databaseUrl = (await testPostgres()).url
  gateway = await startGatewayProcess(
    gatewayEnvironment(await temporaryDirectory(), { DATABASE_URL: databaseUrl, ...SECRET }),
    { until: KEY },
  )
  key = KEY.exec(gateway.printed())?.[0] ?? ''
  load = askOn()
})
afterAll(async () => {
  over.abort()
  await load
  await gateway.stop()
})

const ask = (origin: string) =>
  fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  })

async function askOn(): Promise<number> {
  let answered = 0
  while (!over.signal.aborted) {
    const response = await ask(gateway.origin)
    await response.arrayBuffer()
    if (response.status === 200) answered++
  }
  return answered
}

test('what pg_dump writes beside a gateway that serves is restored by pg_restore, proves its books, and is served', async () => {
  const programs = await postgresPrograms()
  const dump = join(await temporaryDirectory(), 'tollgate.dump')
  await run(join(programs, 'pg_dump'), ['--format=custom', `--file=${dump}`, databaseUrl])
  const { url } = await testPostgres()
  await run(join(programs, 'pg_restore'), ['--no-owner', '--exit-on-error', `--dbname=${url}`, dump])
  const environment = gatewayEnvironment(await temporaryDirectory(), { DATABASE_URL: url, ...SECRET })
  expect(await runTollgate(environment, ['check-ledger'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok: /),
  })
  const restored = await startGatewayProcess(environment)
  expect((await ask(restored.origin)).status).toBe(200)
  await restored.stop()
  expect(await runTollgate(environment, ['check-ledger'])).toMatchObject({ code: 0 })
})
