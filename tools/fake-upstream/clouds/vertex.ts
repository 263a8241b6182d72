/** A front of the fake upstream that takes requests as Vertex AI does, and frames its answers as Vertex AI does. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JsonFields, objectOf } from '../../../src/upstreams/demo/json.ts'
import { readBody } from '../incoming-request.ts'
import { framesOf } from './vertex-answers.ts'
import { claudeRefusal, geminiRefusal, openaiRefusal, type VertexRefusal, googleError } from './vertex-rules.ts'
import { SIGNED_HERE } from './vertex-models.ts'
import { readVertexPath, type VertexCall } from './vertex-path.ts'

export interface FakeVertexOptions {
  /** Origin of the plain fake upstream. */
  readonly upstream: string
  readonly project?: string
  readonly locations?: readonly string[]
  /** Whether a token is good; left out: all but an empty one. */
  takesToken?(token: string): boolean
  /** Models at the fake upstream by their names here; left out: they have the same there. */
  readonly models?: Readonly<Record<string, string>>
  /** An API key, beside which no other is good; left out: all are. */
  readonly apiKey?: string
}

export interface VertexRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** What Vertex AI itself refused it with; null: it went on to the model. */
  readonly refusal: VertexRefusal | null
}

export interface FakeVertex {
  /** Origin without a path. */
  readonly url: string
  /** All requests, oldest first. */
  readonly requests: readonly VertexRequest[]
  /** What every request is refused with; null: nothing but its rules. */
  refusal: VertexRefusal | null
  /** Set: a stream ends with this error of Google's in its middle. */
  breaksStreams: VertexRefusal | null
  close(): Promise<void>
}

/** Starts one; rejects when it cannot listen. */
export async function startFakeVertex(options: FakeVertexOptions): Promise<FakeVertex> {
  const requests: VertexRequest[] = []
  const server = createServer((request, response) => readBody(request, (body) => answer(request, response, body)))
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const fake: FakeVertex = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refusal: null,
    breaksStreams: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fake

  function answer(request: IncomingMessage, response: ServerResponse, whole: Buffer | null): void {
    const body = whole ?? Buffer.alloc(0)
    const { method = '', url = '', headers } = request
    const call = readVertexPath(method, url)
    const refusal = fake.refusal ?? refusalOf({ request, call, body }, options)
    requests.push({ method, path: url, headers, body, refusal })
    if (call === null || refusal !== null) return refuse(response, call, refusal ?? notFound(url))
    if (call.kind === 'list') return list(response, call)
    const { upstream, models = {} } = options
    const named = 'model' in call ? { ...call, model: models[call.model] ?? call.model } : call
    pass({ request, response, call: named, body }, { upstream, breaks: fake.breaksStreams })
  }
}

interface Arrived {
  readonly request: IncomingMessage
  readonly call: VertexCall | null
  readonly body: Buffer
}

function refusalOf({ request, call, body }: Arrived, options: FakeVertexOptions): VertexRefusal | null {
  const unauthorized = credentialRefusal(request, options)
  if (unauthorized !== null || call === null) return unauthorized
  const { project = 'fake-project', locations = ['global', 'us-central1', 'us', 'eu'] } = options
  if (call.kind !== 'list' && call.project !== null) {
    if (call.project !== project) {
      const resource = `//aiplatform.googleapis.com/projects/${call.project}/locations/${call.location}`
      return googleError(403, `Permission 'aiplatform.endpoints.predict' denied on resource '${resource}'.`)
    }
    if (!locations.includes(call.location ?? '')) return notFound(request.url ?? '')
  }
  if (call.kind === 'list') return null
  const json = parsed(body)
  if (json === null) return googleError(400, 'Invalid JSON payload received. Unexpected token.')
  if (call.kind === 'gemini') return geminiRefusal(json, call)
  return call.kind === 'claude' ? claudeRefusal(json, call, request.headers) : openaiRefusal(json, call)
}

function credentialRefusal({ headers }: IncomingMessage, options: FakeVertexOptions): VertexRefusal | null {
  const { takesToken = (token) => token !== '', apiKey } = options
  const key = headers['x-goog-api-key']
  const token = /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1]
  if (token === undefined && key !== undefined) {
    if (apiKey === undefined || key === apiKey) return null
    return googleError(400, 'API key not valid. Please pass a valid API key.', 'API_KEY_INVALID')
  }
  if (token !== undefined && takesToken(token)) return null
  const message =
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.'
  return googleError(401, message, token === undefined ? 'CREDENTIALS_MISSING' : 'ACCESS_TOKEN_TYPE_UNSUPPORTED')
}

function notFound(url: string): VertexRefusal {
  return googleError(404, `The requested URL ${url} was not found on this server.`)
}

/** Streams have their errors in a list. */
function refuse(response: ServerResponse, call: VertexCall | null, { status, body }: VertexRefusal): void {
  const isGoogles = 'error' in body && !('type' in body)
  const isList = isGoogles && call !== null && call.kind !== 'list' && call.isStream
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    server: 'scaffolding on HTTPServer2',
  })
  response.end(JSON.stringify(isList ? [body] : body))
}

function list(response: ServerResponse, { publisher, pageToken }: Extract<VertexCall, { kind: 'list' }>): void {
  const all = [
    { name: 'publishers/google/models/gemini-3-pro', versionId: 'default' },
    { name: 'publishers/google/models/gemini-2.5-flash', versionId: '001' },
    { name: 'publishers/anthropic/models/claude-sonnet-4-5', versionId: '20250929' },
    { name: 'publishers/anthropic/models/claude-opus-4-6', versionId: 'default' },
    { name: 'publishers/meta/models/llama-4-maverick-17b-128e-instruct-maas', versionId: '001' },
  ]
  const of = publisher === '*' ? all : all.filter(({ name }) => name.startsWith(`publishers/${publisher}/`))
  const publisherModels = pageToken === null ? of.slice(0, 1) : of.slice(1)
  const nextPageToken = pageToken === null && of.length > 1 ? { nextPageToken: 'second page' } : {}
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' })
  response.end(JSON.stringify({ publisherModels, ...nextPageToken }))
}

type ModelCall = Exclude<VertexCall, { kind: 'list' }>

/** Sends the request on as the model's own maker takes it, and frames what comes back. */
function pass(
  arrived: { request: IncomingMessage; response: ServerResponse; call: ModelCall; body: Buffer },
  { upstream, breaks }: { upstream: string; breaks: VertexRefusal | null },
): void {
  const { request, response, call } = arrived
  const body = Buffer.from(JSON.stringify(plainBody(parsed(arrived.body) ?? {}, call)))
  const { host: _host, 'content-length': _length, ...others } = request.headers
  const version = call.kind === 'claude' ? { 'anthropic-version': '2023-06-01' } : {}
  const headers = { ...others, ...version, 'content-length': String(body.length) }
  const onward = sendRequest(upstream + plainPath(call), { method: 'POST', headers }, (answered) => {
    const isStream = answered.headers['content-type']?.startsWith('text/event-stream') === true
    const { 'content-length': _announced, ...kept } = answered.headers
    response.writeHead(answered.statusCode ?? 500, kept)
    const frames = framesOf(call, { isStream, breaks })
    answered.on('data', (chunk: Buffer) => void response.write(frames.take(chunk)))
    answered.on('end', () => response.end(frames.end()))
    answered.on('error', () => response.destroy())
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  onward.end(body)
}

function plainPath(call: ModelCall): string {
  if (call.kind === 'openai') return `/v1${call.path}`
  if (call.kind === 'claude') return call.isCount ? '/v1/messages/count_tokens' : '/v1/messages'
  const method = { whole: 'generateContent', stream: 'streamGenerateContent?alt=sse', count: 'countTokens' }
  return `/v1beta/models/${encodeURIComponent(call.model)}:${method[call.asks]}`
}

function plainBody(json: JsonFields, call: ModelCall): object {
  if (call.kind === 'gemini') return JSON.parse(JSON.stringify(json).replaceAll(`"${SIGNED_HERE}`, '"')) as object
  if (call.kind !== 'claude') return json
  const { anthropic_version: _version, ...request } = json
  return call.isCount ? request : { ...request, model: call.model }
}

function parsed(body: Buffer): JsonFields | null {
  try {
    return objectOf(JSON.parse(body.toString()))
  } catch {
    return null
  }
}
