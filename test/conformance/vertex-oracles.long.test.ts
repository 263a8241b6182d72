import Anthropic from '@anthropic-ai/sdk'
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk'
import { type Content, type GenerateContentConfig, GoogleGenAI, type Part } from '@google/genai'
import fc from 'fast-check'
import { OAuth2Client } from 'google-auth-library'
import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { putModelOf } from '../support/put-model.ts'
import { runsInSuite } from '../support/run/suite.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'

// What the vendors' own clients send to Vertex AI, and what the gateway sends there for the same request of the same client
// in its plain mode: path, query, headers and body are equal, but for what is named here.

const RUNS = runsInSuite(1_000)
const PROJECT = 'my-project'
const TOKEN = 'ya29.token'
const CLAUDES = ['claude-opus-4-6', 'claude-sonnet-4-5@20250929', 'claude-haiku-4-5@20251001'] as const
const GEMINIS = ['gemini-3.5-flash', 'gemini-2.5-pro', 'gemini-3-pro-preview'] as const

interface Sent {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

let gateway: GatewayUnderTest
let cloud: ScriptedUpstream
let secret: string
let last: Sent | null = null

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  cloud = await scriptedUpstream(async (request, response) => {
    const text = (await buffer(request)).toString()
    last = { url: request.url ?? '', headers: request.headers, body: JSON.parse(text) as Sent['body'] }
    const isStream = /[sS]tream/.test(last.url)
    const answer = last.url.includes('anthropic') ? CLAUDE_ANSWER : GEMINI_ANSWER
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(isStream ? answer.stream : JSON.stringify(last.url.includes('ount') ? COUNTED : answer.whole))
  })
  const settings = {
    baseUrl: `${cloud.url}/v1/projects/${PROJECT}/locations/global`,
    headers: { authorization: `Bearer ${TOKEN}` },
    passage: { dialect: 'vertex' },
  } as const
  for (const [protocol, names] of [
    ['anthropic', CLAUDES],
    ['gemini', GEMINIS],
  ] as const) {
    for (const name of names) {
      await putModelOf(gateway.store, { name, targets: [{ port: cloud.port, model: name, protocol, settings }] })
    }
  }
  secret = (await gateway.key(await gateway.account({ balance: '1000' }))).secret
})
afterAll(async () => {
  cloud.close()
  await gateway.close()
})

const COUNTED = { input_tokens: 1, totalTokens: 1 }
const USAGE = { input_tokens: 1, output_tokens: 1 }
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'a' }] }
const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const CLAUDE_ANSWER = {
  whole: { ...MESSAGE, stop_reason: 'end_turn', stop_sequence: null, usage: USAGE },
  stream:
    event('message_start', { message: { ...MESSAGE, content: [], stop_reason: null, usage: USAGE } }) +
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'a' } }) +
    event('content_block_stop', { index: 0 }) +
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } }) +
    event('message_stop', {}),
}
const CHUNK = {
  candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [{ text: 'a' }] } }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
}
const GEMINI_ANSWER = { whole: CHUNK, stream: `data: ${JSON.stringify(CHUNK)}\r\n\r\n` }

/** What arrived for one request. */
async function sentBy(ask: () => Promise<unknown>): Promise<Sent> {
  last = null
  await ask()
  if (last === null) throw new Error('nothing arrived')
  return last
}

/** The headers that say something to the provider: what of them belongs to the connection or names the program is not compared. */
function comparedHeaders({ headers }: Sent): IncomingHttpHeaders {
  const { authorization, 'anthropic-version': version, 'anthropic-beta': beta, 'x-api-key': key } = headers
  return { authorization, version, beta, key, type: headers['content-type']?.split(';')[0] }
}

/** The packages have types of their own for the client of google-auth-library, which is the same. */
function signedIn(): never {
  const client = new OAuth2Client()
  client.setCredentials({ access_token: TOKEN, expiry_date: Date.now() + 3_600_000 })
  return client as never
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
const json = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
const id = fc.stringMatching(/^[a-z]{3,8}$/)

const cached = fc.option(fc.constant({ type: 'ephemeral' } as const))
const block: fc.Arbitrary<Anthropic.ContentBlockParam> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text, cache_control: cached }, { requiredKeys: ['type', 'text'] }),
  fc.record({
    type: fc.constant('image' as const),
    source: fc.record({
      type: fc.constant('base64' as const),
      media_type: fc.constant('image/png' as const),
      data: fc.base64String(),
    }),
  }),
  fc.record({ type: fc.constant('tool_result' as const), tool_use_id: id, content: text }),
)
const ownBlock: fc.Arbitrary<Anthropic.ContentBlockParam> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('thinking' as const), thinking: text, signature: fc.base64String({ minLength: 48 }) }),
  fc.record({ type: fc.constant('tool_use' as const), id, name: id, input: json }),
)
const claudeRequest = fc.record(
  {
    model: fc.constantFrom(...CLAUDES),
    max_tokens: fc.integer({ min: 1, max: 1_000 }),
    stream: fc.boolean(),
    messages: fc.array(
      fc.oneof(
        fc.record({
          role: fc.constant('user' as const),
          content: fc.oneof(text, fc.array(block, { minLength: 1, maxLength: 3 })),
        }),
        fc.record({
          role: fc.constant('assistant' as const),
          content: fc.array(ownBlock, { minLength: 1, maxLength: 3 }),
        }),
      ),
      { minLength: 1, maxLength: 5 },
    ),
    system: fc.oneof(text, fc.array(fc.record({ type: fc.constant('text' as const), text }), { maxLength: 2 })),
    temperature: fc.double({ min: 0, max: 1, noNaN: true }),
    stop_sequences: fc.array(text, { maxLength: 3 }),
    metadata: fc.record({ user_id: id }),
    thinking: fc.constant({ type: 'adaptive' as const }),
    tools: fc.array(
      fc.record({
        name: id,
        description: text,
        input_schema: fc.record({ type: fc.constant('object' as const), properties: json }),
      }),
      { maxLength: 2 },
    ),
    tool_choice: fc.constant({ type: 'auto' as const }),
    // The others are left out or renamed: `dialects/vertex/claude-request.ts`.
    betas: fc.uniqueArray(
      fc.constantFrom(
        'interleaved-thinking-2025-05-14',
        'context-1m-2025-08-07',
        'context-management-2025-06-27',
        'tool-search-tool-2025-10-19',
      ),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { requiredKeys: ['model', 'max_tokens', 'messages', 'stream'] },
)

test('what @anthropic-ai/vertex-sdk sends is what the gateway sends for @anthropic-ai/sdk', async () => {
  const plain = new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 })
  const authClient = signedIn()
  const baseURL = `${cloud.url}/v1`
  const own = new AnthropicVertex({ region: 'global', projectId: PROJECT, baseURL, authClient, maxRetries: 0 })
  await fc.assert(
    fc.asyncProperty(claudeRequest, fc.boolean(), async (request, isCount) => {
      const ask = async (client: Anthropic | AnthropicVertex): Promise<unknown> => {
        if (isCount) {
          const {
            max_tokens: _most,
            stream: _stream,
            temperature: _heat,
            stop_sequences: _stops,
            metadata: _who,
            betas: _betas,
            ...counted
          } = request
          return client.beta.messages.countTokens(counted)
        }
        const answer: unknown = await client.beta.messages.create(request)
        return request.stream ? Array.fromAsync(answer as AsyncIterable<unknown>) : answer
      }
      const [wanted, sent] = [await sentBy(() => ask(own)), await sentBy(() => ask(plain))]
      expect(sent.url).toBe(wanted.url)
      expect(comparedHeaders(sent)).toEqual(comparedHeaders(wanted))
      expect(sent.body).toEqual(wanted.body)
    }),
    { numRuns: RUNS },
  )
})

const signature = fc.base64String({ minLength: 48 })
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ text }),
  fc.record({ inlineData: fc.record({ mimeType: fc.constant('image/png'), data: fc.base64String() }) }),
  fc.record({
    fileData: fc.record({ mimeType: fc.constant('video/mp4'), fileUri: fc.constant('gs://bucket/film.mp4') }),
  }),
  fc.record({ functionResponse: fc.record({ id, name: id, response: json }) }),
)
const ownPart: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ text, thoughtSignature: signature }, { requiredKeys: ['text'] }),
  fc.record(
    { functionCall: fc.record({ id, name: id, args: json }), thoughtSignature: signature },
    { requiredKeys: ['functionCall'] },
  ),
)
const content: fc.Arbitrary<Content> = fc.oneof(
  fc.record({ role: fc.constant('user'), parts: fc.array(part, { minLength: 1, maxLength: 3 }) }),
  fc.record({ parts: fc.array(part, { minLength: 1, maxLength: 3 }) }),
  fc.record({ role: fc.constant('model'), parts: fc.array(ownPart, { minLength: 1, maxLength: 3 }) }),
)
const config: fc.Arbitrary<GenerateContentConfig> = fc.record(
  {
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    topP: fc.double({ min: 0, max: 1, noNaN: true }),
    topK: fc.integer({ min: 1, max: 40 }),
    maxOutputTokens: fc.integer({ min: 1, max: 1_000 }),
    stopSequences: fc.array(text, { maxLength: 3 }),
    seed: fc.integer({ min: 0, max: 1_000 }),
    systemInstruction: text,
    labels: fc.dictionary(id, id, { maxKeys: 2 }),
    cachedContent: fc.constantFrom('cachedContents/123', `projects/${PROJECT}/locations/global/cachedContents/456`),
    thinkingConfig: fc.record({ includeThoughts: fc.boolean(), thinkingBudget: fc.integer({ min: 0, max: 1_000 }) }),
    responseMimeType: fc.constant('application/json'),
    safetySettings: fc.constant([{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] as never[]),
    tools: fc.constant([{ functionDeclarations: [{ name: 'f', parametersJsonSchema: { type: 'object' } }] }]),
  },
  { requiredKeys: [] },
)

/** The request of js-genai as the gateway writes it: with a role for each content, and for models before Gemini 3 without ids. */
function asSent(body: Sent['body'], model: string): unknown {
  const hasIds = !/^gemini-[12]/.test(model)
  const contents = (body['contents'] as Content[]).map(({ role = 'user', parts = [], ...others }) => ({
    ...others,
    role,
    parts: hasIds ? parts : parts.map(withoutId),
  }))
  return { ...body, contents }
}

function withoutId({ functionCall, functionResponse, ...others }: Part): unknown {
  const { id: _call, ...call } = functionCall ?? {}
  const { id: _response, ...response } = functionResponse ?? {}
  return {
    ...others,
    ...(functionCall === undefined ? {} : { functionCall: call }),
    ...(functionResponse === undefined ? {} : { functionResponse: response }),
  }
}

test('what @google/genai sends to Vertex AI is what the gateway sends for it', async () => {
  const plain = new GoogleGenAI({ apiKey: secret, httpOptions: { baseUrl: gateway.origin, apiVersion: 'v1beta' } })
  const authClient = signedIn()
  const httpOptions = { baseUrl: cloud.url, apiVersion: 'v1' }
  const own = new GoogleGenAI({
    vertexai: true,
    project: PROJECT,
    location: 'global',
    googleAuthOptions: { authClient },
    httpOptions,
  })
  const asked = fc.record({
    model: fc.constantFrom(...GEMINIS),
    contents: fc.array(content, { minLength: 1, maxLength: 5 }),
    config,
    form: fc.constantFrom('whole', 'stream', 'count'),
  })
  await fc.assert(
    fc.asyncProperty(asked, async ({ form, config: wish, ...request }) => {
      const ask = async ({ models }: GoogleGenAI): Promise<unknown> => {
        if (form === 'count') return models.countTokens(request)
        if (form === 'whole') return models.generateContent({ ...request, config: wish })
        return Array.fromAsync(await models.generateContentStream({ ...request, config: wish }))
      }
      const [wanted, sent] = [await sentBy(() => ask(own)), await sentBy(() => ask(plain))]
      expect(sent.url).toBe(wanted.url)
      expect(comparedHeaders(sent)).toEqual(comparedHeaders(wanted))
      expect(sent.body).toEqual(asSent(wanted.body, request.model))
    }),
    { numRuns: RUNS },
  )
})
