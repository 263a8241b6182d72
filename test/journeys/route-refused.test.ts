import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { nanoUsd } from '../../src/core/money.ts'
import { sealer } from '../../src/core/secret-box.ts'
import type { Credential } from '../../src/routing/credential.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// What is said of a route on which nothing can be asked, beside what a request gets there.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
let gateway: GatewayUnderTest
let secret: string
let keyId: string
beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
  const made = await gateway.key(await gateway.account({ balance: '100' }))
  secret = made.secret
  keyId = made.key.id
})
afterAll(() => gateway.close())

function answering(status: number, headers: Record<string, string> = {}): Script {
  return (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message: 'No.', type: 'x', code: null, param: null } }))
  }
}

/** A model with one target, and with that one credential. */
async function put(name: string, script: Script, credential: Partial<Credential> = {}): Promise<ScriptedUpstream> {
  const upstream = await scriptedUpstream(script)
  onTestFinished(() => upstream.close())
  const credentials = [{ ...unlimitedCredential(sealer(TEST_SECRET).seal('sk-upstream'), 'only'), ...credential }]
  await putModelOf(gateway.store, { name, targets: [{ port: upstream.port, settings: { credentials } }] })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return upstream
}

async function call(name: string) {
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: name, messages: [{ role: 'user', content: 'hello' }] }),
  })
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any }
}

async function explain(name: string) {
  const query = new URLSearchParams({ key: keyId, model: name }).toString()
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
  // oxlint-disable-next-line typescript/no-explicit-any
  return (await (await fetch(`${gateway.origin}/api/route?${query}`, { headers })).json()) as any
}

async function disable(name: string): Promise<void> {
  const [target] = (await gateway.store.catalog.models()).find((model) => model.name === name)?.targets ?? []
  const response = await fetch(`${gateway.origin}/api/upstreams/${target?.upstreamId}/credentials/only`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ disabled: true }),
  })
  expect(response.status).toBe(200)
}

const CASES = [
  {
    why: 'rests as its provider asked',
    reason: 'cooling',
    status: 429,
    make: (name: string) => put(name, answering(429, { 'retry-after': '50' })),
    before: call,
  },
  {
    why: 'has only a credential that a person disabled',
    reason: 'disabled',
    status: 502,
    make: (name: string) => put(name, well),
    before: disable,
  },
  {
    why: 'has only a credential that has expired',
    reason: 'unusable',
    status: 502,
    make: (name: string) => put(name, well, { expiresAt: 1_000 }),
    before: async () => {},
  },
  {
    why: 'has spent what it may in a day',
    reason: 'cap',
    status: 502,
    make: (name: string) => put(name, well, { spendPerDay: nanoUsd(1n) }),
    before: call,
  },
]

test.each(CASES)('of a model whose only target $why it says the fault that a request gets', async (each) => {
  const name = `refused ${each.reason}`
  const upstream = await each.make(name)
  await each.before(name)
  const { asked } = upstream
  const { status, body } = await call(name)
  expect([status, upstream.asked]).toEqual([each.status, asked])
  const answer = await explain(name)
  expect(answer).toMatchObject({
    fault: body.error.code,
    candidates: [{ attempt: null, wait_ms: null, decision: 'skipped', reason: each.reason }],
  })
  // But for the seconds, which pass.
  expect(withoutCounts(answer.detail)).toBe(withoutCounts(body.error.message))
  const args = ['route', 'explain', '--key', keyId, '--model', name, '--base-url', gateway.origin]
  const { code, stdout } = await runHere({ TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }, args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(`refused: ${body.error.code}: `) })
})

test('of a target that is full for the moment it says that a request waits for it', async () => {
  const upstream = await put('full', (request) => request.resume(), { maxConcurrency: 1 })
  const leaving = new AbortController()
  const underWay = fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'full', messages: [{ role: 'user', content: 'hello' }] }),
    signal: leaving.signal,
  }).catch(() => null)
  await expect.poll(() => upstream.asked, { timeout: PATIENCE_MS }).toBe(1)
  expect(await explain('full')).toMatchObject({
    fault: null,
    candidates: [{ attempt: 1, wait_ms: 100, decision: 'taken', reason: 'load' }],
  })
  const args = ['route', 'explain', '--key', keyId, '--model', 'full', '--base-url', gateway.origin]
  const { code, stdout } = await runHere({ TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }, args)
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('waited for, 100 ms at most: busier') })
  expect(stdout).not.toContain('skipped')
  leaving.abort()
  await underWay
})

test.each([
  { why: 'a person disabled', credential: {}, before: disable },
  { why: 'has expired', credential: { expiresAt: 1_000 }, before: async () => {} },
])(
  'that its only credential is one that $why is said in every protocol, in the record and without a time',
  async (each) => {
    const name = `without credential ${each.why}`
    const upstream = await put(name, well, each.credential)
    await each.before(name)
    const messages = [{ role: 'user', content: 'hello' }]
    for (const [path, body] of [
      ['/v1/chat/completions', { model: name, messages }],
      ['/v1/responses', { model: name, input: 'hello' }],
      ['/v1/messages', { model: name, messages, max_tokens: 9 }],
      [
        `/v1beta/models/${encodeURIComponent(name)}:generateContent`,
        { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
      ],
    ] as const) {
      const response = await fetch(`${gateway.origin}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { status, headers } = response
      const message = ((await response.json()) as { error: { message: string } }).error.message
      expect({ path, status, retryAfter: headers.get('retry-after'), again: headers.get('x-should-retry') }).toEqual({
        path,
        status: 502,
        retryAfter: null,
        again: 'false',
      })
      expect(message).toMatch(/no credential that it may use for this model.*An admin has to enable or replace one/s)
      expect(message).not.toMatch(/in a moment|only\b|sk-upstream/)
    }
    expect(upstream.asked).toBe(0)
    const facts = async () => {
      const { records } = await gateway.store.usage.list({ accountId: null }, { after: null, limit: 50 })
      return records.filter(({ model }) => model === name).map(({ faultFacts }) => faultFacts)
    }
    const expected = Array.from({ length: 4 }, () => '{"why":"no_credential"}')
    await expect.poll(facts, { timeout: PATIENCE_MS }).toEqual(expected)
  },
)

const withoutCounts = (text: string) => text.replaceAll(/\d+/g, '0')
