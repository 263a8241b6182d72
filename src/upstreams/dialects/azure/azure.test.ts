import { expect, test } from 'vitest'
import { credentialPlace } from '../../../core/upstream-dialect.ts'
import type { UpstreamHandler, UpstreamRequest } from '../../upstream-client.ts'
import type { DialectUpstream } from '../dialect.ts'
import { azure } from './azure.ts'

const HOST = 'https://my-resource.openai.azure.com'
const V1: DialectUpstream = { protocol: 'openai', baseUrl: `${HOST}/openai/v1`, region: null, apiVersion: null }
const PREVIEW: DialectUpstream = { ...V1, apiVersion: 'preview' }
const DATED: DialectUpstream = { ...V1, baseUrl: `${HOST}/openai`, apiVersion: '2024-10-21' }
const INFERENCE: DialectUpstream = { ...DATED, protocol: 'openai-chat', baseUrl: `${HOST}/models` }
const FOUNDRY: DialectUpstream = { ...V1, protocol: 'anthropic', baseUrl: `${HOST}/anthropic/v1` }

function asking(path: string, model: string | null = 'my gpt/4'): UpstreamRequest {
  const asks = { wire: 'openai-chat', model, form: 'whole' } as const
  return { method: 'POST', path, headers: {}, body: [Buffer.from('{}')], asks }
}

test.for([
  [V1, '/chat/completions', '/chat/completions'],
  [PREVIEW, '/chat/completions', '/chat/completions?api-version=preview'],
  [DATED, '/chat/completions', '/deployments/my%20gpt%2F4/chat/completions?api-version=2024-10-21'],
  [DATED, '/images/edits', '/deployments/my%20gpt%2F4/images/edits?api-version=2024-10-21'],
  [DATED, '/audio/speech', '/deployments/my%20gpt%2F4/audio/speech?api-version=2024-10-21'],
  [DATED, '/responses', '/responses?api-version=2024-10-21'],
  [DATED, '/responses/compact', '/responses/compact?api-version=2024-10-21'],
  [INFERENCE, '/chat/completions', '/chat/completions?api-version=2024-10-21'],
  [FOUNDRY, '/messages?beta=true', '/messages?beta=true'],
  [FOUNDRY, '/messages/count_tokens', '/messages/count_tokens'],
  // What a client of Azure's names is of the API that it was written for: BerriAI/litellm#39863 passed it on, to a 404.
  [V1, '/chat/completions?api-version=2024-10-21', '/chat/completions'],
  [V1, '/chat/completions?a=1&api-version=2024-10-21&b=2', '/chat/completions?a=1&b=2'],
  [DATED, '/embeddings?api-version=x&a=1', '/deployments/my%20gpt%2F4/embeddings?a=1&api-version=2024-10-21'],
] as const)('with %j, %s goes to %s', ([upstream, path, expected]) => {
  const { path: sent, ...rest } = azure(upstream).outbound(asking(path))
  expect(sent).toBe(expected)
  expect({ ...rest, path }).toEqual(asking(path))
})

test('a request that goes out as it came is the same object', () => {
  const request = asking('/chat/completions')
  expect(azure(V1).outbound(request)).toBe(request)
})

test('a stored response is asked for without a deployment', () => {
  const { asks: _, ...stored } = asking('/responses/resp_1?include=a', null)
  expect(azure(DATED).outbound(stored).path).toBe('/responses/resp_1?include=a&api-version=2024-10-21')
})

test('a static secret goes where each API takes it', () => {
  expect(credentialPlace('openai', 'azure')).toEqual({ header: 'api-key', prefix: '' })
  expect(credentialPlace('anthropic', 'azure')).toEqual({ header: 'x-api-key', prefix: '' })
})

/** What an upstream’s handler hears of an answer that comes in these pieces. */
function heard(status: number, pieces: readonly string[], end: 'end' | 'failure' = 'end') {
  const news: unknown[] = []
  const handler: UpstreamHandler = {
    onHead: (received, headers) => news.push([received, headers['content-type']]),
    onData: (chunk) => news.push(chunk.toString()),
    onEnd: () => news.push('end'),
    onFailure: () => news.push('failure'),
  }
  const hearing = azure(V1).inbound(asking('/chat/completions'), handler)
  hearing.onHead(status, { 'content-type': 'application/json' })
  for (const piece of pieces) hearing.onData(Buffer.from(piece))
  if (end === 'end') hearing.onEnd()
  else hearing.onFailure(new Error('lost') as never)
  return news
}

const error = (code: string, message: string) => JSON.stringify({ error: { code, message } })
const UNSUPPORTED = error(
  'OperationNotSupported',
  'The chatCompletion operation does not work with the specified model, gpt-5.1-codex. Please choose different model and try again.',
)

test.for([
  [404, error('404', 'Resource not found'), 404],
  [400, error('BadRequest', 'API version not supported'), 404],
  [
    400,
    error('BadRequest', 'Azure OpenAI Responses API is enabled only for api-version 2025-03-01-preview and later'),
    404,
  ],
  [400, error('BadRequest', 'Model {modelName} is enabled only for api versions 2024-12-01-preview and later'), 404],
  [400, error('BadRequest', 'The request is wrong: API version not supported'), 400],
  [400, error('content_filter', 'API version not supported'), 400],
  [400, '{"error":null}', 400],
  [400, 'null', 400],
  [400, '[]', 400],
  [400, '', 400],
  [401, UNSUPPORTED, 401],
  [200, UNSUPPORTED, 200],
] as const)('%i with %s is heard as %i', ([status, body, expected]) => {
  const half = Math.floor(body.length / 2)
  const pieces = body === '' ? [] : [body.slice(0, half), body.slice(half)]
  expect(heard(status, pieces)).toEqual([[expected, 'application/json'], ...pieces, 'end'])
})

test.for([
  [400, 'OperationNotSupported', 'operation_not_supported'],
  [404, 'DeploymentNotFound', 'model_not_found'],
] as const)('%i with the code %s is heard as 404 with %s, in its own words', ([status, code, read]) => {
  const [head, body, end] = heard(status, [error(code, 'Azure’s words.')])
  expect([head, JSON.parse(String(body)), end]).toEqual([
    [404, 'application/json'],
    { error: { code: read, message: 'Azure’s words.' } },
    'end',
  ])
})

test('a long refusal is not held to its end, and one that is lost is heard as far as it came', () => {
  const long = 'x'.repeat(20_000)
  expect(heard(400, [long, UNSUPPORTED])).toEqual([[400, 'application/json'], long, UNSUPPORTED, 'end'])
  expect(heard(400, ['{"err'], 'failure')).toEqual([[400, 'application/json'], '{"err', 'failure'])
})

const LISTED = {
  object: 'list',
  data: [
    { id: 'my-gpt', model: 'gpt-5', status: 'succeeded', object: 'deployment' },
    { id: 'in-making', model: 'gpt-5', status: 'running' },
    { id: 'my-claude', model: 'claude-sonnet-4-5', status: 'succeeded' },
    { id: 'deepseek', model: 'DeepSeek-V3.2' },
    { id: 7 },
    null,
  ],
}

test('the deployments of a resource are listed, to each protocol those that it can ask for', () => {
  const url = `${HOST}/openai/deployments?api-version=2023-03-15-preview`
  for (const upstream of [V1, DATED, INFERENCE]) {
    const list = azure(upstream).list
    expect(list?.url).toBe(url)
    expect(list?.read(LISTED)).toEqual({ names: ['my-gpt', 'deepseek'], nextUrl: null })
  }
  const ofFoundry = azure(FOUNDRY).list
  expect(ofFoundry?.url).toBe(url)
  expect(ofFoundry?.read(LISTED)).toEqual({ names: ['my-claude'], nextUrl: null })
  const ofProject = azure({ ...V1, baseUrl: `${HOST}/api/projects/mine/openai/v1` }).list
  expect(ofProject?.url).toBe(url)
  for (const body of [null, 'x', {}, { data: null }]) expect(ofProject?.read(body).names).toEqual([])
})
