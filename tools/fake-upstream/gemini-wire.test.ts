/** The fake upstream as Google's API. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { FakeUpstream } from './fake-upstream.ts'
import { startFakeUpstream } from './fake-upstream.ts'
import { type JsonFields, listOf, objectOf, stringOf } from '../../src/upstreams/demo/json.ts'

let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startFakeUpstream({ requiredCredential: 'the-credential' })
})
afterEach(() => upstream.reset())
afterAll(() => upstream.close())

const contents = [{ role: 'user', parts: [{ text: 'Grüße, 你好' }] }]

function call(model: string, method: string, body: object = { contents }): Promise<Response> {
  return fetch(`${upstream.url}/v1beta/models/${encodeURIComponent(model)}:${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'the-credential' },
    body: JSON.stringify(body),
  })
}

function textOf(chunk: JsonFields): string {
  const content = objectOf(objectOf(listOf(chunk['candidates'])[0])['content'])
  return listOf(content['parts'])
    .map((part) => stringOf(objectOf(part)['text']))
    .join('')
}

async function chunksOf(response: Response): Promise<JsonFields[]> {
  const events = (await response.text()).split('\r\n\r\n').filter((event) => event !== '')
  return events.map((event) => objectOf(JSON.parse(event.slice('data: '.length))))
}

const counted = 'fake/echo?input=50&cached=20&output=9&reasoning=2'
const usage = { promptTokenCount: 70, cachedContentTokenCount: 20, candidatesTokenCount: 7, thoughtsTokenCount: 2 }

test('a stream says the same as the whole answer', async () => {
  const whole = objectOf(await (await call(counted, 'generateContent')).json())
  const chunks = await chunksOf(await call(counted, 'streamGenerateContent?alt=sse'))
  expect(textOf(whole)).toBe('Grüße, 你好')
  expect(chunks.map(textOf).join('')).toBe('Grüße, 你好')
  for (const last of [whole, chunks.at(-1)]) {
    expect(last).toMatchObject({ candidates: [{ finishReason: 'STOP' }], usageMetadata: usage })
  }
  expect(upstream.stats().totals).toMatchObject({ completed: 2, usage: { input: 100, cached: 40, output: 18 } })
})

test('equal calls of fake/fixed get equal bytes', async () => {
  const texts = [1, 2].map(async () => (await call('fake/fixed?chunks=3', 'streamGenerateContent?alt=sse')).text())
  const [first, again] = await Promise.all(texts)
  expect(again).toBe(first)
})

test('a function is called with what its schema requires', async () => {
  const parametersJsonSchema = { type: 'object', properties: { days: { type: 'INTEGER' } }, required: ['days'] }
  const tools = [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema }] }]
  const got = await call('fake/echo', 'generateContent', { contents, tools })
  expect(JSON.stringify(await got.json())).toContain('"name":"weather","args":{"days":7}')
})

test('tokens are counted, and in no book', async () => {
  const got = await call('fake/echo?input=50&cached=4', 'countTokens')
  expect(await got.json()).toMatchObject({ totalTokens: 54 })
  expect(upstream.stats()).toMatchObject({ countTokens: 1, totals: { requests: 0 } })
})

test.for([
  ['rate-limited', 429, 'RESOURCE_EXHAUSTED'],
  ['overloaded', 503, 'UNAVAILABLE'],
  ['bad-request', 400, 'INVALID_ARGUMENT'],
  ['no-such-sentinel', 404, 'NOT_FOUND'],
] as const)('fake/%s fails in the shape of the family', async ([name, code, status]) => {
  const got = await call(`fake/${name}`, 'generateContent')
  expect([got.status, await got.json()]).toMatchObject([code, { error: { code, status } }])
})

test('another credential than the required one is refused', async () => {
  const url = `${upstream.url}/v1beta/models/fake%2Fecho:generateContent`
  const got = await fetch(url, { method: 'POST', body: JSON.stringify({ contents }) })
  expect([got.status, await got.json()]).toMatchObject([401, { error: { status: 'UNAUTHENTICATED' } }])
})

test('fake/error-event breaks the stream after its beginning', async () => {
  const chunks = await chunksOf(await call('fake/error-event', 'streamGenerateContent?alt=sse'))
  expect(chunks.length).toBeGreaterThan(2)
  expect(chunks.at(-1)).toMatchObject({ error: { status: 'UNAVAILABLE' } })
})
