import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  gatewayEnvironment,
  type GatewayProcess,
  LAUNCHER,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'
import { temporaryDirectory, testPostgres } from '../support/test-servers.ts'

/*
 * While nodes are upgraded one by one, an older version serves beside a newer one that has changed the tables. The older one is
 * this commit of the history, the release 0.1.0: moved forward with every release. A clone without history (`git clone --depth 1`) does not have it, and the test is skipped and says so.
 */
const OLDER = 'a2df6cfe'
const ROOT = join(import.meta.dirname, '..', '..')
const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const KEY = /sk-tg-\w{46}/

function hasOlder(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${OLDER}^{commit}`], { cwd: ROOT, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const isHere = hasOlder()
const title = isHere ? '' : ` (skipped: the history of this clone has no ${OLDER}; fetch it with git fetch --unshallow)`

let older: GatewayProcess
let newer: GatewayProcess
let environment: Readonly<Record<string, string>>
let key: string

beforeAll(async () => {
  if (!isHere) return
  const sources = await temporaryDirectory()
  const packed = execFileSync('git', ['archive', OLDER], { cwd: ROOT, maxBuffer: 256 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', sources], { input: packed })
  // What it depends on has not changed in a way that it would notice; when that is so, OLDER is too old.
  await symlink(join(ROOT, 'node_modules'), join(sources, 'node_modules'))
  environment = gatewayEnvironment(await temporaryDirectory(), {
    DATABASE_URL: (await testPostgres()).url,
    TOLLGATE_SECRET: 'a-secret-that-is-only-for-tests-of-32-bytes',
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
  })
  const command = [process.execPath, join(sources, 'bin', 'tollgate.js')]
  older = await startGatewayProcess(known(environment), { command, cwd: sources, until: KEY })
  key = KEY.exec(older.printed())?.[0] ?? ''
  newer = await startGatewayProcess(environment, { command: [process.execPath, LAUNCHER] })
})
afterAll(() => Promise.all(isHere ? [older.stop(), newer.stop()] : []))

/** A version refuses to start with a variable that it does not know. */
function known({ TOLLGATE_SHUTDOWN_DELAY_MS: _newer, ...others }: Readonly<Record<string, string>>) {
  return others
}

const ask = (gateway: GatewayProcess, secret: string) =>
  fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  })

async function admin(gateway: GatewayProcess, call: string, body?: object) {
  const [method = '', path = ''] = call.split(' ')
  const response = await fetch(`${gateway.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? null : await response.json()
}

test.skipIf(!isHere)(`an older and a newer version serve one PostgreSQL side by side${title}`, async () => {
  const rounds = Array.from({ length: 20 }, () => [older, newer]).flat()
  const statuses = await Promise.all(rounds.map(async (gateway) => (await ask(gateway, key)).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const { data: usage } = (await admin(newer, 'GET /api/usage?account_id=*&limit=100')) as { data: unknown[] }
  expect(usage).toHaveLength(rounds.length)
  expect(await runTollgate(environment, ['check-ledger'])).toMatchObject({ code: 0 })
})

test.skipIf(!isHere)(
  `a key that one of them makes the other serves, and what one revokes the other refuses${title}`,
  async () => {
    const { data } = (await admin(older, 'GET /api/accounts')) as {
      data: readonly { id: string; balance: string }[]
    }
    const account_id = data[0]?.id
    for (const [maker, other] of [
      [older, newer],
      [newer, older],
    ] as const) {
      const made = (await admin(maker, 'POST /api/keys', { name: 'passing', group: 'default', account_id })) as {
        secret: string
        key: { id: string }
      }
      expect((await ask(other, made.secret)).status).toBe(200)
      expect((await ask(maker, made.secret)).status).toBe(200)
      await admin(maker, `DELETE /api/keys/${made.key.id}`)
      expect((await ask(other, made.secret)).status).toBe(401)
    }
    expect(await runTollgate(environment, ['check-ledger'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok: /),
    })
  },
)

test.skipIf(!isHere)(
  `both go on when the newer one makes usage records a table of days, and both write into it${title}`,
  async () => {
    const statuses: number[] = []
    const asking = new AbortController()
    const load = (async () => {
      while (!asking.signal.aborted) {
        statuses.push(...(await Promise.all([older, newer].map(async (gateway) => (await ask(gateway, key)).status))))
      }
    })()
    const periods = { TOLLGATE_KEEP_USAGE_DAYS: '30', TOLLGATE_ARCHIVE_DIR: await temporaryDirectory() }
    expect(await runTollgate({ ...environment, ...periods }, ['retention'])).toMatchObject({ code: 0 })
    const after = await Promise.all([older, newer].map(async (gateway) => (await ask(gateway, key)).status))
    asking.abort()
    await load
    expect(new Set([...statuses, ...after])).toEqual(new Set([200]))
    const client = new pg.Client({ connectionString: environment['DATABASE_URL'] })
    await client.connect()
    const { rows } = await client.query(`select relkind from pg_class where oid = 'usage_records'::regclass`)
    await client.end()
    expect(rows).toEqual([{ relkind: 'p' }])
    expect(await runTollgate(environment, ['check-ledger'])).toMatchObject({ code: 0 })
  },
)
