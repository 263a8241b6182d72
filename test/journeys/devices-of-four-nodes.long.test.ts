import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'
import { signIn } from '../browser/place.ts'
import { type GatewayProcess, gatewayEnvironment, startGatewayProcess } from '../support/gateway-process.ts'
import { temporaryDirectory, testPostgres, testRedis } from '../support/test-servers.ts'

// A device of four processes on PostgreSQL and Redis: any of them does any step, and its end on one is its end on all.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const ADA = { email: 'ada@example.test', password: 'correct horse battery staple' }
const SHORT = 'short'
const STALLS = 'stalls'

const parts = new AsyncDisposableStack()
const nodes: GatewayProcess[] = []
let cookie: string
let accountId: string

beforeAll(async () => {
  const upstream = parts.adopt(await startFakeUpstream(), (one) => one.close())
  const database = parts.adopt(await testPostgres(), (one) => one.drop())
  const file = join(await temporaryDirectory(), 'tollgate.yaml')
  // JSON is YAML.
  await writeFile(file, JSON.stringify(declaration(upstream)))
  for (let node = 0; node < 4; node++) {
    const environment = gatewayEnvironment(await temporaryDirectory(), {
      DATABASE_URL: database.url,
      REDIS_URL: (await testRedis()).url,
      TOLLGATE_SECRET: 'a secret of four nodes, 32 bytes and more',
      TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
      TOLLGATE_CONFIG: file,
      TOLLGATE_DEMO: '0',
    })
    nodes.push(parts.adopt(await startGatewayProcess(environment), async (one) => void (await one.stop())))
  }
  const cookies = await signIn(originOf(0), ADA)
  cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  accountId = (await asked(0, 'GET /api/me')).body.id
})
afterAll(() => parts.disposeAsync())

test('asked on the first, approved on the second, its tokens from the third, and good on all', async () => {
  const { token } = await newDevice()
  for (const node of nodes.keys()) expect((await call(node, token)).status).toBe(200)
})

test('signed out on one, it is refused by all before the call returns, and its streams on all are cut', async () => {
  const { id, token, refresh } = await newDevice()
  const streams = await openStreams(token)
  expect((await asked(3, `DELETE /api/devices/${id}`)).status).toBe(204)
  await expectRefused(token, refresh, 'This device was signed out at')
  for (const stream of streams) expect(await stream.cut).toContain('This device was signed out')
})

test('signed out by itself on one, it is refused by all', async () => {
  const { token, refresh } = await newDevice()
  const revoked = await fetch(`${originOf(1)}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token }) })
  expect(revoked.status).toBe(200)
  await expectRefused(token, refresh, 'This device was signed out at')
})

test('of an account that is disabled on one, it is refused by all before the call returns, and its streams are cut', async () => {
  const { token, refresh } = await newDevice()
  const streams = await openStreams(token)
  const setStatus = async (node: number, status: string) => {
    const who = { authorization: `Bearer ${ADMIN_TOKEN}` }
    expect((await asked(node, `PATCH /api/accounts/${accountId}`, { body: { status }, who })).status).toBe(200)
  }
  await setStatus(2, 'disabled')
  await expectRefused(token, refresh, 'The account that owns this signed-in device is disabled.')
  for (const stream of streams) expect(await stream.cut).toContain('is disabled')
  await setStatus(1, 'active')
  for (const node of nodes.keys()) expect((await call(node, token)).status).toBe(200)
})

function declaration({ url }: FakeUpstream): object {
  const target = (model: string) => [{ upstream: 'fake', model: `fake/${model}` }]
  const price = { input: '1', output: '2' }
  return {
    upstreams: [{ name: 'fake', protocol: 'anthropic', base_url: `${url}/v1`, credential: 'upstream-credential' }],
    models: [
      { name: SHORT, price, targets: target('fixed?chunks=2') },
      { name: STALLS, price, targets: target('stalls-mid-stream?hold_ms=120000') },
    ],
    groups: [{ name: 'default', multiplier: '1', models: ['*'] }],
    accounts: [{ ...ADA, balance: '100' }],
  }
}

function originOf(node: number): string {
  return nodes[node]?.origin ?? ''
}

// oxlint-disable-next-line typescript/no-explicit-any
type Answered = { readonly status: number; readonly body: any }

/** Asks the console's API of a node as Ada, or with other credentials. */
async function asked(
  node: number,
  what: string,
  { body, who }: { readonly body?: object; readonly who?: Record<string, string> } = {},
): Promise<Answered> {
  const [method = '', path = ''] = what.split(' ')
  const answer = await fetch(originOf(node) + path, {
    method,
    headers: {
      ...(who ?? { cookie, origin: originOf(node) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}

async function form(node: number, path: string, fields: Record<string, string>): Promise<Answered> {
  const answer = await fetch(originOf(node) + path, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: answer.status, body: await answer.json() }
}

async function newDevice(): Promise<{ readonly id: string; readonly token: string; readonly refresh: string }> {
  const { body: request } = await form(0, '/oauth/device_authorization', { client_name: 'a test' })
  const settings = { name: 'laptop', group: 'default' }
  const { body: device } = await asked(1, `POST /api/device-requests/${request.user_code}/approve`, { body: settings })
  const { body: tokens } = await form(2, '/oauth/token', { grant_type: GRANT, device_code: request.device_code })
  return { id: device.key.id, token: tokens.access_token, refresh: tokens.refresh_token }
}

function call(node: number, token: string, model = SHORT): Promise<Response> {
  return fetch(`${originOf(node)}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      model,
      max_tokens: 64,
      stream: model === STALLS,
      messages: [{ role: 'user', content: 'hi' }],
    }),
  })
}

/** A stream on each node that has begun; what is read of each until its connection is cut. */
async function openStreams(token: string): Promise<readonly { readonly cut: Promise<string> }[]> {
  return Promise.all(
    nodes.map(async (_, node) => {
      const reader = (await call(node, token, STALLS)).body?.getReader()
      let text = Buffer.from((await reader?.read())?.value ?? '').toString()
      const readOn = async (): Promise<string> => {
        try {
          for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
            text += Buffer.from(part.value).toString()
          }
        } catch {
          return text
        }
        throw new Error(`the stream came to its end:\n${text}`)
      }
      return { cut: readOn() }
    }),
  )
}

/** Each node refuses the token and its renewal, at once. */
async function expectRefused(token: string, refresh: string, sentence: string): Promise<void> {
  const answers = await Promise.all(nodes.map((_, node) => call(node, token)))
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([401, 'false'])
    expect(await answer.text()).toContain(sentence)
  }
  const fields = { grant_type: 'refresh_token', refresh_token: refresh }
  const renewals = await Promise.all(nodes.map((_, node) => form(node, '/oauth/token', fields)))
  expect(renewals.map(({ status, body }) => [status, body.error])).toEqual(nodes.map(() => [401, 'invalid_grant']))
}
