/**
 * A resource of Azure: judges paths, versions, credentials and deployments as Azure OpenAI and Microsoft Foundry do, and passes
 * what is good to a plain fake upstream, which answers as its models' names say.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JsonFields, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import { headerOf, readBody } from '../incoming-request.ts'
import type { ReceivedRequest } from '../request-log.ts'
import { type FilterMode, framedWhole, FramedStream } from './azure-answers.ts'
import * as refusals from './azure-refusals.ts'
import type { AzureRefusal } from './azure-refusals.ts'

export interface FakeDeployment {
  /** The model at the fake upstream. */
  readonly model: string
  /** What the model is called in messages and lists; that of the fake upstream unless set. */
  readonly base?: string
  /** Operations that it has; all unless set. */
  readonly operations?: readonly Operation[]
  readonly filter?: FilterMode
  /** Set where the quota is used up: for how long. */
  readonly throttledMs?: number
}

type Operation = 'chatCompletion' | 'completion' | 'responses' | 'embeddings' | 'imageGenerations' | 'messages'

export interface FakeAzureOptions {
  /** The origin of a plain fake upstream. */
  readonly upstream: string
  /** Deployments by their names. */
  readonly deployments: Readonly<Record<string, FakeDeployment>>
  /** The resource's key, `azure-key` unless set. */
  readonly key?: string
  /** Tokens of Entra ID, besides. */
  readonly tokens?: Pick<ReadonlySet<string>, 'has'>
  /** What every request that is authenticated is refused with; none unless set. */
  readonly refuses?: AzureRefusal
}

export interface FakeAzure {
  /** Origin without a path. */
  readonly url: string
  /** All requests, oldest first. */
  readonly requests: readonly ReceivedRequest[]
  close(): void
}

/** Starts a resource on a free port of the loopback; rejects when it cannot listen. */
export async function startFakeAzure(options: FakeAzureOptions): Promise<FakeAzure> {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) =>
    readBody(request, (read) => {
      const body = read ?? Buffer.alloc(0)
      const { method = '', url: path = '', headers } = request
      const requestId = headerOf(request, 'x-request-id')
      requests.push({ requestId, method, path, headers, body, aborted: false })
      void answer(request, response, { body, options }).catch(() => response.destroy())
    }),
  )
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Asked {
  readonly body: Buffer
  readonly options: FakeAzureOptions
}

async function answer(request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> {
  const { options, body } = asked
  const call = callOf(request)
  if (call === null) return refuse(response, refusals.NO_RESOURCE)
  const refused = refusalOfCredential(request, call, options) ?? options.refuses ?? refusalOfVersion(call)
  if (refused !== null) return refuse(response, refused)
  if (call.endpoint === '/deployments') return sendJson(response, deploymentList(options))
  const fields = fieldsIn(body)
  const named = call.deployment ?? stringOf(fields['model'])
  const deployment = Object.hasOwn(options.deployments, named) ? options.deployments[named] : undefined
  const isStored = /^\/responses\/[^/]+$/.test(call.endpoint) && request.method !== 'POST'
  if (isStored) return passOn(request, response, { call, body, deployment: null, options })
  if (deployment === undefined) {
    return refuse(response, call.operation === 'responses' ? refusals.NO_MODEL : refusals.NO_DEPLOYMENT)
  }
  const judged = refusalOfDeployment(call, fields, deployment)
  if (judged !== null) return refuse(response, judged)
  if (call.operation === 'imageGenerations') return sendJson(response, IMAGES)
  const sent = fields['model'] === undefined && call.deployment === null ? body : withModel(fields, deployment.model)
  return passOn(request, response, { call, body: sent, deployment, options })
}

interface AzureCall {
  readonly api: 'v1' | 'dated' | 'anthropic'
  /** The path behind the API's own and the deployment. */
  readonly endpoint: string
  readonly operation: Operation | null
  /** null: the body names it. */
  readonly deployment: string | null
  readonly version: string | null
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  '/chat/completions': 'chatCompletion',
  '/completions': 'completion',
  '/embeddings': 'embeddings',
  '/images/generations': 'imageGenerations',
  '/responses': 'responses',
}
const OF_MESSAGES: ReadonlySet<string> = new Set(['/messages', '/messages/count_tokens'])

/** null: Azure has no such path. */
function callOf({ url = '', method }: IncomingMessage): AzureCall | null {
  const { pathname, searchParams } = new URL(url, 'http://azure.test')
  const version = searchParams.get('api-version')
  const [, anthropic] = /^\/anthropic\/v1(\/.+)$/.exec(pathname) ?? []
  if (anthropic !== undefined) {
    if (method !== 'POST' || !OF_MESSAGES.has(anthropic)) return null
    return { api: 'anthropic', endpoint: anthropic, operation: 'messages', deployment: null, version }
  }
  const [, v1] = /^\/openai\/v1(\/.+)$/.exec(pathname) ?? []
  const [, deployment, below] = /^\/openai\/deployments\/([^/]+)(\/.+)$/.exec(pathname) ?? []
  const [, plain] = /^\/openai(\/(?:responses|deployments)(?:\/[^/]+)?)$/.exec(pathname) ?? []
  const endpoint = v1 ?? below ?? plain
  if (endpoint === undefined) return null
  const operation = OPERATIONS[endpoint] ?? null
  const isKnown = operation !== null || endpoint === '/deployments' || endpoint.startsWith('/responses/')
  // Responses do not stand below a deployment, and a dated path says its version.
  const isMisplaced = below !== undefined && operation === 'responses'
  if (!isKnown || isMisplaced || (v1 === undefined && version === null)) return null
  const named = deployment === undefined ? null : decodeURIComponent(deployment)
  return { api: v1 === undefined ? 'dated' : 'v1', endpoint, operation, deployment: named, version }
}

/** Azure OpenAI takes a key in `api-key`, and on its v1 paths as a bearer; Foundry's Claude in `x-api-key` as well. */
function refusalOfCredential(
  request: IncomingMessage,
  { api }: AzureCall,
  { key = 'azure-key', tokens = new Set<string>() }: FakeAzureOptions,
): AzureRefusal | null {
  const bearer = /^Bearer (.+)$/.exec(headerOf(request, 'authorization'))?.[1] ?? null
  const keys = [headerOf(request, 'api-key'), ...(api === 'anthropic' ? [headerOf(request, 'x-api-key')] : [])]
  const sent = keys.filter((each) => each !== '')
  if (sent.length > 0) return sent.every((each) => each === key) ? null : refusals.WRONG_KEY
  if (bearer === null) return refusals.WRONG_KEY
  return tokens.has(bearer) || (api === 'v1' && bearer === key) ? null : refusals.WRONG_TOKEN
}

const V1_VERSIONS: ReadonlySet<string> = new Set(['v1', 'preview', 'latest'])
const LISTING_VERSIONS: ReadonlySet<string> = new Set(['2022-12-01', '2023-03-15-preview'])

function refusalOfVersion({ api, version, operation, endpoint }: AzureCall): AzureRefusal | null {
  if (api === 'v1') return version === null || V1_VERSIONS.has(version) ? null : refusals.VERSION_UNKNOWN
  if (api === 'anthropic' || version === null) return null
  if (endpoint === '/deployments') return LISTING_VERSIONS.has(version) ? null : refusals.NO_RESOURCE
  if (!/^\d{4}-\d{2}-\d{2}(-preview)?$/.test(version)) return refusals.NO_RESOURCE
  const isOfResponses = operation === 'responses' || endpoint.startsWith('/responses/')
  return isOfResponses && version < '2025-03-01' ? refusals.RESPONSES_TOO_NEW : null
}

/** Set in a prompt, the filter does not let it pass. */
export const FILTERED_PROMPT = 'a prompt that the filter refuses'

function refusalOfDeployment(
  { operation, version, api }: AzureCall,
  fields: JsonFields,
  { operations, model, base = model, throttledMs }: FakeDeployment,
): AzureRefusal | null {
  if (operation !== null && operations?.includes(operation) === false) {
    return refusals.operationNotSupported(operation, base)
  }
  // From 2024-09-01-preview on (Azure OpenAI, "what's new": stream_options).
  if (api === 'dated' && (version ?? '') < '2024-09-01' && fields['stream_options'] !== undefined) {
    return refusals.argumentUnknown('stream_options')
  }
  if (throttledMs !== undefined) return refusals.throttled(throttledMs, version ?? 'v1')
  const isOfOpenai = operation !== 'messages'
  return isOfOpenai && JSON.stringify(fields).includes(FILTERED_PROMPT) ? refusals.PROMPT_FILTERED : null
}

function deploymentList({ deployments }: FakeAzureOptions): object {
  const data = Object.entries(deployments).map(([id, { model, base = model }]) => {
    return { id, model: base, status: 'succeeded', object: 'deployment', created_at: 1, updated_at: 1 }
  })
  return { object: 'list', data }
}

interface PassedOn {
  readonly call: AzureCall
  readonly body: Buffer
  readonly deployment: FakeDeployment | null
  readonly options: FakeAzureOptions
}

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { call, body, deployment, options }: PassedOn,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const headers: Record<string, string> = { authorization: 'Bearer of-the-fake', 'content-type': 'application/json' }
  for (const name of ['anthropic-version', 'anthropic-beta', 'accept']) {
    if (headerOf(request, name) !== '') headers[name] = headerOf(request, name)
  }
  const method = request.method ?? 'POST'
  const answered = await fetch(`${options.upstream}/v1${call.endpoint}`, {
    method,
    headers,
    body: method === 'POST' ? new Uint8Array(body) : null,
    signal: gone.signal,
  })
  const type = answered.headers.get('content-type') ?? ''
  const isPlain = call.operation === 'messages' || call.operation === 'responses' || !answered.ok
  const filter = deployment?.filter ?? 'synchronous'
  const kept = ['retry-after', 'request-id'].flatMap((name) => {
    const value = answered.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const head = { ...Object.fromEntries(kept), ...ownHeaders(), 'content-type': type }
  response.writeHead(answered.status, head)
  if (!type.startsWith('text/event-stream')) {
    // What it breaks off in the middle, this does too.
    response.flushHeaders()
    const text = await answered.text()
    const framed = isPlain || !type.startsWith('application/json') ? text : framedWhole(text, filter)
    response.end(framed)
    return
  }
  const stream = new FramedStream(filter)
  const decoder = new TextDecoder()
  for await (const piece of answered.body ?? []) {
    const text = decoder.decode(piece as Uint8Array, { stream: true })
    response.write(isPlain ? text : stream.push(text))
  }
  response.end(isPlain ? '' : stream.end())
}

let answered = 0

/** Headers of every answer, good or not. */
function ownHeaders(): Record<string, string> {
  answered += 1
  return {
    'apim-request-id': `apim-${answered}`,
    'x-ms-region': 'Sweden Central',
    'x-ratelimit-limit-tokens': '-1',
    'x-ratelimit-remaining-requests': '99',
    'x-ratelimit-remaining-tokens': '99000',
  }
}

function refuse(response: ServerResponse, { status, body, headers = {} }: AzureRefusal): void {
  const own = ownHeaders()
  if (status === 429) own['x-ratelimit-remaining-requests'] = '0'
  response.writeHead(status, { 'content-type': 'application/json', ...own, ...headers })
  response.end(JSON.stringify(body))
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json', ...ownHeaders() })
  response.end(JSON.stringify(body))
}

/** A form is read for its model alone. */
function fieldsIn(body: Buffer): JsonFields {
  if (body[0] !== 0x2d) return body.length === 0 ? {} : objectOf(JSON.parse(body.toString()))
  const [, model] = /name="model"\r\n\r\n([^\r]*)/.exec(body.toString('latin1')) ?? []
  return { model }
}

function withModel(fields: JsonFields, model: string): Buffer {
  return Buffer.from(JSON.stringify({ ...fields, model }))
}

const IMAGES = {
  created: 1_700_000_000,
  data: [
    {
      b64_json: 'iVBORw0KGgo=',
      content_filter_results: refusals.ALL_SAFE,
      prompt_filter_results: { ...refusals.ALL_SAFE, jailbreak: { detected: false, filtered: false } },
    },
  ],
  usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
}
