import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsd } from '../../../src/core/money.ts'
import type { Person } from '../../browser/place.ts'
import { testClients } from '../../support/test-servers.ts'
import { startDeadEnd } from '../dead-end.ts'
import { INSTALL_TIMEOUT_MS } from '../installed-clients.ts'
import { firstStart } from './claude-code-login.ts'
import { type Computer, startComputer } from './computer.ts'
import { sightings } from './leaks.ts'
import { ANSWER, DEAR_MODEL, type SignInPlace, startSignInPlace } from './sign-in-place.ts'
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
  const settings = { quota_limit: '20', quota_reset: 'monthly' }
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
  while ((await records()).length < 50) await ask()
  expect(await usage()).toContain('$6.25 / $20.00 spent this month')
})

test('past 75 % it says so beside its answer, and past 95 % in /usage', async () => {
  for (let dear = 0; dear < 3; dear++) await ask(DEAR_MODEL)
  expect(await usage()).toContain('76% used')
  await terminal.enter('Still there')
  await terminal.sees(/You've used 7[6-9]% of your usage credits · resets /)
  await ask(DEAR_MODEL)
  while ((await spent()) < parseUsd('19')) await ask()
  // How long the notice of before stays, and when the next one comes, is the client's: its answer has the news.
  const from = place.recorder.passed.length
  await terminal.enter('And now')
  const threshold = 'anthropic-ratelimit-unified-overage-surpassed-threshold'
  await expect
    .poll(() => place.recorder.passed.slice(from).map((one) => one.answerHeaders[threshold]))
    .toContain('0.95')
  expect(await usage()).toMatch(/9[5-9]% used/)
})

test('what the rest of the cap does not pay for is refused in one sentence, and without a second try', async () => {
  while ((await spent()) < parseUsd('19.86')) await ask()
  const from = place.recorder.passed.length
  await terminal.enter('And more')
  const screen = await terminal.sees(/left of this API key's quota/)
  expect(screen).not.toContain('API Error')
  const refused = place.recorder.passed.slice(from).filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ method, path, status }) => `${method} ${path} ${status}`))).toEqual(
    new Set(['POST /v1/messages?beta=true 429']),
  )
  // The message, and what it asks beside it.
  expect(refused.length).toBeLessThanOrEqual(2)
  await usage()
})

test('its sign-out ends the device here, too', async () => {
  await terminal.enter('/logout')
  await expect.poll(async () => (await person.ask('GET', '/api/devices')).body.data).toEqual([])
  const revoked = () => place.recorder.passed.filter(({ path }) => path === '/oauth/revoke').map(({ form }) => form)
  await expect
    .poll(() => revoked().map(withoutCodes).toSorted())
    .toEqual(['token=X', 'token=X&token_type_hint=refresh_token'])
  // Claude Code forgets its own secrets behind that, and would not once its terminal is gone.
  await expect.poll(async () => (await sightings(computer, place.recorder.secrets)).files).toEqual([])
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
  const rounded = Number(((await spent()) + NANO_USD_OF_CENT / 2n) / NANO_USD_OF_CENT)
  await terminal.enter('/usage')
  const screen = await terminal.sees(`$${(rounded / 100).toFixed(2)} / $20.00 spent this month`)
  await terminal.press('Escape')
  return screen
}

const NANO_USD_OF_CENT = 10_000_000n

/** Sends a request with Claude Code's own token. */
async function ask(model = 'claude-sonnet-4-5'): Promise<void> {
  // What Claude Code asks by itself holds money meanwhile.
  await place.upstream.whenIdle()
  const credentials = JSON.parse(await computer.read('.claude/.credentials.json')) as {
    enterpriseGateway: { jwt: string }
  }
  const answer = await fetch(`${place.origin}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credentials.enterpriseGateway.jwt}`,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model, max_tokens: 1_000, messages: [{ role: 'user', content: 'x' }] }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

async function spent(): Promise<bigint> {
  return (await records()).reduce((sum, { cost }) => sum + parseUsd(cost), 0n)
}

async function records(): Promise<readonly { readonly cost: string }[]> {
  return (await person.ask('GET', `/api/usage?key=${device}&limit=100`)).body.data
}

function withoutCodes(form: string): string {
  return decodeURIComponent(form).replace(/(device_code|token)=(?!urn)[\w-]+/g, '$1=X')
}
