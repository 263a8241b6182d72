import { json } from 'node:stream/consumers'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI, { BadRequestError } from 'openai'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { sealer } from '../../src/core/secret-box.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import type { Upstream } from '../../src/routing/catalog.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'

// Upstreams that refuse settings of requests by name, and what becomes of those and of later requests.

let gateway: GatewayUnderTest
let account: Account
let secret: string
let models = 0
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  account = await gateway.account({ balance: '100' })
  secret = (await gateway.key(account)).secret
})
afterAll(() => gateway.close())

type Body = Readonly<Record<string, unknown>>
/** What is wrong with a request: the error's message and status; null: it is answered. */
type Judge = (body: Body) => { readonly status?: number; readonly error: object } | null

const unsupported = (name: string) => ({
  error: {
    message: `Unsupported parameter: '${name}' is not supported with this model.`,
    type: 'invalid_request_error',
    param: name,
    code: 'unsupported_parameter',
  },
})
/** A provider that refuses these fields, one after the other. */
const refusing =
  (...fields: readonly string[]): Judge =>
  (body) => {
    const field = fields.find((name) => name in body)
    return field === undefined ? null : { error: unsupported(field) }
  }

async function provider(judge: Judge) {
  const arrived: Body[] = []
  const answer = async (...[request, response]: Parameters<Script>) => {
    const body = (await json(request)) as Body
    arrived.push(body)
    const refusal = provided.judge(body)
    const isStream = body['stream'] === true && refusal === null
    response.writeHead(refusal?.status ?? (refusal === null ? 200 : 400), {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
    })
    response.end(refusal === null ? (isStream ? STREAM : WHOLE) : JSON.stringify(refusal.error))
  }
  const upstream = await scriptedUpstream((request, response) => void answer(request, response))
  onTestFinished(() => upstream.close())
  const provided = { upstream, arrived, judge }
  return provided
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const WHOLE = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage,
})
const chunk = (more: object) => `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...more })}\n\n`
const STREAM =
  chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'hello' } }] }) +
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  'data: [DONE]\n\n'

async function modelAt(upstream: ScriptedUpstream, more: Partial<Upstream> = {}): Promise<string> {
  return modelOf([upstream], more)
}

/** A model with a target at each of these, which are asked in their order. */
async function modelOf(upstreams: readonly ScriptedUpstream[], more: Partial<Upstream> = {}): Promise<string> {
  const name = `learning-${++models}`
  const protocol: UpstreamProtocol = 'openai-chat'
  const targets = upstreams.map(({ port }, priority) => ({ port, priority, settings: { protocol, ...more } }))
  await putModelOf(gateway.store, { name, targets })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return name
}

const anthropic = () => new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 })
const messages = [{ role: 'user', content: 'hello' }]

/** Asks by the Messages protocol, so that the request is translated. */
async function ask(model: string, fields: object, path = '/v1/messages') {
  const response = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 100, messages, ...fields }),
  })
  const id = response.headers.get('x-request-id') ?? ''
  const text = await response.text()
  return { status: response.status, dropped: response.headers.get('x-tollgate-dropped-fields'), id, text }
}

async function recordOf(id: string) {
  await expect.poll(() => gateway.store.usage.record(id), { timeout: PATIENCE_MS }).not.toBeNull()
  const record = await gateway.store.usage.record(id)
  if (record === null) throw new Error(`no record of ${id}`)
  return record
}

test('a wish that is refused by name is left out, named, in the record, and left out at once from then on', async () => {
  const { upstream, arrived } = await provider(refusing('temperature'))
  const model = await modelAt(upstream)
  const first = await ask(model, { temperature: 0.5, top_p: 0.9 })
  expect(first).toMatchObject({ status: 200, dropped: 'temperature' })
  expect(arrived.map((body) => 'temperature' in body)).toEqual([true, false])
  expect(arrived[1]).toMatchObject({ top_p: 0.9 })
  const record = await recordOf(first.id)
  expect(record.attempts).toMatchObject([
    {
      status: 400,
      fault: 'upstream_rejected',
      refusedSettings: ['temperature'],
      said: `Unsupported parameter: 'temperature' is not supported with this model.`,
    },
    { status: 200, fault: null, leftOut: ['temperature'] },
  ])
  const second = await ask(model, { temperature: 0.7 })
  expect(second).toMatchObject({ status: 200, dropped: 'temperature' })
  expect(arrived).toHaveLength(3)
  expect((await recordOf(second.id)).attempts).toMatchObject([{ status: 200, leftOut: ['temperature'] }])
  const without = await ask(model, {})
  expect(without).toMatchObject({ status: 200, dropped: null })
  expect((await recordOf(without.id)).attempts[0]).not.toHaveProperty('leftOut')
})

test.for<{ client: string; refuses: string; ask(model: string): Promise<unknown> }>([
  {
    client: '@anthropic-ai/sdk',
    refuses: 'temperature',
    ask: async (model) => {
      const asked = {
        model,
        max_tokens: 100,
        temperature: 0.5,
        messages: [{ role: 'user' as const, content: 'hello' }],
      }
      return (await anthropic().messages.create(asked)).content
    },
  },
  {
    client: '@anthropic-ai/sdk, by a stream',
    refuses: 'stream_options',
    ask: async (model) => {
      const asked = { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'hello' }] }
      return (await anthropic().messages.stream(asked).finalMessage()).content
    },
  },
  {
    client: 'openai, by responses',
    refuses: 'top_p',
    ask: async (model) => {
      const client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
      return (await client.responses.create({ model, input: 'hello', top_p: 0.5 })).output_text
    },
  },
  {
    client: 'Google’s protocol',
    refuses: 'temperature',
    ask: async (model) => {
      const body = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }], generationConfig: { temperature: 0.5 } }
      const response = await fetch(`${gateway.origin}/v1beta/models/${model}:generateContent`, {
        method: 'POST',
        headers: { 'x-goog-api-key': secret, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(response.headers.get('x-tollgate-dropped-fields')).toBe('generationConfig.temperature')
      return response.json()
    },
  },
])('$client reads the answer that comes without what was refused', async ({ refuses, ask: asked }) => {
  const { upstream, arrived } = await provider(refusing(refuses))
  const model = await modelAt(upstream)
  expect(JSON.stringify(await asked(model))).toContain('hello')
  expect(arrived.map((body) => refuses in body)).toEqual([true, false])
})

test('a credential that takes one request at a time is asked again', async () => {
  const { upstream, arrived } = await provider(refusing('temperature'))
  const seal = (text: string) => sealer(TEST_SECRET).seal(text)
  const credential = { ...unlimitedCredential(seal('sk-upstream'), 'only'), maxConcurrency: 1 }
  const model = await modelAt(upstream, { credentials: [credential], maxConcurrency: 1 })
  expect(await ask(model, { temperature: 0.5 })).toMatchObject({ status: 200, dropped: 'temperature' })
  expect(arrived).toHaveLength(2)
})

test('a provider that refuses one setting after another is asked three times at most, and the next request goes on from there', async () => {
  const { upstream, arrived } = await provider(
    refusing('temperature', 'top_p', 'metadata', 'safety_identifier', 'user'),
  )
  const model = await modelAt(upstream)
  const before = await gateway.balance(account)
  const wishes = { temperature: 0.5, top_p: 0.9, metadata: { user_id: 'u1' } }
  const refused = await ask(model, wishes)
  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.text)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
  expect(arrived).toHaveLength(3)
  expect(await gateway.balance(account)).toBe(before)
  expect((await recordOf(refused.id)).attempts).toHaveLength(3)
  expect(await ask(model, wishes)).toMatchObject({ status: 200 })
  expect(arrived.length).toBeLessThanOrEqual(6)
  expect(arrived.at(-1)).not.toHaveProperty('top_p')
})

test('nothing stays held after refused tries, and the answer alone is charged', async () => {
  const { upstream } = await provider(refusing('temperature', 'top_p'))
  const model = await modelAt(upstream)
  const answered = await ask(model, { temperature: 0.5, top_p: 0.9 })
  expect(answered).toMatchObject({ status: 200, dropped: 'temperature, top_p' })
  const record = await recordOf(answered.id)
  expect(record).toMatchObject({ outcome: 'completed', tokens: { input: 1, output: 1 } })
  const plain = await ask(await modelAt((await provider(() => null)).upstream), {})
  expect(record.cost).toBe((await recordOf(plain.id)).cost)
})

test('tries without a setting are among the three of a request, wherever the first ones went', async () => {
  const down = await provider(() => ({ status: 503, error: { error: { message: 'Overloaded.' } } }))
  const picky = await provider(refusing('temperature', 'top_p'))
  const model = await modelOf([down.upstream, picky.upstream])
  const refused = await ask(model, { temperature: 0.5, top_p: 0.9 })
  expect(refused.status).toBe(400)
  expect((await recordOf(refused.id)).attempts.map(({ status }) => status)).toEqual([503, 400, 400])
  expect((await ask(model, { temperature: 0.5 })).status).toBe(200)
})

test('a client that speaks the upstream’s protocol gets the upstream’s own refusal of what it sent itself', async () => {
  const { upstream, arrived } = await provider(refusing('temperature', 'stream_options'))
  const model = await modelAt(upstream)
  const client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
  const asked = { model, messages: [{ role: 'user' as const, content: 'hello' }] }
  await expect(client.chat.completions.create({ ...asked, temperature: 0.5 })).rejects.toSatisfy(
    (error) => error instanceof BadRequestError && error.param === 'temperature',
  )
  expect(arrived).toHaveLength(1)
  const own = { ...asked, stream: true as const, stream_options: { include_usage: true } }
  await expect(client.chat.completions.create(own)).rejects.toBeInstanceOf(BadRequestError)
  expect(arrived).toHaveLength(2)
})

test('what the gateway itself added to a client’s own bytes is taken away again, and its answer is counted by the gateway', async () => {
  const { upstream, arrived } = await provider(refusing('stream_options'))
  const model = await modelAt(upstream)
  const client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
  const streamed = async () => {
    const stream = await client.chat.completions.create({
      model,
      stream: true,
      messages: [{ role: 'user', content: 'hello' }],
    })
    let text = ''
    for await (const part of stream) text += part.choices[0]?.delta.content ?? ''
    return text
  }
  expect(await streamed()).toBe('hello')
  expect(arrived.map((body) => 'stream_options' in body)).toEqual([true, false])
  expect(await streamed()).toBe('hello')
  expect(arrived).toHaveLength(3)
  const answer = await ask(model, { stream: true }, '/v1/chat/completions')
  expect(answer).toMatchObject({ status: 200, dropped: null })
  expect((await recordOf(answer.id)).usageSource).toBe('estimated')
})

test('what was learned on a translated request changes no byte of a client that speaks the upstream’s protocol', async () => {
  const { upstream, arrived } = await provider(refusing('top_p'))
  const model = await modelAt(upstream)
  await ask(model, { top_p: 0.9 })
  const own = await ask(model, { top_p: 0.9 }, '/v1/chat/completions')
  expect(own).toMatchObject({ status: 400, dropped: null })
  expect(arrived.at(-1)).toHaveProperty('top_p', 0.9)
})

test('a value that is refused is left out alone: others go on', async () => {
  const { upstream, arrived } = await provider((body) =>
    body['reasoning_effort'] === 'low'
      ? {
          error: {
            error: {
              message: `Unsupported value: 'reasoning_effort' does not support 'low' with this model. Supported values are: 'medium' and 'high'.`,
              param: 'reasoning_effort',
              code: 'unsupported_value',
            },
          },
        }
      : null,
  )
  const model = await modelAt(upstream)
  const thinking = { type: 'adaptive' }
  const effort = (level: string) => ask(model, { thinking, output_config: { effort: level } })
  const sent = () => arrived.map((body) => body['reasoning_effort'])
  await effort('low')
  await effort('low')
  await effort('high')
  expect(sent()).toEqual(['low', undefined, undefined, 'high'])
})

test.for([
  [
    'a message',
    {
      error: {
        message: `Invalid 'messages[0].content': Unsupported parameter: 'temperature'`,
        param: 'messages[0].content',
      },
    },
  ],
  ['a tool', { error: { message: `Unknown parameter: 'tools'.`, param: 'tools' } }],
  ['a limit', { error: unsupported('max_tokens').error }],
  ['a format', { error: { message: `Unsupported parameter: 'response_format'`, param: 'response_format' } }],
  ['nothing', { error: { message: 'Bad request.' } }],
] as const)('an error about %s is never a reason to leave anything out', async ([, error]) => {
  const { upstream, arrived } = await provider(() => ({ error }))
  const model = await modelAt(upstream)
  expect(await ask(model, { temperature: 0.5 })).toMatchObject({ status: 400, dropped: null })
  expect(arrived).toHaveLength(1)
})

test('an error that goes on naming what was left out already teaches nothing', async () => {
  const provided = await provider(() => ({ error: unsupported('temperature') }))
  const { upstream, arrived } = provided
  const model = await modelAt(upstream)
  expect((await ask(model, { temperature: 0.5 })).status).toBe(400)
  expect(arrived).toHaveLength(2)
  provided.judge = () => null
  expect(await ask(model, { temperature: 0.5 })).toMatchObject({ status: 200, dropped: null })
  expect(arrived.at(-1)).toHaveProperty('temperature')
})

test('an upstream that is configured otherwise is asked anew, and so is one whose setting is left out by hand', async () => {
  const { upstream, arrived } = await provider(refusing('temperature'))
  const model = await modelAt(upstream)
  await ask(model, { temperature: 0.5 })
  const notes = () => gateway.store.catalog.refusalNotes()
  await expect
    .poll(async () => (await notes()).filter(({ setting }) => setting === 'temperature').length)
    .toBeGreaterThan(0)
  const stored = (await gateway.store.catalog.upstreams()).find(({ name }) => name === `${model}-0`)
  if (stored === undefined) throw new Error('no upstream')
  await gateway.store.catalog.editUpstream(stored.id, (before) => ({ ...before, headers: { 'x-other': '1' } }))
  const asksAnew = async () => {
    const count = arrived.length
    await ask(model, { temperature: 0.5 })
    return arrived.length - count
  }
  await expect.poll(asksAnew, { timeout: PATIENCE_MS }).toBe(2)
  expect(await asksAnew()).toBe(1)
})
