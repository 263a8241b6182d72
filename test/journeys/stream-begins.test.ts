import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream } from '../support/scripted-upstream.ts'

// A stream that begins with a sign of life is read by the SDKs as any other: its answer, and its failure.

let gateway: GatewayUnderTest
let secret: string
beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_STREAM_BEGINS_WITHIN_MS: '0' } })
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
})
afterAll(() => gateway.close())

const chunk = (fields: object) => `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...fields })}\n\n`
const ANSWER =
  chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'four' }, finish_reason: null }] }) +
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  `${chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}data: [DONE]\n\n`

const well: Script = (request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(ANSWER)
}
const broken: Script = (request, response) => {
  request.resume()
  response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"Overloaded."}}')
}

/** A model whose only upstream says nothing until it is let go, and then does `then`. */
async function silentModel(name: string, then: Script): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  const upstream = await scriptedUpstream((...exchange) => void gate.promise.then(() => then(...exchange)))
  onTestFinished(() => upstream.close())
  await putModelOf(gateway.store, { name, targets: [{ port: upstream.port, protocol: 'openai-chat' }] })
  const listed = () =>
    fetch(`${gateway.origin}/v1/models`, { headers: { authorization: `Bearer ${secret}` } }).then((answer) =>
      answer.text(),
    )
  await expect.poll(listed, { timeout: PATIENCE_MS }).toContain(`"${name}"`)
  return gate.resolve
}

interface Begun {
  readonly status: number
  /** Resolves with the text of the answer, rejects with the SDK's own error. */
  read(): Promise<string>
}

/** Each resolves when the headers are there. */
const CLIENTS: Readonly<Record<string, (model: string) => Promise<Begun>>> = {
  'chat of OpenAI’s SDK': async (model) => {
    const client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const { data, response } = await client.chat.completions.create({ model, messages, stream: true }).withResponse()
    const read = async () =>
      (await Array.fromAsync(data)).map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    return { status: response.status, read }
  },
  'responses of OpenAI’s SDK': async (model) => {
    const client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
    const { data, response } = await client.responses.create({ model, input: 'hi', stream: true }).withResponse()
    const read = async () => {
      const events = await Array.fromAsync(data)
      const wrong = events.find(({ type }) => type === 'error' || type === 'response.failed')
      if (wrong !== undefined) throw new Error(JSON.stringify(wrong))
      expect(events[0]?.type).toBe('response.created')
      return events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')
    }
    return { status: response.status, read }
  },
  'messages of Anthropic’s SDK': async (model) => {
    const client = new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const { data, response } = await client.messages
      .create({ model, max_tokens: 10, messages, stream: true })
      .withResponse()
    const text = (event: Anthropic.RawMessageStreamEvent) =>
      event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : ''
    return { status: response.status, read: async () => (await Array.fromAsync(data)).map(text).join('') }
  },
  'Google’s wire': async (model) => {
    const answer = await fetch(`${gateway.origin}/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
      method: 'POST',
      headers: { 'x-goog-api-key': secret, 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
    })
    const read = async () => {
      let body = ''
      // Its connection is cut off behind a failure.
      try {
        for await (const piece of answer.body ?? []) body += Buffer.from(piece).toString()
      } catch {}
      if (body.includes('"error":')) throw new Error(body)
      return [...body.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join('')
    }
    return { status: answer.status, read }
  },
}

// from: QuantumNous/new-api#971, openclaw/openclaw#70739, kortix-ai/suna#3696
test.for(Object.entries(CLIENTS))('%s reads the answer behind a sign of life', async ([name, ask]) => {
  const model = `silent-${name.replaceAll(/\W/g, '')}`
  const letGo = await silentModel(model, well)
  // The headers come while the upstream has said nothing yet.
  const begun = await ask(model)
  expect(begun.status).toBe(200)
  letGo()
  expect(await begun.read()).toBe('four')
})

test.for(Object.entries(CLIENTS))('%s gets a failure behind a sign of life as an error', async ([name, ask]) => {
  const model = `failing-${name.replaceAll(/\W/g, '')}`
  const letGo = await silentModel(model, broken)
  const begun = await ask(model)
  expect(begun.status).toBe(200)
  letGo()
  await expect(begun.read()).rejects.toThrow(/overloaded|upstream|UNAVAILABLE/i)
})
