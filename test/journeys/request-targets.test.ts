import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

// What checks of load balancers and clients behind proxies write in the first line of a request.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const MODEL = 'fake/echo'

let gateway: GatewayUnderTest
let secret = ''

beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
  await gateway.model(MODEL)
  secret = (await gateway.key(await gateway.account())).secret
})
afterAll(() => gateway.close())

/** Sends one request and reads until the connection ends. */
async function answerTo(lines: readonly string[], body = ''): Promise<{ head: string; status: number; body: string }> {
  const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const whole = await text(socket)
  const end = whole.indexOf('\r\n\r\n')
  const head = whole.slice(0, end)
  return { head, status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), body: whole.slice(end + 4) }
}

// from: haproxy/haproxy#2330, standardnotes/server#1038: the check that HAProxy makes unless it is set to another.
test.for([
  ['OPTIONS /healthz HTTP/1.0', []],
  ['OPTIONS /readyz HTTP/1.0', []],
  ['OPTIONS / HTTP/1.0', []],
  ['OPTIONS * HTTP/1.1', ['Host: x']],
  ['OPTIONS /healthz HTTP/1.1', ['Host: x']],
  ['OPTIONS /healthz HTTP/1.1', ['Host: x', 'Origin: https://page.example']],
] as const)('%s is answered as a check', async ([line, headers]) => {
  const { head, status } = await answerTo([line, ...headers, 'Connection: close'])
  expect(status).toBe(200)
  expect(head).toMatch(/^allow: GET, HEAD, OPTIONS\r?$/im)
})

test('a preflight of a browser is answered as one, also where checks are', async () => {
  const headers = ['Host: x', 'Origin: https://page.example', 'Access-Control-Request-Method: GET', 'Connection: close']
  const { head, status } = await answerTo(['OPTIONS /healthz HTTP/1.1', ...headers])
  expect(status).toBe(204)
  expect(head).toMatch(/^access-control-allow-origin: \*\r?$/im)
})

// from: zoxy-io/zoxy#233: clients with a proxy setting send the whole URL.
test.for([
  ['GET', '/healthz', 200],
  ['HEAD', '/healthz', 200],
  ['GET', '/readyz', 200],
  ['GET', '/', 200],
  ['GET', '/v1/models', 200],
  ['GET', '/v1/models?limit=1', 200],
  ['GET', '/models', 200],
  ['GET', '/v1/usage', 200],
  ['GET', '/api.json', 200],
  ['GET', '/api/hello', 200],
  ['GET', '/api/instance', 200],
  ['GET', '/api/accounts?limit=1', 200],
  ['GET', '/metrics', 200],
  ['GET', '/docs/errors/draining', 200],
  ['GET', '/setup/token', 302],
  ['GET', '/nothing', 404],
] as const)('%s of %s as a whole URL is answered as its path is', async ([method, path, status]) => {
  const credential = path.startsWith('/api/') || path === '/metrics' ? ADMIN_TOKEN : secret
  const headers = ['Host: other.example', `Authorization: Bearer ${credential}`, 'Connection: close']
  const [byPath, byUrl] = [
    await answerTo([`${method} ${path} HTTP/1.1`, ...headers]),
    await answerTo([`${method} http://gateway.example:8787${path} HTTP/1.1`, ...headers]),
  ]
  expect([byPath.status, byUrl.status]).toEqual([status, status])
  const typeOf = (head: string) => /^content-type: .*/im.exec(head)?.[0]
  expect(typeOf(byUrl.head)).toBe(typeOf(byPath.head))
})

test('a request for a model that names its whole URL is served, and said to be of that host', async () => {
  const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hi' }] })
  const headers = ['Host: other.example', `Authorization: Bearer ${secret}`, 'Content-Type: application/json']
  const length = [`Content-Length: ${body.length}`, 'Connection: close']
  const asked = ['POST http://gateway.example/v1/chat/completions HTTP/1.1', ...headers, ...length]
  const answer = await answerTo(asked, body)
  expect(answer.status).toBe(200)
  const document = await answerTo([
    'GET http://gateway.example/api/openapi.json HTTP/1.1',
    'Host: x',
    'Connection: close',
  ])
  expect(document.body).toContain('http://gateway.example')
})

test.for(['http://ada:secret@gateway.example/healthz', 'http:///healthz'])(
  'a URL that cannot be meant is refused with a sentence: %s',
  async (target) => {
    const { status, body } = await answerTo([`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close'])
    expect(status).toBe(400)
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'request_invalid' } })
    expect(body).not.toContain('secret')
  },
)
