import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { jsonOf } from '../../tools/fake-upstream/clouds/json-of.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { askBySdk } from '../support/read-by-sdk.ts'
import { type BedrockUnderTest, bedrockUnderTest, CLAUDE } from '../support/bedrock-under-test.ts'

let under: BedrockUnderTest
let anthropic: Anthropic
let openai: OpenAI

const SLOW = 'fake/slow-chunks?chunks=200&delay_ms=20'
const COUNTED = 'fake/echo?input=1000&output=50&cached=300&cache_write=200'
/** Models that are asked by Converse. */
const CONVERSING = [
  ['nova', 'eu.amazon.nova-2-lite-v1:0'],
  ['profile', 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1b2c3'],
  ['odd', "an id (odd) with ' * and é"],
  ['counted', COUNTED],
  ['slow', `${SLOW}&input=30&output=200`],
  ['limited', 'fake/rate-limited'],
  ['unknown', 'anthropic.claude-unknown'],
] as const
/** A model that takes no features in beta. */
const PLAIN_CLAUDE = 'global.anthropic.claude-opus-4-7'
const messages = [{ role: 'user' as const, content: 'say it back' }]

beforeAll(async () => {
  under = await bedrockUnderTest({
    onlyByProfile: ['anthropic.claude-sonnet-4-5-20250929-v1:0'],
    withoutBetas: [PLAIN_CLAUDE],
  })
  for (const name of [
    CLAUDE,
    PLAIN_CLAUDE,
    SLOW,
    COUNTED,
    'fake/error-event',
    'fake/cut-mid-stream',
    'fake/rate-limited',
    'fake/context-too-long',
  ]) {
    await under.model(name)
  }
  await under.model('claude-signed', { by: 'signed', target: CLAUDE })
  await under.model('claude-by-itself', { target: 'anthropic.claude-sonnet-4-5-20250929-v1:0' })
  await under.model('claude-unknown', { target: 'anthropic.claude-unknown' })
  for (const [name, target] of CONVERSING) {
    await under.model(name, { by: 'converse', target })
    await under.model(`${name}-signed`, { by: 'converse-signed', target })
  }
  await under.model('gpt-oss', { by: 'openai', target: 'openai.gpt-oss-120b-1:0' })
})

afterAll(() => under.close())

beforeEach(async () => {
  const { secret } = await under.gateway.key(await under.gateway.account())
  anthropic = new Anthropic({ apiKey: secret, baseURL: under.gateway.origin, maxRetries: 0 })
  openai = new OpenAI({ apiKey: secret, baseURL: `${under.gateway.origin}/v1`, maxRetries: 0 })
})

/** The body that Bedrock got last. */
function lastBody(): Record<string, unknown> {
  return JSON.parse(under.bedrock.requests.at(-1)?.body.toString() ?? '{}') as Record<string, unknown>
}

/** What the last request of a new account cost, with the counts it was charged for. */
async function charged(run: (client: Anthropic) => Promise<unknown>) {
  const { gateway } = under
  const account = await gateway.account()
  const { secret } = await gateway.key(account)
  await run(new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 }))
  await expect.poll(() => gateway.balance(account)).not.toBe('10')
  return gateway.balance(account)
}

test('a message is an invocation of the model in the path, and arrives as Anthropic writes it', async () => {
  const message = await anthropic.messages.create({ model: CLAUDE, max_tokens: 100, messages })
  expect(message).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'say it back' }] })
  const { target = '', headers } = under.bedrock.requests.at(-1) ?? {}
  expect(target).toBe('/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke')
  expect(lastBody()).toEqual({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 100, messages })
  expect(headers).toMatchObject({ accept: 'application/json', 'content-type': 'application/json' })
})

test('a streamed message and its tool calls arrive through the binary stream', async () => {
  const final = await anthropic.messages
    .stream({
      model: CLAUDE,
      max_tokens: 4000,
      messages,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      tools: [{ name: 'look_up', input_schema: { type: 'object', properties: { word: { type: 'string' } } } }],
    })
    .finalMessage()
  expect(final.stop_reason).toBe('tool_use')
  expect(final.content.map(({ type }) => type)).toContain('tool_use')
  expect(under.bedrock.requests.at(-1)?.target).toContain('/invoke-with-response-stream')
})

test('requests are signed where the credential is an access key', async () => {
  const body = { model: 'claude-signed', max_tokens: 100, messages }
  const whole = await anthropic.messages.create(body)
  expect(whole.content[0]).toMatchObject({ text: 'say it back' })
  const streamed = await anthropic.messages.stream(body).finalMessage()
  expect(streamed.content[0]).toMatchObject({ text: 'say it back' })
  expect(under.bedrock.requests.at(-1)?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//)
})

test('features in beta go into the body, those that Bedrock knows; the query and all else of the wire stay behind', async () => {
  await anthropic.beta.messages.create({
    model: CLAUDE,
    max_tokens: 100,
    messages,
    // QuantumNous/new-api #3041 and BerriAI/litellm #19877: one flag that Bedrock does not know refuses the whole request.
    betas: ['context-1m-2025-08-07', 'claude-code-20250219', 'mcp-servers-2025-12-04'],
  })
  expect(lastBody()['anthropic_beta']).toEqual(['context-1m-2025-08-07'])
})

test('a model that refuses a feature is asked once more without any, and from then on at once', async () => {
  // anthropics/claude-code #49370 and #49648: which flags a model takes is nowhere listed, and the one it refuses is not named.
  const ask = (stream: boolean) =>
    anthropic.beta.messages.create({
      model: PLAIN_CLAUDE,
      max_tokens: 100,
      messages,
      stream,
      betas: ['effort-2025-11-24', 'interleaved-thinking-2025-05-14'],
    })
  const before = under.bedrock.requests.length
  expect(await ask(false)).toMatchObject({ content: [{ type: 'text', text: 'say it back' }] })
  await ask(true)
  const sent = under.bedrock.requests.slice(before).map(({ body }) => jsonOf(body)?.['anthropic_beta'])
  expect(sent).toEqual([['effort-2025-11-24', 'interleaved-thinking-2025-05-14'], undefined, undefined])
})

test('tokens are counted for the model behind the profile', async () => {
  const counted = await anthropic.messages.countTokens({
    model: CLAUDE,
    messages,
    thinking: { type: 'enabled', budget_tokens: 2000 },
  })
  expect(counted.input_tokens).toBeGreaterThan(0)
  expect(under.bedrock.requests.at(-1)?.target).toBe('/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/count-tokens')
  const { input } = lastBody() as { input: { invokeModel: { body: string } } }
  const body = JSON.parse(Buffer.from(input.invokeModel.body, 'base64').toString()) as Record<string, unknown>
  expect(body).toMatchObject({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 2001, messages })
})

test('what is charged is the same whole, streamed, and by the counts of AWS alone', async () => {
  const body = { model: COUNTED, max_tokens: 100, messages }
  const whole = await charged((client) => client.messages.create(body))
  const streamed = () => charged((client) => client.messages.stream(body).finalMessage())
  expect(await streamed()).toBe(whole)
  // BerriAI/litellm #34373 and #36878: the cache is in the metrics alone, and was charged as nothing.
  under.bedrock.mishap = { kind: 'metrics', leavesOut: 'cache' }
  expect(await streamed()).toBe(whole)
  under.bedrock.mishap = { kind: 'metrics', leavesOut: 'all' }
  expect(await streamed()).toBe(whole)
})

test('the client sees the counts that only AWS has', async () => {
  under.bedrock.mishap = { kind: 'metrics', leavesOut: 'all' }
  const { usage } = await anthropic.messages.stream({ model: COUNTED, max_tokens: 100, messages }).finalMessage()
  expect(usage).toMatchObject({ output_tokens: 50, cache_read_input_tokens: 300, cache_creation_input_tokens: 200 })
})

test.for([
  ['throttlingException', 'rate_limit_error'],
  ['serviceUnavailableException', 'overloaded_error'],
  ['modelStreamErrorException', 'api_error'],
  ['internalServerException', 'api_error'],
  ['modelTimeoutException', 'timeout_error'],
  ['validationException', 'invalid_request_error'],
] as const)('a stream that %s ends in its middle ends as an error of the kind', async ([type]) => {
  under.bedrock.mishap = {
    kind: 'exception',
    after: 4,
    type,
    message: 'Too many tokens, please wait before trying again.',
  }
  const stream = anthropic.messages.stream({ model: CLAUDE, max_tokens: 100, messages })
  await expect(stream.finalMessage()).rejects.toThrow('please wait before trying again')
})

test('an exception before anything was written is a refusal with its status', async () => {
  under.bedrock.mishap = { kind: 'exception', after: 0, type: 'throttlingException', message: 'Too many requests' }
  const stream = anthropic.messages.stream({ model: CLAUDE, max_tokens: 100, messages })
  await expect(stream.finalMessage()).rejects.toMatchObject({ status: 429 })
})

test.for(['damage', 'cut'] as const)('a stream with a %s in it breaks off, and is not charged', async (kind) => {
  const { gateway } = under
  const account = await gateway.account()
  const { secret } = await gateway.key(account)
  const client = new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 })
  under.bedrock.mishap = { kind, after: 5 }
  const stream = client.messages.stream({ model: CLAUDE, max_tokens: 100, messages })
  await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIError)
  expect(await gateway.balance(account)).toBe('10')
})

test('a refusal that comes whole with a good status is a refusal', async () => {
  // Portkey-AI/gateway #1142: it was heard as a stream without a word.
  under.bedrock.mishap = {
    kind: 'good-refusal',
    message: 'The model returned the following errors: messages.1: Expected `thinking`',
  }
  const stream = anthropic.messages.stream({ model: CLAUDE, max_tokens: 100, messages })
  await expect(stream.finalMessage()).rejects.toThrow('Expected `thinking`')
})

test('a client that hangs up ends the stream at Bedrock, and is charged for what was produced', async () => {
  const { gateway } = under
  const aborted = gateway.fake.whenAborted((request) => request.body.includes('slow-chunks'))
  await charged(async (client) => {
    const stream = client.messages.stream({ model: SLOW, max_tokens: 1000, messages })
    await new Promise<void>((resolve) => stream.once('text', () => resolve()))
    stream.abort()
    await stream.done().catch(() => undefined)
    await aborted
  })
})

test.for([
  ['fake/rate-limited', 429, 'rate_limit_error'],
  ['fake/context-too-long', 400, 'invalid_request_error'],
  ['claude-by-itself', 502, 'api_error'],
  ['claude-unknown', 502, 'api_error'],
] as const)('%s is refused with %i', async ([model, status, type]) => {
  const refused = anthropic.messages.create({ model, max_tokens: 100, messages })
  await expect(refused).rejects.toMatchObject({ status, error: { error: { type } } })
})

test('a prompt that is too long is refused in the words that clients shorten a conversation by', async () => {
  under.bedrock.mishap = {
    kind: 'refusal',
    refusal: { status: 400, type: 'ValidationException', message: 'Input is too long for requested model.' },
  }
  await expect(anthropic.messages.create({ model: CLAUDE, max_tokens: 100, messages })).rejects.toThrow(
    'prompt is too long',
  )
})

test('a client of OpenAI’s is answered by a model of Anthropic’s, and by one of OpenAI’s on its own endpoint', async () => {
  for (const model of [CLAUDE, 'gpt-oss']) {
    const answer = await openai.chat.completions.create({ model, messages })
    expect(answer.choices[0]?.message.content).toBe('say it back')
    const stream = await openai.chat.completions.create({ model, messages, stream: true })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('say it back')
  }
  expect(under.bedrock.requests.at(-1)?.target).toBe('/openai/v1/chat/completions')
  const response = await openai.responses.create({ model: 'gpt-oss', input: 'say it back' })
  expect(response.output_text).toBe('say it back')
  expect(under.bedrock.requests.at(-1)?.target).toBe('/openai/v1/responses')
})

describe('by Converse', () => {
  const CLIENTS = ['openai-chat', 'anthropic-messages'] as const
  type Client = (typeof CLIENTS)[number]

  /** The text that a client of the wire reads from a stream, or whole. */
  async function textOf(client: Client, { model, isStream }: { model: string; isStream: boolean }): Promise<unknown> {
    if (client === 'openai-chat') {
      if (!isStream) return (await openai.chat.completions.create({ model, messages })).choices[0]?.message.content
      return openai.chat.completions.stream({ model, messages }).finalContent()
    }
    const asked = { model, max_tokens: 100, messages }
    return isStream ? anthropic.messages.stream(asked).finalText() : textIn(await anthropic.messages.create(asked))
  }

  function textIn({ content }: Anthropic.Message): string {
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  }

  test.for(['nova', 'nova-signed', 'profile-signed', 'odd-signed'])('%s answers, whole and streamed', async (model) => {
    for (const client of CLIENTS) {
      for (const isStream of [false, true]) {
        expect(await textOf(client, { model, isStream })).toBe('say it back')
        const { target, headers } = under.bedrock.requests.at(-1) ?? {}
        expect(target).toMatch(isStream ? /^\/model\/[^/:]+\/converse-stream$/ : /^\/model\/[^/:]+\/converse$/)
        expect(headers?.authorization).toMatch(model.endsWith('signed') ? /^AWS4-HMAC-SHA256 / : /^Bearer /)
      }
    }
  })

  test.for(CLIENTS)('a client of %s gets the call of a tool', async (client) => {
    const { secret } = await under.gateway.key(await under.gateway.account())
    for (const isStream of [false, true]) {
      const asked = { origin: under.gateway.origin, secret, model: 'nova-signed', prompt: 'say it back', isStream }
      const { call } = await askBySdk(client, asked)
      expect(call).toEqual({ name: 'look_up', arguments: { id: 1.5 } })
    }
    expect(under.bedrock.requests.at(-1)?.target).toMatch(/\/converse-stream$/)
  })

  test('what is charged is the same whole and streamed, with the cache', async () => {
    const body = { model: 'counted', max_tokens: 100, messages }
    // 1000 × 2.5 + 50 × 10.000001 + 300 × 0.25 + 200 × 3.125 USD for a million tokens, rounded up to 1e-9 USD.
    expect(await charged((client) => client.messages.create(body))).toBe('9.996299999')
    expect(await charged((client) => client.messages.stream(body).finalMessage())).toBe('9.996299999')
  })

  /** How a stream that fails ends for a client, and what is left of its 10 USD. */
  async function failing(client: Client, model = 'nova'): Promise<readonly [unknown, string]> {
    const { gateway } = under
    const account = await gateway.account()
    const { secret } = await gateway.key(account)
    openai = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
    anthropic = new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 })
    const error = await textOf(client, { model, isStream: true }).then(
      (text) => `it ended well: ${String(text)}`,
      (thrown: unknown) => thrown,
    )
    return [error, await gateway.balance(account)]
  }

  // After a failure an upstream rests for a second: the two are taken in turn.
  test.for([
    ['throttlingException', 'openai-chat', 'nova'],
    ['modelStreamErrorException', 'anthropic-messages', 'nova-signed'],
  ] as const)(
    'a %s in the middle reaches a client of %s in its own words, uncharged',
    async ([type, client, model]) => {
      const message = 'The model broke off, please try again.'
      under.bedrock.mishap = { kind: 'exception', after: 2, type, message }
      const [error, balance] = await failing(client, model)
      expect(String(error)).toContain(message)
      expect(balance).toBe('10')
    },
  )

  test.for([
    ['throttlingException', 429],
    ['serviceUnavailableException', 503],
    ['validationException', 400],
    ['internalServerException', 502],
  ] as const)('a %s before anything was written is a refusal with its status', async ([type, status]) => {
    under.bedrock.mishap = { kind: 'exception', after: 0, type, message: 'Too many requests' }
    const [error] = await failing('openai-chat')
    under.bedrock.mishap = { kind: 'exception', after: 0, type, message: 'Too many requests' }
    const [invoked] = await failing('openai-chat', CLAUDE)
    expect([error, invoked]).toMatchObject([{ status }, { status }])
  })

  test.for([
    ['damage', 'openai-chat', 'nova', 1],
    ['cut', 'anthropic-messages', 'nova-signed', 3],
  ] as const)('a stream with a %s in it breaks off, and is not charged', async ([kind, client, model, after]) => {
    under.bedrock.mishap = { kind, after }
    const [error, balance] = await failing(client, model)
    expect(error).toBeInstanceOf(client === 'openai-chat' ? OpenAI.APIError : Anthropic.APIError)
    expect(balance).toBe('10')
  })

  test('a refusal that comes whole with a good status is a refusal', async () => {
    under.bedrock.mishap = { kind: 'good-refusal', message: 'The model returned the following errors: no such thing' }
    const [error] = await failing('openai-chat')
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining('no such thing') as string })
  })

  test.for([
    ['limited', 429],
    ['unknown', 502],
  ] as const)('%s is refused with %i', async ([model, status]) => {
    for (const isStream of [false, true]) {
      await expect(textOf('openai-chat', { model, isStream })).rejects.toMatchObject({ status })
    }
  })

  test('a client that hangs up ends the stream at Bedrock, and is charged for what was written by then', async () => {
    const { gateway } = under
    const account = await gateway.account()
    const { secret } = await gateway.key(account)
    const aborted = gateway.fake.whenAborted(({ path }) => path.endsWith('/converse-stream'))
    const client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
    const { data, response } = await client.chat.completions
      .create({ model: 'slow-signed', messages, stream: true })
      .withResponse()
    for await (const { choices } of data) if ((choices[0]?.delta.content ?? '') !== '') break
    await aborted
    const record = () => gateway.store.usage.record(response.headers.get('x-request-id') ?? '')
    await expect.poll(record, { timeout: PATIENCE_MS }).not.toBeNull()
    const { tokens, cost = 0n } = (await record()) ?? {}
    const { input, output } = tokens ?? { input: 0, output: 0 }
    expect(output).toBeGreaterThan(0)
    expect(output).toBeLessThan(200)
    // Rounded up to 1e-9 USD.
    expect(cost).toBe((BigInt(input ?? 0) * 2_500_000n + BigInt(output ?? 0) * 10_000_001n + 999n) / 1000n)
    expect(await gateway.balance(account)).toBe(`9.${String(1_000_000_000n - cost).padStart(9, '0')}`)
  })
})
