import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SETUP_MARK_HEADER } from '../../src/access/setup-mark.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { type Script, scriptedUpstream, putModelOf } from '../support/scripted-upstream.ts'
import { testPostgres } from '../support/test-servers.ts'
import { PATIENCE_MS } from '../support/patience.ts'

// Two nodes on one database: what is changed through the API of one holds at the other, and its streams run on.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
let database: Awaited<ReturnType<typeof testPostgres>>
let nodes: readonly GatewayUnderTest[]
let secret: string
beforeAll(async () => {
  database = await testPostgres()
  const environment = {
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    TOLLGATE_SECRET: 'x'.repeat(32),
    DATABASE_URL: database.url,
  }
  nodes = [await gatewayUnderTest({ environment }), await gatewayUnderTest({ environment })]
  secret = (await one().key(await one().account({ balance: '100' }))).secret
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await database.drop()
})

function one(): GatewayUnderTest {
  return nodes[0] ?? never()
}

function other(): GatewayUnderTest {
  return nodes[1] ?? never()
}

function never(): never {
  throw new Error('two nodes were started')
}

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(one().origin + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any }
}

function call(model: string, stream = false): Promise<Response> {
  return fetch(`${other().origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'hello' }] }),
  })
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

test('a try without a key is seen on the page that its command was copied from, whichever node refused it', async () => {
  const account = await one().account()
  const { key } = await one().key(account)
  const { body: setup } = await ask('GET', `/api/keys/${key.id}/setup`)
  const refused = await fetch(`${other().origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [SETUP_MARK_HEADER]: setup.mark },
    body: '{}',
  })
  expect(refused.status).toBe(401)
  const tries = () => one().store.usage.firstSteps({ accountId: account.id, sinceMs: 0, limit: 5 })
  await expect.poll(tries, { timeout: PATIENCE_MS }).toMatchObject([{ keyId: key.id, fault: 'key_missing' }])
})

test('gateways of one process are several nodes, and each is waited for', async () => {
  expect(await one().store.nodes.all()).toHaveLength(nodes.length)
})

test('a model, its target, its price and its group change at the other node once the call has returned, and no stream breaks', async () => {
  let finish = (): void => {}
  const held: Script = (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ role: 'assistant', content: 'first' }))
    finish = () => {
      const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
      response.write(chunk({ content: ' last' }) + chunk({}, 'stop'))
      response.end(`data: ${JSON.stringify({ id: 'x', choices: [], usage })}\n\ndata: [DONE]\n\n`)
    }
  }
  const answering: Script = (request, response) => {
    request.resume()
    const choices = [{ index: 0, message: { role: 'assistant', content: 'other' }, finish_reason: 'stop' }]
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices, usage }))
  }
  const [before, after] = [await scriptedUpstream(held), await scriptedUpstream(answering)]
  onTestFinished(() => [before, after].forEach((upstream) => upstream.close()))
  await putModelOf(one().store, { name: 'moved', targets: [{ port: before.port }] })
  const isKnown = async () =>
    (await fetch(`${other().origin}/v1/models/moved`, { headers: { authorization: `Bearer ${secret}` } })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)

  const streaming = await call('moved', true)
  const reader = (streaming.body ?? never()).pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('first')

  const upstream = await ask('POST', '/api/upstreams', {
    name: 'elsewhere',
    protocol: 'openai',
    base_url: `http://127.0.0.1:${after.port}/v1`,
  })
  expect(upstream.status).toBe(201)
  const model = (await ask('GET', '/api/models')).body.data.find(({ name }: { name: string }) => name === 'moved')
  const changed = await ask('PATCH', `/api/models/${model.id}`, {
    targets: [{ upstream: 'elsewhere', model: 'moved' }],
  })
  expect(changed.status).toBe(200)
  // The call returned when every node acts on it: the very next request at the other node goes to the new target.
  const next = await call('moved')
  expect({ status: next.status, text: await next.text() }).toMatchObject({
    status: 200,
    text: expect.stringContaining('other'),
  })
  expect([before.asked, after.asked]).toEqual([1, 1])

  const groups = (await ask('GET', '/api/groups')).body.data
  const group = groups.find(({ name }: { name: string }) => name === 'default')
  expect((await ask('PATCH', `/api/groups/${group.id}`, { multiplier: '3' })).status).toBe(200)
  const routed = await fetch(`${other().origin}/v1/models/moved`, { headers: { authorization: `Bearer ${secret}` } })
  expect(await routed.json()).toMatchObject({ pricing: { input: '7.5' } })

  finish()
  let rest = ''
  for (let read = await reader.read(); !read.done; read = await reader.read()) rest += read.value
  expect(rest).toContain('last')
  expect(rest).toContain('[DONE]')
})
