import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PATIENCE_MS } from '../support/patience.ts'
import { type VertexUnderTest, vertexUnderTest } from '../support/vertex-under-test.ts'
import { googleError } from '../../tools/fake-upstream/clouds/vertex-rules.ts'

// Which thoughts may go from the maker's own API to a cloud and back: docs/routing.md has the law, with its sources.

let place: VertexUnderTest
let secret: string

const AGENT = 'fake/agent'
const CLAUDE = { protocol: 'anthropic', model: `publishers/anthropic/models/${AGENT}` } as const
const GEMINI = { protocol: 'gemini', model: `publishers/google/models/${AGENT}` } as const
const CLAUDE_API = { protocol: 'anthropic', model: AGENT, below: null } as const
const STUDIO = { protocol: 'gemini', model: AGENT, below: null } as const

beforeAll(async () => {
  place = await vertexUnderTest()
  await place.model('claude-cloud', CLAUDE)
  await place.model('claude-api', CLAUDE_API)
  await place.model('gemini-cloud', GEMINI)
  await place.model('gemini-studio', STUDIO)
  await place.model('gemini-both', GEMINI, STUDIO)
  await place.model('claude-both', CLAUDE, CLAUDE_API)
  secret = await place.secret()
})
afterAll(() => place.close())

const TOOL = { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } }
const ASKED = 'Read notes/list.txt, please.'

/** A conversation of two turns, each with a model of its own; `between` runs before the second. */
interface Conversation {
  (first: string, second: string, between?: () => unknown): Promise<{ text: string; dropped: string | null }>
}

const messages: Conversation = async (first, second, between = () => {}) => {
  const client = new Anthropic({ apiKey: secret, baseURL: place.gateway.origin, maxRetries: 0 })
  const turns: Anthropic.MessageParam[] = [{ role: 'user', content: ASKED }]
  const ask = (model: string) =>
    client.messages
      .create({
        model,
        max_tokens: 4_000,
        messages: turns,
        thinking: { type: 'enabled', budget_tokens: 1_024 },
        tools: [{ name: TOOL.name, input_schema: { ...TOOL.parameters, type: 'object' } }],
      })
      .withResponse()
  const { data } = await ask(first)
  expect(data.content[0]?.type).toBe('thinking')
  const call = data.content.find((block) => block.type === 'tool_use')
  const result = { type: 'tool_result', tool_use_id: call?.id ?? '', content: 'heron' } as const
  turns.push({ role: 'assistant', content: data.content }, { role: 'user', content: [result] })
  await between()
  const { data: answer, response } = await ask(second)
  const text = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
  return { text, dropped: response.headers.get('x-tollgate-dropped-fields') }
}

const contents: Conversation = async (first, second, between = () => {}) => {
  const httpOptions = { baseUrl: place.gateway.origin, apiVersion: 'v1beta' }
  const { models } = new GoogleGenAI({ apiKey: secret, httpOptions })
  const tools = [{ functionDeclarations: [{ name: TOOL.name, parametersJsonSchema: TOOL.parameters }] }]
  const config = { tools, thinkingConfig: { includeThoughts: true } }
  const turns: Content[] = [{ role: 'user', parts: [{ text: ASKED }] }]
  const answered = await models.generateContent({ model: first, contents: turns, config })
  const id = answered.functionCalls?.[0]?.id
  const functionResponse = { ...(id === undefined ? {} : { id }), name: TOOL.name, response: { output: 'heron' } }
  const content = answered.candidates?.[0]?.content
  expect(JSON.stringify(content)).toContain('thoughtSignature')
  if (content !== undefined) turns.push(content)
  turns.push({ role: 'user', parts: [{ functionResponse }] })
  await between()
  const answer = await models.generateContent({ model: second, contents: turns, config })
  return { text: answer.text ?? '', dropped: answer.sdkHttpResponse?.headers?.['x-tollgate-dropped-fields'] ?? null }
}

const CLIENTS = [
  ['Anthropic’s', messages],
  ['Google’s', contents],
] as const

/** Where the last request of a model went. */
async function lastUpstream(model: string): Promise<string | null> {
  return (await place.record(model)).upstreamName?.split('-')[0] ?? null
}

/** Where a conversation goes that begins now. */
async function upstreamOfOthers(): Promise<string | null> {
  const client = new Anthropic({ apiKey: secret, baseURL: place.gateway.origin, maxRetries: 0 })
  await client.messages.create({
    model: 'gemini-both',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'hello' }],
  })
  return lastUpstream('gemini-both')
}

describe.each(CLIENTS)('with the client of %s wire', (_name, converse) => {
  test.each([
    ['claude-api', 'claude-cloud'],
    ['claude-cloud', 'claude-api'],
  ])('thoughts of Claude go from %s to %s as they are', async (from, to) => {
    const { text, dropped } = await converse(from, to)
    expect(text).toMatch(/heron/)
    expect(dropped ?? '').not.toContain('reasoning')
  })

  test('a conversation with Claude goes on at the maker’s own API where the cloud fails', async () => {
    const { text } = await converse('claude-both', 'claude-both', () => {
      place.vertex.refusal = googleError(503, 'The service is currently unavailable.')
    })
    place.vertex.refusal = null
    expect(text).toMatch(/heron/)
    expect(await lastUpstream('claude-both')).toBe('plain')
  })

  test('thoughts of Gemini go back to where they were made, before the target that comes first', async () => {
    place.vertex.refusal = googleError(503, 'The service is currently unavailable.')
    const { text } = await converse('gemini-both', 'gemini-both', async () => {
      expect(await lastUpstream('gemini-both')).toBe('plain')
      place.vertex.refusal = null
      await expect.poll(upstreamOfOthers, { timeout: PATIENCE_MS, interval: 100 }).toBe('vertex')
    })
    expect(text).toMatch(/heron/)
    expect(await lastUpstream('gemini-both')).toBe('plain')
  })
})

// BerriAI/litellm issue 32140: "Corrupted thought signature" after a fallback between AI Studio and Vertex AI.
test.each([
  ['gemini-studio', 'gemini-cloud'],
  ['gemini-cloud', 'gemini-studio'],
])('thoughts of Gemini that were translated are left out between %s and %s, and named', async (from, to) => {
  const { text, dropped } = await messages(from, to)
  expect(text).toMatch(/heron/)
  expect(dropped).toContain('reasoning')
})
