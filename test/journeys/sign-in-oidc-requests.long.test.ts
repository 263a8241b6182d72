import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts'
import { type SignInUnderTest, startSignIn } from '../support/sign-in-under-test.ts'

/*
 * What goes to the OIDC provider: no redirect is followed (from: eugenioenko/autentico#177, open-mercato/open-mercato#4037),
 * and no answer is read without a bound.
 */

const ORIGIN = 'http://tollgate.test'
const DESCRIPTION = '/.well-known/openid-configuration'
/** The requests of a sign-in, by the name that the description has for them. */
const ENDPOINTS = {
  description: DESCRIPTION,
  token_endpoint: '/token',
  jwks_uri: '/keys',
  userinfo_endpoint: '/person',
} as const
type Endpoint = keyof typeof ENDPOINTS

let place: SignInUnderTest
let provider: OidcServer
let close: readonly Server[] = []
afterEach(async () => {
  await place.close()
  await provider.close()
  for (const server of close) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  close = []
})

async function listening(answer: (path: string, response: ServerResponse) => void) {
  const server = createServer((request, response) => answer(request.url ?? '', response))
  close = [...close, server]
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A provider one of whose endpoints answers as `bad` does; returns what reached another server of this machine. */
async function behind(endpoint: Endpoint, bad: (response: ServerResponse, elsewhere: string) => void) {
  provider = await startOidcServer(`${ORIGIN}/api/auth/callback/oidc`)
  const described = (await (await fetch(provider.issuer + DESCRIPTION)).json()) as Record<string, unknown>
  const reached: string[] = []
  const elsewhere = await listening((path, response) => {
    reached.push(path)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(described))
  })
  const front = await listening((path, response) => {
    if (path === ENDPOINTS[endpoint]) return bad(response, elsewhere)
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(
        endpoint === 'description' ? described : { ...described, [endpoint]: front + ENDPOINTS[endpoint] },
      ),
    )
  })
  place = await startSignIn({ oidc: { ...provider, name: 'Example', issuer: front, trustsEmail: false } })
  place.registration = 'open'
  place.shownOrigin = ORIGIN
  return reached
}

async function signIn(): Promise<string> {
  const browser = place.browser()
  const { status, body } = await browser.send('POST', '/oidc/start', { body: {}, headers: { origin: ORIGIN } })
  if (status !== 200) return body.code
  const back = await provider.visit(body.url)
  const answer = await browser.get(back.slice(`${ORIGIN}/api/auth`.length))
  return answer.headers.get('location') ?? ''
}

const failed = (endpoint: Endpoint) =>
  endpoint === 'description' ? 'oidc_unavailable' : '/console/sign-in#error=oidc_failed'

test('a provider whose endpoints lie on several hosts signs people in', async () => {
  const keys = async () => (await fetch(`${provider.issuer}/jwks`)).text()
  await behind('jwks_uri', (response) => void keys().then((text) => response.end(text)))
  expect(await signIn()).toBe('/console/')
  expect(place.refusals).toEqual([])
})

test.each(Object.keys(ENDPOINTS) as Endpoint[])('no redirect of %s is followed', async (endpoint) => {
  for (const status of [302, 307, 308]) {
    const reached = await behind(endpoint, (response, elsewhere) =>
      response.writeHead(status, { location: `${elsewhere}/latest/meta-data` }).end(),
    )
    expect(await signIn(), String(status)).toBe(failed(endpoint))
    expect(reached, String(status)).toEqual([])
    expect(place.errors).toEqual([])
    if (status === 308) break
    await place.close()
    await provider.close()
  }
})

test.each(Object.keys(ENDPOINTS) as Endpoint[])('no more than a megabyte of %s is read', async (endpoint) => {
  let hasLeft = false
  await behind(endpoint, (response) => {
    response.on('close', () => (hasLeft = true))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"a":"')
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  expect(await signIn()).toBe(failed(endpoint))
  await expect.poll(() => hasLeft).toBe(true)
  for (const refusal of place.refusals) expect(refusal.length).toBeLessThan(300)
})

test.each([
  ['not JSON', (response: ServerResponse) => response.end('<html>Sign in</html>')],
  ['a list', (response: ServerResponse) => response.end('[]')],
  ['null', (response: ServerResponse) => response.end('null')],
  ['a status that says no', (response: ServerResponse) => response.writeHead(403).end('{}')],
  ['nothing at all', (response: ServerResponse) => response.destroy()],
])('an answer of the provider that is %s ends the sign-in in the console', async (kind, bad) => {
  for (const endpoint of Object.keys(ENDPOINTS) as Endpoint[]) {
    await behind(endpoint, bad)
    // No answer at all has a code of its own.
    const page =
      kind === 'nothing at all' ? failed(endpoint).replace('oidc_failed', 'oidc_unavailable') : failed(endpoint)
    expect(await signIn(), endpoint).toBe(page)
    expect(place.errors, endpoint).toEqual([])
    if (endpoint === 'userinfo_endpoint') break
    await place.close()
    await provider.close()
  }
})

test('an answer about another person than the ID token names does not sign in', async () => {
  await behind('userinfo_endpoint', (response) =>
    response.end(JSON.stringify({ sub: 'person-2', email: 'eve@example.test', email_verified: true })),
  )
  expect(await signIn()).toBe(failed('userinfo_endpoint'))
})
