import { afterAll, beforeAll, expect, test } from 'vitest'
import { SETUP_MARK_HEADER } from '../../src/access/setup-mark.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { testPostgres } from '../support/test-servers.ts'
import { PATIENCE_MS } from '../support/patience.ts'

// Two nodes of one process on one database. Changes by API across processes: changes-across-processes.long.test.ts.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
let database: Awaited<ReturnType<typeof testPostgres>>
let nodes: readonly GatewayUnderTest[]
beforeAll(async () => {
  database = await testPostgres()
  const environment = {
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    TOLLGATE_SECRET: 'x'.repeat(32),
    DATABASE_URL: database.url,
  }
  nodes = [await gatewayUnderTest({ environment }), await gatewayUnderTest({ environment })]
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await database.drop()
})

function one(): GatewayUnderTest {
  return nodes[0] ?? never()
}

function other(): GatewayUnderTest {
  return nodes[1] ?? never()
}

function never(): never {
  throw new Error('two nodes were started')
}

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(one().origin + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any }
}

test('a try without a key is seen on the page that its command was copied from, whichever node refused it', async () => {
  const account = await one().account()
  const { key } = await one().key(account)
  const { body: setup } = await ask('GET', `/api/keys/${key.id}/setup`)
  const refused = await fetch(`${other().origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [SETUP_MARK_HEADER]: setup.mark },
    body: '{}',
  })
  expect(refused.status).toBe(401)
  const tries = () => one().store.usage.firstSteps({ accountId: account.id, sinceMs: 0, limit: 5 })
  await expect.poll(tries, { timeout: PATIENCE_MS }).toMatchObject([{ keyId: key.id, fault: 'key_missing' }])
})

test('gateways of one process are several nodes, and each is waited for', async () => {
  expect(await one().store.nodes.all()).toHaveLength(nodes.length)
})

test('a capture that is begun at one node keeps what comes to the other, and of both together exactly 20 requests', async () => {
  await one().model('fake/echo?output=5')
  await ask('PATCH', '/api/settings', { capture_requests: true })
  const account = await one().account({ balance: '100' })
  const { key, secret } = await one().key(account)
  const call = async (node: GatewayUnderTest): Promise<void> => {
    const response = await fetch(`${node.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'fake/echo?output=5',
        max_tokens: 50,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    })
    expect(response.status).toBe(200)
    await response.text()
  }
  // Both know the key, as one that is not captured.
  for (const node of nodes) await call(node)
  expect((await ask('POST', `/api/keys/${key.id}/capture`)).status).toBe(201)
  await call(other())
  const kept = async () => (await ask('GET', `/api/keys/${key.id}/capture`)).body
  await expect.poll(kept, { timeout: PATIENCE_MS }).toMatchObject({ capture: { requests: 1, is_running: true } })
  await Promise.all(Array.from({ length: 30 }, (_, at) => call(at % 2 === 0 ? one() : other())))
  await expect.poll(kept, { timeout: PATIENCE_MS }).toMatchObject({ capture: { requests: 20, ended_because: 'count' } })
  expect((await kept()).data).toHaveLength(20)
})
