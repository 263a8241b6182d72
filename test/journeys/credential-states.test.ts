import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sealer } from '../../src/core/secret-box.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { migratedPostgres, type TestDatabase } from '../support/test-servers.ts'

// Two nodes on one database: what one of them, or a person, knows of a credential holds for both.

const ADMIN_TOKEN = randomUUID()
const SECRET = 'sk-of-the-pool'

let database: TestDatabase
let nodes: readonly [GatewayUnderTest, GatewayUnderTest]
let upstream: ScriptedUpstream
let key: string
let path: string
let isRefused = false

beforeAll(async () => {
  database = await migratedPostgres()
  const environment = { DATABASE_URL: database.url, TOLLGATE_SECRET: TEST_SECRET, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }
  const first = await gatewayUnderTest({ environment })
  nodes = [first, await gatewayUnderTest({ environment })]
  key = (await first.key(await first.account({ balance: '100' }))).secret
  upstream = await scriptedUpstream((request, response) => {
    request.resume()
    // A list that anyone gets would prove nothing.
    const isTaken = !isRefused && request.headers.authorization === `Bearer ${SECRET}`
    response.writeHead(isTaken ? 200 : 401, { 'content-type': 'application/json' })
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
    const answer = request.method === 'GET' ? { object: 'list', data: [{ id: 'm' }] } : { id: 'x', choices, usage }
    response.end(JSON.stringify(!isTaken ? { error: { message: `No, ${SECRET} was revoked.` } } : answer))
  })
  const credentials = [unlimitedCredential(sealer(TEST_SECRET).seal(SECRET), 'the one')]
  await putModelOf(first.store, { name: 'pooled', targets: [{ port: upstream.port, settings: { credentials } }] })
  const id = (await first.store.catalog.upstreams()).find(({ name }) => name === 'pooled-0')?.id ?? ''
  path = `/api/upstreams/${id}/credentials`
  const isKnown = async (node: GatewayUnderTest) => (await stateAt(node)) === 'healthy' && (await serves(node))
  for (const node of nodes) await vi.waitUntil(() => isKnown(node), { timeout: PATIENCE_MS })
})
afterAll(async () => {
  upstream.close()
  for (const node of nodes) await node.close()
  await database.drop()
})

async function api(node: GatewayUnderTest, call: string, body?: object) {
  const [method = '', of = ''] = call.split(' ')
  const response = await fetch(node.origin + of, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(text).not.toContain(SECRET)
  return { status: response.status, body: JSON.parse(text) }
}

async function stateAt(node: GatewayUnderTest): Promise<string | undefined> {
  return (await api(node, `GET ${path}`)).body.data?.[0]?.state
}

/** Whether the node's own copy of the catalogue has the model. */
async function serves(node: GatewayUnderTest): Promise<boolean> {
  const response = await fetch(`${node.origin}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  return (await response.text()).includes('"pooled"')
}

const patch = (node: GatewayUnderTest, body: object) => api(node, `PATCH ${path}/the%20one`, body)

async function ask(node: GatewayUnderTest): Promise<number> {
  const response = await fetch(`${node.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'pooled', messages: [{ role: 'user', content: 'hello' }] }),
  })
  await response.text()
  return response.status
}

describe('the state of a credential', () => {
  test('that one node finds refused is held by the other, which does not ask the provider', async () => {
    isRefused = true
    expect(await ask(nodes[0])).toBe(502)
    await expect.poll(() => stateAt(nodes[1]), { timeout: PATIENCE_MS }).toBe('held')
    const [held] = (await api(nodes[1], `GET ${path}`)).body.data
    expect(held).toMatchObject({
      name: 'the one',
      reason: 'credential',
      in_flight: 0,
      said: 'No, (credential removed) was revoked.',
    })
    expect(Date.parse(held.until)).toBeGreaterThan(Date.now())
    const asked = upstream.asked
    expect(await ask(nodes[1])).toBe(502)
    expect(upstream.asked).toBe(asked)
    const records = (await api(nodes[0], 'GET /api/usage?account_id=*&fault=any')).body.data
    // That of the request which was not sent may be there as well.
    const failed = records.find(({ attempts }: { readonly attempts: readonly unknown[] }) => attempts.length > 0)
    expect(failed.attempts).toMatchObject([{ status: 401, said: 'No, (credential removed) was revoked.' }])
  })

  test('is released by hand on both, and by an answer to a test', async () => {
    isRefused = false
    expect((await patch(nodes[1], { held: false })).body).toMatchObject({ state: 'healthy' })
    expect(await stateAt(nodes[0])).toBe('healthy')
    expect(await ask(nodes[0])).toBe(200)
    isRefused = true
    await ask(nodes[1])
    await expect.poll(() => stateAt(nodes[0]), { timeout: PATIENCE_MS }).toBe('held')
    isRefused = false
    expect((await api(nodes[0], `POST ${path.replace('/credentials', '/test')}`)).body).toMatchObject({ ok: true })
    await expect.poll(() => stateAt(nodes[1]), { timeout: PATIENCE_MS }).toBe('healthy')
  })

  test('that a person disabled is disabled on both when the answer comes, until it is enabled', async () => {
    expect((await patch(nodes[0], { disabled: true })).body).toMatchObject({ state: 'disabled' })
    const asked = upstream.asked
    expect(await ask(nodes[1])).toBe(502)
    expect((await patch(nodes[1], { held: false })).body).toMatchObject({ state: 'disabled' })
    expect(upstream.asked).toBe(asked)
    expect((await patch(nodes[1], { disabled: false })).body).toMatchObject({ state: 'healthy' })
    expect(await ask(nodes[0])).toBe(200)
  })

  test('and what was learned of its models are forgotten on both with the protocol that was wrong', async () => {
    const { catalog } = nodes[0].store
    const upstreamId = path.split('/')[3] ?? ''
    const speak = (protocol: string) => api(nodes[0], `PATCH /api/upstreams/${upstreamId}`, { protocol })
    // The provider takes its credential as a bearer token alone.
    expect((await speak('anthropic')).body).toMatchObject({ protocol: 'anthropic' })
    expect(await ask(nodes[0])).toBe(502)
    await expect.poll(() => stateAt(nodes[1]), { timeout: PATIENCE_MS }).toBe('held')
    await catalog.noteLimit({ upstreamId, model: 'm', verdict: 'ignores' })
    expect((await speak('openai-chat')).body).toMatchObject({ protocol: 'openai-chat' })
    expect([await stateAt(nodes[0]), await stateAt(nodes[1])]).toEqual(['healthy', 'healthy'])
    expect([await ask(nodes[0]), await ask(nodes[1])]).toEqual([200, 200])
    expect(await catalog.limitNotes()).toEqual([])
  })

  test('of no credential is found under another name', async () => {
    expect((await api(nodes[0], `PATCH ${path}/other`, { disabled: true })).status).toBe(404)
  })
})
