import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsd } from '../../src/core/money.ts'
import { IMPORTED_KEYS } from '../../src/access/imported-keys.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/* Clients that were set up for new-api and one-api go on reading what is left of their key. */

let gateway: GatewayUnderTest
let limited: string
let unlimited: string
const EXPIRES = Date.UTC(2099, 0, 1)

beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_BALANCE_READOUTS: '1' } })
  await gateway.model('fake/echo')
  const account = await gateway.account({ balance: '8' })
  ;({ secret: limited } = await gateway.key(account, {
    name: 'limited',
    quotaLimit: parseUsd('3'),
    allowedModels: ['fake/echo'],
    expiresAt: EXPIRES,
  }))
  ;({ secret: unlimited } = await gateway.key(account, { name: 'open' }))
})
afterAll(() => gateway.close())

async function read(
  path: string,
  secret: string,
): Promise<{ status: number; body: Readonly<Record<string, unknown>> }> {
  const response = await fetch(`${gateway.origin}${path}`, { headers: { authorization: `Bearer ${secret}` } })
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
}

test('a key with a quota has its quota as its limit, one without has what its account has', async () => {
  for (const path of ['/v1/dashboard/billing/subscription', '/dashboard/billing/subscription?x=1']) {
    expect(await read(path, limited)).toEqual({
      status: 200,
      body: {
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: 3,
        hard_limit_usd: 3,
        system_hard_limit_usd: 3,
        access_until: EXPIRES / 1_000,
      },
    })
  }
  const { body } = await read('/v1/dashboard/billing/subscription', unlimited)
  expect(body).toMatchObject({ hard_limit_usd: 8, access_until: 0 })
  expect((await read('/api/usage/token', limited)).body).toEqual({
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name: 'limited',
      total_granted: 1_500_000,
      total_used: 0,
      total_available: 1_500_000,
      unlimited_quota: false,
      model_limits: { 'fake/echo': true },
      model_limits_enabled: true,
      expires_at: EXPIRES / 1_000,
    },
  })
})

test('what was used is said in cents, and the limit less that is what is left', async () => {
  const asked = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${limited}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fake/echo', messages: [{ role: 'user', content: 'hello' }] }),
  })
  expect(asked.status).toBe(200)
  await asked.arrayBuffer()
  const usage = async () =>
    Number((await read('/v1/dashboard/billing/usage?start_date=2026-01-01', limited)).body['total_usage'])
  await expect.poll(usage, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
  const { body } = await read('/v1/usage', limited)
  const { used, remaining } = body['quota'] as { used: string; remaining: string }
  expect(await usage()).toBeCloseTo(Number(used) * 100, 9)
  const limit = Number((await read('/dashboard/billing/subscription', limited)).body['hard_limit_usd'])
  expect(limit - (await usage()) / 100).toBeCloseTo(Number(remaining), 9)
})

test('another key, none, and another method are refused as everywhere', async () => {
  expect(await read('/api/usage/token', 'sk-another')).toMatchObject({ status: 401 })
  expect((await fetch(`${gateway.origin}/api/usage/token`)).status).toBe(401)
  const posted = await fetch(`${gateway.origin}/api/usage/token`, { method: 'POST' })
  expect(posted.status).toBe(405)
})

test('without the setting there are such paths only where keys of these gateways were imported', async () => {
  const plain = await gatewayUnderTest()
  try {
    const account = await plain.account({ balance: '8' })
    const { secret } = await plain.key(account, {})
    const status = async (path: string) =>
      (await fetch(`${plain.origin}${path}`, { headers: { authorization: `Bearer ${secret}` } })).status
    // Below /api it is then a path of the console’s, which no key opens.
    expect([await status('/v1/dashboard/billing/usage'), await status('/api/usage/token')]).toEqual([404, 401])
    await plain.store.settings.write(IMPORTED_KEYS, 'new-api')
    await plain.store.together(({ imported }) => imported.announce())
    await expect.poll(() => status('/v1/dashboard/billing/usage'), { timeout: PATIENCE_MS }).toBe(200)
    expect(await status('/api/usage/token')).toBe(200)
  } finally {
    await plain.close()
  }
})
