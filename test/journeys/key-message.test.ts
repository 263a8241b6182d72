import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { type AccessTokenScope, newAccessToken } from '../../src/access/access-token.ts'
import type { ApiKey } from '../../src/access/api-key.ts'
import { controlHashes } from '../../src/app/installation/control-hashes.ts'
import { newId } from '../../src/core/ids.ts'
import { KEY_MESSAGES_PER_MINUTE } from '../../src/core/limits.ts'
import { parseUsd } from '../../src/core/money.ts'
import { CHAT_WIRES } from '../../src/core/wire.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// A real message from the console, with a key whose secret it does not have.

const MODEL = 'asked'
let gateway: GatewayUnderTest
let script: Script
let bodies: string[] = []

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  const upstream = await scriptedUpstream((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      bodies.push(body)
      script(request, response)
    })
  })
  await putModelOf(gateway.store, { name: MODEL, targets: [{ port: upstream.port }] })
  const { secret } = await gateway.key(await gateway.account({ balance: '1' }))
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${MODEL}`, { headers })).ok
  await vi.waitUntil(isKnown, { timeout: PATIENCE_MS })
  return () => upstream.close()
})
afterAll(() => gateway.close())

interface Owner {
  readonly account: Account
  readonly key: ApiKey
  // oxlint-disable-next-line typescript/no-explicit-any
  ask(method: string, path: string, body?: object): Promise<{ status: number; body: any }>
}

async function owner(
  of: { balance?: string; key?: Partial<ApiKey>; scope?: AccessTokenScope; isDisabled?: true } = {},
): Promise<Owner> {
  script = well
  bodies = []
  const account = await gateway.account({ balance: of.balance ?? '10' })
  const { key } = await gateway.key(account, of.key)
  if (of.isDisabled) await gateway.store.keys.setStatus(key.id, 'disabled', Date.now())
  const token = newAccessToken((count) => crypto.getRandomValues(new Uint8Array(count)))
  const id = newId('pat', Date.now())
  const shown = { secretStart: token.slice(0, 10), secretEnd: token.slice(-4) }
  const times = { createdAt: Date.now(), expiresAt: null, lastUsedAt: null }
  const made = { id, accountId: account.id, name: 'a test', scope: of.scope ?? 'write', ...shown, ...times }
  await gateway.store.accessTokens.create(made, controlHashes(TEST_SECRET).accessToken(token), 10)
  return {
    account,
    key,
    async ask(method, path, body) {
      const response = await fetch(gateway.origin + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      })
      return { status: response.status, body: await response.json() }
    },
  }
}

const send = ({ ask, key }: Owner, body: object = {}) =>
  ask('POST', `/api/keys/${key.id}/message`, { model: MODEL, ...body })

test.each(CHAT_WIRES)('over %s it is answered, paid by the account, and no dearer than was said', async (protocol) => {
  const me = await owner()
  const { body: price } = await me.ask('GET', `/api/keys/${me.key.id}/message?model=${MODEL}&protocol=${protocol}`)
  const { status, body } = await send(me, { protocol })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { ok: true, stage: 'answered', status: 200, fault: null, text: 'hello', input_tokens: 1, output_tokens: 1 },
  })
  const limit = protocol === 'openai-responses' ? 16 : 8
  expect(price).toMatchObject({ group: 'default', output_tokens: limit })
  expect(bodies[0]).toMatch(new RegExp(`:${limit}\\b`))
  expect(parseUsd(body.cost)).toBeLessThanOrEqual(parseUsd(price.most))
  expect(parseUsd(await gateway.balance(me.account))).toBe(parseUsd('10') - parseUsd(body.cost))
  const { body: record } = await me.ask('GET', `/api/usage/${body.request_id}`)
  expect(record).toMatchObject({ key_id: me.key.id, outcome: 'completed', client: 'tollgate-console-test' })
})

describe('says how far it came', () => {
  const failing: Script = (request, response) => {
    request.resume()
    response.writeHead(500).end()
  }
  test.each<[string, string, Parameters<typeof owner>[0] & { readonly asks?: object }]>([
    ['key', 'key_disabled', { isDisabled: true }],
    ['key', 'ip_not_allowed', { key: { allowedIps: ['10.9.8.7'] } }],
    ['model', 'model_unknown', { asks: { model: 'no such model' } }],
    ['funds', 'balance_exhausted', { balance: '0' }],
    ['funds', 'key_quota_exhausted', { key: { quotaLimit: parseUsd('0') } }],
  ])('%s: %s', async (stage, fault, of) => {
    const { status, body } = await send(await owner(of), of?.asks)
    expect({ status, body }).toMatchObject({ status: 200, body: { ok: false, stage, fault, cost: '0', text: null } })
    expect(body.message).toMatch(/\.$/)
    expect(bodies).toEqual([])
  })

  test('provider: an upstream that fails', async () => {
    const me = await owner()
    script = failing
    expect((await send(me)).body).toMatchObject({
      ok: false,
      stage: 'provider',
      fault: expect.stringMatching(/^upstream_/),
    })
  })
})

test('its limit is written in the field that a rule of the model names', async () => {
  const [model] = (await gateway.store.catalog.models()).filter(({ name }) => name === MODEL)
  if (model === undefined) throw new Error('the model is there')
  await gateway.store.catalog.putModel({ ...model, serving: { rules: { limit_field: 'max_completion_tokens' } } })
  // An account sends few of them a minute: each is of another.
  const sent = async () => {
    await send(await owner(), { protocol: 'openai-chat' })
    return JSON.parse(bodies.at(-1) ?? '')
  }
  await expect.poll(sent, { timeout: PATIENCE_MS }).toHaveProperty('max_completion_tokens')
  expect(await sent()).not.toHaveProperty('max_tokens')
  await gateway.store.catalog.putModel(model)
})

test('more than so many within a minute are refused', async () => {
  const me = await owner({ balance: '0' })
  for (let sent = 0; sent < KEY_MESSAGES_PER_MINUTE; sent += 1) expect((await send(me)).status).toBe(200)
  expect(await send(me)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
})

test('an access token that may read alone sends none', async () => {
  expect((await send(await owner({ scope: 'read' }))).status).toBe(403)
})
