import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as refusals from '../../tools/fake-upstream/clouds/azure-refusals.ts'
import { FILTERED_PROMPT } from '../../tools/fake-upstream/clouds/azure.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type AzureUnderTest, type AzureUpstream, azureUnderTest, AZURE_KEY } from '../support/azure-under-test.ts'

const V1: AzureUpstream = { protocol: 'openai', path: '/openai/v1' }
const PREVIEW: AzureUpstream = { protocol: 'openai', path: '', apiVersion: 'preview' }
const DATED: AzureUpstream = { protocol: 'openai', path: '/openai', apiVersion: '2025-04-01-preview' }
/** Streams could not be asked for their usage in this version. */
const OLD: AzureUpstream = { protocol: 'openai-chat', path: '/openai', apiVersion: '2024-02-01' }
/** A version without responses. */
const TOO_OLD: AzureUpstream = { protocol: 'openai', path: '/openai', apiVersion: '2024-10-21' }
const FOUNDRY: AzureUpstream = { protocol: 'anthropic', path: '/anthropic' }

const FIXED = 'fake/fixed?chunks=8&input=30&output=12'
const messages = [{ role: 'user' as const, content: 'say it back' }]

let on: AzureUnderTest
let secret: string
let openai: OpenAI
let anthropic: Anthropic

beforeAll(async () => {
  on = await azureUnderTest({
    echo: { model: 'fake/echo', base: 'gpt-4o' },
    fixed: { model: FIXED },
    behind: { model: FIXED, filter: 'asynchronous' },
    down: { model: FIXED, filter: 'down' },
    withheld: { model: FIXED, filter: 'filters-output' },
    codex: { model: 'fake/echo', base: 'gpt-5.1-codex', operations: ['responses'] },
    deepseek: { model: 'fake/echo', base: 'DeepSeek-V3.2', operations: ['chatCompletion'] },
    throttled: { model: 'fake/echo', throttledMs: 1_500 },
    claude: { model: 'fake/echo', base: 'claude-sonnet-4-5' },
  })
  await on.model('v1', [[V1, 'echo']])
  await on.model('preview', [[PREVIEW, 'echo']])
  await on.model('dated', [[DATED, 'echo']])
  await on.model('fixed', [[V1, 'fixed']])
  await on.model('behind', [[DATED, 'behind']])
  await on.model('down', [[V1, 'down']])
  await on.model('withheld', [[V1, 'withheld']])
  await on.model('withheld-chat', [[OLD, 'withheld']])
  await on.model('behind-chat', [[OLD, 'behind']])
  await on.model('old', [[OLD, 'fixed']])
  await on.model('claude', [[FOUNDRY, 'claude']])
  await on.model('gone', [[V1, 'not-deployed']])
  await on.model('gone-once', [
    [V1, 'not-deployed-either'],
    [DATED, 'echo'],
  ])
  await on.model('busy', [
    [V1, 'throttled'],
    [DATED, 'echo'],
  ])
  await on.model('codex', [[V1, 'codex']])
  await on.model('deepseek', [[V1, 'deepseek']])
  await on.model('too-old', [
    [TOO_OLD, 'echo'],
    [V1, 'echo'],
  ])
  secret = await on.secret()
  openai = new OpenAI({ apiKey: secret, baseURL: `${on.gateway.origin}/v1`, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: secret, baseURL: on.gateway.origin, maxRetries: 0 })
})

afterAll(() => on.close())

const lastPath = () => on.azure.requests.at(-1)?.path

test.for([
  ['v1', '/openai/v1/chat/completions'],
  ['preview', '/openai/v1/chat/completions?api-version=preview'],
  ['dated', '/openai/deployments/echo/chat/completions?api-version=2025-04-01-preview'],
] as const)('a chat completion of the model %s goes to %s, whole and streamed', async ([model, path]) => {
  const { data, response } = await openai.chat.completions.create({ model, messages }).withResponse()
  expect(data.choices[0]?.message.content).toBe('say it back')
  // Bytes pass: the findings of the filter are the client's to read.
  expect(data).toHaveProperty('prompt_filter_results')
  expect(data.choices[0]).toHaveProperty('content_filter_results')
  expect(Number(response.headers.get('x-tollgate-cost'))).toBeGreaterThan(0)
  expect(lastPath()).toBe(path)
  const stream = openai.chat.completions.stream({ model, messages })
  expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe('say it back')
  expect(lastPath()).toBe(path)
})

/** What the records keep of the attempts of a request. */
async function attemptsOf(requestId: string | null | undefined) {
  const { usage } = on.gateway.store
  const id = requestId ?? ''
  await expect.poll(() => usage.record(id), { timeout: PATIENCE_MS }).not.toBeNull()
  return (await usage.record(id))?.attempts
}

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (error: unknown) => error,
  )

test('a response arrives whole and streamed, and what is stored is asked for at the same version', async () => {
  for (const [model, path] of [
    ['v1', '/openai/v1/responses'],
    ['dated', '/openai/responses?api-version=2025-04-01-preview'],
  ] as const) {
    expect((await openai.responses.create({ model, input: 'say it back' })).output_text).toBe('say it back')
    expect(lastPath()).toBe(path)
    const stream = openai.responses.stream({ model, input: 'say it back' })
    expect((await stream.finalResponse()).output_text).toBe('say it back')
    expect(lastPath()).toBe(path)
  }
})

test('embeddings and images arrive', async () => {
  for (const [model, below] of [
    ['v1', '/openai/v1'],
    ['dated', '/openai/deployments/echo'],
  ] as const) {
    const embedded = await openai.embeddings.create({ model, input: 'one two three' })
    expect(embedded.data[0]?.embedding.length).toBeGreaterThan(0)
    expect(lastPath()?.split('?')[0]).toBe(`${below}/embeddings`)
  }
  for (const [model, below] of [
    ['v1', '/openai/v1'],
    ['dated', '/openai/deployments/echo'],
  ] as const) {
    const drawn = await openai.images.generate({ model, prompt: 'a cat', response_format: 'b64_json' })
    expect(drawn.data?.[0]).toMatchObject({ b64_json: expect.any(String), content_filter_results: expect.anything() })
    expect(lastPath()?.split('?')[0]).toBe(`${below}/images/generations`)
  }
})

test('Claude in Foundry answers whole, streamed and with counts, to its own header', async () => {
  const asked = { model: 'claude', max_tokens: 100, messages }
  const { data, response } = await anthropic.messages.create(asked).withResponse()
  expect(data.content).toMatchObject([{ type: 'text', text: 'say it back' }])
  expect(on.azure.requests.at(-1)).toMatchObject({
    path: '/anthropic/v1/messages',
    headers: { 'x-api-key': AZURE_KEY },
  })
  expect(on.azure.requests.at(-1)?.headers).not.toHaveProperty('api-key')
  expect(await attemptsOf(response.headers.get('x-request-id'))).toMatchObject([{ fault: null, status: 200 }])
  const streamed = await anthropic.messages.stream(asked).finalMessage()
  expect(streamed.content).toEqual(data.content)
  const { model } = asked
  expect((await anthropic.messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0)
  expect(lastPath()).toBe('/anthropic/v1/messages/count_tokens')
})

test.for(['fixed', 'behind', 'down', 'old'])(
  'a stream with the findings of the filter reads well in every client: %s',
  async (model) => {
    const asked = { model, messages, stream: true } as const
    const plain = await Array.fromAsync(await openai.chat.completions.create(asked))
    const text = plain.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')
    expect(text).not.toBe('')
    expect(plain[0]).toHaveProperty('prompt_filter_results')
    // Clients take a delta for granted: microsoft/autogen#6465, langchain-ai/langchain#18977, CopilotKit/CopilotKit#2468.
    expect(plain.flatMap(({ choices }) => choices).every(({ delta }) => typeof delta === 'object')).toBe(true)
    const reports = plain.flatMap(({ choices }) => choices).filter((choice) => 'content_filter_offsets' in choice)
    expect(reports.length).toBe(model === 'behind' ? 1 : 0)
    // The gateway asks for usage, and takes out what the client did not ask for.
    expect(plain.filter(({ usage }) => (usage ?? null) !== null)).toEqual([])
    const withUsage = { ...asked, stream_options: { include_usage: true } }
    if (model !== 'old') {
      const chunks = await Array.fromAsync(await openai.chat.completions.create(withUsage))
      expect(chunks.find(({ usage }) => (usage ?? null) !== null)?.usage).toMatchObject({
        prompt_tokens: 30,
        completion_tokens: 12,
      })
    }
    const message = await anthropic.messages.stream({ model, max_tokens: 100, messages }).finalMessage()
    expect(message).toMatchObject({ content: [{ type: 'text', text }], stop_reason: 'end_turn', model })
    expect(message.usage.output_tokens).toBeGreaterThan(0)
  },
)

test('an answer that the filter withholds says so to every client', async () => {
  const asked = { model: 'withheld', messages } as const
  const whole = await openai.chat.completions.create(asked)
  expect(whole.choices[0]?.finish_reason).toBe('content_filter')
  const chunks = await Array.fromAsync(await openai.chat.completions.create({ ...asked, stream: true }))
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('content_filter')
  const { stop_reason: ofAnthropic } = await anthropic.messages
    .stream({ model: 'withheld-chat', max_tokens: 100, messages })
    .finalMessage()
  expect(ofAnthropic).toBe('refusal')
})

test('a prompt that the filter refuses is refused to every client, and asked nowhere else', async () => {
  const filtered = [{ role: 'user' as const, content: FILTERED_PROMPT }]
  const before = on.azure.requests.length
  expect(await failureOf(openai.chat.completions.create({ model: 'dated', messages: filtered }))).toMatchObject({
    status: 400,
    code: 'content_filter',
    param: 'prompt',
    message: expect.stringContaining('content management policy'),
  })
  expect(on.azure.requests.length).toBe(before + 1)
  expect(
    await failureOf(anthropic.messages.create({ model: 'old', max_tokens: 10, messages: filtered })),
  ).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    message: expect.stringContaining('content management policy'),
  })
})

test('a model that is not deployed is the admin’s to set right, and another target serves it', async () => {
  const failed = await failureOf(openai.chat.completions.create({ model: 'gone', messages }))
  expect(failed).toMatchObject({ status: 502, headers: expect.anything() })
  const { headers } = failed as { headers: Headers }
  expect(await attemptsOf(headers.get('x-request-id'))).toMatchObject([
    { status: 404, said: expect.stringContaining('API deployment for this resource does not exist') },
  ])
  const { response } = await openai.chat.completions.create({ model: 'gone-once', messages }).withResponse()
  expect(await attemptsOf(response.headers.get('x-request-id'))).toMatchObject([
    { status: 404, requestId: expect.stringMatching(/^apim-/) },
    { fault: null, status: 200 },
  ])
})

test('a deployment whose quota is used up rests for as long as it says, to the millisecond', async () => {
  const ask = () => openai.chat.completions.create({ model: 'busy', messages }).withResponse()
  const first = await attemptsOf((await ask()).response.headers.get('x-request-id'))
  expect(first).toMatchObject([{ status: 429, fault: 'upstream_rate_limited' }, { status: 200 }])
  const second = await attemptsOf((await ask()).response.headers.get('x-request-id'))
  expect(second).toMatchObject([{ status: 200 }])
})

test('a deployment that has one of OpenAI’s endpoints alone is asked by that one', async () => {
  const asked = { max_tokens: 100, messages }
  const askedIn: Readonly<Record<string, readonly string[]>> = {
    deepseek: ['/openai/v1/responses', '/openai/v1/chat/completions'],
    codex: ['/openai/v1/responses'],
  }
  for (const round of [1, 2]) {
    for (const model of ['deepseek', 'codex']) {
      const before = on.azure.requests.length
      const { content } = await anthropic.messages.create({ model, ...asked })
      expect(content, model).toMatchObject([{ type: 'text', text: 'say it back' }])
      const paths = on.azure.requests.slice(before).map(({ path }) => path)
      // What one deployment lacks is remembered of it alone.
      expect(paths, model).toEqual(round === 1 ? askedIn[model] : askedIn[model]?.slice(-1))
    }
  }
})

test('a client of an endpoint that the deployment lacks is answered by way of the other, and from then on at once', async () => {
  for (const [round, count] of [2, 1].entries()) {
    const before = on.azure.requests.length
    const { choices } = await openai.chat.completions.create({ model: 'codex', messages })
    expect(choices[0]?.message.content).toBe('say it back')
    expect(on.azure.requests.length - before, `round ${round}`).toBe(count)
    expect(lastPath()).toBe('/openai/v1/responses')
  }
  const stream = openai.chat.completions.stream({ model: 'codex', messages })
  expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe('say it back')
  const streamed = openai.responses.stream({ model: 'deepseek', input: 'say it back' })
  expect((await streamed.finalResponse()).output_text).toBe('say it back')
  expect(lastPath()).toBe('/openai/v1/chat/completions')
})

test('a deployment that does not exist is asked once, by no other endpoint', async () => {
  const before = on.azure.requests.length
  await failureOf(anthropic.messages.create({ model: 'gone', max_tokens: 10, messages }))
  expect(on.azure.requests.length - before).toBe(1)
})

test('a version that is too old for what is asked leaves it to another target', async () => {
  const { data, response } = await openai.responses.create({ model: 'too-old', input: 'say it back' }).withResponse()
  expect(data.output_text).toBe('say it back')
  expect(await attemptsOf(response.headers.get('x-request-id'))).toMatchObject([
    { status: 404, said: expect.stringContaining('enabled only for api-version 2025-03-01-preview and later') },
    { status: 200 },
  ])
})

test('a client of Gemini reads a stream with reports of the filter', async () => {
  const answer = await fetch(`${on.gateway.origin}/v1beta/models/behind-chat:streamGenerateContent?alt=sse`, {
    method: 'POST',
    headers: { 'x-goog-api-key': secret, 'content-type': 'application/json' },
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'say it back' }] }] }),
  })
  const events = (await answer.text()).split('\n\n').filter((event) => event.startsWith('data: '))
  const last = JSON.parse(events.at(-1)?.slice('data: '.length) ?? '') as Record<string, unknown>
  expect(last).toMatchObject({ candidates: [{ finishReason: 'STOP' }], usageMetadata: expect.anything() })
})

test.for([
  ['a wrong key', refusals.WRONG_KEY, 401],
  ['a token that has ended', refusals.WRONG_TOKEN, 401],
  ['an identity without a role', refusals.NO_ROLE, 401],
  ['a network that is shut', refusals.NO_NETWORK, 403],
] as const)('%s is the admin’s to set right, who reads the words of Azure', async ([, refuses, status]) => {
  const other = await azureUnderTest({ echo: { model: 'fake/echo' } }, { refuses })
  onTestFinished(() => other.close())
  await other.model('v1', [[V1, 'echo']])
  const client = new OpenAI({ apiKey: await other.secret(), baseURL: `${other.gateway.origin}/v1`, maxRetries: 0 })
  const failed = await failureOf(client.chat.completions.create({ model: 'v1', messages }))
  expect(failed).toMatchObject({ status: 502 })
  const { usage } = other.gateway.store
  const id = (failed as { headers: Headers }).headers.get('x-request-id') ?? ''
  await expect.poll(() => usage.record(id), { timeout: PATIENCE_MS }).not.toBeNull()
  expect((await usage.record(id))?.attempts).toMatchObject([
    { status, said: expect.stringMatching(/^(?:Access denied|Unauthorized|The principal)/) },
  ])
})
