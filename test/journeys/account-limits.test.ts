import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { newId } from '../../src/core/ids.ts'
import type { SetLimits } from '../../src/core/account-limits.ts'
import { NO_COUNTS } from '../../src/core/counted-limits.ts'
import { parseUsd } from '../../src/core/money.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** The limits of an account as a client meets them: with whichever of its keys, on a running gateway. */

const SHORT = 'fake/echo?input=40&output=10&chunks=2&tag=short'
/** Stays silent after its first chunks until it is let go of. */
const STALLS = 'fake/stalls-mid-stream?hold_ms=30000&tag=account-limits'
const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'

let gateway: GatewayUnderTest

beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
  for (const name of [SHORT, STALLS]) await gateway.model(name)
})
afterAll(() => gateway.close())

type ApiError = InstanceType<typeof OpenAI.APIError>

async function anAccount(limits?: SetLimits) {
  const account = await gateway.account()
  if (limits !== undefined) await gateway.store.accounts.update({ ...account, limits }, null)
  return account
}

async function clientOf(account: Account, fields: Parameters<GatewayUnderTest['key']>[1] = {}) {
  const { secret } = await gateway.key(account, fields)
  return new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
}

async function call(openai: OpenAI) {
  const messages = [{ role: 'user' as const, content: 'hello' }]
  const { response } = await openai.chat.completions.create({ model: SHORT, messages, max_tokens: 100 }).withResponse()
  return response.headers
}

function refusalOf(openai: OpenAI): Promise<ApiError> {
  return call(openai).then(
    () => expect.unreachable('it was served'),
    (error: unknown) => error as ApiError,
  )
}

async function admin(method: string, path: string, body?: object) {
  const answer = await fetch(gateway.origin + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

async function usageOf(openai: OpenAI) {
  const answer = await fetch(`${gateway.origin}/v1/usage`, { headers: { authorization: `Bearer ${openai.apiKey}` } })
  return (await answer.json()) as { is_valid: boolean; remaining: string | null; rate_limits: object[] }
}

test('requests a minute are counted over all keys of the account, and the fault says whose limit it is', async () => {
  const account = await anAccount({ requestsPerMinute: 2 })
  const [one, other] = [await clientOf(account), await clientOf(account)]
  await call(one)
  const headers = await call(other)
  expect(headers.get('x-ratelimit-limit-requests')).toBe('2')
  expect(headers.get('x-ratelimit-remaining-requests')).toBe('0')
  const refused = await refusalOf(one)
  expect(refused).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
  expect(refused.headers?.get('x-tollgate-fault')).toBe('rate_limited')
  expect(Number(refused.headers?.get('retry-after'))).toBeGreaterThan(50)
  expect(refused.message).toMatch(/All API keys of this account together may use 2 requests a minute.*ask an admin/)
  expect((await usageOf(one)).rate_limits).toMatchObject([
    { scope: 'account', type: 'requests_per_minute', limit: 2, used: 2, remaining: 0 },
  ])
})

test('a request that the account refuses counts for neither the key nor the account', async () => {
  const account = await anAccount({ requestsPerMinute: 1 })
  const openai = await clientOf(account, { rateLimit: { ...NO_COUNTS, requestsPerMinute: 5, spend: [] } })
  await call(openai)
  for (let i = 0; i < 3; i++) await refusalOf(openai)
  expect((await usageOf(openai)).rate_limits).toMatchObject([
    { scope: 'key', used: 1 },
    { scope: 'account', used: 1 },
  ])
})

test('the headers show the tighter of the limits of key and account', async () => {
  const account = await anAccount({ requestsPerMinute: 10, tokensPerMinute: 5_000 })
  const loose = await clientOf(account, { rateLimit: { ...NO_COUNTS, requestsPerMinute: 50, spend: [] } })
  expect((await call(loose)).get('x-ratelimit-limit-requests')).toBe('10')
  const tight = await clientOf(account, { rateLimit: { ...NO_COUNTS, requestsPerMinute: 3, spend: [] } })
  const headers = await call(tight)
  expect(headers.get('x-ratelimit-limit-requests')).toBe('3')
  expect(headers.get('x-ratelimit-remaining-requests')).toBe('2')
  expect(headers.get('x-ratelimit-limit-tokens')).toBe('5000')
})

test('concurrency counts what runs with any key, and the slot is free once one is gone', async () => {
  const account = await anAccount({ concurrency: 1 })
  const [one, other] = [await clientOf(account), await clientOf(account)]
  const messages = [{ role: 'user' as const, content: 'hello' }]
  const running = await one.chat.completions.create({ model: STALLS, messages, stream: true })
  expect((await refusalOf(other)).message).toMatch(/account together may have 1 request running at once, and 1 is/)
  running.controller.abort()
  const isServed = () => call(other).then(Boolean, () => false)
  await expect.poll(isServed).toBe(true)
})

test('a spend window of the account holds for all of its keys together, and a key without limits meets it', async () => {
  const account = await anAccount({ spend: [{ window: '1d', usd: parseUsd('0.0013') }] })
  const [one, other] = [await clientOf(account), await clientOf(account)]
  let refused: ApiError | null = null
  for (let i = 0; i < 10 && refused === null; i++) {
    refused = await call(i % 2 === 0 ? one : other).then(
      () => null,
      (error: unknown) => error as ApiError,
    )
  }
  expect(refused).toMatchObject({ status: 429 })
  expect(refused?.message).toMatch(
    /\$0\.0013 that all API keys of this account together may spend in 1d\. It resets at/,
  )
  expect(refused?.message).toMatch(/Ask an admin to raise the account's spend limit/)
  const usage = await usageOf(other)
  expect(usage.rate_limits).toMatchObject([{ scope: 'account', type: 'spend', window: '1d', limit: '0.0013' }])
  expect(Number(usage.remaining)).toBeLessThan(0.0013)
  const proof = await gateway.store.ledger.prove()
  expect(proof.disagreements).toEqual([])
})

test('what an admin changes through the API holds once the call has returned: lower, higher, and none', async () => {
  const account = await anAccount()
  const openai = await clientOf(account)
  await call(openai)
  const set = (limits: object | null) => admin('PATCH', `/api/accounts/${account.id}`, { limits })
  expect(await set({ requests_per_minute: 0 })).toMatchObject({
    status: 200,
    body: { limits: { requests_per_minute: 0 } },
  })
  expect((await refusalOf(openai)).message).toMatch(/limit is 0 requests a minute.*Ask an admin/)
  expect((await usageOf(openai)).is_valid).toBe(false)
  await set({ requests_per_minute: 100, spend: [{ window: '5h', usd: '0' }] })
  expect((await refusalOf(openai)).message).toMatch(/may spend in 5h/)
  await set({ spend: [{ window: '5h', usd: '1' }] })
  await call(openai)
  const report = await admin('GET', `/api/accounts/${account.id}/limits`)
  expect(report.body).toMatchObject({
    limits: { requests_per_minute: null, spend: [{ window: '5h', usd: '1' }] },
    spend: [{ window: '5h', limit: '1' }],
    keys: { used: 1, limit: 1_000 },
  })
  expect(await set(null)).toMatchObject({ body: { limits: null } })
  expect((await usageOf(openai)).rate_limits).toEqual([])
})

test('the limits of the installation hold for every account at once, but where one has its own', async () => {
  const [plain, own] = [await anAccount(), await anAccount({ requestsPerMinute: null })]
  const [openai, unlimited] = [await clientOf(plain), await clientOf(own)]
  await call(openai)
  const set = (limits: object | null) => admin('PATCH', '/api/settings', { account_limits: limits })
  expect((await set({ requests_per_minute: 0, spend: [{ window: '5h', usd: '0.5' }] })).status).toBe(200)
  try {
    await refusalOf(openai)
    await call(unlimited)
    await set({ spend: [{ window: '5h', usd: '0.5' }] })
    await call(openai)
    // The window is open now, and moves with the setting.
    await set({ spend: [{ window: '5h', usd: '0.00001' }] })
    expect((await refusalOf(openai)).message).toMatch(/account together may spend in 5h/)
  } finally {
    await set(null)
  }
  await call(openai)
})

test("a running subscription's limits stand in for the installation's, and the account's own for both", async () => {
  const account = await anAccount()
  const openai = await clientOf(account)
  const now = Date.now()
  const subscription = {
    id: newId('sub', now),
    accountId: account.id,
    planId: 'pln_test',
    planName: 'pro',
    groupIds: [],
    opensGroups: true,
    quotas: [],
    limits: { requestsPerMinute: 0 },
    startsAt: now - 1_000,
    endsAt: now + 86_400_000,
    cancelledAt: null,
    createdAt: now,
  }
  await gateway.store.subscriptions.open(subscription)
  await expect
    .poll(() =>
      refusalOf(openai).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(429)
  await gateway.store.accounts.update({ ...account, limits: { requestsPerMinute: 9 } }, null)
  await expect.poll(() => call(openai).then((headers) => headers.get('x-ratelimit-limit-requests'), String)).toBe('9')
  await gateway.store.accounts.update(account, null)
  await expect
    .poll(() =>
      refusalOf(openai).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(429)
  await gateway.store.subscriptions.cancel(subscription.id, Date.now())
  await expect.poll(() => call(openai).then((headers) => headers.get('x-ratelimit-limit-requests'), String)).toBeNull()
})

test('a raise holds on the running gateway at once, and is over at its end though no one does anything', async () => {
  const account = await anAccount({ requestsPerMinute: 1 })
  const openai = await clientOf(account)
  await call(openai)
  expect((await refusalOf(openai)).status).toBe(429)
  const raise = { limits: { requests_per_minute: 1_000 }, ends_at: new Date(Date.now() + 5_000).toISOString() }
  expect((await admin('PATCH', `/api/accounts/${account.id}`, { raise })).status).toBe(200)
  const served = () =>
    call(openai).then(
      (headers) => headers.get('x-ratelimit-limit-requests'),
      (error: unknown) => (error as ApiError).status,
    )
  // On a machine that took longer than the raise lasts, it is over before the first of them.
  const first = await served()
  if (Date.now() < Date.parse(raise.ends_at)) expect(first).toBe('1000')
  await expect.poll(served, { timeout: PATIENCE_MS, interval: 100 }).toBe(429)
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(raise.ends_at))
})
