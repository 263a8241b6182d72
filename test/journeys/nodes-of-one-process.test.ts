import { afterAll, beforeAll, expect, test } from 'vitest'
import { SETUP_MARK_HEADER } from '../../src/access/setup-mark.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { testPostgres } from '../support/test-servers.ts'
import { PATIENCE_MS } from '../support/patience.ts'

// Two nodes of one process on one database. Changes by API across processes: bench/changes.

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
