import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { nanoUsd } from '../../src/core/money.ts'
import { sealer } from '../../src/core/secret-box.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import type { Credential } from '../../src/routing/credential.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { localProxy } from '../support/local-proxy.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scrape } from '../support/scrape.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream } from '../support/scripted-upstream.ts'

// Upstreams with several credentials: what becomes of requests when some of them are refused, limited or used up.

let gateway: GatewayUnderTest
let secret: string
let models = 0
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
})
afterAll(() => gateway.close())

/** What the upstream answers a credential with, by its secret; 200 where nothing is said. */
type Refusals = Readonly<
  Record<string, { readonly status: number; readonly code?: string; readonly retryAfter?: number }>
>

interface Pool {
  readonly model: string
  /** Secrets that requests came with. */
  readonly seen: string[]
  refusals: Refusals
}

async function pool(credentials: Readonly<Record<string, Partial<Credential>>>): Promise<Pool> {
  const box = sealer(TEST_SECRET)
  const made: Pool = { model: `pooled-${++models}`, seen: [], refusals: {} }
  const script: Script = (request, response) => {
    request.resume()
    const sent = request.headers.authorization?.replace('Bearer ', '') ?? ''
    made.seen.push(sent)
    const refusal = made.refusals[sent]
    const headers = { 'content-type': 'application/json' }
    if (refusal !== undefined) {
      const after = refusal.retryAfter === undefined ? {} : { 'retry-after': String(refusal.retryAfter) }
      response.writeHead(refusal.status, { ...headers, ...after })
      const error = { message: `No, ${sent}.`, type: 'x', code: refusal.code ?? null, param: null }
      return response.end(JSON.stringify({ error }))
    }
    const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
    response.writeHead(200, headers)
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices, usage }))
  }
  const upstream = await scriptedUpstream(script)
  onTestFinished(() => upstream.close())
  const settings = {
    credentials: Object.entries(credentials).map(([name, over]) => ({
      ...unlimitedCredential(box.seal(`sk-${name}`), name),
      ...over,
    })),
  }
  await putModelOf(gateway.store, { name: made.model, targets: [{ port: upstream.port, settings }] })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${made.model}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return made
}

async function ask({ model }: Pool, session: string) {
  const response = await fetch(gateway.origin + '/v1/chat/completions', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'x-tollgate-session': session,
    },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
  })
  const { headers } = response
  const id = headers.get('x-request-id') ?? ''
  return { status: response.status, fault: headers.get('x-tollgate-fault'), id, text: await response.text() }
}

async function askTimes(times: number, of: Pool) {
  const answers = []
  for (let i = 0; i < times; i++) answers.push(await ask(of, `session-${i}`))
  return answers
}

const statuses = (answers: readonly { readonly status: number }[]) => [...new Set(answers.map(({ status }) => status))]

test('requests are spread over all credentials, and a conversation stays with one', async () => {
  const of = await pool({ a: {}, b: {}, c: {} })
  expect(statuses(await askTimes(60, of))).toEqual([200])
  expect(new Set(of.seen)).toEqual(new Set(['sk-a', 'sk-b', 'sk-c']))
  of.seen.length = 0
  for (let i = 0; i < 10; i++) await ask(of, 'one conversation')
  expect(new Set(of.seen).size).toBe(1)
})

test('a record names the credential that was asked last, and margins are summed by it', async () => {
  const of = await pool({ a: {}, b: {} })
  of.refusals = { 'sk-a': { status: 401 } }
  const answers = await askTimes(12, of)
  expect(of.seen).toContain('sk-a')
  const records = await Promise.all(answers.map(({ id }) => gateway.store.usage.record(id)))
  expect(new Set(records.map((record) => record?.credentialName))).toEqual(new Set(['b']))
  const span = { fromMs: Date.now() - 1, toMs: Date.now() + 1, upstream: records[0]?.upstreamName ?? '' }
  const { rows } = await gateway.store.usage.margins({ ...span, split: 'credential' })
  expect(rows.map(({ id, requests, failed }) => [id, requests, failed])).toEqual([['b', 12, 0]])
})

test.each([
  ['refuses', { status: 401 }],
  ['has no credit for', { status: 402 }],
  ['has no credit for, and says so by its code,', { status: 429, code: 'insufficient_quota' }],
] as const)(
  'a credential that the provider %s is held after one request, and no client hears of it',
  async (_, refusal) => {
    const of = await pool({ a: {}, b: {}, c: {} })
    of.refusals = { 'sk-a': refusal }
    expect(statuses(await askTimes(60, of))).toEqual([200])
    expect(of.seen.filter((sent) => sent === 'sk-a')).toHaveLength(1)
  },
)

test('a credential that has too many requests rests as long as the provider asks, alone', async () => {
  const of = await pool({ a: {}, b: {} })
  of.refusals = { 'sk-a': { status: 429, retryAfter: 600 } }
  expect(statuses(await askTimes(40, of))).toEqual([200])
  expect(of.seen.filter((sent) => sent === 'sk-a')).toHaveLength(1)
})

test('where all credentials are refused the answer is that of a wrong setup, and names none of them', async () => {
  const of = await pool({ a: {}, b: {} })
  of.refusals = { 'sk-a': { status: 401 }, 'sk-b': { status: 401 } }
  for (const answer of await askTimes(4, of)) {
    expect(answer).toMatchObject({ status: 502, fault: 'upstream_unavailable' })
    expect(answer.text).not.toMatch(/sk-/)
  }
  expect(of.seen).toHaveLength(2)
})

test('a credential takes no more requests in a minute than it may', async () => {
  const of = await pool({ a: { requestsPerMinute: 3 }, b: {} })
  expect(statuses(await askTimes(40, of))).toEqual([200])
  expect(of.seen.filter((sent) => sent === 'sk-a')).toHaveLength(3)
})

test('a credential at its tokens of the minute, or its spending of the day, is not sent until there is room', async () => {
  const of = await pool({ a: { tokensPerMinute: 20 }, b: { spendPerDay: nanoUsd(1n) }, c: {} })
  expect(statuses(await askTimes(60, of))).toEqual([200])
  const times = (sent: string) => of.seen.filter((each) => each === sent).length
  expect([times('sk-a'), times('sk-b')]).toEqual([2, 1])
})

test('a credential that may be used for other models only, or has expired, is never sent', async () => {
  const of = await pool({ a: { models: ['another'] }, b: { expiresAt: Date.now() - 1 }, c: {} })
  expect(statuses(await askTimes(30, of))).toEqual([200])
  expect(new Set(of.seen)).toEqual(new Set(['sk-c']))
})

test('a credential of weight 0 is sent only where no other may be', async () => {
  const of = await pool({ a: {}, spare: { weight: 0 } })
  await askTimes(20, of)
  expect(new Set(of.seen)).toEqual(new Set(['sk-a']))
  of.refusals = { 'sk-a': { status: 401 } }
  expect(statuses(await askTimes(5, of))).toEqual([200])
  expect(of.seen.filter((sent) => sent === 'sk-spare')).toHaveLength(5)
})

test('a credential goes through its own proxy, whose failure rests that credential alone and is named', async () => {
  const proxy = await localProxy({ kind: 'socks5', login: 'someone:else' })
  let isUp = true
  const close = async () => {
    if (isUp) await proxy.close()
    isUp = false
  }
  onTestFinished(close)
  const sealedProxyUrl = sealer(TEST_SECRET).seal(proxy.url)
  const of = await pool({ far: { sealedProxyUrl }, near: {} })
  expect(statuses(await askTimes(30, of))).toEqual([200])
  expect(new Set(of.seen)).toEqual(new Set(['sk-far', 'sk-near']))
  expect(proxy.asked).not.toHaveLength(0)
  await close()
  of.seen.length = 0
  expect(statuses(await askTimes(30, of))).toEqual([200])
  expect(new Set(of.seen)).toEqual(new Set(['sk-near']))
  const { records } = await gateway.store.usage.list({ accountId: null }, { after: null, limit: 40 })
  const ofModel = records.filter(({ model }) => model === of.model)
  // Two, or three where the first met the kept connection as it was lost.
  expect(ofModel.some(({ attempts }) => attempts.length > 1)).toBe(true)
  // Asked and failed in one request, resting in the next ones.
  expect(ofModel.map(({ routeTrace }) => routeTrace).join('\n')).toMatch(/\/far/)
  const { text } = await scrape(gateway.origin)
  expect(text).toMatch(/tollgate_upstream_requests_total\{[^}]*credential="far",class="proxy"\} [1-9]/)
})
