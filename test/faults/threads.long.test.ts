import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CountedLimits, NO_COUNTS } from '../../src/core/counted-limits.ts'
import type { Account } from '../../src/access/account.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

// One process of which four threads carry requests: what holds for one thread holds for all of them together.

const THREADS = 4
const AT_ONCE = 80
const QUICK = 'fake/echo?input=40&output=10'
/** Slow enough that all that are sent at once have arrived before the first has ended. */
const SLOW = 'fake/slow-first-byte?first_delay_ms=3000'
const STREAM = 'fake/slow-chunks?chunks=20&delay_ms=100'
const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Each call has a connection of its own, and the kernel chooses the thread, unless `agent` keeps one. */
function call(
  url: string,
  options: { secret: string; body?: object; agent?: Agent; method?: string },
): Promise<Answer> {
  const { secret, body, agent, method } = options
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      agent: agent ?? false,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((read) => resolve({ status, headers, body: read }), reject)
    })
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function chat(model: string, more: object = {}): object {
  return { model, max_tokens: 20, messages: [{ role: 'user', content: 'hello' }], ...more }
}

describe('four threads on one port', () => {
  let gateway: GatewayUnderTest
  let chats: string

  beforeAll(async () => {
    gateway = await gatewayUnderTest({
      environment: { TOLLGATE_WORKERS: String(THREADS), TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN },
    })
    chats = `${gateway.origin}/v1/chat/completions`
    for (const name of [QUICK, SLOW, STREAM]) await gateway.model(name)
  })
  afterAll(() => gateway.close())

  async function statusesAtOnce(secrets: readonly string[], model = SLOW): Promise<Record<number, number>> {
    const calls = Array.from({ length: AT_ONCE }, (_, index) =>
      call(chats, { secret: secrets[index % secrets.length] ?? '', body: chat(model) }),
    )
    const counted: Record<number, number> = {}
    for (const { status } of await Promise.all(calls)) counted[status] = (counted[status] ?? 0) + 1
    return counted
  }

  async function aKey(limits: Partial<CountedLimits> = {}, account?: Account) {
    const owner = account ?? (await gateway.account({ balance: '100' }))
    return gateway.key(owner, { rateLimit: { ...NO_COUNTS, ...limits, spend: [] } })
  }

  test('each of them is a node', async () => {
    const nodes = await gateway.store.nodes.all()
    expect(nodes).toHaveLength(THREADS)
    expect(new Set(nodes.map(({ processId }) => processId))).toEqual(new Set([process.pid]))
  })

  test('whichever thread a connection reaches, the API, the console and its own paths answer', async () => {
    const paths = ['/readyz', '/healthz', '/api/openapi.json', '/api/accounts', '/v1/models']
    const { secret } = await aKey()
    for (const path of paths) {
      const asked = Array.from({ length: 16 }, () =>
        call(gateway.origin + path, { secret: path.startsWith('/api') ? ADMIN_TOKEN : secret }),
      )
      const answers = await Promise.all(asked)
      expect(
        answers.map(({ status }) => status),
        path,
      ).toEqual(answers.map(() => 200))
      expect(new Set(answers.map(({ body }) => body)).size, path).toBe(1)
    }
  })

  test.for([1, 3])(
    'of many requests at once no more run than a concurrency of %i',
    { timeout: PATIENCE_MS },
    async (concurrency) => {
      const { secret } = await aKey({ concurrency })
      expect(await statusesAtOnce([secret])).toEqual({ 200: concurrency, 429: AT_ONCE - concurrency })
    },
  )

  test('a client that has read an answer to its end has its place back, on whichever thread it calls next', async () => {
    const { secret } = await aKey({ concurrency: 1 })
    for (let index = 0; index < 40; index++) {
      expect((await call(chats, { secret, body: chat(QUICK) })).status).toBe(200)
    }
  })

  test('of many requests at once no more are let in than requests per minute', { timeout: PATIENCE_MS }, async () => {
    const { secret } = await aKey({ requestsPerMinute: 7 })
    expect(await statusesAtOnce([secret], QUICK)).toEqual({ 200: 7, 429: AT_ONCE - 7 })
  })

  test('tokens per minute are counted by all of them together', { timeout: PATIENCE_MS }, async () => {
    const { secret } = await aKey({ tokensPerMinute: 500 })
    const counted = await statusesAtOnce([secret], QUICK)
    expect(counted[200]).toBeGreaterThan(0)
    // Each has 50 tokens in the end.
    expect((counted[200] ?? 0) * 50).toBeLessThanOrEqual(500)
  })

  test('an account with several keys has its limits once', { timeout: PATIENCE_MS }, async () => {
    const account = await gateway.account({ balance: '100' })
    await gateway.store.accounts.update({ ...account, limits: { concurrency: 2 } }, null)
    const secrets = await Promise.all([0, 1, 2].map(async () => (await aKey({}, account)).secret))
    expect(await statusesAtOnce(secrets)).toEqual({ 200: 2, 429: AT_ONCE - 2 })
  })

  test('a key that is revoked is refused by every thread when the call returns', { timeout: PATIENCE_MS }, async () => {
    const { secret, key } = await aKey()
    const agents = Array.from({ length: 24 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const ask = () => Promise.all(agents.map((agent) => call(chats, { secret, agent, body: chat(QUICK) })))
    expect(new Set((await ask()).map(({ status }) => status))).toEqual(new Set([200]))
    const body = { ids: [key.id], action: 'disable' }
    const revoked = await call(`${gateway.origin}/api/keys/bulk`, { secret: ADMIN_TOKEN, body })
    expect(revoked.status, revoked.body).toBe(200)
    expect(new Set((await ask()).map(({ status }) => status))).toEqual(new Set([401]))
    for (const agent of agents) agent.destroy()
  })
})

test(
  'streams of all threads end whole when the process drains, and the books agree',
  { timeout: 2 * PATIENCE_MS },
  async () => {
    const gateway = await gatewayUnderTest({ environment: { TOLLGATE_WORKERS: String(THREADS) } })
    await gateway.model(STREAM)
    const account = await gateway.account({ balance: '100' })
    const { secret } = await gateway.key(account)
    const streams = Array.from({ length: 24 }, () =>
      call(`${gateway.origin}/v1/chat/completions`, { secret, body: chat(STREAM, { stream: true }) }),
    )
    await gateway.fake.whenReceived(() => gateway.fake.requests.length === streams.length, PATIENCE_MS)
    await gateway.running.drain()
    for (const { status, body } of await Promise.all(streams)) {
      expect(status).toBe(200)
      expect(body).toMatch(/data: \[DONE\]\s*$/)
    }
    expect(await gateway.store.nodes.all()).toEqual([])
    expect((await gateway.store.ledger.prove()).disagreements).toEqual([])
    await gateway.store.close()
    await gateway.fake.close()
  },
)
