import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import type { ApiKey } from '../../src/access/api-key.ts'
import type { RateLimit } from '../../src/access/key-settings.ts'
import { newId } from '../../src/core/ids.ts'
import { parseUsd } from '../../src/core/money.ts'
import { NO_COUNTS } from '../../src/core/counted-limits.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

let gateway: GatewayUnderTest

const COUNTED = 'fake/echo?input=600&cached=400&output=20'
const SLOW = 'fake/slow-chunks?chunks=400&delay_ms=10'
const ONCE = 'fake/refuses-once'
const UNREPORTED = 'fake/no-usage'
const MODELS = [COUNTED, UNREPORTED, SLOW, 'fake/echo', 'fake/echo?input=20&output=50']

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  for (const name of MODELS) await gateway.model(name)
  await gateway.model(ONCE, { protocols: ['openai', 'openai-chat'] })
})

afterAll(() => gateway.close())

const NO_RATES: RateLimit = { ...NO_COUNTS, spend: [] }
const MESSAGES = [{ role: 'user' as const, content: 'hello' }]

async function keyOf(fields: Partial<ApiKey> = {}, account?: Account) {
  const owner = account ?? (await gateway.account())
  return { account: owner, ...(await gateway.key(owner, fields)) }
}

async function look(path: string, secret: string, headers: Record<string, string> = {}) {
  const answer = await fetch(gateway.origin + path, { headers: { authorization: `Bearer ${secret}`, ...headers } })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
}

function call(secret: string, body: object = {}, path = '/v1/chat/completions'): Promise<Response> {
  return fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: 'fake/echo', messages: MESSAGES, max_tokens: 50, ...body }),
  })
}

async function callToEnd(secret: string, body: object = {}, path?: string): Promise<Response> {
  const answer = await call(secret, body, path)
  await answer.text()
  return answer
}

function idOf(answer: Response): string {
  return answer.headers.get('x-request-id') ?? ''
}

describe('the receipt of a request', () => {
  test('is there with the last byte, and its figures make its cost', async () => {
    const { secret, account } = await keyOf()
    const answer = await callToEnd(secret, { model: COUNTED })
    const { status, body } = await look(`/v1/requests/${idOf(answer)}`, secret)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: idOf(answer),
      outcome: 'completed',
      fault: null,
      model: COUNTED,
      group: 'default',
      protocol: 'openai-chat',
      tokens: { input: 600, cache_read: 400, output: 20 },
      prices: { input: '2.5', cache_read: '0.25', output: '10.000001' },
      multiplier: '1',
      usage_source: 'reported',
      is_capped: false,
      usage_notes: [],
      attempts: [{ number: 1, status: 200, fault: null }],
    })
    // 600 × 2.5 + 400 × 0.25 + 20 × 10.000001, divided by a million, rounded up to nine places.
    const cost = '0.001800001'
    expect(body).toMatchObject({ cost, funding: { balance: cost, subscriptions: [] } })
    expect(answer.headers.get('x-tollgate-cost')).toBe(cost)
    expect(await gateway.balance(account)).toBe('9.998199999')
  })

  test.for([
    ['/v1/chat/completions', {}],
    ['/v1/messages', {}],
    ['/v1/responses', { input: 'hello' }],
  ] as const)('is there when the stream of %s has ended', async ([path, body]) => {
    const { secret } = await keyOf()
    const answer = await callToEnd(secret, { ...body, stream: true }, path)
    expect((await look(`/v1/requests/${idOf(answer)}`, secret)).body).toMatchObject({
      outcome: 'completed',
      is_stream: true,
      cost: expect.stringMatching(/^0\.\d+$/) as string,
    })
  })

  test('names the tokens that were counted here, and so does the head of the answer', async () => {
    const { secret } = await keyOf()
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      const counted = await callToEnd(secret, { model: UNREPORTED }, path)
      expect(counted.headers.get('x-tollgate-usage-source'), path).toBe('estimated')
      expect((await look(`/v1/requests/${idOf(counted)}`, secret)).body['usage_source'], path).toBe('estimated')
    }
    const reported = await callToEnd(secret)
    expect(reported.headers.get('x-tollgate-usage-source')).toBeNull()
  })

  test('says that the request still runs, and how it ended once it has', async () => {
    const { secret } = await keyOf()
    const stop = new AbortController()
    const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: SLOW, messages: MESSAGES, stream: true }),
      signal: stop.signal,
    })
    const path = `/v1/requests/${idOf(answer)}`
    expect(await look(path, secret)).toMatchObject({ status: 202, body: { id: idOf(answer), outcome: null } })
    stop.abort()
    await expect.poll(async () => (await look(path, secret)).status).toBe(200)
    expect((await look(path, secret)).body).toMatchObject({ outcome: 'aborted' })
  })

  test('lists each attempt, and names no upstream', async () => {
    const { secret } = await keyOf()
    const answer = await callToEnd(secret, { model: ONCE })
    expect(answer.status).toBe(200)
    const { body } = await look(`/v1/requests/${idOf(answer)}`, secret)
    expect(body['attempts']).toMatchObject([
      { number: 1, fault: expect.any(String) as string },
      { number: 2, fault: null },
    ])
    expect(JSON.stringify(body)).not.toMatch(/fake-openai|127\.0\.0\.1/)
  })

  test('is there for what was refused, with the reason', async () => {
    const { secret } = await keyOf({}, await gateway.account({ balance: '0' }))
    const answer = await callToEnd(secret)
    expect(answer.status).toBe(402)
    expect(await look(`/v1/requests/${idOf(answer)}`, secret)).toMatchObject({
      status: 200,
      body: { outcome: 'refused', fault: 'balance_exhausted', http_status: 402, cost: '0' },
    })
  })

  test('is for the key that sent it alone', async () => {
    const { secret, account } = await keyOf()
    const sibling = await keyOf({}, account)
    const path = `/v1/requests/${idOf(await callToEnd(secret))}`
    const anothers = await look(path, sibling.secret)
    const nobodys = await look(`/v1/requests/${newId('req', Date.now())}`, sibling.secret)
    expect(anothers.status).toBe(404)
    expect(anothers.headers.get('x-tollgate-fault')).toBe('path_unknown')
    expect(anothers.body).toEqual(nobodys.body)
    expect((await look(path, secret)).status).toBe(200)
  })
})

describe('the usage of a key', () => {
  test('is that of the moment the last answer ended', async () => {
    const { secret } = await keyOf({ quotaLimit: parseUsd('5'), quotaReset: 'daily' })
    await callToEnd(secret, { model: COUNTED })
    await callToEnd(secret, { model: COUNTED, stream: true })
    const spent = '0.003600002'
    const { status, body } = await look('/v1/usage?days=7', secret)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      is_valid: true,
      isValid: true,
      remaining: '4.996399998',
      balance: '9.996399998',
      quota: {
        limit: '5',
        used: spent,
        remaining: '4.996399998',
        reset_at: expect.stringMatching(/T00:00:00/) as string,
      },
      usage: {
        today: { requests: 2, failed: 0, input_tokens: 2000, cache_read_tokens: 800, output_tokens: 40, cost: spent },
        total: { requests: 2, cost: spent },
      },
    })
  })

  test.for<[string, Partial<ApiKey>, object]>([
    ['expired', { expiresAt: Date.now() - 1_000 }, { reason: 'key_expired', status: 'expired' }],
    ['exhausted', { quotaLimit: parseUsd('0') }, { reason: 'key_quota_exhausted', status: 'quota_exhausted' }],
    [
      'closed by a limit of 0',
      { rateLimit: { ...NO_RATES, concurrency: 0 } },
      { reason: 'rate_limited', status: 'active', invalid_message: expect.stringContaining('cannot be used') },
    ],
  ])('is there when the key is %s', async ([, fields, expected]) => {
    const { secret } = await keyOf(fields)
    expect((await callToEnd(secret)).status).toBeGreaterThanOrEqual(401)
    expect(await look('/v1/usage', secret)).toMatchObject({ status: 200, body: { is_valid: false, ...expected } })
  })

  test('is there for every form of the path, with the base URL that was meant', async () => {
    const { secret } = await keyOf()
    for (const path of ['/usage', '/v1/v1/usage', '//v1//usage', '/anthropic/v1/usage']) {
      const { status, headers } = await look(path, secret)
      expect([path, status]).toEqual([path, 200])
      expect(headers.get('x-tollgate-hint')).toContain(gateway.origin)
    }
  })

  test('shows the subscription that pays, and of its window once it has opened', async () => {
    const { account, key, secret } = await keyOf()
    const now = Date.now()
    await gateway.store.subscriptions.open({
      id: newId('sub', now),
      accountId: account.id,
      planId: newId('pln', now),
      planName: 'pro',
      groupIds: [key.groupId],
      opensGroups: true,
      quotas: [{ window: '5h', usd: parseUsd('0.5') }],
      startsAt: now - 1,
      endsAt: now + 3_600_000,
      cancelledAt: null,
      createdAt: now,
    })
    const before = await look('/v1/usage', secret)
    const answer = await callToEnd(secret, { model: COUNTED })
    const after = await look('/v1/usage', secret)
    expect(before.body).toMatchObject({
      plan_name: 'pro',
      planName: 'pro',
      remaining: '10.5',
      subscription: { windows: [{ window: '5h', limit: '0.5', used: '0', reset_at: null }] },
    })
    expect(after.body).toMatchObject({
      balance: '10',
      subscription: { windows: [{ used: '0.001800001', remaining: '0.498199999' }] },
    })
    const { subscription } = after.body as { subscription: { windows: [{ reset_at: string }] } }
    expect(Math.abs(Date.parse(subscription.windows[0].reset_at) - now - 5 * 3_600_000)).toBeLessThan(60_000)
    expect((await look(`/v1/requests/${idOf(answer)}`, secret)).body).toMatchObject({
      funding: { balance: '0', subscriptions: [{ plan_name: 'pro', paid: '0.001800001' }] },
    })
  })
})

describe('neither is shown to', () => {
  const paths = ['/v1/usage', `/v1/requests/${newId('req', 0)}`]

  test.for(paths)('a disabled or deleted key: %s', async (path) => {
    const { key, secret } = await keyOf()
    for (const status of ['disabled', 'deleted'] as const) {
      await gateway.store.keys.setStatus(key.id, status, Date.now())
      await expect.poll(async () => (await look(path, secret)).headers.get('x-tollgate-fault')).toBe(`key_${status}`)
    }
  })

  test.for(paths)('an address that the key is not for: %s', async (path) => {
    const { secret } = await keyOf({ allowedIps: ['192.0.2.0/24'] })
    expect(await look(path, secret)).toMatchObject({ status: 403 })
  })

  test.for(paths)('who has no key: %s', async (path) => {
    const answer = await fetch(gateway.origin + path, { headers: { 'anthropic-version': '2023-06-01' } })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
  })

  test.for(paths)('another method than GET: %s', async (path) => {
    const { secret } = await keyOf()
    const answer = await fetch(gateway.origin + path, { method: 'POST', headers: { 'x-api-key': secret } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('takes GET')
  })
})

describe('the limits of the caller', () => {
  const LIMITED: RateLimit = { ...NO_RATES, requestsPerMinute: 3, tokensPerMinute: 100_000, concurrency: 2 }

  test.for([false, true])('are on answers of OpenAI’s SDK, streamed: %s', async (stream) => {
    const { secret } = await keyOf({ rateLimit: LIMITED })
    const client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
    const { response } = await client.chat.completions
      .create({ model: 'fake/echo', messages: MESSAGES, max_tokens: 50, stream })
      .withResponse()
    const header = (name: string) => response.headers.get(`x-ratelimit-${name}`)
    expect([header('limit-requests'), header('remaining-requests')]).toEqual(['3', '2'])
    expect(header('reset-requests')).toMatch(/^(59s|1m[01]s)$/)
    expect(header('limit-tokens')).toBe('100000')
    expect(Number(header('remaining-tokens'))).toBeLessThan(100_000)
    expect(header('reset-tokens')).toMatch(/^(59s|1m[01]s)$/)
    expect([header('limit-concurrency'), header('remaining-concurrency')]).toEqual(['2', '1'])
    expect(response.headers.get('anthropic-ratelimit-requests-limit')).toBeNull()
  })

  test('are on answers of Anthropic’s SDK in Anthropic’s names too', async () => {
    const { secret } = await keyOf({ rateLimit: LIMITED })
    const client = new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 })
    const { response } = await client.messages
      .create({ model: 'fake/echo', messages: MESSAGES, max_tokens: 50 })
      .withResponse()
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('3')
    expect(response.headers.get('anthropic-ratelimit-requests-limit')).toBe('3')
    expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('2')
    const reset = response.headers.get('anthropic-ratelimit-requests-reset') ?? ''
    expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(Date.parse(reset) - Date.now()).toBeLessThanOrEqual(62_000)
    expect(response.headers.get('anthropic-ratelimit-tokens-limit')).toBe('100000')
  })

  test('come with the refusal of a rate, and with other refusals', async () => {
    const { secret } = await keyOf({ rateLimit: { ...NO_RATES, requestsPerMinute: 1 } })
    expect((await callToEnd(secret, { model: 'no-such-model' })).headers.get('x-ratelimit-remaining-requests')).toBe(
      '1',
    )
    const askedAt = Date.now()
    await callToEnd(secret)
    const refused = await callToEnd(secret)
    const tookSeconds = (Date.now() - askedAt) / 1_000
    expect(refused.status).toBe(429)
    expect(refused.headers.get('x-tollgate-fault')).toBe('rate_limited')
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(58 - tookSeconds)
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect((await look(`/v1/requests/${idOf(refused)}`, secret)).body).toMatchObject({ fault: 'rate_limited' })
    expect((await look('/v1/usage', secret)).body['rate_limits']).toMatchObject([{ limit: 1, used: 1, remaining: 0 }])
  })

  test('a full spend window says when it ends, and that no client should wait for it', async () => {
    const spend = [{ window: '5h' as const, usd: parseUsd('0.0008') }]
    const { secret } = await keyOf({ rateLimit: { ...NO_RATES, spend } })
    const model = 'fake/echo?input=20&output=50'
    const askedAt = Date.now()
    const first = await callToEnd(secret, { model })
    expect([first.status, first.headers.get('x-ratelimit-limit-requests')]).toEqual([200, null])
    const refusal = async () => {
      const refused = await callToEnd(secret, { model })
      expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([429, 'false'])
      return Number(refused.headers.get('retry-after'))
    }
    // A refusal that is younger than the first charge does not know of the window yet.
    await expect.poll(refusal).toBeLessThanOrEqual(5 * 3_600)
    const before = Date.now()
    const seconds = await refusal()
    const after = Date.now()
    expect(seconds).toBeGreaterThan(5 * 3_600 - 60 - (after - askedAt) / 1_000)
    const { body } = await look('/v1/usage', secret)
    expect(body).toMatchObject({ is_valid: true, rate_limits: [{ type: 'spend', window: '5h', limit: '0.0008' }] })
    const [{ reset_at: resetAt }] = body['rate_limits'] as [{ reset_at: string }]
    const refusedAt = Date.parse(resetAt) - seconds * 1_000
    expect(refusedAt).toBeGreaterThan(before - 2_000)
    expect(refusedAt).toBeLessThan(after + 2_000)
  })

  test('are missing where there are none, nor for token counts', async () => {
    const free = await callToEnd((await keyOf()).secret)
    const { secret } = await keyOf({ rateLimit: LIMITED })
    const counted = await callToEnd(secret, {}, '/v1/messages/count_tokens')
    const names = [...free.headers.keys(), ...counted.headers.keys()]
    expect([free.status, counted.status]).toEqual([200, 200])
    expect(names.filter((name) => name.includes('ratelimit'))).toEqual([])
  })
})
