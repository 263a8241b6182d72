import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BilledCall } from './ledger.ts'
import { type Provider, startProvider } from './provider.ts'

let provider: Provider

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

/** Sends it; resolves with the answer and with what it was billed for. */
async function call(path: string, body: object | string, headers: Record<string, string> = {}) {
  const answer = await fetch(provider.url + path, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await answer.text()
  await provider.whenIdle()
  const billed: BilledCall | undefined = provider.ledger.calls.at(-1)
  if (billed === undefined) throw new Error('nothing was billed')
  return { text, billed, answer }
}

const said = (content: unknown) => [{ role: 'user', content }]

test('a reference is billed by the size that it names, also where the field’s name is written with escapes', async () => {
  const plain = JSON.stringify({ model: 'm', input: 'Hello.', previous_response_id: 'resp_120000' })
  const escaped = plain.replace('previous_response', String.raw`previous\u005fresponse`)
  for (const body of [plain, escaped]) {
    const { billed } = await call('/v1/responses', body)
    expect(billed.input).toBeGreaterThan(120_000)
    expect(billed.input).toBeLessThan(120_100)
  }
})

test.for([
  ['/v1/responses', { model: 'm', input: [{ type: 'item_reference', id: 'msg_30000' }] }],
  ['/v1/responses', { model: 'm', input: [{ id: 'msg_30000' }] }],
  ['/v1/responses', { model: 'm', input: 'x', conversation: { id: 'conv_30000' } }],
  ['/v1/responses', { model: 'm', prompt: { id: 'pmpt_30000' } }],
  [
    '/v1/chat/completions',
    { model: 'm', messages: said([{ type: 'image_url', image_url: { url: 'https://x.test/30000' } }]) },
  ],
  [
    '/v1/messages',
    { model: 'm', messages: said([{ type: 'document', source: { type: 'file', file_id: 'file_30000' } }]) },
  ],
  [
    '/v1beta/models/m:generateContent',
    { contents: [{ parts: [{ file_data: { file_uri: 'https://x.test/30000' } }] }] },
  ],
  ['/v1beta/models/m:generateContent', { contents: [], cachedContent: 'cachedContents/30000' }],
] as const)('%s reads what %j refers to', async ([path, body]) => {
  const { billed } = await call(path, body)
  expect(billed.input + billed.cacheRead).toBeGreaterThan(29_999)
})

test('each search reads pages, and then everything is read again', async () => {
  const ask = { model: 'm', input: 'Search 2 times. Pages of 1000 tokens.', tools: [{ type: 'web_search' }] }
  const { billed, text } = await call('/v1/responses', ask)
  expect(billed.calls.webSearch).toBe(2)
  expect(billed.input).toBeGreaterThan(3_000)
  expect(text.match(/web_search_call"/g)).toHaveLength(2)
  const bounded = await call('/v1/responses', { ...ask, max_tool_calls: 1 })
  expect(bounded.billed.calls.webSearch).toBe(1)
})

test('thinking comes first and counts against the limit, and the report has both', async () => {
  const ask = { model: 'thinking', messages: said('Think 300. Write 100 words.') }
  const whole = await call('/v1/chat/completions', ask)
  expect(whole.billed).toMatchObject({ output: 400, hidden: 300, isReported: true, end: 'whole' })
  expect(JSON.parse(whole.text)).toMatchObject({ usage: { completion_tokens: 400 } })
  const cut = await call('/v1/chat/completions', { ...ask, max_completion_tokens: 350 })
  expect(cut.billed).toMatchObject({ output: 350 })
  const unbounded = await call('/v1/chat/completions', { ...ask, model: 'thinking-unbounded', max_tokens: 5 })
  expect(unbounded.billed).toMatchObject({ output: 400 })
})

test('a stream that is left is billed as far as it came, with all of its thinking, and reports nothing', async () => {
  const body = {
    model: 'thinking',
    stream: true,
    messages: said('Think 7000. Write 100000 words.'),
    max_tokens: 200_000,
  }
  const answer = await fetch(`${provider.url}/v1/messages`, { method: 'POST', body: JSON.stringify(body) })
  const reader = answer.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await provider.whenIdle()
  const billed = provider.ledger.calls.at(-1)
  expect(billed).toMatchObject({ end: 'left', isReported: false, hidden: 7_000 })
  expect(billed?.output).toBeGreaterThanOrEqual(7_000)
  expect(billed?.output).toBeLessThan(107_000)
})

test('the answer names the tier, and a mask takes the report out of it', async () => {
  const tiered = await call('/v1/responses', { model: 'm', input: 'x', service_tier: 'priority' })
  expect(tiered.billed.tier).toBe('priority')
  expect(JSON.parse(tiered.text)).toMatchObject({ service_tier: 'priority' })
  expect((await call('/v1/responses', { model: 'eager', input: 'x', service_tier: 'auto' })).billed.tier).toBe(
    'priority',
  )
  const fast = await call('/v1/messages', { model: 'm', messages: said('x'), speed: 'fast', inference_geo: 'us' })
  expect(JSON.parse(fast.text)).toMatchObject({ usage: { speed: 'fast', inference_geo: 'us' } })
  const masked = await call('/v1beta/models/m:generateContent', { contents: [] }, { 'x-goog-fieldmask': 'candidates' })
  expect(masked.text).not.toContain('usageMetadata')
  expect(masked.billed).toMatchObject({ isReported: false, output: 20 })
})

test('several answers to one call are each as long as the limit allows', async () => {
  const many = { model: 'm', messages: said('Write 500 words.'), n: 20, max_tokens: 16 }
  expect((await call('/v1/chat/completions', many)).billed.output).toBe(320)
  const prompts = { model: 'm', prompt: ['Write 500 words.', 'And more.'], best_of: 3, max_tokens: 16 }
  expect((await call('/v1/completions', prompts)).billed.output).toBe(96)
})

test('pages of a document that has few bytes are billed as pictures', async () => {
  const data = Buffer.from('%PDF-1.7 /Type /Pages /Count 100 ').toString('base64')
  const source = { type: 'base64', media_type: 'application/pdf', data }
  const { billed } = await call('/v1/messages', { model: 'm', messages: said([{ type: 'document', source }]) })
  expect(billed.input).toBeGreaterThanOrEqual(150_000)
})
