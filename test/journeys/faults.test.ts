import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ApiKey } from '../../src/access/api-key.ts'
import { faultView } from '../../src/control/views/fault-view.ts'
import { FAULTS, type FaultCode } from '../../src/core/faults.ts'
import { parseUsd } from '../../src/core/money.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'

let gateway: GatewayUnderTest

beforeAll(async () => {
  gateway = await gatewayUnderTest({ upstream: { firstByteTimeoutMs: 300 } })
  const sentinels = [
    'echo',
    'overloaded',
    'rate-limited',
    'never-answers',
    'malformed-json',
    'html-error',
    'bad-request',
  ]
  for (const name of [...sentinels, 'context-too-long']) await gateway.model(`fake/${name}`)
  // On upstreams of its own: they are left alone when they refuse their credential.
  const name = 'fake/unauthorized'
  const at = { port: Number(new URL(gateway.fake.url).port), model: name }
  await putModelOf(gateway.store, { name, targets: [at, { ...at, protocol: 'anthropic' }] })
  await gateway.model('fake/unpriced', { prices: null })
  await gateway.model('fake/messages-only', { protocols: ['anthropic'] })
})

afterAll(() => gateway.close())

interface Case {
  readonly fault: FaultCode
  readonly when: string
  readonly model?: string
  readonly key?: Partial<ApiKey>
  readonly balance?: string
  /** What to do to the key before the call. */
  readonly before?: (keyId: string) => Promise<unknown>
  readonly secret?: (secret: string) => string
  /** What the message must say, on either wire. */
  readonly says: RegExp
  readonly openai: new (...args: never[]) => Error
  readonly anthropic: new (...args: never[]) => Error
  /** Where it isn't the status of the policy. */
  readonly status?: number
  /** Where it isn't the advice of the policy. */
  readonly retry?: 'never'
  /** No key can be recognized in what was sent, so no key has a record of it. */
  readonly isNoKeys?: true
}

const now = () => Date.now()
const unauthorized = { openai: OpenAI.AuthenticationError, anthropic: Anthropic.AuthenticationError }
const forbidden = { openai: OpenAI.PermissionDeniedError, anthropic: Anthropic.PermissionDeniedError }
const missing = { openai: OpenAI.NotFoundError, anthropic: Anthropic.NotFoundError }
const invalid = { openai: OpenAI.BadRequestError, anthropic: Anthropic.BadRequestError }
const unpaid = { openai: OpenAI.APIError, anthropic: Anthropic.APIError }
const server = { openai: OpenAI.InternalServerError, anthropic: Anthropic.InternalServerError }

const cases: readonly Case[] = [
  {
    fault: 'key_malformed',
    when: 'characters are missing',
    secret: (s) => s.slice(0, -9),
    says: /9 characters/,
    ...unauthorized,
  },
  {
    fault: 'key_malformed',
    when: 'a character is wrong',
    secret: (s) => swapEnds(s),
    says: /copy it again/i,
    ...unauthorized,
  },
  {
    fault: 'key_malformed',
    when: 'a space got in',
    secret: (s) => s.slice(0, 9) + ' ' + s.slice(9),
    says: /space/i,
    isNoKeys: true,
    ...unauthorized,
  },
  {
    fault: 'key_unknown',
    when: 'the key does not exist',
    secret: () => 'no-such-key-anywhere-1234',
    says: /ending in 1234/,
    isNoKeys: true,
    ...unauthorized,
  },
  {
    fault: 'key_disabled',
    when: 'the key was disabled',
    before: (id) => gateway.store.keys.setStatus(id, 'disabled', now()),
    says: /was disabled at \d{4}-/,
    ...unauthorized,
  },
  {
    fault: 'key_deleted',
    when: 'the key was deleted',
    before: (id) => gateway.store.keys.setStatus(id, 'deleted', now()),
    says: /was deleted at \d{4}-/,
    ...unauthorized,
  },
  {
    fault: 'key_expired',
    when: 'the key is over',
    key: { expiresAt: 1_700_000_000_000 },
    says: /expired at 2023-11-14/,
    ...unauthorized,
  },
  {
    fault: 'ip_not_allowed',
    when: 'the address is not on the list',
    key: { allowedIps: ['10.0.0.0/8'] },
    says: /127\.0\.0\.1/,
    ...forbidden,
  },
  {
    fault: 'model_unknown',
    when: 'the model does not exist',
    model: 'fake/ecko',
    says: /Did you mean \\?"fake\/echo/,
    ...missing,
  },
  {
    fault: 'model_not_allowed',
    when: 'the key is limited to others',
    key: { allowedModels: ['fake/overloaded'] },
    says: /limited to certain models/,
    ...missing,
  },
  {
    fault: 'balance_exhausted',
    when: 'the account has nothing',
    balance: '0',
    says: /cost up to \$0\.\d+ and \$0 is left of the account's balance/,
    ...unpaid,
  },
  {
    fault: 'key_quota_exhausted',
    when: 'the key has used its quota',
    key: { quotaLimit: parseUsd('0.000001'), quotaReset: 'daily' },
    says: /left of this API key's quota.*resets at/,
    ...unpaid,
  },
  { fault: 'model_unpriced', when: 'the model has no price', model: 'fake/unpriced', says: /no price/, ...server },
  {
    fault: 'upstream_rejected',
    when: 'the upstream refuses the request',
    model: 'fake/bad-request',
    says: /./,
    ...invalid,
    status: 400,
  },
  {
    fault: 'upstream_rejected',
    when: 'the prompt is too long',
    model: 'fake/context-too-long',
    says: /context|too long/,
    ...invalid,
    status: 400,
  },
  {
    fault: 'upstream_rate_limited',
    when: 'all targets are rate limited',
    model: 'fake/rate-limited',
    says: /too many requests/,
    openai: OpenAI.RateLimitError,
    anthropic: Anthropic.RateLimitError,
  },
  {
    fault: 'upstream_overloaded',
    when: 'all targets are overloaded',
    model: 'fake/overloaded',
    says: /overloaded/,
    ...server,
  },
  {
    fault: 'upstream_unavailable',
    when: 'the upstream answers with a page',
    model: 'fake/html-error',
    says: /failed to answer/,
    ...server,
  },
  {
    fault: 'upstream_unavailable',
    when: 'our own credential is refused',
    model: 'fake/unauthorized',
    says: /upstream is misconfigured. An admin/,
    retry: 'never',
    ...server,
  },
  {
    fault: 'upstream_malformed',
    when: 'the answer is not JSON',
    model: 'fake/malformed-json',
    says: /cannot be read/,
    ...server,
  },
  {
    fault: 'upstream_timeout',
    when: 'nothing comes',
    model: 'fake/never-answers',
    says: /did not begin to answer/,
    ...server,
  },
]

const wires = ['openai', 'anthropic'] as const

test.for(cases.flatMap((each) => wires.map((wire) => ({ ...each, wire }))))(
  '$fault when $when, as the $wire SDK’s own error',
  async (each) => {
    const account = await gateway.account({ balance: each.balance ?? '10' })
    const { key, secret } = await gateway.key(account, each.key)
    await each.before?.(key.id)
    const used = each.secret?.(secret) ?? secret
    const error = await callFails(each.wire, used, each.model ?? 'fake/echo')
    const policy = FAULTS[each.fault]
    const onAnthropic = 'anthropicStatus' in policy ? policy.anthropicStatus : policy.status
    expect(error).toBeInstanceOf(each[each.wire])
    expect(error.message).toMatch(each.says)
    expect(error.headers?.get('x-tollgate-fault')).toBe(each.fault)
    expect(error.headers?.get('x-request-id')).toMatch(/^req_/)
    expect(error.status).toBe(each.status ?? (each.wire === 'anthropic' ? onAnthropic : policy.status))
    expect(error.headers?.get('x-should-retry')).toBe((each.retry ?? policy.retry) === 'never' ? 'false' : null)
    if (error.status === 429 || error.status === 503) {
      expect(Number(error.headers?.get('retry-after')) > 0 || policy.retry === 'never').toBe(true)
    }
    expect(error.message).not.toContain(new URL(gateway.fake.url).host)
    expect(error.message).not.toContain(used)
    const body = JSON.stringify(error.error)
    expect(body).toContain(each.wire === 'openai' ? policy.openaiType : policy.anthropicType)
    expect(await gateway.balance(account)).toBe(each.balance ?? '10')
    if (each.isNoKeys === true) return
    const id = error.headers?.get('x-request-id') ?? ''
    const record = await vi.waitFor(
      async () => {
        const found = await gateway.store.usage.record(id)
        if (found === null) throw new Error('it is not written yet')
        return found
      },
      { timeout: PATIENCE_MS },
    )
    const { client_received: got, fault_facts: facts } = faultView(record)
    // A provider's words are the caller's alone.
    const expected = each.fault === 'upstream_rejected' ? null : messageIn(error.error)
    expect(got).toBe(expected)
    expect(facts).not.toBeNull()
    expect(record.faultFacts).not.toContain(secret.slice(10, 30))
  },
)

/** The message in the body of an error, on either wire. */
function messageIn(body: unknown): unknown {
  const { error, message } = body as { error?: { message?: unknown }; message?: unknown }
  return error?.message ?? message
}

test('without any credential the error says which header to send', async () => {
  const answer = await fetch(`${gateway.origin}/v1/chat/completions`, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('x-tollgate-fault')).toBe('key_missing')
  expect(await answer.text()).toMatch(/Authorization: Bearer/)
})

test('an embedding of a model whose upstream has none says by which paths it can be called', async () => {
  const { secret } = await gateway.key(await gateway.account())
  const answer = await fetch(`${gateway.origin}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: 'fake/messages-only', input: 'hi' }),
  })
  expect(answer.status).toBe(400)
  expect(answer.headers.get('x-tollgate-fault')).toBe('request_invalid')
  expect(await answer.text()).toContain('POST /v1/messages')
})

test.for([
  ['', /empty/],
  ['{"model":', /JSON/],
  ['[1]', /JSON object/],
  ['{"messages":[]}', /model/],
  ['{"model":7}', /model/],
  ['{"model":"fake/echo","stream":"yes"}', /stream/],
  ['{"model":"fake/echo","max_tokens":-1}', /max_tokens/],
  ['{"model":"fake/echo","model":"fake/overloaded"}', /more than once/],
] as const)('the body %j is refused with a sentence about it', async ([body, says]) => {
  const { secret } = await gateway.key(await gateway.account())
  const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body,
  })
  expect(answer.status).toBe(400)
  expect(answer.headers.get('x-tollgate-fault')).toBe('request_invalid')
  expect(await answer.text()).toMatch(says)
})

test('a body over the limit is refused before it is read', async () => {
  const { secret } = await gateway.key(await gateway.account())
  const answer = await fetch(`${gateway.origin}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': secret },
    body: Buffer.alloc(33 * 1024 * 1024, ' '),
  }).catch((error: unknown) => error)
  // The socket may be closed while the client still sends: both are a refusal, but it must not be an answer.
  if (answer instanceof Response) {
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'request_too_large' } })
  } else expect(answer).toBeInstanceOf(TypeError)
})

test('guessing is slowed down, and good keys from the same address still work', async () => {
  const { secret } = await gateway.key(await gateway.account())
  const statuses = new Set<number>()
  for (let i = 0; i < 130; i++) {
    const answer = await fetch(`${gateway.origin}/v1/models`, {
      headers: { authorization: `Bearer guess-number-${i}-abcdefgh` },
    })
    await answer.arrayBuffer()
    statuses.add(answer.status)
  }
  expect([...statuses].sort((a, b) => a - b)).toEqual([401, 429])
  const good = await fetch(`${gateway.origin}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
  expect(good.status).toBe(200)
})

async function callFails(
  wire: 'openai' | 'anthropic',
  secret: string,
  model: string,
): Promise<InstanceType<typeof OpenAI.APIError>> {
  const messages = [{ role: 'user' as const, content: 'hello' }]
  const call =
    wire === 'openai'
      ? new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 }).chat.completions.create({
          model,
          messages,
        })
      : new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 }).messages.create({
          model,
          messages,
          max_tokens: 50,
        })
  const error: unknown = await call.then(
    () => null,
    (failure: unknown) => failure,
  )
  if (error === null) throw new Error('the call was answered')
  return error as InstanceType<typeof OpenAI.APIError>
}

/** Another key of the right length and alphabet. */
function swapEnds(secret: string): string {
  const middle = secret.length - 10
  return secret.slice(0, middle) + (secret[middle] === 'a' ? 'b' : 'a') + secret.slice(middle + 1)
}
