import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

let gateway: GatewayUnderTest
let secret: string

const SLOW = 'fake/slow-chunks?chunks=200&delay_ms=20'

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  for (const name of ['fake/echo', SLOW]) await gateway.model(name)
  secret = (await gateway.key(await gateway.account())).secret
})

afterAll(() => gateway.close())

const messages = [{ role: 'user' as const, content: 'say it back' }]

const clients = [
  { header: 'x-api-key', client: () => new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 }) },
  {
    header: 'Authorization: Bearer',
    client: () => new Anthropic({ apiKey: null, authToken: secret, baseURL: gateway.origin, maxRetries: 0 }),
  },
]

test.for(clients)('a message arrives whole, with the key sent as $header', async ({ client }) => {
  const { data, response } = await client()
    .messages.create({ model: 'fake/echo', max_tokens: 100, messages })
    .withResponse()
  expect(data.content[0]).toMatchObject({ type: 'text', text: 'say it back' })
  expect(response.headers.get('request-id')).toMatch(/^req_/)
})

test.for(clients)('a streamed message arrives, with the key sent as $header', async ({ client }) => {
  const final = await client().messages.stream({ model: 'fake/echo', max_tokens: 100, messages }).finalMessage()
  expect(final.content[0]).toMatchObject({ type: 'text', text: 'say it back' })
  expect(final.usage.input_tokens).toBeGreaterThan(0)
})

test('a streamed tool call arrives whole', async () => {
  const final = await clients[0]
    ?.client()
    .messages.stream({
      model: 'fake/echo',
      max_tokens: 100,
      messages,
      tools: [{ name: 'look_up', input_schema: { type: 'object', properties: { word: { type: 'string' } } } }],
    })
    .finalMessage()
  expect(final?.stop_reason).toBe('tool_use')
  expect(final?.content.find((block) => block.type === 'tool_use')).toMatchObject({ name: 'look_up' })
})

test('tokens are counted, and counting costs nothing', async () => {
  const account = await gateway.account()
  const own = await gateway.key(account)
  const client = new Anthropic({ apiKey: own.secret, baseURL: gateway.origin, maxRetries: 0 })
  const counted = await client.messages.countTokens({ model: 'fake/echo', messages })
  expect(counted.input_tokens).toBeGreaterThan(0)
  expect(await gateway.balance(account)).toBe('10')
})

test('the models are listed in Anthropic’s shape', async () => {
  const client = new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 })
  const models = await Array.fromAsync(client.models.list({ limit: 1 }))
  expect(models.map((model) => model.id).sort()).toEqual(['fake/echo', SLOW].sort())
  expect(await client.models.retrieve('fake/echo')).toMatchObject({ type: 'model', id: 'fake/echo' })
})

test('an abort cancels the upstream at once, and what was produced is charged', async () => {
  const account = await gateway.account()
  const own = await gateway.key(account)
  const client = new Anthropic({ apiKey: own.secret, baseURL: gateway.origin, maxRetries: 0 })
  const stream = client.messages.stream({ model: SLOW, max_tokens: 1000, messages })
  const aborted = gateway.fake.whenAborted((request) => request.body.includes('slow-chunks'))
  await new Promise<void>((resolve) => stream.once('text', () => resolve()))
  stream.abort()
  await stream.done().catch(() => {})
  await aborted
  await expect.poll(() => gateway.balance(account)).not.toBe('10')
  const [entry] = await gateway.store.ledger.entries(account.id, 1)
  expect(entry).toMatchObject({ kind: 'usage' })
})
