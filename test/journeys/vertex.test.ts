import Anthropic from '@anthropic-ai/sdk'
import { ApiError, type Content, type FunctionCall, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type VertexUnderTest, vertexUnderTest } from '../support/vertex-under-test.ts'
import { googleError } from '../../tools/fake-upstream/clouds/vertex-rules.ts'

// Real clients of three makers, and upstreams of three protocols at one Vertex AI.

let place: VertexUnderTest
let secret: string

const ECHO = 'fake/echo?output=7&input=11'
const AGENT = 'fake/agent'
const SLOW = 'fake/slow-chunks?chunks=200&delay_ms=20'
const PROTOCOLS = ['gemini', 'anthropic', 'openai-chat'] as const
const PUBLISHERS = { gemini: 'publishers/google/models/', anthropic: 'publishers/anthropic/models/', 'openai-chat': '' }

beforeAll(async () => {
  place = await vertexUnderTest()
  for (const protocol of PROTOCOLS) {
    for (const [name, model] of [
      ['echo', ECHO],
      ['agent', AGENT],
      ['slow', SLOW],
    ] as const) {
      await place.model(`${protocol}-${name}`, { protocol, model: PUBLISHERS[protocol] + model })
    }
  }
  await place.model('pasted', {
    protocol: 'gemini',
    model: PUBLISHERS.gemini + ECHO,
    below: '/v1/projects/fake-project/locations/us-central1/publishers/google',
  })
  await place.model('express', { protocol: 'gemini', model: PUBLISHERS.gemini + ECHO, below: '/v1/publishers/google' })
  secret = await place.secret()
})
afterEach(() => {
  place.vertex.refusal = null
  place.vertex.breaksStreams = null
})
afterAll(() => place.close())

const google = () =>
  new GoogleGenAI({ apiKey: secret, httpOptions: { baseUrl: place.gateway.origin, apiVersion: 'v1beta' } })
const anthropic = () => new Anthropic({ apiKey: secret, baseURL: place.gateway.origin, maxRetries: 0 })
const openai = () => new OpenAI({ apiKey: secret, baseURL: `${place.gateway.origin}/v1`, maxRetries: 0 })

const TOOL = { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } }
const ASKED = 'Read notes/list.txt, please.'

interface Client {
  whole(model: string): Promise<string | null | undefined>
  stream(model: string): Promise<string>
  /** Text of the answer to the result of a tool that was called before, after a thought where the wire has one. */
  useTool(model: string): Promise<string | null | undefined>
}

const CLIENTS: Readonly<Record<'google' | 'anthropic' | 'openai', Client>> = {
  google: {
    whole: async (model) => (await google().models.generateContent({ model, contents: 'hello' })).text,
    stream: async (model) => {
      let text = ''
      for await (const chunk of await google().models.generateContentStream({ model, contents: 'hello' })) {
        text += chunk.text ?? ''
      }
      return text
    },
    useTool: async (model) => {
      const declaration = { name: TOOL.name, parametersJsonSchema: TOOL.parameters }
      const config = { tools: [{ functionDeclarations: [declaration] }], thinkingConfig: { includeThoughts: true } }
      const contents: Content[] = [{ role: 'user', parts: [{ text: ASKED }] }]
      const first = await google().models.generateContent({ model, contents, config })
      const call: FunctionCall = first.functionCalls?.[0] ?? {}
      const content = first.candidates?.[0]?.content
      if (content !== undefined) contents.push(content)
      const functionResponse = {
        ...(call.id === undefined ? {} : { id: call.id }),
        name: TOOL.name,
        response: { output: 'heron' },
      }
      contents.push({ role: 'user', parts: [{ functionResponse }] })
      return (await google().models.generateContent({ model, contents, config })).text
    },
  },
  anthropic: {
    whole: async (model) => textOf(await anthropic().messages.create({ model, max_tokens: 100, messages: hello })),
    stream: async (model) =>
      textOf(await anthropic().messages.stream({ model, max_tokens: 100, messages: hello }).finalMessage()),
    useTool: async (model) => {
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: ASKED }]
      const ask = () =>
        anthropic()
          .messages.stream({
            model,
            max_tokens: 4_000,
            messages,
            thinking: { type: 'enabled', budget_tokens: 1_024 },
            tools: [{ name: TOOL.name, input_schema: { ...TOOL.parameters, type: 'object' } }],
          })
          .finalMessage()
      const first = await ask()
      const call = first.content.find((block) => block.type === 'tool_use')
      const result = { type: 'tool_result', tool_use_id: call?.id ?? '', content: 'heron' } as const
      messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: [result] })
      return textOf(await ask())
    },
  },
  openai: {
    whole: async (model) =>
      (await openai().chat.completions.create({ model, messages: hello })).choices[0]?.message.content,
    stream: async (model) => {
      let text = ''
      for await (const chunk of await openai().chat.completions.create({ model, messages: hello, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? ''
      }
      return text
    },
    useTool: async (model) => {
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: ASKED }]
      const ask = () =>
        openai().chat.completions.create({ model, messages, tools: [{ type: 'function', function: TOOL }] })
      const message = (await ask()).choices[0]?.message
      if (message !== undefined) messages.push(message)
      messages.push({ role: 'tool', tool_call_id: message?.tool_calls?.[0]?.id ?? '', content: 'heron' })
      return (await ask()).choices[0]?.message.content
    },
  },
}

const hello = [{ role: 'user' as const, content: 'hello' }]

function textOf({ content }: Anthropic.Message): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
}

const CASES = PROTOCOLS.flatMap((protocol) =>
  (Object.keys(CLIENTS) as (keyof typeof CLIENTS)[]).map((client) => ({ protocol, client })),
)

describe.each(CASES)('the client of $client at an upstream of $protocol', ({ protocol, client }) => {
  const { whole, stream, useTool } = CLIENTS[client]

  test('gets whole answers and streams, and each is counted', async () => {
    const model = `${protocol}-echo`
    expect(await whole(model)).toBe('hello')
    expect(await place.record(model)).toMatchObject({
      outcome: 'completed',
      usageSource: 'reported',
      tokens: { input: 11, output: 7 },
    })
    expect(await stream(model)).toBe('hello')
    expect(place.vertex.requests.at(-1)?.refusal).toBeNull()
  })

  test('has tools called, with what was thought before given back as it came', async () => {
    expect(await useTool(`${protocol}-agent`)).toMatch(/heron/)
    expect(place.vertex.requests.at(-1)?.refusal).toBeNull()
  })
})

test('base URLs end in the location, wherever they were copied from, and express mode has a key and no project', async () => {
  for (const [model, path] of [
    ['pasted', '/v1/projects/fake-project/locations/us-central1/publishers/google/models/fake/echo%3F'],
    ['express', '/v1/publishers/google/models/fake/echo%3F'],
  ] as const) {
    expect(await CLIENTS.google.whole(model)).toBe('hello')
    expect(place.vertex.requests.at(-1)?.path.startsWith(path)).toBe(true)
  }
  expect(place.vertex.requests.at(-1)?.headers).toHaveProperty('x-goog-api-key')
})

test('tokens are counted by the paths that Vertex AI has for it, and cost nothing', async () => {
  expect((await google().models.countTokens({ model: 'gemini-echo', contents: 'hello' })).totalTokens).toBeGreaterThan(
    0,
  )
  expect(place.vertex.requests.at(-1)?.path).toMatch(/:countTokens$/)
  const counted = await anthropic().messages.countTokens({ model: 'anthropic-echo', messages: hello })
  expect(counted.input_tokens).toBeGreaterThan(0)
  expect(place.vertex.requests.at(-1)?.path).toMatch(/\/models\/count-tokens:rawPredict$/)
})

test.each(PROTOCOLS)('a client that leaves ends the request at an upstream of %s', async (protocol) => {
  const stream = anthropic().messages.stream({ model: `${protocol}-slow`, max_tokens: 1_000, messages: hello })
  const aborted = place.gateway.fake.whenAborted(({ body, path }) => `${path}${String(body)}`.includes('slow-chunks'))
  await new Promise<void>((resolve) => stream.once('text', () => resolve()))
  stream.abort()
  await stream.done().catch(() => {})
  expect((await aborted).aborted).toBe(true)
  expect(await place.record(`${protocol}-slow`)).toMatchObject({ outcome: 'aborted' })
})

const QUOTA = googleError(
  429,
  'Quota exceeded for aiplatform.googleapis.com/online_prediction_requests_per_base_model.',
)

// cline/cline issue 651, Aider-AI/aider issue 1912: Google's own list of one error came through as text.
test.each(PROTOCOLS)('a quota of Google’s is the fault of each wire, at an upstream of %s', async (protocol) => {
  place.vertex.refusal = QUOTA
  await place.model(`${protocol}-quota`, { protocol, model: PUBLISHERS[protocol] + ECHO })
  const failed = await CLIENTS.anthropic.stream(`${protocol}-quota`).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(Anthropic.RateLimitError)
  const record = await place.record(`${protocol}-quota`)
  expect(record.attempts[0]).toMatchObject({ status: 429, said: expect.stringContaining('Quota exceeded') })
})

test.each(PROTOCOLS)(
  'an error of Google’s in the middle of a stream is an error of the client’s wire (%s)',
  async (protocol) => {
    place.vertex.breaksStreams = googleError(503, 'The model is overloaded.')
    for (const [client, kind] of [
      ['anthropic', Anthropic.APIError],
      ['openai', OpenAI.APIError],
      ['google', Error],
    ] as const) {
      const failed = await CLIENTS[client].stream(`${protocol}-slow`).catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(kind)
    }
    expect(await place.record(`${protocol}-slow`)).toMatchObject({ outcome: 'failed' })
  },
)

test('a project that may not be asked is named as Google names it', async () => {
  await place.model('foreign', {
    protocol: 'gemini',
    model: 'gemini-3-pro',
    below: '/v1/projects/other/locations/global',
  })
  const failed = await CLIENTS.google.whole('foreign').catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(ApiError)
  const record = await place.record('foreign')
  expect(record.attempts[0]?.said).toMatch(/Permission 'aiplatform.endpoints.predict' denied/)
})
