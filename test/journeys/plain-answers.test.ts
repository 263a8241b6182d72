import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'

// What stands in an answer's head, and what of an upstream's error goes on.

const CREDENTIAL = 'upstream-credential-of-this-test'
const asPage: Script = (request, response) => {
  request.resume()
  const isRefused = request.headers['x-app'] === 'refuse me'
  response.writeHead(isRefused ? 400 : 200, { 'content-type': 'text/html' })
  const error = { message: 'No.', type: 'x', code: `code ${CREDENTIAL}`, param: `a ${CREDENTIAL}` }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const choices = [{ index: 0, message: { role: 'assistant', content: '<script>' }, finish_reason: 'stop' }]
  response.end(JSON.stringify(isRefused ? { error } : { id: 'x', object: 'chat.completion', choices, usage }))
}

let gateway: GatewayUnderTest
let upstream: ScriptedUpstream
let secret: string
beforeAll(async () => {
  upstream = await scriptedUpstream(asPage)
  gateway = await gatewayUnderTest()
  await putModelOf(gateway.store, { name: 'html', targets: [{ port: upstream.port, model: 'html' }] })
  secret = (await gateway.key(await gateway.account())).secret
})
afterAll(async () => {
  await gateway.close()
  upstream.close()
})

function chat(headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, ...headers },
    body: '{"model":"html","messages":[{"role":"user","content":"hello"}]}',
  })
}

test('an answer that its upstream calls a page is JSON, and no browser guesses otherwise', async () => {
  const response = await chat()
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<script>')])
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test('of an upstream’s error, code and field go on only where they are names', async () => {
  const response = await chat({ 'x-app': 'refuse me' })
  const body = (await response.json()) as { error: Record<string, unknown> }
  expect(response.status).toBe(400)
  expect(JSON.stringify(body)).not.toContain(CREDENTIAL)
  expect(body.error['code']).toBe('upstream_rejected')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test('no browser guesses what the gateway’s own answers are, also to requests that cannot be read', async () => {
  for (const path of ['/healthz', '/readyz', '/', '/api/hello', '/setup/x', '/docs/errors']) {
    const { headers } = await fetch(gateway.origin + path, { redirect: 'manual' })
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
  }
  const { hostname, port } = new URL(gateway.origin)
  const socket = connect(Number(port), hostname)
  socket.end('hello\r\n\r\n')
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
  expect(answer).toContain('\r\nx-content-type-options: nosniff\r\n')
})

test('what depends on the key is kept by no cache', async () => {
  for (const path of ['/v1/models', '/v1/usage', '/api.json']) {
    const response = await fetch(gateway.origin + path, { headers: { authorization: `Bearer ${secret}` } })
    await response.text()
    const { headers } = response
    expect([path, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      path,
      'no-store',
      'nosniff',
    ])
  }
})

test('a key in the path does not come back', async () => {
  for (const path of [`/v1/${secret}`, `/${secret}/chat/completions`, '/v1/sk-ant-api03-abcdefghijklmnop']) {
    const response = await fetch(gateway.origin + path)
    const body = await response.text()
    expect(response.status).toBe(404)
    expect(body).not.toContain(path.split('/').find((part) => part.startsWith('sk-')))
  }
  const plain = await fetch(`${gateway.origin}/v1/some-endpoint-that-is-not-there`)
  expect(await plain.text()).toContain('some-endpoint-that-is-not-there')
})
