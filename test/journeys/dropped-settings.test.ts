import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Target, Upstream } from '../../src/routing/catalog.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// Settings that an upstream, or one model of it, does not take: they are left out of what it gets, and named.

let gateway: GatewayUnderTest
let secret: string
let models = 0
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
})
afterAll(() => gateway.close())

/** A model at an upstream that speaks chat completions, and what arrives there. */
async function modelThat(takesNot: {
  upstream?: Upstream['passage']
  target?: Pick<Target, 'droppedSettings' | 'fieldsLike'>
}) {
  const arrived: unknown[] = []
  const answer = async (...[request, response]: Parameters<Script>) => {
    arrived.push(await json(request))
    well(request, response)
  }
  const upstream = await scriptedUpstream((request, response) => void answer(request, response))
  onTestFinished(() => upstream.close())
  const name = `choosy-${++models}`
  const settings = { protocol: 'openai-chat', ...(takesNot.upstream && { passage: takesNot.upstream }) } as const
  await putModelOf(gateway.store, {
    name,
    targets: [{ port: upstream.port, settings, ...(takesNot.target && { more: takesNot.target }) }],
  })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return { name, arrived }
}

async function send(path: string, body: object) {
  const response = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.text()
  return { status: response.status, dropped: response.headers.get('x-tollgate-dropped-fields') }
}

const messages = [{ role: 'user', content: 'hello' }]

test('what the upstream and its target do not take is left out together, and named; all else arrives', async () => {
  const { name, arrived } = await modelThat({
    upstream: { droppedSettings: ['temperature'] },
    target: { droppedSettings: ['reasoning_effort'] },
  })
  const sent = { model: name, temperature: 0.7, reasoning_effort: 'high', top_p: 0.5, own_field: [1.0, 'x'], messages }
  expect(await send('/v1/chat/completions', sent)).toEqual({ status: 200, dropped: 'temperature, reasoning_effort' })
  expect(arrived).toEqual([{ model: 'm', top_p: 0.5, own_field: [1, 'x'], messages }])
})

test('a request that sets none of it passes as it came, and nothing is named', async () => {
  const { name, arrived } = await modelThat({ upstream: { droppedSettings: ['temperature', 'reasoning'] } })
  expect(await send('/v1/chat/completions', { model: name, top_p: 0.5, messages })).toEqual({
    status: 200,
    dropped: null,
  })
  expect(arrived).toEqual([{ model: 'm', top_p: 0.5, messages }])
})

test('a request in another protocol is translated without it, and its own field is named', async () => {
  const { name, arrived } = await modelThat({ target: { droppedSettings: ['temperature', 'reasoning'] } })
  const thinking = { type: 'enabled', budget_tokens: 2_000 }
  const sent = { model: name, max_tokens: 4_000, temperature: 1, top_p: 0.99, thinking, messages }
  expect(await send('/v1/messages', sent)).toEqual({ status: 200, dropped: 'temperature, thinking' })
  expect(arrived[0]).toMatchObject({ top_p: 0.99, messages })
  for (const left of ['temperature', 'reasoning_effort', 'reasoning']) expect(arrived[0]).not.toHaveProperty(left)
})

test('a deployment is asked as the model that it is said to be like, whatever its own name', async () => {
  const sent = { max_tokens: 4_000, temperature: 0.5, messages }
  const plain = await modelThat({})
  const like = await modelThat({ target: { fieldsLike: 'gpt-5.5' } })
  expect(await send('/v1/messages', { model: plain.name, ...sent })).toEqual({ status: 200, dropped: null })
  expect(plain.arrived[0]).toMatchObject({ model: 'm', max_tokens: 4_000, temperature: 0.5 })
  expect(await send('/v1/messages', { model: like.name, ...sent })).toEqual({ status: 200, dropped: 'temperature' })
  expect(like.arrived[0]).toMatchObject({ model: 'm', max_completion_tokens: 4_000 })
  expect(like.arrived[0]).not.toHaveProperty('max_tokens')
})
