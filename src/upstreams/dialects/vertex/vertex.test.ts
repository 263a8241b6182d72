import { expect, test } from 'vitest'
import type { Wire } from '../../../core/wire.ts'
import { baseUrlOf } from '../../../routing/upstream-settings.ts'
import type { RequestPurpose, UpstreamRequest } from '../../upstream-client.ts'
import { vertex } from './vertex.ts'

const PROJECT = 'https://aiplatform.googleapis.com/v1/projects/p/locations/global'
const EXPRESS = 'https://aiplatform.googleapis.com/v1'

interface Asked {
  readonly model: string
  readonly wire?: Wire
  readonly form?: RequestPurpose['form']
  readonly baseUrl?: string
  readonly body?: string
  readonly headers?: Record<string, string>
  readonly path?: string
}

function sent({
  model,
  wire = 'gemini',
  form = 'whole',
  baseUrl = PROJECT,
  body = '{}',
  headers = {},
  path = '/',
}: Asked) {
  const protocol = wire === 'gemini' ? 'gemini' : wire === 'anthropic-messages' ? 'anthropic' : 'openai-chat'
  const dialect = vertex({ protocol, baseUrl, region: null, apiVersion: null })
  const asks = { wire, model, form }
  const request: UpstreamRequest = { method: 'POST', path, headers, body: [Buffer.from(body)], asks }
  const outbound = dialect.outbound(request)
  return { ...outbound, body: Buffer.concat(outbound.body).toString() }
}

test.for([
  ['gemini-3-pro', '/publishers/google/models/gemini-3-pro'],
  ['models/gemini-3-pro', '/publishers/google/models/gemini-3-pro'],
  ['google/gemini-3-pro', '/publishers/google/models/gemini-3-pro'],
  ['publishers/google/models/gemini-3-pro', '/publishers/google/models/gemini-3-pro'],
  ['projects/123/locations/global/endpoints/456', '/endpoints/456'],
  ['4567890123', '/endpoints/4567890123'],
  ['a b?c', '/publishers/google/models/a%20b%3Fc'],
])('the model %s is asked at %s', ([model = '', path]) => {
  expect(sent({ model }).path).toBe(`${path}:generateContent`)
  expect(sent({ model, form: 'stream' }).path).toBe(`${path}:streamGenerateContent?alt=sse`)
  expect(sent({ model, form: 'count_tokens' }).path).toBe(`${path}:countTokens`)
})

test('Claude is asked by rawPredict, with its version in the body and the model in the path', () => {
  const body = '{"model":"x", "max_tokens":1e1,"stream":true, "messages":[]}'
  const headers = {
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'interleaved-thinking-2025-05-14',
    'x-app': 'cli',
  }
  const asked = { model: 'claude-sonnet-4-5@20250929', wire: 'anthropic-messages', body, headers } as const
  expect(sent({ ...asked, form: 'stream' })).toMatchObject({
    path: '/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict',
    body: '{"anthropic_version":"vertex-2023-10-16", "max_tokens":1e1,"stream":true, "messages":[]}',
    headers: { 'anthropic-beta': 'interleaved-thinking-2025-05-14', 'x-app': 'cli' },
  })
  expect(sent({ ...asked, form: 'stream' }).headers).not.toHaveProperty('anthropic-version')
  expect(sent({ ...asked, form: 'whole' }).path).toMatch(/:rawPredict$/)
})

test.for([
  ['2023-06-01', 'vertex-2023-10-16'],
  [undefined, 'vertex-2023-10-16'],
  ['2026-10-21', '2026-10-21'],
])('the version %s of a client is %s in the body', ([version, written]) => {
  const headers = version === undefined ? {} : { 'anthropic-version': version }
  const { body } = sent({ model: 'c', wire: 'anthropic-messages', headers })
  expect(JSON.parse(body)).toEqual({ anthropic_version: written })
})

test('tokens for Claude are counted by a model of that name, with the counted one in the body', () => {
  const body = '{"model":"anthropic/claude-opus-4-6","messages":[]}'
  expect(
    sent({ model: 'anthropic/claude-opus-4-6', wire: 'anthropic-messages', form: 'count_tokens', body }),
  ).toMatchObject({
    path: '/publishers/anthropic/models/count-tokens:rawPredict',
    body: '{"anthropic_version":"vertex-2023-10-16","model":"claude-opus-4-6","messages":[]}',
  })
})

test.for([
  // anthropics/claude-code issue 21612: Claude Code's own betas reached Vertex AI through a gateway and were refused.
  ['claude-code-20250219, prompt-caching-scope-2026-01-05,oauth-2025-04-20', 'whole', 'claude-code-20250219'],
  ['advanced-tool-use-2025-11-20,tool-search-tool-2025-10-19', 'whole', 'tool-search-tool-2025-10-19'],
  // opencode pull request 14055 and LibreChat issue 11550: the header is what opens the long context, the body does not.
  ['context-1m-2025-08-07', 'stream', 'context-1m-2025-08-07'],
  ['context-1m-2025-08-07,context-management-2025-06-27', 'count_tokens', 'context-management-2025-06-27'],
  ['oauth-2025-04-20', 'whole', undefined],
] as const)('of the betas %s for %s go on: %s', ([betas, form, kept]) => {
  const { headers } = sent({ model: 'c', wire: 'anthropic-messages', form, headers: { 'anthropic-beta': betas } })
  expect(headers['anthropic-beta']).toBe(kept)
})

test.for([
  ['google/gemini-3-pro', 'openapi', '{"model":"google/gemini-3-pro"}'],
  // Ikalus1988/MisakaNet issue 1472: a name without its publisher is malformed.
  ['gemini-3-pro', 'openapi', '{"model":"google/gemini-3-pro"}'],
  ['publishers/meta/models/llama-4', 'openapi', '{"model":"meta/llama-4"}'],
  ['openai/gpt-oss-120b-maas', 'openapi', '{"model":"openai/gpt-oss-120b-maas"}'],
  ['endpoints/123', '123', '{"model":"endpoints/123"}'],
])('chat completions of %s go to the endpoint %s', ([model = '', endpoint, body]) => {
  const asked = { model, wire: 'openai-chat', path: '/chat/completions', body: JSON.stringify({ model }) } as const
  expect(sent(asked)).toMatchObject({ path: `/endpoints/${endpoint}/chat/completions`, body })
})

test('what has no endpoint there is refused', () => {
  expect(() => sent({ model: 'm', wire: 'openai-images' })).toThrow(/no endpoint/)
})

test('each content has a role, and calls have ids from Gemini 3 on', () => {
  const body = `{"model":"models/x","contents":[{"parts":[{"text":"a"}]}, {"role":"model","parts":[
    {"functionCall":{"id":"1","name":"f","args":{"id":1.0}}},{"function_call":{"name":"g","id":"2"}}]},
    {"role":"function","parts":[{"functionResponse":{"id":"1","name":"f","response":{"id":2}}}]},{}]}`
  const of = (model: string): unknown => JSON.parse(sent({ model, body }).body)
  expect(of('gemini-2.5-pro')).toEqual({
    contents: [
      { role: 'user', parts: [{ text: 'a' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'f', args: { id: 1 } } }, { function_call: { name: 'g' } }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { id: 2 } } }] },
      { role: 'user' },
    ],
  })
  expect(sent({ model: 'gemini-3.5-flash', body }).body).toContain(
    '"functionCall":{"id":"1","name":"f","args":{"id":1.0}}',
  )
  const plain = '{"contents":[ {"role":"user", "parts":[{"text":"a"}]}], "generationConfig":{"temperature":1.0}}'
  expect(sent({ model: 'gemini-2.5-pro', body: plain }).body).toBe(plain)
})

test('the word for a missing signature is the one that Vertex AI knows', () => {
  const signed = (word: string) =>
    `{"contents":[{"role":"model","parts":[{"functionCall":{},"thoughtSignature":"${word}"}]}]}`
  const other = signed('context_engineering_is_the_way_to_go')
  expect(sent({ model: 'gemini-3-pro', body: other }).body).toBe(signed('skip_thought_signature_validator'))
})

test('a count has the fields of the request that it is for', () => {
  const request = '{"model":"models/m","contents":[{"role":"user","parts":[]}],"tools":[{}],"safetySettings":[]}'
  expect(sent({ model: 'm', form: 'count_tokens', body: `{"generateContentRequest":${request}}` }).body).toBe(
    '{"contents":[{"role":"user","parts":[]}],"tools":[{}]}',
  )
})

test('a cache is named with its project', () => {
  const body = '{"cachedContent":"cachedContents/1","contents":[]}'
  expect(sent({ model: 'm', body }).body).toContain('"projects/p/locations/global/cachedContents/1"')
  expect(sent({ model: 'm', body, baseUrl: EXPRESS }).body).toBe(body)
})

test.for([
  ['https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google', PROJECT],
  [`${PROJECT}/publishers/anthropic/models/claude-opus-4-6:rawPredict`, PROJECT],
  [`${PROJECT}/endpoints/openapi/chat/completions`, PROJECT],
  [
    'https://us-central1-aiplatform.googleapis.com/projects/p/locations/us-central1',
    'https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/us-central1',
  ],
  [
    'https://aiplatform.eu.rep.googleapis.com/v1beta1/projects/p/locations/eu',
    'https://aiplatform.eu.rep.googleapis.com/v1beta1/projects/p/locations/eu',
  ],
  ['https://aiplatform.googleapis.com', EXPRESS],
  ['https://aiplatform.googleapis.com/v1/publishers/google', EXPRESS],
])('the base URL %s means %s', ([written = '', base]) => {
  expect(baseUrlOf({ protocol: 'gemini', baseUrl: written, passage: { dialect: 'vertex' } })).toBe(base)
})

test('models are listed by their publisher, page by page', () => {
  const list = vertex({ protocol: 'anthropic', baseUrl: PROJECT, region: null, apiVersion: null }).list
  expect(list?.url).toBe(
    'https://aiplatform.googleapis.com/v1beta1/publishers/anthropic/models?pageSize=100&listAllVersions=true',
  )
  const publisherModels = [
    { name: 'publishers/anthropic/models/claude-sonnet-4-5', versionId: '20250929' },
    { name: 'publishers/anthropic/models/claude-opus-4-6', versionId: 'default' },
    { name: 7 },
  ]
  expect(list?.read({ publisherModels, nextPageToken: 'a b' })).toEqual({
    names: ['claude-sonnet-4-5@20250929', 'claude-opus-4-6'],
    nextUrl: `${list?.url}&pageToken=a%20b`,
  })
  expect(list?.read(null)).toEqual({ names: [], nextUrl: null })
})
