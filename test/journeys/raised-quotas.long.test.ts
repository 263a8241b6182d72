import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiKeyView } from '../../src/contract/keys.ts'
import { formatUsd, nanoUsd } from '../../src/core/money.ts'
import { newPlace, type Place } from '../conformance/store-under-test.ts'
import { gatewayEnvironment, type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scriptedUpstream, type ScriptedUpstream, well } from '../support/scripted-upstream.ts'

// Two gateway processes on one PostgreSQL: the quota of a key is raised for a while, and what it used then stays used.

const ADMIN_TOKEN = 'a'.repeat(40)
/** The cost of one request: two tokens. */
const COST_NANO = 10_000_000n
/** A quota of fifty requests; fewer are served, since what a request may cost has to fit. */
const QUOTA = '0.5'
/** The number of requests at each node, which together are more than the quota. */
const MORE_REQUESTS = 30

/** All that its model may write is held for each request, so its account has much. */
const file = (port: number) => `upstreams:
  - { name: scripted, protocol: openai, base_url: "http://127.0.0.1:${port}/v1" }
models:
  - { name: quick, price: { input: "5000", output: "5000" }, targets: [{ upstream: scripted, model: m }] }
groups:
  - { name: default, multiplier: "1", models: ["*"] }
accounts:
  - { email: ada@example.test, balance: "1000000" }
`

let place: Place
let upstream: ScriptedUpstream
let nodes: readonly GatewayProcess[] = []
beforeAll(async () => {
  ;[place, upstream] = await Promise.all([newPlace('postgres'), scriptedUpstream(well)])
  const path = join(place.directory, 'tollgate.yaml')
  await writeFile(path, file(upstream.port))
  const environment = gatewayEnvironment(place.directory, {
    TOLLGATE_CONFIG: path,
    TOLLGATE_DEMO: '0',
    TOLLGATE_SECRET: 'the same secret for both nodes of this test',
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    DATABASE_URL: place.databaseUrl ?? '',
  })
  // One after the other: the first applies the file.
  for (const _ of ['first', 'second']) nodes = [...nodes, await startGatewayProcess(environment)]
})
afterAll(async () => {
  upstream.close()
  await Promise.all(nodes.map((node) => node.kill()))
  await place.leave()
})

interface Answer {
  readonly data: readonly { readonly id: string; readonly email: string }[]
  readonly key: ApiKeyView
  readonly secret: string
}

async function administer(path: string, body?: object): Promise<Answer & ApiKeyView> {
  const answer = await fetch(`${nodes[0]?.origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(answer.status, path).toBeLessThan(300)
  return (await answer.json()) as Answer & ApiKeyView
}

/** `ok`, or the fault. */
async function outcome({ origin }: GatewayProcess, key: string): Promise<string> {
  const answer = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'quick', max_tokens: 1, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await answer.text()
  return answer.headers.get('x-tollgate-fault') ?? 'ok'
}

test('both nodes serve beyond the quota while it is raised, and neither does behind its end, when what was used stays used', async () => {
  const ada = (await administer('/api/accounts')).data.find(({ email }) => email === 'ada@example.test')
  const wish = { name: 'raised', group: 'default', quota_limit: QUOTA, account_id: ada?.id }
  const { key, secret } = await administer('/api/keys', wish)
  let served = 0
  const ask = async (node: GatewayProcess): Promise<string> => {
    const how = await outcome(node, secret)
    if (how === 'ok') served += 1
    return how
  }
  const usedUp = () =>
    Promise.all(nodes.map((node) => expect.poll(() => ask(node), { timeout: PATIENCE_MS }).toBe('key_quota_exhausted')))
  await usedUp()
  expect(served).toBeGreaterThan(0)
  const raise = (awayMs: number) => {
    const endsAt = new Date(Date.now() + awayMs).toISOString()
    return administer(`/api/keys/${key.id}/raise-quota`, { limit: '10', ends_at: endsAt })
  }
  expect(await raise(3_600_000)).toMatchObject({ quota_limit: '10', quota_raise: { limit: QUOTA } })
  for (const node of nodes) {
    // A refusal is remembered for a moment.
    await expect.poll(() => ask(node), { timeout: PATIENCE_MS }).toBe('ok')
    for (let nr = 0; nr < MORE_REQUESTS; nr++) expect(await ask(node)).toBe('ok')
  }
  // Another end, which is soon.
  await raise(1_000)
  const read = () => administer(`/api/keys/${key.id}`)
  await expect.poll(async () => (await read()).quota_raise, { timeout: PATIENCE_MS }).toBeNull()
  expect((await read()).quota_limit).toBe(QUOTA)
  await usedUp()
  const spent = formatUsd(nanoUsd(COST_NANO * BigInt(served)))
  await expect.poll(async () => (await read()).spent, { timeout: PATIENCE_MS }).toBe(spent)
  expect((await read()).status).toBe('quota_exhausted')
  const { data } = await administer(`/api/audit?subject=${key.id}&action=key.end_raise`)
  expect(data).toHaveLength(1)
  const store = await place.open()
  expect((await store.ledger.prove()).disagreements).toEqual([])
})
