import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsd } from '../../../src/core/money.ts'
import type { Person } from '../../browser/place.ts'
import { testClients } from '../../support/test-servers.ts'
import { startDeadEnd } from '../dead-end.ts'
import { INSTALL_TIMEOUT_MS } from '../installed-clients.ts'
import { firstStart } from './claude-code-login.ts'
import { type Computer, startComputer } from './computer.ts'
import { sightings } from './leaks.ts'
import { ANSWER, type SignInPlace, startSignInPlace } from './sign-in-place.ts'
import type { Terminal } from './terminal.ts'

// Claude Code signs in by itself, shows our dollars, and is refused by its cap in one sentence; then it signs out.

const parts = new AsyncDisposableStack()
let place: SignInPlace
let person: Person
let computer: Computer
let terminal: Terminal
let device: string

beforeAll(async () => {
  const deadEnd = parts.adopt(await startDeadEnd(), (one) => one.close())
  const packages = await testClients()
  place = parts.use(await startSignInPlace())
  person = await place.gateway.person({ balance: '1000' })
  computer = parts.use(await startComputer({ packages, deadEnd: deadEnd.url }))
}, INSTALL_TIMEOUT_MS)
afterAll(() => parts.disposeAsync())

test('from the address alone it comes to an answer, by the requests that were measured', async () => {
  const settings = { quota_limit: '9', quota_reset: 'monthly' }
  const opened = parts.use(await firstStart(computer, place, { person, settings }))
  terminal = opened
  device = opened.device
  await terminal.enter('Hello there')
  await terminal.sees(ANSWER)
  const agents = place.recorder.passed.filter(({ path }) => !path.startsWith('/v1/')).map(({ agent }) => agent)
  expect(new Set(agents)).toEqual(new Set(['claude-code/2.1.332']))
  const passed = place.recorder.passed.map(({ method, path, form }) => `${method} ${path} ${withoutCodes(form)}`.trim())
  expect(new Set(passed)).toEqual(
    new Set([
      'GET /.well-known/oauth-authorization-server',
      'POST /oauth/device_authorization surface=claude_code',
      'POST /oauth/token grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=X',
      'GET /managed/settings',
      'POST /v1/messages?beta=true',
    ]),
  )
  await seen({ '.claude/.credentials.json': true })
})

test('after fifty requests /usage shows the dollars of /api/usage to the cent', async () => {
  await spend(50)
  expect(await usage()).toContain('$6.95 / $9.00 spent this month')
})

test('past 75 % and past 95 %', async () => {
  expect(await usage()).toContain('77% used')
  await spend(62)
  expect(await usage()).toContain('95% used')
})

test('what the rest of the cap does not pay for is refused in one sentence, and once', async () => {
  const from = place.recorder.passed.length
  await terminal.enter('And more')
  const screen = await terminal.sees(/left of this API key's quota/)
  expect(screen).not.toContain('API Error')
  const refused = place.recorder.passed.slice(from).filter(({ status }) => status !== 200)
  expect(refused.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    'POST /v1/messages?beta=true 429',
  ])
  await usage()
})

test('its sign-out ends the device here, too', async () => {
  await terminal.enter('/logout')
  await expect.poll(async () => (await person.ask('GET', '/api/devices')).body.data).toEqual([])
  const revoked = place.recorder.passed
    .filter(({ path }) => path === '/oauth/revoke')
    .map(({ form }) => withoutCodes(form))
  expect(revoked).toEqual(['token=X', 'token=X&token_type_hint=refresh_token'])
  await terminal[Symbol.asyncDispose]()
  await seen({})
})

/** Looks for credentials on the whole computer; they may be in these files alone. */
async function seen(files: Readonly<Record<string, true>>): Promise<void> {
  expect(await sightings(computer, place.recorder.secrets)).toEqual({
    files: Object.keys(files),
    commands: [],
    isInTerminal: false,
  })
}

/** What `/usage` shows, which is what the records say. */
async function usage(): Promise<string> {
  const spent = (await records()).reduce((sum, { cost }) => sum + parseUsd(cost), 0n)
  const rounded = Number((spent + NANO_USD_OF_CENT / 2n) / NANO_USD_OF_CENT)
  await terminal.enter('/usage')
  const screen = await terminal.sees(`$${(rounded / 100).toFixed(2)} / $9.00 spent this month`)
  await terminal.press('Escape')
  return screen
}

const NANO_USD_OF_CENT = 10_000_000n

/** Sends requests with Claude Code's own token until the device has so many. */
async function spend(requests: number): Promise<void> {
  const credentials = JSON.parse(await computer.read('.claude/.credentials.json')) as {
    enterpriseGateway: { jwt: string }
  }
  for (let made = (await records()).length; made < requests; made++) {
    const answer = await fetch(`${place.origin}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${credentials.enterpriseGateway.jwt}`,
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: 'claude-sonnet-4-5',
        max_tokens: 1_000,
        messages: [{ role: 'user', content: 'x' }],
      }),
    })
    expect(answer.status, await answer.text()).toBe(200)
  }
}

async function records(): Promise<readonly { readonly cost: string }[]> {
  return (await person.ask('GET', `/api/usage?key=${device}&limit=100`)).body.data
}

function withoutCodes(form: string): string {
  return decodeURIComponent(form).replace(/(device_code|token)=(?!urn)[\w-]+/g, '$1=X')
}
