import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { putModelOf } from '../support/put-model.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'

// What the Responses API has beside its one endpoint, by the official SDK: compaction, token counts, stored responses.

const INPUT = 'one two three'
const asked: string[] = []
/** Responses that the upstream no longer keeps. */
const forgotten = new Set<string>()
let responses = 0
let upstream: ScriptedUpstream

let gateway: GatewayUnderTest
let client: OpenAI
let secret: string
beforeAll(async () => {
  upstream = await scriptedUpstream(answer)
  gateway = await gatewayUnderTest()
  const { port } = upstream
  await putModelOf(gateway.store, { name: 'speaks', targets: [{ port, model: 'behind', protocol: 'openai' }] })
  await gateway.model('fake/fixed?output=2&input=10', { protocols: ['openai-chat', 'anthropic'] })
  await gateway.model('fake/echo', { protocols: ['openai'] })
  secret = (await gateway.key(await gateway.account({ balance: '10' }))).secret
  client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await gateway.close()
  upstream.close()
})

test('a compaction reaches an upstream that speaks the wire untouched, and is charged by its own usage', async () => {
  const { data, response } = await client.responses.compact({ model: 'speaks', input: INPUT }).withResponse()
  expect(data).toMatchObject({ object: 'response.compaction', usage: { input_tokens: 1000, output_tokens: 100 } })
  expect(asked.at(-1)).toBe(`POST /v1/responses/compact {"model":"behind","input":"${INPUT}"}`)
  expect(response.headers.get('x-tollgate-cost')).toBe('0.003500001')
  const receipt = await fetch(`${gateway.origin}/v1/requests/${response.headers.get('x-request-id')}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(await receipt.json()).toMatchObject({ protocol: 'openai-responses', usage_source: 'reported' })
})

test('a model whose upstreams speak other wires cannot compact, and the refusal says so before anything is sent', async () => {
  const refused = await client.responses
    .compact({ model: 'fake/fixed?output=2&input=10', input: INPUT })
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 400, param: 'model' })
  expect(String(refused)).toContain('is not available at POST /v1/responses/compact')
  expect(gateway.fake.requests).toEqual([])
})

test('an upstream of the wire that has no compaction is not called misconfigured, and the refusal says what to call', async () => {
  const refused = await client.responses.compact({ model: 'fake/echo', input: INPUT }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 502, code: 'upstream_unavailable' })
  expect(String(refused)).toContain('Call POST /v1/responses instead')
})

test('a count of tokens that an upstream calls a stream arrives whole', async () => {
  const counted = await fetch(`${gateway.origin}/v1/responses/input_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: 'speaks', input: INPUT, stream: true }),
  })
  expect([counted.status, await counted.json()]).toEqual([200, { object: 'response.input_tokens', input_tokens: 7 }])
})

test('input tokens are counted by an upstream that can, for nothing and without a record', async () => {
  const { data, response } = await client.responses.inputTokens.count({ model: 'speaks', input: INPUT }).withResponse()
  expect(data).toEqual({ object: 'response.input_tokens', input_tokens: 7 })
  expect(response.headers.get('x-tollgate-usage-source')).toBeNull()
  expect(asked.at(-1)).toBe(`POST /v1/responses/input_tokens {"model":"behind","input":"${INPUT}"}`)
  expect(await gateway.store.usage.record(response.headers.get('x-request-id') ?? '')).toBeNull()
})

test.for(['fake/fixed?output=2&input=10', 'fake/echo'])(
  'input tokens of %s, whose upstream cannot, are counted here',
  async (model) => {
    const { data, response } = await client.responses.inputTokens.count({ model, input: INPUT }).withResponse()
    expect(data.object).toBe('response.input_tokens')
    expect(data.input_tokens).toBeGreaterThan(2)
    expect(response.headers.get('x-tollgate-usage-source')).toBe('estimated')
  },
)

test.for([false, true])(
  'a response can be read, cancelled and deleted where it was made; streamed: %s',
  async (stream) => {
    const records = (await gateway.store.ledger.prove()).records
    const id = await made({ stream })
    expect(await client.responses.retrieve(id)).toMatchObject({ id, object: 'response' })
    expect(asked.at(-1)).toBe(`GET /v1/responses/${id} `)
    expect((await client.responses.inputItems.list(id, { limit: 5 })).data).toEqual([])
    expect(asked.at(-1)).toBe(`GET /v1/responses/${id}/input_items?limit=5 `)
    expect(await client.responses.cancel(id)).toMatchObject({ id })
    expect(asked.at(-1)).toBe(`POST /v1/responses/${id}/cancel `)
    await client.responses.delete(id)
    expect(asked.at(-1)).toBe(`DELETE /v1/responses/${id} `)
    const count = asked.length
    expect(await refusal(id)).toMatchObject({ status: 404, code: 'path_unknown' })
    expect(asked.length).toBe(count)
    expect((await gateway.store.ledger.prove()).records).toBe(records + 1)
  },
)

test('another account’s response is as unknown as one that never was, and its upstream is not asked', async () => {
  const id = await made({})
  const other = await gateway.key(await gateway.account({ balance: '10' }))
  const stranger = new OpenAI({ apiKey: other.secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
  const count = asked.length
  const [theirs, never] = await Promise.all([refusal(id, stranger), refusal('resp_never', stranger)])
  expect(theirs).toMatchObject({ status: 404, type: 'invalid_request_error' })
  expect(String(theirs).replaceAll(id, 'ID')).toBe(String(never).replaceAll('resp_never', 'ID'))
  expect(asked.length).toBe(count)
})

test('another key of the account may read it, a disabled one may not', async () => {
  const account = await gateway.account({ balance: '10' })
  const [first, second] = [await gateway.key(account), await gateway.key(account)]
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
  const id = await made({}, clientOf(first.secret))
  expect(await clientOf(second.secret).responses.retrieve(id)).toMatchObject({ id })
  const elsewhere = await gateway.key(account, { allowedIps: ['10.9.8.7'] })
  expect(await refusal(id, clientOf(elsewhere.secret))).toMatchObject({ status: 403 })
})

test('what is not stored, or made on another wire, is not remembered', async () => {
  expect(await refusal(await made({ store: false }))).toMatchObject({ status: 404 })
  const translated = await client.responses.create({ model: 'fake/fixed?output=2&input=10', input: INPUT })
  expect(await refusal(translated.id)).toMatchObject({ status: 404 })
})

test('a stream of a stored response is refused by name, and an upstream that forgot it is a 404', async () => {
  const id = await made({})
  for (const query of ['stream=true', 'stream=false&stream=true', 'stream=1']) {
    const streamed = await fetch(`${gateway.origin}/v1/responses/${id}?${query}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    expect([streamed.status, await streamed.text()]).toEqual([400, expect.stringContaining('stream=true')])
  }
  forgotten.add(id)
  expect(await refusal(id)).toMatchObject({ status: 404, code: 'path_unknown' })
})

async function made(options: { stream?: boolean; store?: boolean }, by = client): Promise<string> {
  const { stream = false, store = true } = options
  if (!stream) return (await by.responses.create({ model: 'speaks', input: INPUT, store })).id
  const events = await by.responses.create({ model: 'speaks', input: INPUT, store, stream: true })
  let id = ''
  for await (const event of events) if (event.type === 'response.completed') id = event.response.id
  return id
}

async function refusal(id: string, by = client): Promise<unknown> {
  return by.responses.retrieve(id).then(
    () => 'not refused',
    (error: unknown) => error,
  )
}

function responseTo(body: string): object {
  const { store } = JSON.parse(body) as { store: boolean }
  const usage = { input_tokens: 10, output_tokens: 2, total_tokens: 12 }
  const content = [{ type: 'output_text', text: 'hello', annotations: [] }]
  const output = [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }]
  const id = `resp_${++responses}`
  return { id, object: 'response', created_at: 1, status: 'completed', model: 'behind', store, output, usage }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const [path = ''] = (request.url ?? '').split('?')
  asked.push(`${request.method} ${request.url} ${body}`)
  const json = (value: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (path === '/v1/responses/input_tokens' && body.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return void response.end('{"object":"response.input_tokens","input_tokens":7}')
  }
  if (path === '/v1/responses/input_tokens') return void json({ object: 'response.input_tokens', input_tokens: 7 })
  if (path === '/v1/responses/compact') {
    const usage = { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 }
    return void json({ id: 'resp_c', object: 'response.compaction', created_at: 1, output: [], usage })
  }
  if (path === '/v1/responses') {
    const whole = responseTo(body)
    if (!body.includes('"stream":true')) return void json(whole)
    const events = [
      { type: 'response.created', sequence_number: 0, response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.completed', sequence_number: 1, response: whole },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return void response.end(events.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join(''))
  }
  const id = path.split('/')[3] ?? ''
  if (forgotten.has(id)) return void json({ error: { message: `Response with id '${id}' not found.` } }, 404)
  if (path.endsWith('/input_items')) return void json({ object: 'list', data: [], has_more: false })
  json(request.method === 'DELETE' ? { id, object: 'response', deleted: true } : { id, object: 'response', output: [] })
}
