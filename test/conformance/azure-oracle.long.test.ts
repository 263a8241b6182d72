import AnthropicFoundry from '@anthropic-ai/foundry-sdk'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI, { AzureOpenAI } from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReceivedRequest } from '../../tools/fake-upstream/request-log.ts'
import { AZURE_KEY, type AzureUnderTest, type AzureUpstream, azureUnderTest } from '../support/azure-under-test.ts'
import { inSuite } from '../support/run/suite.ts'
import { type AzureCase, azureCases, type MessagesCase, messagesCases } from './azure-requests.ts'

/** Cases of each API. */
const CASES = inSuite({ long: 1_000, short: 40 })

const DEPLOYMENT = 'my-deployment'
const VERSION = '2025-04-01-preview'
const DATED: AzureUpstream = { protocol: 'openai', path: '', apiVersion: VERSION }
const V1: AzureUpstream = { protocol: 'openai', path: '/openai/v1' }
const PREVIEW: AzureUpstream = { protocol: 'openai', path: '/openai/v1', apiVersion: 'preview' }
const FOUNDRY: AzureUpstream = { protocol: 'anthropic', path: '' }

let on: AzureUnderTest
let secret: string

beforeAll(async () => {
  on = await azureUnderTest({ [DEPLOYMENT]: { model: 'fake/echo' } })
  await on.model('dated', [[DATED, DEPLOYMENT]])
  await on.model('v1', [[V1, DEPLOYMENT]])
  await on.model('preview', [[PREVIEW, DEPLOYMENT]])
  await on.model('foundry', [[FOUNDRY, DEPLOYMENT]])
  secret = (await on.gateway.key(await on.gateway.account({ balance: '100000' }))).secret
})

afterAll(() => on.close())

/** A request as it was written for the wire. */
interface Written {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Keeps what a client sends, and answers it with nothing that is read. */
class Recorder {
  readonly #written = new Map<string, Written>()

  readonly fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(url, init)
    const { pathname, search } = new URL(request.url)
    const headers = Object.fromEntries(request.headers)
    const body = await request.text()
    this.#written.set(String(headers[NUMBER]), { path: pathname + search, headers, body })
    return Response.json({})
  }

  of(number: string): Written {
    const written = this.#written.get(number)
    if (written === undefined) throw new Error(`the client sent nothing for ${number}`)
    return written
  }
}

/** A header that finds a request again: clients of OpenAI may send it, and it goes on. */
const NUMBER = 'x-client-request-id'

function sentByGateway(number: string): Written {
  const found = on.azure.requests.filter(({ headers }) => headers[NUMBER] === number)
  const [request] = found as [ReceivedRequest]
  expect(found.length, number).toBe(1)
  return { path: request.path, headers: request.headers, body: request.body.toString() }
}

const ENDPOINTS: Readonly<Record<AzureCase['endpoint'], string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  embeddings: '/embeddings',
  images: '/images/generations',
  completions: '/completions',
}

interface Call {
  readonly model: string
  readonly number: string
}

/** Asks as the methods of the resources do, whose parameters are the body. */
async function askOpenai(client: OpenAI, { endpoint, params }: AzureCase, { model, number }: Call) {
  const options = { body: { model, ...params }, headers: { [NUMBER]: number }, stream: params['stream'] === true }
  const { response } = await client.post(ENDPOINTS[endpoint], options).withResponse()
  if (!response.bodyUsed) await response.text()
}

/** Requests under way at a time. */
const AT_A_TIME = 8

async function each<Case>(cases: readonly Case[], ask: (one: Case, index: number) => Promise<void>): Promise<void> {
  const left = cases.entries()
  const work = async () => {
    for (const [index, one] of left) await ask(one, index)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
}

/** Written by the one who sends: transports add theirs, each client names itself, and the gateway numbers its requests. */
const OWN_HEADERS = [
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'user-agent',
  'x-request-id',
]

function sameHeaders(headers: Written['headers']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name)))
}

test.for([
  ['dated', '/openai'],
  ['v1', '/openai/v1'],
  ['preview', '/openai/v1'],
] as const)('%s: what the gateway sends is what OpenAI’s client for Azure sends', async ([model, base]) => {
  const recorder = new Recorder()
  const about = { apiKey: AZURE_KEY, baseURL: on.azure.url + base, maxRetries: 0, fetch: recorder.fetch }
  // For the v1 paths it is the plain client (openai-node, docs/azure.md), which sends the key as a bearer.
  const oracle =
    model === 'dated'
      ? new AzureOpenAI({ ...about, apiVersion: VERSION })
      : new OpenAI({ ...about, defaultQuery: model === 'preview' ? { 'api-version': 'preview' } : undefined })
  const client = new OpenAI({ apiKey: secret, baseURL: `${on.gateway.origin}/v1`, maxRetries: 0 })
  await each(azureCases(CASES), async (one, index) => {
    const number = `${model}-${index}`
    await askOpenai(oracle, one, { model: DEPLOYMENT, number })
    await askOpenai(client, one, { model, number }).catch(() => undefined)
    const [expected, sent] = [recorder.of(number), sentByGateway(number)]
    expect(sent.path).toBe(expected.path)
    const { authorization, ...headers } = sameHeaders(expected.headers)
    const ofKey = model === 'dated' ? {} : { 'api-key': String(authorization).replace('Bearer ', '') }
    expect(sameHeaders(sent.headers)).toEqual({ ...headers, ...ofKey })
    // Streams are asked for their usage; all other bytes are the client's, but for the name of the model.
    const asksForUsage = one.endpoint === 'chat' && one.params['stream'] === true
    const { stream_options: added = null, ...body } = JSON.parse(sent.body) as Record<string, unknown>
    expect(added).toEqual(asksForUsage ? { include_usage: true } : null)
    expect(body).toEqual(JSON.parse(expected.body))
    if (!asksForUsage) expect(sent.body).toBe(expected.body)
  })
})

async function askAnthropic(client: Anthropic, { endpoint, params }: MessagesCase, { model, number }: Call) {
  const options = { headers: { [NUMBER]: number } }
  const body = { model, ...params }
  const asked =
    endpoint === 'count_tokens'
      ? client.messages.countTokens(body as never, options)
      : endpoint === 'beta'
        ? client.beta.messages.create(body as never, options)
        : client.messages.create(body as never, options)
  const response = await asked.asResponse()
  if (!response.bodyUsed) await response.text()
}

test('what the gateway sends to Foundry is what Anthropic’s client for it sends', async () => {
  const recorder = new Recorder()
  const about = { maxRetries: 0 } as const
  const baseURL = `${on.azure.url}/anthropic/`
  const oracle = new AnthropicFoundry({ ...about, apiKey: AZURE_KEY, baseURL, fetch: recorder.fetch })
  const client = new Anthropic({ ...about, apiKey: secret, baseURL: on.gateway.origin })
  await each(messagesCases(CASES), async (one, index) => {
    const number = `foundry-${index}`
    await askAnthropic(oracle as unknown as Anthropic, one, { model: DEPLOYMENT, number })
    await askAnthropic(client, one, { model: 'foundry', number }).catch(() => undefined)
    const [expected, sent] = [recorder.of(number), sentByGateway(number)]
    expect(sent.path).toBe(expected.path)
    expect(sameHeaders(sent.headers)).toEqual(sameHeaders(expected.headers))
    expect(sent.body).toBe(expected.body)
  })
})
