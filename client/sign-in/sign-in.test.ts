import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { handHost, type HandHost } from '../../test/support/client-host.ts'
import { type FakeSignIn, startFakeSignIn } from '../../test/support/fake-sign-in.ts'
import { runCommandLine } from '../command-line.ts'

const MINUTE_MS = 60_000
let gateway: FakeSignIn
beforeEach(async () => {
  gateway = await startFakeSignIn()
})
afterEach(() => gateway.close())

async function signedIn(host: HandHost = handHost()): Promise<HandHost> {
  gateway.approval = 'approved'
  expect(await runCommandLine(host, ['login', gateway.origin]), host.remarked()).toBe(0)
  return host
}

/** What `token` prints in a process of its own, at the time of the host. */
async function token(host: HandHost, ...flags: readonly string[]) {
  const [out, err] = [host.printed().length, host.remarked().length]
  const code = await runCommandLine(host, ['token', '--gateway', gateway.origin, ...flags])
  return { code, out: host.printed().slice(out), err: host.remarked().slice(err) }
}

function dataOf(host: HandHost): string {
  return join(host.home, '.local', 'share', 'tollgate-client')
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

test('login shows the code, waits for the approval and keeps secrets in files that only the person can read', async () => {
  const host = handHost()
  const ended = runCommandLine(host, ['login', gateway.origin])
  await expect.poll(() => gateway.count('/oauth/token')).toBeGreaterThan(2)
  gateway.approval = 'approved'
  expect(await ended).toBe(0)
  expect(host.printed()).toContain('Your code: BCDF-GHJK')
  expect(host.printed()).toContain('Ask the desk for more.')
  expect(host.printed()).toContain('as ada@example.test')
  expect(host.printed()).toContain('month: $4.10 of $5.00 spent, resets 2026-12-01 00:00 UTC')
  const form = new URLSearchParams(gateway.seen.find(({ path }) => path === '/oauth/device_authorization')?.body)
  expect(Object.fromEntries(form)).toEqual({
    surface: 'tollgate_cli',
    client_name: 'tollgate 0.1.0',
    device_name: 'ada’s laptop',
  })
  const secrets = [gateway.accessToken(), gateway.refreshToken()]
  expect(secrets.filter((secret) => host.printed().includes(secret) || host.remarked().includes(secret))).toEqual([])
  const holding = filesOf(dataOf(host)).filter((path) =>
    secrets.some((each) => readFileSync(path, 'utf8').includes(each)),
  )
  expect(holding.map((path) => [path.split('/').at(-1), (statSync(path).mode & 0o777).toString(8)])).toEqual([
    ['access.json', '600'],
    ['refresh', '600'],
  ])
  expect(readFileSync(join(dataOf(host), 'tollgate.cjs'), 'utf8')).toBe('// the program\n')
})

test('a refused approval, a code that has expired and a sign-in that is switched off end login with a sentence', async () => {
  gateway.approval = 'denied'
  const refused = handHost()
  expect(await runCommandLine(refused, ['login', gateway.origin])).toBe(1)
  expect(refused.remarked()).toBe('The sign-in was refused in the browser.\n')
  gateway.approval = 'pending'
  const late = handHost()
  expect(await runCommandLine(late, ['login', gateway.origin])).toBe(1)
  expect(late.remarked()).toBe('The code was not approved in time: run the command again.\n')
  gateway.instead.set('/.well-known/oauth-authorization-server', (response) => response.writeHead(404).end())
  const off = handHost()
  expect(await runCommandLine(off, ['login', gateway.origin])).toBe(1)
  expect(off.remarked()).toMatch(/^http:\/\/127\.0\.0\.1:\d+ offers no sign-in from clients: /)
})

test('a token with more than five minutes left comes from the cache, without any network', async () => {
  const host = await signedIn()
  const good = gateway.accessToken()
  gateway.close()
  host.pass(54 * MINUTE_MS)
  expect(await token(host)).toEqual({ code: 0, out: `${good}\n`, err: '' })
})

test('a token with less left is renewed, and the refresh token with it', async () => {
  const host = await signedIn()
  const first = gateway.accessToken()
  host.pass(55 * MINUTE_MS + 1)
  const { out } = await token(host)
  expect(out).toBe(`${gateway.accessToken()}\n`)
  expect(out).not.toBe(`${first}\n`)
  host.pass(56 * MINUTE_MS)
  expect((await token(host)).out).toBe(`${gateway.accessToken()}\n`)
})

test('a client that asks again within a minute was refused, and is given another token once', async () => {
  const host = await signedIn()
  host.pass(10 * MINUTE_MS)
  const first = (await token(host)).out
  const again = (await token(host)).out
  expect(again).not.toBe(first)
  for (let call = 0; call < 25; call++) expect((await token(host)).out).toBe(again)
  expect(gateway.seen.filter(({ body }) => body.includes('grant_type=refresh_token'))).toHaveLength(1)
  host.pass(10 * MINUTE_MS)
  expect((await token(host)).out).toBe(again)
})

test('a client that asks before each request is given another token every ten minutes at most', async () => {
  const host = await signedIn()
  host.pass(2 * MINUTE_MS)
  for (let second = 0; second < 1_200; second += 20) {
    await token(host, '--each-request')
    host.pass(20_000)
  }
  expect(gateway.seen.filter(({ body }) => body.includes('grant_type=refresh_token')).length).toBeLessThanOrEqual(2)
})

test('twenty askers at once renew once', async () => {
  const host = await signedIn()
  host.pass(58 * MINUTE_MS)
  const answers = await Promise.all(Array.from({ length: 20 }, () => token(handHostOf(host))))
  expect(new Set(answers.map(({ out }) => out))).toEqual(new Set([`${gateway.accessToken()}\n`]))
  expect(gateway.seen.filter(({ body }) => body.includes('grant_type=refresh_token'))).toHaveLength(1)
})

/** Another process on the same computer, at the same time. */
function handHostOf(host: HandHost): HandHost {
  const other = handHost({ home: host.home })
  other.pass(host.nowMs() - other.nowMs())
  return other
}

test('an ended sign-in is remembered: one sentence with the remedy, exit 1, and no network', async () => {
  const host = await signedIn()
  gateway.isEnded = true
  host.pass(58 * MINUTE_MS)
  const sentence = `Your sign-in at ${gateway.origin} has ended. This device was signed out at 2026-11-30T08:00:00Z. Sign in again: npx -y ${gateway.origin}/client.tgz login ${gateway.origin}\n`
  expect(await token(host)).toEqual({ code: 1, out: '', err: sentence })
  const asked = gateway.seen.length
  gateway.close()
  for (let call = 0; call < 3; call++) expect(await token(host)).toEqual({ code: 1, out: '', err: sentence })
  expect(gateway.seen.length).toBe(asked)
  expect(filesOf(dataOf(host)).filter((path) => path.endsWith('refresh'))).toEqual([])
})

test.each([
  ['its store is down', 503, '{"error":"temporarily_unavailable"}'],
  ['something else answers', 401, '<html>invalid_grant</html>'],
  ['it asks for patience', 429, '{"error":"slow_down"}'],
] as const)('nothing is signed out while a gateway cannot renew: %s', async (_, status, body) => {
  const host = await signedIn()
  gateway.instead.set('/oauth/token', (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  host.pass(58 * MINUTE_MS)
  const held = gateway.accessToken()
  expect(await token(host)).toEqual({ code: 0, out: `${held}\n`, err: '' })
  host.pass(5 * MINUTE_MS)
  expect(await token(host)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`(${status})`) })
  gateway.instead.clear()
  expect(await token(host)).toEqual({ code: 0, out: `${gateway.accessToken()}\n`, err: '' })
})

test('a lock whose process is gone is taken over', async () => {
  const host = await signedIn()
  const [access = ''] = filesOf(dataOf(host)).filter((path) => path.endsWith('access.json'))
  writeFileSync(join(access, '..', 'lock'), '4194303')
  host.pass(58 * MINUTE_MS)
  expect((await token(host)).code).toBe(0)
})

test('several gateways stand side by side, and each command can name one', async () => {
  const host = await signedIn()
  const other = await startFakeSignIn()
  try {
    other.approval = 'approved'
    expect(await runCommandLine(host, ['login', other.origin])).toBe(0)
    expect((await token(host)).out).toBe(`${gateway.accessToken()}\n`)
    const before = host.printed().length
    expect(await runCommandLine(host, ['status'])).toBe(0)
    expect(host.printed().slice(before)).toContain(`${other.origin} as ada@example.test, group team\nBalance: $12.35`)
    expect(await runCommandLine(host, ['logout', '--all'])).toBe(0)
    expect([gateway, other].map((each) => each.count('/oauth/revoke'))).toEqual([1, 1])
    expect(await runCommandLine(host, ['token'])).toBe(1)
    expect(host.remarked()).toContain('You are not signed in: ')
  } finally {
    other.close()
  }
})

test('a second login ends the sign-in before, and a logout without network says what is left to do', async () => {
  const host = await signedIn()
  const former = gateway.refreshToken()
  await signedIn(host)
  expect(gateway.seen.find(({ path }) => path === '/oauth/revoke')?.body).toContain(`token=${former}`)
  gateway.close()
  expect(await runCommandLine(host, ['logout'])).toBe(1)
  expect(host.remarked()).toContain('could not be asked to end the sign-in')
  expect(existsSync(join(dataOf(host), 'gateways', 'x'))).toBe(false)
  expect(filesOf(dataOf(host)).filter((path) => path.includes('gateways'))).toEqual([])
})

test('an access token that the gateway refuses is renewed once for status, and the status line never fails', async () => {
  const host = await signedIn()
  gateway.raiseEpoch()
  const start = host.printed().length
  expect(await runCommandLine(host, ['status', '--json'])).toBe(0)
  expect(JSON.parse(host.printed().slice(start))).toMatchObject({
    gateway: gateway.origin,
    balance_usd: '12.35',
    limits: [{ name: 'month', spent_usd: '4.10', limit_usd: '5.00', resets_at: '2026-12-01T00:00:00.000Z' }],
    clients: [],
  })
  const before = host.printed().length
  expect(await runCommandLine(host, ['status', '--line'])).toBe(0)
  gateway.close()
  expect(await runCommandLine(host, ['status', '--line'])).toBe(0)
  host.pass(2 * MINUTE_MS)
  expect(await runCommandLine(host, ['status', '--line'])).toBe(0)
  const line = 'Tollgate: $12.35 left · 82% of month\n'
  expect(host.printed().slice(before)).toBe(`${line}${line}Tollgate: not reached\n`)
})

test('use writes the command of the token and no secret, and unuse leaves equal bytes', async () => {
  const host = await signedIn()
  const path = join(host.home, '.codex', 'config.toml')
  const text = '\ufeff# mine\r\nmodel = "gpt-4" # old\r\n\r\n[tools]\r\nweb = true'
  mkdirSync(join(host.home, '.codex'))
  writeFileSync(path, text)
  expect(await runCommandLine(host, ['use', 'codex', '--yes']), host.remarked()).toBe(0)
  const changed = readFileSync(path, 'utf8')
  expect(changed).toContain('model = "gpt-5.2" # old\r\n')
  expect([gateway.accessToken(), gateway.refreshToken()].filter((secret) => changed.includes(secret))).toEqual([])
  expect(await runCommandLine(host, ['unuse', 'codex', '--yes'])).toBe(0)
  expect(readFileSync(path, 'utf8')).toBe(text)
})
