import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { handHost } from '../../test/support/client-host.ts'
import { CERTIFICATE, KEY } from '../../test/support/localhost-certificate.ts'
import { type FakeSignIn, startFakeSignIn } from '../../test/support/fake-sign-in.ts'
import { runCommandLine } from '../command-line.ts'
import { deviceIn } from './device.ts'

let gateway: FakeSignIn
beforeEach(async () => {
  gateway = await startFakeSignIn()
  gateway.approval = 'approved'
})
afterEach(() => gateway.close())

const METADATA = '/.well-known/oauth-authorization-server'
const CODES = '/oauth/device_authorization'
const CODE = {
  device_code: 'dc-1',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://gateway.example.test/device',
  expires_in: 600,
  interval: 5,
}

/** Signs in where a browser could be opened, and returns what a person sees and what was opened. */
async function login() {
  const host = handHost({ env: { DISPLAY: ':0' }, run: () => ({ code: 0 }) })
  const code = await runCommandLine(host, ['login', gateway.origin])
  return { code, seen: host.printed() + host.remarked(), opened: host.calls.map(({ args }) => args.at(-1)) }
}

function answerWith(
  path: string,
  body: string | object,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  gateway.instead.set(path, (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}

test.each([
  ['a page of HTML', '<html><script>1</script></html>', 'text/html', /does not answer as a gateway does/],
  ['a list', '[]', 'application/json', /does not answer as a gateway does/],
  ['half of an object', '{"device_authorization_endpoint": "http', 'application/json', /does not answer as/],
  ['an object without endpoints', '{}', 'application/json', /names another host for its sign-in/],
  ['10 MB', JSON.stringify({ filler: 'x'.repeat(10_000_000) }), 'application/json', /more than this program reads/],
] as const)('a gateway whose description is %s is refused in one sentence', async (...[, body, type, sentence]) => {
  answerWith(METADATA, body, { headers: { 'content-type': type } })
  const { code, seen, opened } = await login()
  expect({ code, opened, lines: seen.trimEnd().split('\n').length }).toEqual({ code: 1, opened: [], lines: 1 })
  expect(seen).toMatch(sentence)
  expect(gateway.seen.map(({ path }) => path)).toEqual([METADATA])
})

test('endpoints of another host are asked nothing', async () => {
  const other = await startFakeSignIn()
  try {
    other.approval = 'approved'
    answerWith(METADATA, {
      device_authorization_endpoint: `${other.origin}${CODES}`,
      token_endpoint: `${other.origin}/oauth/token`,
    })
    expect((await login()).seen).toContain('names another host for its sign-in')
    expect(other.seen).toEqual([])
  } finally {
    other.close()
  }
})

test.each([
  ['file:///etc/passwd', []],
  ['javascript:alert(1)', []],
  ['ms-msdt:/id', []],
  ['http://gateway.example.test/device', []],
  ['https://ada:secret@gateway.example.test/device', []],
  [`https://gateway.example.test/${'x'.repeat(3_000)}`, []],
  ['https://gateway.example.test/device?a="$(id)"&b', ['https://gateway.example.test/device?a=%22$(id)%22&b']],
] as const)('of the page %s, a browser is given %j', async (verification_uri, expected) => {
  answerWith(CODES, { ...CODE, verification_uri })
  expect((await login()).opened).toEqual(expected)
})

test('a page with the code that is of another origin than the page is not opened', async () => {
  answerWith(CODES, { ...CODE, verification_uri_complete: 'https://evil.example.test/device?user_code=BCDF-GHJK' })
  expect((await login()).opened).toEqual([CODE.verification_uri])
})

test.each(['\u001b]0;owned\u0007', 'AB\u202eCD', 'A B', '<b>', 'x'.repeat(41), ''])(
  'the code %j is refused',
  async (user_code) => {
    answerWith(CODES, { ...CODE, user_code })
    const { code, seen, opened } = await login()
    expect({ code, opened }).toEqual({ code: 1, opened: [] })
    expect(seen).not.toContain('Your code')
  },
)

test('no control character of any text reaches the terminal', async () => {
  const nasty = 'red \u001b[31m\u001b]8;;http://evil\u0007 \r\n\u009b2J back \u202e end \u200b'
  answerWith(CODES, { ...CODE, login_notice: nasty })
  gateway.device = {
    account: { email: nasty },
    group: { name: nasty },
    models: [nasty, 'fine-1'],
    limits: [{ name: nasty, spent_usd: '1', limit_usd: '2', resets_at: nasty }],
  }
  const { code, seen } = await login()
  expect(code).toBe(0)
  expect(seen).toContain('fine-1')
  // oxlint-disable-next-line no-control-regex
  expect(seen.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]/g)).toBeNull()
  answerWith(CODES, { error: 'invalid_request', error_description: nasty }, { status: 400 })
  // oxlint-disable-next-line no-control-regex
  expect((await login()).seen).toMatch(/It says: red \[31m[^\u0000-\u0009\u000b-\u001f]*\n$/)
})

test.each([
  ['https://elsewhere.example.test/x', 'sends on to https://elsewhere.example.test instead'],
  ['file:///etc/passwd', 'sends on instead'],
  ['\u001b[31m', 'sends on to http://127.0.0.1'],
])('a redirect to %j is not followed', async (location, sentence) => {
  gateway.instead.set(METADATA, (response) => {
    response.writeHead(302, { location: encodeURI(location) }).end()
  })
  const { code, seen } = await login()
  expect(code).toBe(1)
  expect(seen).toContain(sentence)
  expect(gateway.seen).toHaveLength(1)
})

test.each([
  ['a token with a line break', { access_token: 'a\nb', refresh_token: 'c', expires_in: 60 }],
  ['no refresh token', { access_token: 'a', expires_in: 60 }],
  ['a time that is text', { access_token: 'a', refresh_token: 'c', expires_in: 'soon' }],
])('%s is not kept', async (_, tokens) => {
  answerWith('/oauth/token', tokens)
  const { code, seen } = await login()
  expect(code).toBe(1)
  expect(seen).toContain('cannot be used')
})

test('addresses for clients and names of models are taken only where they can do no harm', () => {
  const address = 'https://gateway.example.test'
  const state = deviceIn(address, {
    base_urls: { openai: 'https://evil.example.test/v1', anthropic: 'https://gateway.example.test/" \n' },
    models: ['gpt-5.2', 'a"b', 'x\ny', { name: 'claude-1' }, 7, 'x'.repeat(300)],
    balance_usd: 'NaN',
  })
  expect(state).toMatchObject({
    baseUrls: { openai: `${address}/v1`, anthropic: address },
    models: ['gpt-5.2', 'claude-1'],
    balance: null,
  })
})

test('a certificate that is not known, a port without TLS and one without a server have a sentence each', async () => {
  const server = createServer({ cert: CERTIFICATE, key: KEY }, (_, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const said = async (address: string): Promise<string> => {
    const host = handHost()
    expect(await runCommandLine(host, ['login', address])).toBe(1)
    return host.remarked()
  }
  expect(await said(`https://localhost:${port}`)).toContain('signed by an authority that Node.js does not know')
  expect(await said(gateway.origin.replace('http:', 'https:'))).toContain('does not speak TLS there')
  server.close()
  server.closeAllConnections()
  expect(await said(`https://localhost:${port}`)).toBe(`localhost:${port} cannot be reached (ECONNREFUSED).\n`)
})
