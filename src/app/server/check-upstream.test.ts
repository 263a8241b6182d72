import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { credentialByHand } from '../../../test/support/candidate-by-hand.ts'
import { plainUpstream } from '../../../test/support/saved-upstream.ts'
import { systemClock } from '../../core/clock.ts'
import type { UpstreamInUse } from '../../gateway/snapshot.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import { UpstreamHealth } from '../../routing/upstream-health.ts'
import { HttpUpstream } from '../../upstreams/http-upstream.ts'
import { listUpstreamModels, testUpstream } from './check-upstream.ts'

const CREDENTIAL = 'a-credential-of-tests'
const leaving: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const leave of leaving.splice(0)) await leave()
})

/** An upstream as a snapshot holds it, at a server that answers by `listener`. */
async function inUse(listener: RequestListener, over: Partial<Upstream> = {}): Promise<UpstreamInUse> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const client = new HttpUpstream({
    baseUrl,
    headers: { authorization: `Bearer ${CREDENTIAL}` },
    connectTimeoutMs: 1000,
    maxConcurrency: null,
  })
  leaving.push(async () => {
    await client.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const upstream = plainUpstream({ baseUrl, credentials: [], ...over })
  return { upstream, client, pool: [], health: new UpstreamHealth(Math.random), secrets: [CREDENTIAL] }
}

test('a good one was asked for its models, with its credential', async () => {
  const asked: unknown[] = []
  const upstream = await inUse((request, response) => {
    asked.push(request.method, request.url, request.headers.authorization)
    response.end('{"data":[]}')
  })
  const tested = await testUpstream(upstream, systemClock)
  expect(tested).toMatchObject({ isGood: true, status: 200, detail: 'It answered with its list of models.' })
  expect(asked).toEqual(['GET', '/v1/models', `Bearer ${CREDENTIAL}`])
})

test('Anthropic gets the version that it wants', async () => {
  let version: unknown
  const listener: RequestListener = (request, response) => {
    version = request.headers['anthropic-version']
    response.end('{"data":[]}')
  }
  expect((await testUpstream(await inUse(listener, { protocol: 'anthropic' }), systemClock)).isGood).toBe(true)
  expect(version).toBe('2023-06-01')
})

test.for([
  [401, 'credential_refused', 'It refused the credential.'],
  [404, 'no_list', 'It knows no list of models at this base URL'],
  [429, 'too_many_requests', 'too many requests'],
  [500, 'status', 'It answered with the status 500.'],
] as const)(
  'a status of %i is explained, with what it said but without the credential',
  async ([status, result, detail]) => {
    const upstream = await inUse((_request, response) => {
      response.writeHead(status).end(JSON.stringify({ error: { message: `no good: ${CREDENTIAL}` } }))
    })
    const tested = await testUpstream(upstream, systemClock)
    expect(tested).toMatchObject({ isGood: false, status, result, said: expect.stringMatching(/^no good: …/) })
    expect(tested.detail).toContain(detail)
    expect(tested.detail).toContain('It said: no good: …')
    expect(tested.detail).not.toContain(CREDENTIAL)
  },
)

test('a redirect is not followed', async () => {
  let hits = 0
  const upstream = await inUse((_request, response) => {
    hits += 1
    response.writeHead(302, { location: '/v1/elsewhere' }).end()
  })
  const tested = await testUpstream(upstream, systemClock)
  expect(tested).toMatchObject({ result: 'redirect', said: null })
  expect(tested.detail).toContain('redirects are not followed')
  expect(hits).toBe(1)
})

test('what is not an error in a known shape is not repeated: other servers cannot be read through this', async () => {
  const upstream = await inUse((_request, response) => {
    response.writeHead(500).end('secret of an inner service')
  })
  expect((await testUpstream(upstream, systemClock)).detail).toBe('It answered with the status 500.')
})

test('silence ends after a time', async () => {
  const upstream = await inUse(() => {})
  const tested = await testUpstream(upstream, systemClock, 50)
  expect(tested).toMatchObject({ isGood: false, status: null, result: 'too_slow' })
  expect(tested.detail).toBe('It did not answer within 0.05 s.')
})

test('where nothing listens, that is said', async () => {
  const upstream = await inUse(() => {})
  for (const leave of leaving.splice(0)) await leave()
  const { port } = new URL(upstream.upstream.baseUrl)
  const client = new HttpUpstream({
    baseUrl: upstream.upstream.baseUrl,
    headers: {},
    connectTimeoutMs: 1000,
    maxConcurrency: null,
  })
  leaving.push(() => client.close())
  const tested = await testUpstream({ ...upstream, client }, systemClock)
  expect(tested).toMatchObject({ isGood: false, status: null, result: 'connection_refused', said: null })
  expect(tested.detail).toContain('refused')
  expect(tested.detail).not.toContain(port)
})

test('an endless answer is cut', async () => {
  const upstream = await inUse((_request, response) => {
    response.writeHead(500)
    const write = () => {
      while (response.write(Buffer.alloc(65_536, 'x')));
      response.once('drain', write)
    }
    write()
  })
  expect(await testUpstream(upstream, systemClock)).toMatchObject({ isGood: false, status: 500 })
})

test('one that the gateway could not set up, and the demo upstream, are reported without a request', async () => {
  expect(await testUpstream(undefined, systemClock)).toMatchObject({ isGood: false, status: null })
  const upstream = await inUse((_request, response) => response.destroy(), { protocol: 'demo' })
  expect(await testUpstream(upstream, systemClock)).toMatchObject({ isGood: true })
})

test('Google’s wrong credential is reported as one, though it is a 400', async () => {
  const upstream = await inUse(
    (_request, response) => {
      const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
      const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details }
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    },
    { protocol: 'gemini' },
  )
  const tested = await testUpstream(upstream, systemClock)
  expect(tested).toMatchObject({ isGood: false, status: 400 })
  expect(tested.detail).toBe('It refused the credential. It said: API key not valid.')
})

test('its models are asked for as a whole, by the largest page where it lists them page by page', async () => {
  const asked: unknown[] = []
  const of = async (protocol: Upstream['protocol'], body: object) => {
    const upstream = await inUse(
      ({ url }, response) => {
        asked.push(url)
        response.end(JSON.stringify(body))
      },
      { protocol },
    )
    return (await listUpstreamModels(upstream, systemClock)).listed
  }
  expect(await of('openai', { data: [{ id: 'b' }, { id: 'a' }] })).toEqual({ names: ['a', 'b'], isWhole: true })
  expect(await of('anthropic', { data: [{ id: 'c' }], has_more: true })).toEqual({ names: ['c'], isWhole: false })
  const google = { models: [{ name: 'models/g' }], nextPageToken: 'x' }
  expect(await of('gemini', google)).toEqual({ names: ['g'], isWhole: false })
  expect(asked).toEqual(['/v1/models', '/v1/models?limit=1000', '/v1/models?pageSize=1000'])
  const page = await inUse((_, response) => response.end('<html>'))
  expect(await listUpstreamModels(page, systemClock)).toMatchObject({ isGood: false, listed: null })
})

/** An upstream with one credential, which the provider has refused. */
async function withHeld(listener: RequestListener) {
  const upstream = await inUse(listener)
  const health = credentialByHand(Math.random)
  health.refused({ beganAt: -2, now: -1 }, 'credential')
  const credential = unlimitedCredential('sealed')
  const bare = new HttpUpstream({
    baseUrl: upstream.upstream.baseUrl,
    headers: {},
    connectTimeoutMs: 1000,
    maxConcurrency: null,
  })
  leaving.push(() => bare.close())
  const pool = [{ credential, client: upstream.client, health, isDisabled: false }]
  return { health, upstream: { ...upstream, client: bare, pool } }
}

test.for([
  ['a page', 200, '<title>Sign in'],
  ['an error', 200, '{"error":{"message":"invalid key","code":401}}'],
  ['nothing', 204, ''],
  ['another form', 200, '{"models":[{"name":"models/a"}]}'],
  ['a refusal', 401, '{"error":{"message":"invalid key"}}'],
  ['no credit', 429, '{"error":{"message":"x","code":"insufficient_quota"}}'],
] as const)('a credential that is held stays so where %s comes', async ([, status, body]) => {
  const { health, upstream } = await withHeld((_request, response) => void response.writeHead(status).end(body))
  expect(await testUpstream(upstream, systemClock)).toMatchObject({ isGood: false, provesCredential: null })
  expect((await listUpstreamModels(upstream, systemClock)).isGood).toBe(false)
  expect(health.held).not.toBeNull()
})

test('a real list ends it, and proves the credential where it comes to that alone', async () => {
  const { health, upstream } = await withHeld(({ headers }, response) => {
    const isKnown = headers.authorization === `Bearer ${CREDENTIAL}`
    response.writeHead(isKnown ? 200 : 401).end(isKnown ? '{"data":[{"id":"a"}]}' : '{"error":"who are you?"}')
  })
  expect(await testUpstream(upstream, systemClock)).toMatchObject({
    isGood: true,
    result: 'listed',
    provesCredential: true,
    detail: 'It answered with its list of models.',
  })
  expect(health.held).toBeNull()
})

// OpenRouter does: accomplish-ai/coworker#208, ILoveBingLu/CipherTalk#250, spenceriam/OpenSpecification#23.
test('where anyone gets the list, the test says that it proves nothing of the credential', async () => {
  const { health, upstream } = await withHeld((_request, response) => void response.end('{"data":[{"id":"a"}]}'))
  const tested = await testUpstream(upstream, systemClock)
  expect(tested).toMatchObject({ isGood: true, result: 'listed', provesCredential: false })
  expect(tested.detail).toContain('proves nothing of the credential: send a test request')
  expect((await listUpstreamModels(upstream, systemClock)).isGood).toBe(true)
  expect(health.held).not.toBeNull()
})
