import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES } from '../support/gateway-under-test.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'

// What a provider stores it stores for one credential, which all accounts share. These are the guarantees of who may
// name it: two accounts, and two upstreams that keep what they answer.

interface Keeping {
  readonly server: ScriptedUpstream
  /** Bodies that arrived. */
  readonly asked: string[]
}

let one: Keeping
let two: Keeping
let gateway: GatewayUnderTest
let mine: string
let other: string
beforeAll(async () => {
  one = await keeping('one')
  two = await keeping('two')
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_STORED_IDS: 'own' } })
  await model(gateway, 'of-one', { keepers: [one] })
  await model(gateway, 'of-two', { keepers: [two] })
  await model(gateway, 'of-both', { keepers: [two, one] })
  await model(gateway, 'files', { keepers: [one], protocol: 'anthropic' })
  await model(gateway, 'google', { keepers: [one], protocol: 'gemini' })
  mine = (await gateway.key(await gateway.account())).secret
  other = (await gateway.key(await gateway.account())).secret
})
afterAll(async () => {
  await gateway.close()
  for (const { server } of [one, two]) server.close()
})

describe('an account continues its own responses', () => {
  test.for([false, true])('by their ids and by those of their items; streamed: %s', async (stream) => {
    const made = await answered({ model: 'of-one', stream })
    expect((await send(mine, { model: 'of-one', previous_response_id: made.id })).status).toBe(200)
    const input = [{ type: 'item_reference', id: made.item }, { id: made.item }]
    expect((await send(mine, { model: 'of-one', input })).status).toBe(200)
    expect(one.asked.at(-1)).toContain(made.item)
  })

  test('where they are kept, whichever upstream the model would choose', async () => {
    const made = await answered({ model: 'of-one' })
    const before = two.asked.length
    for (let i = 0; i < 5; i++) {
      expect((await send(mine, { model: 'of-both', previous_response_id: made.id })).status).toBe(200)
    }
    expect(two.asked.length).toBe(before)
    const elsewhere = await send(mine, { model: 'of-two', previous_response_id: made.id })
    expect([elsewhere.status, elsewhere.body]).toEqual([400, expect.stringContaining('another provider')])
    const several = [made.item, (await answered({ model: 'of-two' })).item].map((id) => ({
      type: 'item_reference',
      id,
    }))
    expect((await send(mine, { model: 'of-both', input: several })).status).toBe(400)
  })
})

describe('no account continues another’s', () => {
  test.for([
    ['a response', (id: string) => `"previous_response_id":"${id}"`],
    [
      'a response, its name and id with escapes',
      (id: string) => `"previous\\u005fresponse_id":"${id.replace('_', '\\u005f')}"`,
    ],
    ['a response, in other letters', (id: string) => `"Previous_Response_Id":"${id}"`],
    ['an item', (_: string, item: string) => `"input":[{"type":"item_reference","id":"${item}"}]`],
    [
      'an item, its type with escapes',
      (_: string, item: string) => `"input":[{"typ\\u0065":"item\\u005freference","id":"${item}"}]`,
    ],
    ['an item without a type', (_: string, item: string) => `"input":[{"id":"${item}"}]`],
  ] as const)('%s', async ([, field]) => {
    const { id, item } = await answered({ model: 'of-one' })
    const before = one.asked.length
    const theirs = await sendText(other, `{"model":"of-one",${field(id, item)}}`)
    const never = await sendText(other, `{"model":"of-one",${field('resp_never', 'msg_never')}}`)
    expect([theirs.status, never.status]).toEqual([400, 400])
    expect(theirs.body.replaceAll(id, '').replaceAll(item, '')).toContain('There is no stored response')
    expect(one.asked.length).toBe(before)
  })

  test('not when its tokens are counted or it is compacted', async () => {
    const { id } = await answered({ model: 'of-one' })
    for (const path of ['/v1/responses/input_tokens', '/v1/responses/compact']) {
      const refused = await sendText(other, `{"model":"of-one","previous_response_id":"${id}"}`, path)
      expect(refused.status).toBe(400)
    }
  })
})

const OTHERS = [
  ['/v1/responses', { model: 'of-one', conversation: 'conv_1', input: 'x' }],
  [
    '/v1/responses',
    { model: 'of-one', input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] },
  ],
  ['/v1/responses', { model: 'of-one', input: 'x', tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
  ['/v1/responses', { model: 'of-one', input: 'x', tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }],
  [
    '/v1/messages',
    { model: 'files', max_tokens: 9, container: 'container_1', messages: [{ role: 'user', content: 'x' }] },
  ],
  [
    '/v1beta/models/google:generateContent',
    { cachedContent: 'cachedContents/1', contents: [{ parts: [{ text: 'x' }] }] },
  ],
] as const

test.for(OTHERS)('what no account can be seen to have made is not passed on: %s %j', async ([path, body]) => {
  const before = one.asked.length
  const refused = await sendText(mine, JSON.stringify(body), path)
  expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('TOLLGATE_STORED_IDS')])
  expect(one.asked.length).toBe(before)
})

test('without a setting, ids of other accounts are refused, own ones go where they are kept, and unknown ones pass', async () => {
  const usual = await gatewayUnderTest()
  onTestFinished(() => usual.close())
  await model(usual, 'of-one', { keepers: [one] })
  await model(usual, 'of-both', { keepers: [two, one] })
  const [first, second] = [
    (await usual.key(await usual.account())).secret,
    (await usual.key(await usual.account())).secret,
  ]
  const ask = (secret: string, body: object) => sendText(secret, JSON.stringify(body), `${usual.origin}/v1/responses`)
  const made = await ask(first, { model: 'of-one', input: 'x' })
  const id = /resp_\w+/.exec(made.body)?.[0] ?? ''
  const item = /msg_\w+/.exec(made.body)?.[0] ?? ''
  const before = [one.asked.length, two.asked.length]
  for (const named of [{ previous_response_id: id }, { input: [{ type: 'item_reference', id: item }] }]) {
    const theirs = await ask(second, { model: 'of-one', input: 'x', ...named })
    expect([theirs.status, theirs.body]).toEqual([400, expect.stringContaining('There is no stored response')])
  }
  expect([one.asked.length, two.asked.length]).toEqual(before)
  for (let i = 0; i < 5; i++) {
    expect((await ask(first, { model: 'of-both', input: 'x', previous_response_id: id })).status).toBe(200)
  }
  expect(two.asked.length).toBe(before[1])
  const file = { role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }
  for (const named of [{ previous_response_id: 'resp_before' }, { conversation: 'conv_1' }, { input: [file] }]) {
    expect((await ask(second, { model: 'of-one', input: 'x', ...named })).status).toBe(200)
  }
})

test('an admin may let all ids pass', async () => {
  const own = await gatewayUnderTest({ environment: { TOLLGATE_STORED_IDS: 'any' } })
  onTestFinished(() => own.close())
  await model(own, 'of-one', { keepers: [one] })
  const { secret } = await own.key(await own.account())
  for (const field of [{ previous_response_id: 'resp_foreign' }, { conversation: 'conv_1' }]) {
    const response = await fetch(`${own.origin}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: 'of-one', input: 'x', ...field }),
    })
    await response.text()
    expect(response.status).toBe(200)
  }
})

test('requests for stored responses count as requests of their key', async () => {
  const rateLimit = { requestsPerMinute: 2, tokensPerMinute: null, concurrency: null, spend: [] }
  const { secret } = await gateway.key(await gateway.account(), { rateLimit })
  const { id } = await answered({ model: 'of-one' }, secret)
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) {
    const response = await fetch(`${gateway.origin}/v1/responses/${id}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    await response.text()
    statuses.push(response.status)
  }
  expect(statuses).toEqual([200, 429, 429])
})

async function send(secret: string, body: object): Promise<{ status: number; body: string }> {
  return sendText(secret, JSON.stringify({ input: 'go on', ...body }))
}

async function sendText(
  secret: string,
  body: string,
  path = '/v1/responses',
): Promise<{ status: number; body: string }> {
  const response = await fetch(new URL(path, gateway.origin), {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
  })
  return { status: response.status, body: await response.text() }
}

/** The ids of an answer that was made for the key. */
async function answered(
  about: { model: string; stream?: boolean },
  secret = mine,
): Promise<{ id: string; item: string }> {
  const { status, body } = await send(secret, about)
  expect(status).toBe(200)
  return { id: /resp_\w+/.exec(body)?.[0] ?? '', item: /msg_\w+/.exec(body)?.[0] ?? '' }
}

let answers = 0

async function keeping(name: string): Promise<Keeping> {
  const asked: string[] = []
  const answer: Script = async (request, response) => {
    const body = await text(request)
    asked.push(body)
    answers += 1
    const content = [{ type: 'output_text', text: 'hello', annotations: [] }]
    const item = { id: `msg_${name}_${answers}`, type: 'message', role: 'assistant', status: 'completed', content }
    const usage = { input_tokens: 10, output_tokens: 2, total_tokens: 12 }
    const id = `resp_${name}_${answers}`
    const whole = { id, object: 'response', created_at: 1, status: 'completed', model: 'm', output: [item], usage }
    if (!body.includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(whole))
    }
    const events = [
      { type: 'response.created', sequence_number: 0, response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.completed', sequence_number: 1, response: whole },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join(''))
  }
  return { server: await scriptedUpstream(answer), asked }
}

const upstreamIds = new Map<string, string>()

async function model(
  on: GatewayUnderTest,
  name: string,
  { keepers, protocol = 'openai' }: { keepers: readonly Keeping[]; protocol?: UpstreamProtocol },
): Promise<void> {
  const targets = []
  for (const { server } of keepers) targets.push({ upstreamId: await upstream(on, server.port, protocol), model: 'm' })
  await on.store.catalog.putModel({
    id: newId('mdl', Date.now()),
    name,
    prices: TEST_PRICES,
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    targets: targets.map((target) => ({ ...target, priority: 0, weight: 1 })),
    createdAt: Date.now(),
    isManaged: false,
  })
}

async function upstream(on: GatewayUnderTest, port: number, protocol: UpstreamProtocol): Promise<string> {
  const name = `${on.origin} ${port} ${protocol}`
  const known = upstreamIds.get(name)
  if (known !== undefined) return known
  const id = newId('ups', Date.now())
  upstreamIds.set(name, id)
  await on.store.catalog.putUpstream({
    id,
    name,
    protocol,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    credentials: [],
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    timeoutMs: null,
    maxConcurrency: null,
    headers: {},
    isManaged: false,
  })
  return id
}
