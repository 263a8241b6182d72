import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { localProxy } from '../../../test/support/local-proxy.ts'
import { systemClock } from '../../core/clock.ts'
import { probeAddress } from './probe-address.ts'

const CREDENTIAL = 'a-credential-of-tests'
const leaving: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const leave of leaving.splice(0)) await leave()
})

async function at(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  leaving.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const probe = (baseUrl: string, protocol: 'anthropic' | null = null, proxyUrl: string | null = null) =>
  probeAddress({ baseUrl, credential: CREDENTIAL, protocol, proxyUrl, headers: {} }, systemClock)

test('the protocol of an address is the one that lists its models, asked with its credential', async () => {
  const asked: unknown[] = []
  const baseUrl = await at(({ url, headers }, response) => {
    asked.push([url, headers['authorization'] ?? headers['x-api-key']])
    response.statusCode = headers['x-api-key'] === undefined ? 401 : 200
    response.end(JSON.stringify({ data: [{ id: 'claude-b' }, { id: 'claude-a' }, { id: 'bad\nname' }, { id: 7 }] }))
  })
  const found = await probe(baseUrl)
  expect(found).toMatchObject({ protocol: 'anthropic', models: ['claude-a', 'claude-b'] })
  expect(found.steps.map(({ protocol, isGood, status }) => [protocol, isGood, status])).toEqual([
    ['openai-chat', false, 401],
    ['anthropic', true, 200],
  ])
  expect(asked).toEqual([
    ['/v1/models', `Bearer ${CREDENTIAL}`],
    ['/v1/models', CREDENTIAL],
  ])
})

test.for([
  ['without its version', '', '/v1/models', '/v1'],
  ['with an endpoint', '/v1/chat/completions', '/v1/models', '/v1'],
  ['with an endpoint and no version', '/chat/completions', '/models', ''],
  ['with a version of its own', '/api/paas/v4', '/api/paas/v4/models', '/api/paas/v4'],
])('a base URL %s is found as it is to be entered', async ([, given = '', served, right]) => {
  const root = (
    await at(({ url, headers }, response) => {
      const isRight = url === served && headers['authorization'] === `Bearer ${CREDENTIAL}`
      response.statusCode = isRight ? 200 : 404
      response.end(isRight ? '{"object":"list","data":[{"id":"m","object":"model"}]}' : '{}')
    })
  ).replace(/\/v1$/, '')
  const found = await probe(root + given)
  expect(found).toMatchObject({ protocol: 'openai-chat', baseUrl: root + right, models: ['m'] })
})

test('a list in Anthropic’s form is one of Anthropic’s, whichever header its credential comes in', async () => {
  const list = { data: [{ type: 'model', id: 'claude-a', display_name: 'Claude A' }], has_more: false }
  const baseUrl = await at((_request, response) => void response.end(JSON.stringify(list)))
  const found = await probe(baseUrl)
  expect(found).toMatchObject({ protocol: 'anthropic', models: ['claude-a'] })
  expect(found.steps.map(({ result }) => result)).toEqual(['other_protocol', 'listed'])
})

test('three requests at most find nothing where no list of models is, and no answer holds the credential', async () => {
  let asked = 0
  const baseUrl = await at((_request, response) => {
    asked += 1
    response.statusCode = 400
    response.end(JSON.stringify({ error: { message: `what is ${CREDENTIAL}?` }, data: [{ id: 'secret' }] }))
  })
  const found = await probe(baseUrl)
  expect(found).toMatchObject({ protocol: null, models: [] })
  expect([asked, found.steps.length]).toEqual([3, 3])
  expect(JSON.stringify(found)).not.toContain(CREDENTIAL)
  expect(JSON.stringify(found)).not.toContain('"secret"')
})

test('a page of something else is not a list of models, and nothing of it is read', async () => {
  const found = await probe(await at((_request, response) => void response.end('<h1>intranet</h1>')))
  expect(found.steps[0]).toMatchObject({ isGood: false, status: 200, result: 'web_page', said: null })
  expect(JSON.stringify(found)).not.toContain('intranet')
})

test('redirects are not followed, and where nothing answers only one is asked', async () => {
  const elsewhere = await at((_request, response) => void response.end('{"data":[{"id":"inner"}]}'))
  const found = await probe(
    await at((_request, response) => void response.writeHead(302, { location: elsewhere }).end()),
  )
  expect(found.models).toEqual([])
  const dead = await at(() => {})
  await leaving.pop()?.()
  const none = await probe(dead)
  expect(none.steps).toMatchObject([{ status: null, isGood: false }])
})

test('an address behind a proxy is asked through it, and a proxy that fails is named as such', async () => {
  const baseUrl = await at((_request, response) => void response.end('{"data":[{"id":"m"}]}'))
  const proxy = await localProxy({ kind: 'http', login: 'ada:of-the-proxy' })
  expect(await probe(baseUrl, null, proxy.url)).toMatchObject({ protocol: 'openai-chat', models: ['m'] })
  expect(proxy.asked).toEqual([new URL(baseUrl).host])
  const refused = await probe(baseUrl, null, proxy.url.replace('of-the-proxy', 'wrong'))
  await proxy.close()
  const away = await probe(baseUrl, null, proxy.url)
  for (const [{ protocol, steps }, result, detail] of [
    [
      refused,
      'proxy_login',
      /^The proxy to it wants a login, or another one \(407\): check the user name and the password/,
    ],
    [away, 'proxy_failed', /^The proxy to it could not be reached/],
  ] as const) {
    expect(protocol).toBeNull()
    expect(steps).toMatchObject([{ status: null, result, detail: expect.stringMatching(detail) }])
    expect(JSON.stringify(steps)).not.toMatch(/of-the-proxy|wrong/)
  }
})

test('each step to an answer is timed, and one that is not reached is not', async () => {
  const baseUrl = await at((_request, response) => void response.end('{"data":[{"id":"m"}]}'))
  const ms = expect.any(Number)
  const byAddress = await probe(baseUrl)
  expect(byAddress.steps[0]?.times).toEqual({ dnsMs: null, connectMs: ms, tlsMs: null, firstByteMs: ms })
  const byName = await probe(baseUrl.replace('127.0.0.1', 'localhost'))
  expect(byName.steps[0]?.times).toEqual({ dnsMs: ms, connectMs: ms, tlsMs: null, firstByteMs: ms })
  // It speaks http alone.
  const secure = await probe(baseUrl.replace('http:', 'https:'))
  expect(secure.steps[0]?.times).toEqual({ dnsMs: null, connectMs: ms, tlsMs: null, firstByteMs: null })
  const unknown = await probe('http://no-such-host.invalid/v1')
  expect(unknown.steps[0]?.times).toEqual({ dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null })
  const proxy = await localProxy({ kind: 'http', login: 'ada:of-the-proxy' })
  leaving.push(() => proxy.close())
  const [step] = (await probe(baseUrl, null, proxy.url)).steps
  expect(step?.times).toEqual({ dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: ms })
})

test('one that is named is the only one that is asked', async () => {
  const baseUrl = await at((_request, response) => {
    response.statusCode = 500
    response.end()
  })
  expect((await probe(baseUrl, 'anthropic')).steps.map(({ protocol }) => protocol)).toEqual(['anthropic'])
})
