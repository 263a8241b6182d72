import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// Upstreams of the protocol `openai` that lack responses, and models that take tools there alone.

let gateway: GatewayUnderTest
let secret: string
let models = 0
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
})
afterAll(() => gateway.close())

const RESPONSE = JSON.stringify({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'hello', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
})

interface Lacking {
  readonly status: number
  readonly body: string
  readonly type?: string
}

/** An upstream that answers chat completions, and responses unless it lacks them; with the paths and bodies that came. */
async function openai({ lacking = null, model = 'm' }: { lacking?: Lacking | null; model?: string } = {}) {
  const arrived: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[] = []
  const answer = async (...[request, response]: Parameters<Script>) => {
    const path = request.url ?? ''
    arrived.push({ path, body: (await json(request)) as Record<string, unknown> })
    if (!path.endsWith('/responses')) return well(request, response)
    response.writeHead(lacking?.status ?? 200, { 'content-type': lacking?.type ?? 'application/json' })
    response.end(lacking?.body ?? RESPONSE)
  }
  const upstream = await scriptedUpstream((request, response) => void answer(request, response))
  onTestFinished(() => upstream.close())
  const name = `endpoints-${++models}`
  const targets = [{ port: upstream.port, model, settings: { protocol: 'openai' as const } }]
  await putModelOf(gateway.store, { name, targets })
  const isKnown = async () =>
    (await fetch(`${gateway.origin}/v1/models/${name}`, { headers: { authorization: `Bearer ${secret}` } })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return { name, arrived, paths: () => arrived.map(({ path }) => path.replace(/^\/v1/, '')) }
}

async function ask(path: string, body: object) {
  const response = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, id: response.headers.get('x-request-id') ?? '', text: await response.text() }
}

const hello = [{ role: 'user', content: 'hello' }]
const NOT_FOUND = '{"error":{"message":"Invalid URL (POST /v1/responses)","type":"invalid_request_error","code":null}}'

test.each<[string, Lacking]>([
  ['BerriAI/litellm#13352', { status: 404, body: '{"detail":"Not Found"}' }],
  ['vercel/ai#18226', { status: 404, body: NOT_FOUND }],
  ['Wei-Shaw/sub2api#2837', { status: 404, body: '<html>404</html>', type: 'text/html' }],
  ['ddutchie/cairn#127', { status: 405, body: '{"detail":"Method Not Allowed"}' }],
  ['BerriAI/litellm#13130', { status: 501, body: '' }],
])('an upstream without responses is asked by chat completions, at once from then on: %s', async (_, lacking) => {
  const { name, paths } = await openai({ lacking })
  const first = await ask('/v1/messages', { model: name, max_tokens: 100, messages: hello })
  expect(first.text).toContain('hello')
  expect(paths()).toEqual(['/responses', '/chat/completions'])
  await expect.poll(() => gateway.store.usage.record(first.id), { timeout: PATIENCE_MS }).not.toBeNull()
  const record = await gateway.store.usage.record(first.id)
  expect(record?.attempts).toMatchObject([{ status: lacking.status }, { fault: null }])
  const second = await ask('/v1/messages', { model: name, max_tokens: 100, messages: hello })
  expect(second.status).toBe(200)
  expect(paths().slice(2)).toEqual(['/chat/completions'])
})

test('a model that is not known there is no endpoint that is missing', async () => {
  const body =
    '{"error":{"message":"The model `m` does not exist","type":"invalid_request_error","code":"model_not_found"}}'
  const { name, paths } = await openai({ lacking: { status: 404, body } })
  const answer = await ask('/v1/messages', { model: name, max_tokens: 100, messages: hello })
  expect(answer.status).toBe(502)
  expect(paths()).toEqual(['/responses'])
})

const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }]

test.each<[string, object, string]>([
  ['gpt-5.6', { tools }, '/responses'],
  ['gpt-5.6', { tools, reasoning_effort: 'none' }, '/chat/completions'],
  ['gpt-5.6', {}, '/chat/completions'],
  ['gpt-5.4', { tools }, '/chat/completions'],
  ['gpt-5.4', { tools, reasoning_effort: 'high' }, '/responses'],
  ['gpt-6-astra', { tools, reasoning_effort: 'low' }, '/responses'],
  ['gpt-5.2', { tools, reasoning_effort: 'high' }, '/chat/completions'],
])('%s with %j from a client of chat completions is asked at %s', async (model, fields, path) => {
  const { name, paths } = await openai({ model })
  const answer = await ask('/v1/chat/completions', { model: name, messages: hello, ...fields })
  expect(answer.text).toContain('hello')
  expect(paths()).toEqual([path])
})
