import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Serving } from '../../src/routing/serving.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// How a model is served where that is set: in which protocols, and how long it may take.

let gateway: GatewayUnderTest
let secret: string
let models = 0
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
})
afterAll(() => gateway.close())

async function modelOf(serving: Serving, scripts: readonly Script[] = [well]): Promise<string> {
  const upstreams = await Promise.all(scripts.map(scriptedUpstream))
  onTestFinished(() => upstreams.forEach((upstream) => upstream.close()))
  const name = `served-${++models}`
  const targets = upstreams.map(({ port }, priority) => ({
    port,
    priority,
    settings: { protocol: 'openai-chat', firstByteTimeoutMs: 60_000, timeoutMs: 60_000 } as const,
  }))
  await putModelOf(gateway.store, { name, targets, serving })
  await expect.poll(async () => (await described(name)) !== null, { timeout: PATIENCE_MS }).toBe(true)
  return name
}

interface Described {
  readonly supported_protocols: readonly string[]
}

async function described(name: string): Promise<Described | null> {
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(`${gateway.origin}/v1/models/${name}`, { headers })
  return response.ok ? ((await response.json()) as Described) : null
}

async function send(path: string, body: object) {
  const response = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ max_tokens: 9, messages: [{ role: 'user', content: 'hello' }], ...body }),
  })
  const text = await response.text().catch(() => 'broken off')
  return { status: response.status, fault: response.headers.get('x-tollgate-fault'), text }
}

describe('endpoints', () => {
  test('are the only ones that the model is called at, and all that is listed', async () => {
    const model = await modelOf({ endpoints: ['openai-chat'] })
    expect((await described(model))?.supported_protocols).toEqual(['openai-chat'])
    expect((await send('/v1/chat/completions', { model })).status).toBe(200)
    const refused = await send('/v1/messages', { model })
    expect(refused).toMatchObject({ status: 400, fault: 'request_invalid' })
    expect(refused.text).toContain('Call it at POST /v1/chat/completions.')
  })

  test('may be one that is translated alone', async () => {
    const model = await modelOf({ endpoints: ['anthropic-messages'] })
    expect((await send('/v1/messages', { model })).status).toBe(200)
    expect((await send('/v1/chat/completions', { model })).fault).toBe('request_invalid')
  })
})

const silent: Script = (request) => void request.resume()

/** The beginning of a stream, and nothing behind it. */
const stuck: Script = (request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const choices = [{ index: 0, delta: { role: 'assistant', content: 'hel' }, finish_reason: null }]
  response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices })}\n\n`)
}

describe('a model’s own time, whatever its upstream’s is,', () => {
  test('until the first event ends an attempt, and the next target answers', async () => {
    const model = await modelOf({ firstEventTimeoutMs: 50 }, [silent, well])
    expect((await send('/v1/chat/completions', { model })).status).toBe(200)
  })

  test('of silence ends a stream', async () => {
    const model = await modelOf({ idleTimeoutMs: 50 }, [stuck])
    const { text } = await send('/v1/chat/completions', { model, stream: true })
    expect(text).toMatch(/broken off|upstream_timeout/)
  })

  test('for the whole request ends it', async () => {
    const model = await modelOf({ timeoutMs: 50 }, [silent])
    expect(await send('/v1/chat/completions', { model })).toMatchObject({ status: 504, fault: 'upstream_timeout' })
  })
})
