import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ConfigurationError } from '../../src/app/installation/environment.ts'
import { openMetricsPort } from '../../src/app/server/metrics/metrics-port.ts'
import { parseMultiplier } from '../../src/core/money.ts'
import { sealer } from '../../src/core/secret-box.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { scriptedUpstream, type ScriptedUpstream } from '../support/scripted-upstream.ts'
import { type Scrape, scrape } from '../support/scrape.ts'

// What a scrape says after real requests.

const ADMIN_TOKEN = 'an-admin-token-for-the-tests-of-metrics'
const WHOLE = 'fake/echo?input=40&output=10&cached=8'
const STREAM = 'fake/slow-chunks?chunks=4&delay_ms=50&input=5&output=6&first_delay_ms=300'
const OVERLOADED = 'fake/overloaded?tag=metrics'
/** Served in chats alone. */
const CHATS = 'fake/chats'
const METRICS_TOKEN = 'a-token-that-only-reads-the-metrics-of-tests'
const CANARIES = {
  agent: 'canary-agent',
  model: 'canary-model',
  text: 'canary-text',
  key: 'sk-tg-canarycanarycanarycanarycanarycanary00000000',
}

let gateway: GatewayUnderTest
let dead: ScriptedUpstream
let paid: ScriptedUpstream
let secret: string

beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_METRICS_TOKEN: METRICS_TOKEN } })
  for (const name of [WHOLE, STREAM, OVERLOADED]) await gateway.model(name, { protocols: ['openai'] })
  await gateway.model(CHATS, { protocols: ['anthropic'] })
  await putModelOf(gateway.store, { name: 'elsewhere', targets: [{ port: 1, more: { groupIds: ['grp_of_others'] } }] })
  dead = await scriptedUpstream((_request, response) => response.writeHead(401).end('{}'))
  await putModelOf(gateway.store, { name: 'refused', targets: [{ port: dead.port, settings: { name: 'dead' } }] })
  paid = await scriptedUpstream((_request, response) => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices, usage }))
  })
  const cost = { kind: 'factor', factor: parseMultiplier('0.5') } as const
  await putModelOf(gateway.store, { name: 'costed', targets: [{ port: paid.port, more: { cost } }] })
  const expired = { ...unlimitedCredential(sealer(TEST_SECRET).seal('sk-expired'), 'old'), expiresAt: 1 }
  const settings = { name: 'over', credentials: [expired] }
  await putModelOf(gateway.store, { name: 'expired', targets: [{ port: paid.port, settings }] })
  secret = (await gateway.key(await gateway.account())).secret
})
afterAll(async () => {
  await gateway.close()
  dead.close()
  paid.close()
})

async function chat(model: string, { stream = false, key = secret } = {}): Promise<number> {
  const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'user-agent': CANARIES.agent, 'x-session-id': CANARIES.text },
    body: JSON.stringify({ model, stream, max_tokens: 20, messages: [{ role: 'user', content: CANARIES.text }] }),
  })
  await answer.text()
  return answer.status
}

async function embedding(model: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` }
  const body = JSON.stringify({ model, input: 'hello' })
  const answer = await fetch(`${gateway.origin}/v1/embeddings`, { method: 'POST', headers, body })
  await answer.text()
  return answer.status
}

describe('after requests of every kind', () => {
  let seen: Scrape

  beforeAll(async () => {
    expect([await chat(WHOLE), await chat(WHOLE), await chat(STREAM, { stream: true })]).toEqual([200, 200, 200])
    expect(await embedding(CHATS)).toBe(400)
    expect([await chat(OVERLOADED), await chat('refused')]).toEqual([503, 502])
    expect([await chat(CANARIES.model), await chat(WHOLE, { key: CANARIES.key })]).toEqual([404, 401])
    expect(await chat('elsewhere')).toBe(404)
    expect((await fetch(`${gateway.origin}/${CANARIES.text}`, { method: 'POST' })).status).toBe(404)
    seen = await scrape(gateway.origin)
  })

  test('each is counted once, by wire, model, group, outcome and fault', () => {
    const of = (labels: Record<string, string>) => seen.sum('tollgate_requests_total', labels)
    const chats = { wire: 'openai-chat', group: 'default' }
    expect(of({ ...chats, model: WHOLE, outcome: 'completed', fault: 'none' })).toBe(2)
    expect(of({ ...chats, model: STREAM, outcome: 'completed', fault: 'none' })).toBe(1)
    expect(of({ ...chats, model: OVERLOADED, outcome: 'failed', fault: 'upstream_overloaded' })).toBe(1)
    expect(of({ ...chats, model: 'refused', outcome: 'failed', fault: 'upstream_unavailable' })).toBe(1)
    expect(of({ ...chats, model: 'other', outcome: 'refused', fault: 'model_unknown' })).toBe(1)
    expect(of({ ...chats, model: 'elsewhere', outcome: 'refused', fault: 'model_not_in_group' })).toBe(1)
    expect(of({ wire: 'openai-chat', group: 'none', outcome: 'refused', fault: 'key_malformed' })).toBe(1)
    expect(of({ wire: 'none', group: 'none', outcome: 'refused', fault: 'path_unknown' })).toBe(1)
    expect(of({ wire: 'openai-embeddings', group: 'default', model: CHATS, fault: 'request_invalid' })).toBe(1)
    expect(of({})).toBe(10)
  })

  test('attempts are counted by what became of them, and a credential that is refused is held', () => {
    const of = (labels: Record<string, string>) => seen.sum('tollgate_upstream_requests_total', labels)
    expect(of({ upstream: 'fake-openai', class: 'ok' })).toBe(3)
    expect(of({ upstream: 'fake-openai', class: 'overloaded' })).toBe(1)
    expect(of({ upstream: 'dead', class: 'credential' })).toBe(1)
    const stands = (upstream: string, state: string) => seen.sum('tollgate_credential_state', { upstream, state })
    expect([stands('dead', 'held'), stands('dead', 'healthy')]).toEqual([1, 0])
    expect([stands('over', 'expired'), stands('over', 'healthy')]).toEqual([1, 0])
    expect([stands('fake-openai', 'cooling'), stands('fake-anthropic', 'healthy')]).toEqual([1, 1])
    const until = seen.sum('tollgate_credential_cooling_until_seconds', { upstream: 'dead' })
    expect(Math.abs(until - Date.now() / 1_000 - 60)).toBeLessThan(50)
  })

  test('tokens and money are those of the usage records', async () => {
    const { records } = await gateway.store.usage.list({ accountId: null }, { after: null, limit: 100 })
    const cost = records.reduce((sum, record) => sum + Number(record.cost), 0) / 1e9
    expect(cost).toBeGreaterThan(0)
    expect(seen.sum('tollgate_charged_usd_total')).toBeCloseTo(cost, 12)
    expect(seen.sum('tollgate_tokens_total', { kind: 'input' })).toBe(2 * 40 + 5)
    expect(seen.sum('tollgate_tokens_total', { kind: 'cache_read' })).toBe(2 * 8)
    expect(seen.sum('tollgate_tokens_total', { kind: 'output' })).toBe(2 * 10 + 6)
  })

  test('each time has its own figure: the whole, the wait for the first event, and what was the gateway’s own', () => {
    expect(seen.sum('tollgate_request_seconds_count')).toBe(5)
    expect(seen.sum('tollgate_time_to_first_event_seconds_count')).toBe(1)
    expect(seen.sum('tollgate_overhead_seconds_count')).toBe(3)
    const first = seen.sum('tollgate_time_to_first_event_seconds_sum')
    expect(first).toBeGreaterThan(0.29)
    expect(seen.sum('tollgate_request_seconds_sum')).toBeGreaterThan(first + 0.14)
    expect(seen.sum('tollgate_overhead_seconds_sum')).toBeLessThan(seen.sum('tollgate_request_seconds_sum') - 0.44)
  })

  test('the books and the database have their figures', () => {
    expect(seen.sum('tollgate_settle_seconds_count')).toBeGreaterThanOrEqual(3)
    expect(seen.sum('tollgate_lease_grants_total')).toBeGreaterThanOrEqual(1)
    expect([seen.sum('tollgate_store_up'), seen.sum('tollgate_build_info'), seen.sum('tollgate_inflight')]).toEqual([
      1, 1, 0,
    ])
  })

  test('nothing of a client’s own words and no secret is in it', () => {
    for (const canary of [...Object.values(CANARIES), secret, 'upstream-credential-for-tests', METRICS_TOKEN]) {
      expect(seen.text).not.toContain(canary)
    }
    expect(seen.text).not.toContain('127.0.0.1')
  })
})

test('what requests cost at their providers is summed up where it is known', async () => {
  const before = await scrape(gateway.origin)
  expect(before.sum('tollgate_cost_usd_total')).toBe(0)
  expect([await chat('costed'), await chat(WHOLE)]).toEqual([200, 200])
  const { records } = await gateway.store.usage.list({ accountId: null, model: 'costed' }, { after: null, limit: 9 })
  const [half] = records.map(({ providerCost }) => Number(providerCost) / 1e9)
  expect(half).toBeGreaterThan(0)
  expect((await scrape(gateway.origin)).sum('tollgate_cost_usd_total')).toBeCloseTo(half ?? 0, 12)
})

test('settlements are counted in the queue while the database keeps them waiting, and no longer than that', async () => {
  const { settlements } = gateway.store
  const settle = settlements.settle.bind(settlements)
  const database = Promise.withResolvers<void>()
  const held = vi.spyOn(settlements, 'settle').mockImplementation(async (batch) => {
    await database.promise
    return settle(batch)
  })
  onTestFinished(() => {
    database.resolve()
    held.mockRestore()
  })
  const queued = async () => (await scrape(gateway.origin)).sum('tollgate_settle_queue')
  await expect.poll(queued, { timeout: PATIENCE_MS }).toBe(0)
  const calls = [chat(WHOLE), chat(WHOLE), chat(WHOLE)]
  await expect.poll(queued, { timeout: PATIENCE_MS }).toBe(3)
  database.resolve()
  expect(await Promise.all(calls)).toEqual([200, 200, 200])
  expect(await queued()).toBe(0)
})

describe('who may read them', () => {
  /** Asks with headers that fetch would not send. */
  async function statusWith(headers: Record<string, string>): Promise<number> {
    const { hostname, port } = new URL(gateway.origin)
    const asked = request({ hostname, port, path: '/metrics', headers, agent: new Agent() }).end()
    return new Promise((resolve) => {
      asked.once('response', (response) => void text(response).then(() => resolve(response.statusCode ?? 0)))
    })
  }

  test.for([
    ['a program on this machine', {}, 200],
    ['what a reverse proxy on this machine passes on', { 'x-forwarded-for': '203.0.113.9' }, 401],
    ['a browser for a page that has this machine’s address', { host: 'rebound.example.com' }, 401],
    [
      'a reverse proxy with the token',
      { 'x-forwarded-for': '203.0.113.9', authorization: `Bearer ${METRICS_TOKEN}` },
      200,
    ],
    ['a wrong token', { authorization: 'Bearer a-token-that-is-not-the-one-of-these-tests' }, 401],
  ] as const)('%s', async ([, headers, status]) => {
    expect(await statusWith(headers)).toBe(status)
  })

  test('an API key reads none', async () => {
    expect(await statusWith({ authorization: `Bearer ${secret}` })).toBe(401)
  })
})

test('OpenMetrics goes to who asks for it', async () => {
  const accept = 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5'
  const answer = await fetch(`${gateway.origin}/metrics`, { headers: { accept } })
  expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  expect(await answer.text()).toMatch(/\n# EOF\n$/)
})

test('with a port of their own the gateway’s has none', async () => {
  const port = await openMetricsPort({ host: '127.0.0.1', metricsPort: 0 })
  const free = Number(new URL(port?.origin ?? '').port)
  const taken = openMetricsPort({ host: '127.0.0.1', metricsPort: free })
  await expect(taken).rejects.toThrow(ConfigurationError)
  port?.close()
  const other = await gatewayUnderTest({ environment: { TOLLGATE_METRICS_PORT: String(free) } })
  try {
    expect((await scrape(`http://127.0.0.1:${free}`)).sum('tollgate_store_up')).toBe(1)
    expect((await fetch(`${other.origin}/metrics`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${free}/v1/models`)).status).toBe(404)
  } finally {
    await other.close()
  }
})

test('with several threads one scrape counts the requests of all, and the system’s page the threads', async () => {
  const environment = { TOLLGATE_WORKERS: '3', TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }
  const several = await gatewayUnderTest({ environment })
  try {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
    const system = await (await fetch(`${several.origin}/api/system`, { headers })).json()
    expect(system).toMatchObject({ process: { threads: 3 } })
    await several.model(WHOLE, { protocols: ['openai'] })
    const { secret: key } = await several.key(await several.account())
    const calls = Array.from({ length: 24 }, () => {
      const outgoing = request(`${several.origin}/v1/chat/completions`, {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${key}` },
      })
      outgoing.end(JSON.stringify({ model: WHOLE, max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] }))
      return new Promise<number>((resolve, reject) => {
        outgoing.once('error', reject)
        outgoing.once('response', (response) => void text(response).then(() => resolve(response.statusCode ?? 0)))
      })
    })
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
    for (let i = 0; i < 5; i++) {
      const seen = await scrape(several.origin)
      expect(seen.sum('tollgate_requests_total', { outcome: 'completed' })).toBe(24)
      expect(seen.sum('tollgate_tokens_total', { kind: 'output' })).toBe(240)
      expect(seen.sum('tollgate_credential_state', { upstream: 'fake-openai', state: 'healthy' })).toBe(3)
    }
  } finally {
    await several.close()
  }
})
