import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import type { ApiKey } from '../../src/access/api-key.ts'
import { parseMultiplier, parseUsd } from '../../src/core/money.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scrape } from '../support/scrape.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream } from '../support/scripted-upstream.ts'

// Groups that keep answers: who gets which again, and what it costs.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
let gateway: GatewayUnderTest
let account: Account
let secret: string
let groupId: string
beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
  groupId = (await gateway.store.groups.groups())[0]?.id ?? ''
  await rule({ ttl_seconds: 3600, price: '0.1' })
  account = await gateway.account({ balance: '100' })
  secret = (await gateway.key(account)).secret
})
afterAll(() => gateway.close())

/** Resolves when the gateway acts on it. */
async function rule(cache: object | null): Promise<void> {
  const response = await fetch(`${gateway.origin}/api/groups/${groupId}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ cache }),
  })
  expect(response.status).toBe(200)
}

let answers = 0
const whole: Script = (request, response) => {
  request.resume()
  const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 }
  const message = { role: 'assistant', content: `answer ${++answers}` }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      id: `x${answers}`,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }),
  )
}

const streamed: Script = (request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (fields: object) =>
    response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...fields })}\n\n`)
  chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: `answer ${++answers}` }, finish_reason: null }] })
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  chunk({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 } })
  response.end('data: [DONE]\n\n')
}

const failing: Script = (request, response) => {
  request.resume()
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: 'No.', type: 'x', code: null, param: null } }))
}

const calling: Script = (request, response) => {
  request.resume()
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  const choices = [
    { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' },
  ]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      id: 'x',
      object: 'chat.completion',
      choices,
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  )
}

const breaking: Script = (request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const delta = { role: 'assistant', content: 'half' }
  response.write(
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
  )
  setImmediate(() => response.destroy())
}

let models = 0
async function put(script: Script = whole) {
  const upstream = await scriptedUpstream(script)
  onTestFinished(() => upstream.close())
  const model = `kept-${++models}`
  await putModelOf(gateway.store, { name: model, targets: [{ port: upstream.port }] })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${model}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return { model, upstream }
}

async function ask(
  model: string,
  about: { body?: object; headers?: Record<string, string>; by?: string; path?: string } = {},
) {
  const response = await fetch(gateway.origin + (about.path ?? '/v1/chat/completions'), {
    method: 'POST',
    headers: { authorization: `Bearer ${about.by ?? secret}`, 'content-type': 'application/json', ...about.headers },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }], max_tokens: 50, ...about.body }),
  })
  const text = await response.text().catch(() => 'broken')
  const { headers } = response
  return {
    status: response.status,
    text,
    cache: headers.get('x-tollgate-cache'),
    cost: headers.get('x-tollgate-cost'),
    type: headers.get('content-type'),
    id: headers.get('x-request-id') ?? '',
    fault: headers.get('x-tollgate-fault'),
  }
}

async function otherKey(of: Account = account, fields: Partial<ApiKey> = {}) {
  return gateway.key(of, fields)
}

test('an equal request gets the same bytes again, without an upstream, at the price of the rule', async () => {
  const { model, upstream } = await put()
  const balance = async () => parseUsd(await gateway.balance(account))
  const first = await ask(model)
  const before = await balance()
  const again = await ask(model)
  expect([first.cache, again.cache, upstream.asked]).toEqual(['miss', 'hit', 1])
  expect(again.text).toBe(first.text)
  expect(again.type).toBe(first.type)
  // 10 × 2.5 + 4 × 10.000001 USD per million, and a tenth of that, rounded up once.
  expect([first.cost, again.cost]).toEqual(['0.000065001', '0.000006501'])
  expect(before - (await balance())).toBe(parseUsd('0.000006501'))
  expect(again.id).not.toBe(first.id)
  expect(await gateway.store.usage.record(again.id)).toMatchObject({
    accountId: account.id,
    outcome: 'completed',
    usageSource: 'reported',
    usageNotes: ['kept_answer'],
    multiplier: parseMultiplier('0.1'),
    cost: parseUsd('0.000006501'),
    providerCost: 0n,
    upstreamName: null,
    attempts: [],
    tokens: { input: 10, output: 4 },
  })
  expect((await gateway.store.ledger.prove()).disagreements).toEqual([])
})

test('a stream that ended well is given again as a stream', async () => {
  const { model, upstream } = await put(streamed)
  const first = await ask(model, { body: { stream: true } })
  const again = await ask(model, { body: { stream: true } })
  expect([first.cache, again.cache, upstream.asked]).toEqual(['miss', 'hit', 1])
  expect(again.text).toBe(first.text)
  expect(again.text).toContain('[DONE]')
  expect(again.type).toBe('text/event-stream; charset=utf-8')
})

test('a translated answer is kept as its client got it, for that protocol alone', async () => {
  const { model, upstream } = await put((request, response) => {
    if (request.url === '/v1/responses') {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' })
      const output = [
        {
          type: 'message',
          id: 'm',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'hi', annotations: [] }],
        },
      ]
      const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
      return response.end(
        JSON.stringify({ id: 'resp_x', object: 'response', status: 'completed', output, usage, store: false }),
      )
    }
    return whole(request, response)
  })
  const path = '/v1/messages'
  const [first, again] = [await ask(model, { path }), await ask(model, { path })]
  expect([first.cache, again.cache, upstream.asked]).toEqual(['miss', 'hit', 1])
  expect(again.text).toBe(first.text)
  expect((await ask(model)).cache).toBe('miss')
})

test('another account never gets it, and does where the group shares', async () => {
  const { model, upstream } = await put()
  const by = (await otherKey(await gateway.account({ balance: '10' }))).secret
  await ask(model)
  expect((await ask(model, { by })).cache).toBe('miss')
  expect(upstream.asked).toBe(2)
  expect((await ask(model, { by: (await otherKey()).secret })).cache).toBe('hit')
  await rule({ ttl_seconds: 3600, price: '0.1', shared: true })
  const shared = await ask(model)
  expect([shared.cache, (await ask(model, { by })).text]).toEqual(['miss', shared.text])
  await rule({ ttl_seconds: 3600, price: '0.1' })
})

test('a key that wants only its own answers neither gets those of others nor gives its own, and one may want none', async () => {
  const { model, upstream } = await put()
  const own = (await otherKey(account, { responseCache: 'key' })).secret
  const none = (await otherKey(account, { responseCache: 'off' })).secret
  const caches = async (by: string) => [(await ask(model, { by })).cache, (await ask(model, { by })).cache]
  expect(await caches(own)).toEqual(['miss', 'hit'])
  expect(await caches(secret)).toEqual(['miss', 'hit'])
  expect(await caches(none)).toEqual([null, null])
  expect(await caches((await otherKey(account, { responseCache: 'key' })).secret)).toEqual(['miss', 'hit'])
  expect(upstream.asked).toBe(5)
})

test.for([
  ['a parameter', { body: { temperature: 0.5 } }],
  ['the output limit', { body: { max_tokens: 51 } }],
  ['a message', { body: { messages: [{ role: 'user', content: 'hello.' }] } }],
  [
    'the order of fields',
    { body: { max_tokens: 50, messages: [{ role: 'user', content: 'hello' }], model: undefined } },
  ],
  ['a stream', { body: { stream: true } }],
  ['a beta', { headers: { 'openai-beta': 'x' } }],
  ['the query', { path: '/v1/chat/completions?x=1' }],
] as const)('another request by %s is sent', async ([, about]) => {
  const { model, upstream } = await put()
  await ask(model)
  const changed = 'body' in about && 'model' in about.body ? { body: { ...about.body, model, user: 'x' } } : about
  await ask(model, changed)
  expect(upstream.asked).toBe(2)
})

test('a disabled key gets nothing from it, nor does one that may not call the model', async () => {
  const { model } = await put()
  await ask(model)
  const disabled = await otherKey(account, { allowedModels: ['another'] })
  expect(await ask(model, { by: disabled.secret })).toMatchObject({
    status: 404,
    fault: 'model_not_allowed',
    cache: null,
  })
  const key = await otherKey()
  expect((await ask(model, { by: key.secret })).cache).toBe('hit')
  const response = await fetch(`${gateway.origin}/api/keys/${key.key.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'disabled' }),
  })
  expect(response.status).toBe(200)
  expect(await ask(model, { by: key.secret })).toMatchObject({ status: 401, fault: 'key_disabled', cache: null })
})

test('a hit counts in the limits of its key, and needs funds', async () => {
  const { model } = await put()
  await ask(model)
  const limited = await otherKey(account, {
    rateLimit: { concurrency: null, requestsPerMinute: 2, tokensPerMinute: null, spend: [] },
  })
  const results = []
  for (let i = 0; i < 3; i++) results.push((await ask(model, { by: limited.secret })).status)
  expect(results).toEqual([200, 200, 429])
  const capped = await otherKey(account, { quotaLimit: parseUsd('0') })
  expect(await ask(model, { by: capped.secret })).toMatchObject({ status: 402, cache: null })
})

test('an error, an answer that broke off and a call of a tool are never kept', async () => {
  for (const [script, body] of [
    [failing, {}],
    [breaking, { stream: true }],
    [calling, {}],
  ] as const) {
    const { model, upstream } = await put(script)
    for (let i = 0; i < 2; i++) expect((await ask(model, { body })).cache).not.toBe('hit')
    expect(upstream.asked).toBeGreaterThanOrEqual(2)
    upstream.script = 'stream' in body ? streamed : whole
    expect((await ask(model, { body })).cache).not.toBe('hit')
  }
})

test('requests that name tools are sent, and say nothing of a cache', async () => {
  const { model, upstream } = await put()
  const body = { tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }] }
  expect([(await ask(model, { body })).cache, (await ask(model, { body })).cache]).toEqual([null, null])
  expect(upstream.asked).toBe(2)
})

test('no-store keeps and looks up nothing, and no-cache asks anew', async () => {
  const { model, upstream } = await put()
  const noStore = { headers: { 'cache-control': 'no-store' } }
  expect((await ask(model, noStore)).cache).toBe(null)
  expect((await ask(model)).cache).toBe('miss')
  expect((await ask(model, noStore)).cache).toBe(null)
  const anew = await ask(model, { headers: { 'cache-control': 'no-cache' } })
  expect([anew.cache, upstream.asked]).toEqual(['miss', 4])
  expect((await ask(model)).text).toBe(anew.text)
})

test('a group without the rule keeps nothing and gives nothing', async () => {
  const { model, upstream } = await put()
  await rule(null)
  expect([(await ask(model)).cache, (await ask(model)).cache, upstream.asked]).toEqual([null, null, 2])
  await rule({ ttl_seconds: 3600, price: '0' })
  expect([(await ask(model)).cache, (await ask(model)).cost]).toEqual(['miss', '0'])
  await rule({ ttl_seconds: 3600, price: '0.1' })
})

test('the rule is shown as it was set, and what it does not take is refused by its field', async () => {
  const patch = async (cache: unknown) => {
    const response = await fetch(`${gateway.origin}/api/groups/${groupId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ cache }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  expect((await patch({ ttl_seconds: 60 })).body['cache']).toEqual({ ttl_seconds: 60, price: '1', shared: false })
  expect((await patch(null)).body['cache']).toBeNull()
  for (const [cache, field] of [
    [{ ttl_seconds: 0 }, 'cache.ttl_seconds'],
    [{ ttl_seconds: 60, price: '1.5' }, 'cache.price'],
    [{ ttl_seconds: 60, price: 0.1 }, 'cache.price'],
    [{ ttl_seconds: 60, scope: 'all' }, 'cache.scope'],
  ] as const) {
    expect(await patch(cache)).toMatchObject({ status: 422, body: { field } })
  }
  await rule({ ttl_seconds: 3600, price: '0.1' })
})

test('a rule that is written again, be it the same, gives nothing that was kept before, and figures say how many hit', async () => {
  const { model, upstream } = await put()
  const before = await scrape(gateway.origin)
  await ask(model)
  expect((await ask(model)).cache).toBe('hit')
  const after = await scrape(gateway.origin)
  const since = (name: string, labels = {}) => after.sum(name, labels) - before.sum(name, labels)
  const looked = 'tollgate_response_cache_requests_total'
  expect([since(looked, { result: 'hit' }), since(looked, { result: 'miss' })]).toEqual([1, 1])
  expect(since('tollgate_response_cache_answers')).toBe(1)
  expect(since('tollgate_response_cache_bytes')).toBeGreaterThan(100)
  await rule({ ttl_seconds: 3600, price: '0.1' })
  expect([(await ask(model)).cache, upstream.asked]).toEqual(['miss', 2])
  expect((await ask(model)).cache).toBe('hit')
})
