import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { sealer } from '../../src/core/secret-box.ts'
import { CHAT_WIRES } from '../../src/core/wire.ts'
import type { Target } from '../../src/routing/catalog.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { askBySdk } from '../support/read-by-sdk.ts'

/** A model of Bedrock's Converse behind the gateway, asked by the vendors' SDKs in all protocols of clients. */

const FIXED = 'fake/fixed?chunks=8&input=30&output=12'
const SLOW = 'fake/slow-chunks?chunks=40&input=30&output=12'

let on: GatewayUnderTest
let secret: string

beforeAll(async () => {
  on = await gatewayUnderTest()
  const id = newId('ups', Date.now())
  await on.store.catalog.putUpstream({
    id,
    name: 'bedrock',
    protocol: 'converse',
    baseUrl: on.fake.url,
    credentials: [unlimitedCredential(sealer(TEST_SECRET).seal('a-key-of-bedrock'))],
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    timeoutMs: null,
    maxConcurrency: null,
    headers: {},
    passage: { dialect: 'bedrock' },
    isManaged: false,
  })
  const model = async (name: string, target: Partial<Target> & { model: string }): Promise<void> => {
    const now = Date.now()
    const limits = { contextTokens: 200_000, maxOutputTokens: 64_000 }
    const targets = [{ upstreamId: id, priority: 0, weight: 1, ...target }]
    const fields = { id: newId('mdl', now), name, prices: TEST_PRICES, ...limits, targets, createdAt: now }
    await on.store.catalog.putModel({ ...fields, isManaged: false })
  }
  await model('fixed', { model: FIXED })
  await model('slow', { model: SLOW })
  await model('echo', { model: 'fake/echo' })
  await model('llama', { model: 'fake/echo', fieldsLike: 'meta.llama3-3-70b-instruct-v1:0' })
  await model('silent', { model: 'fake/no-usage?chunks=8' })
  await model('broken', { model: 'fake/error-event?chunks=8' })
  await model('refused', { model: 'fake/bad-request' })
  secret = (await on.key(await on.account())).secret
})

afterAll(() => on.close())

const lastPath = () => on.fake.requests.at(-1)?.path

async function recordOf(requestId: string | null) {
  const { usage } = on.store
  await expect.poll(() => usage.record(requestId ?? ''), { timeout: PATIENCE_MS }).not.toBeNull()
  const record = await usage.record(requestId ?? '')
  if (record === null) throw new Error('it has a record')
  return record
}

/** What is left of 1 USD behind 30 × 2.5 + 12 × 10.000001 USD for a million tokens, rounded up to 1e-9 USD. */
const LEFT = '0.999804999'

describe.for([false, true])('streamed %s', (isStream) => {
  test.for(CHAT_WIRES)('a client of %s reads the answer, and is charged what was reported', async (wire) => {
    const account = await on.account({ balance: '1' })
    const own = (await on.key(account)).secret
    const read = await askBySdk(wire, { origin: on.origin, secret: own, model: 'fixed', prompt: 'Hi', isStream })
    expect(read.text).toContain('the toll is paid')
    expect(read.outputTokens).toBe(12)
    expect(lastPath()).toBe(`/model/${encodeURIComponent(FIXED)}/converse${isStream ? '-stream' : ''}`)
    await expect.poll(() => on.balance(account), { timeout: PATIENCE_MS }).toBe(LEFT)
  })

  test.for(CHAT_WIRES)('a client of %s gets the call of a tool', async (wire) => {
    const read = await askBySdk(wire, { origin: on.origin, secret, model: 'echo', prompt: 'Hi', isStream })
    expect(read.call).toEqual({ name: 'look_up', arguments: { id: 1.5 } })
  })
})

test.for(CHAT_WIRES)('a client of %s streams a call that the model gives whole alone', async (wire) => {
  const read = await askBySdk(wire, { origin: on.origin, secret, model: 'llama', prompt: 'Hi', isStream: true })
  expect(read.call).toEqual({ name: 'look_up', arguments: { id: 1.5 } })
  expect(lastPath()).toBe('/model/fake%2Fecho/converse')
})

function chat(model: string, fields: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${on.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...fields }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** What came until the connection was closed, which ends a stream that failed. */
async function textUntilCut(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const piece of response.body ?? []) text += decoder.decode(piece as Uint8Array, { stream: true })
  } catch {
    return text
  }
  return text
}

test('an answer without a report is counted here', async () => {
  const response = await chat('silent', { stream: true })
  expect(await response.text()).toContain('[DONE]')
  const { usageSource, tokens } = await recordOf(response.headers.get('x-request-id'))
  expect(usageSource).toBe('estimated')
  expect(tokens.output).toBeGreaterThan(0)
})

test('a stream that fails in the middle ends with its error, and is not charged', async () => {
  const response = await chat('broken', { stream: true })
  const text = await textUntilCut(response)
  expect(text).toContain('The fake upstream broke off on purpose.')
  expect(text).not.toContain('[DONE]')
  expect(await recordOf(response.headers.get('x-request-id'))).toMatchObject({ outcome: 'failed', cost: 0n })
})

test('a client that hangs up is charged for what the upstream wrote by then', async () => {
  const leaving = new AbortController()
  const response = await chat('slow', { stream: true }, leaving.signal)
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.read()
  leaving.abort()
  await reader?.closed.catch(() => undefined)
  const record = await recordOf(response.headers.get('x-request-id'))
  expect(record.cost).toBeGreaterThan(0n)
})

test('a refusal of AWS reaches the client in its own words', async () => {
  const response = await chat('refused', {})
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('decimal above') as string },
  })
})

test('no client is shown the protocol, or can call it', async () => {
  const list = await fetch(`${on.origin}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
  const { data } = (await list.json()) as { data: { id: string; supported_protocols: string[] }[] }
  expect(data.find(({ id }) => id === 'fixed')?.supported_protocols).toEqual([...CHAT_WIRES])
  const called = await fetch(`${on.origin}/model/fixed/converse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: '{"messages":[]}',
  })
  expect(called.status).toBe(404)
})
