import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../browser/place.ts'
import { type JumpingClock, jumpingClock } from '../../faults/jumping-clock.ts'
import { testClients } from '../../support/test-servers.ts'
import { startDeadEnd } from '../dead-end.ts'
import { INSTALL_TIMEOUT_MS } from '../installed-clients.ts'
import { approvedIn, firstStart } from './claude-code-login.ts'
import { ageToken, type Computer, signIn, startComputer } from './computer.ts'
import { ANSWER, type SignInPlace, startSignInPlace } from './sign-in-place.ts'
import { openTerminal } from './terminal.ts'

// Sign-ins of others that failed with these clients, as their users reported it, tried here.

const HOUR_MS = 3_600_000
const SESSIONS = 4
const parts = new AsyncDisposableStack()
let place: SignInPlace
let clock: JumpingClock
let about: { readonly packages: string; readonly deadEnd: string }
let person: Person

beforeAll(async () => {
  const deadEnd = parts.adopt(await startDeadEnd(), (one) => one.close())
  about = { packages: await testClients(), deadEnd: deadEnd.url }
  clock = await jumpingClock()
  place = parts.use(await startSignInPlace(clock.environment))
}, INSTALL_TIMEOUT_MS)
afterAll(() => parts.disposeAsync())

async function newComputer(): Promise<Computer> {
  person = await place.gateway.person({ balance: '1000' })
  return parts.use(await startComputer(about))
}

/** What was answered with this status since, by path. */
function passedSince(from: number, status: number): string[] {
  return place.recorder.passed
    .slice(from)
    .filter((one) => one.status === status)
    .map(({ path }) => path.replace(/\?.*/, ''))
}

// from: anthropics/claude-code#43436, #27226
test('the first prompt after an idle time is answered, though Claude Code still has the token of before', async () => {
  const computer = await newComputer()
  await signIn(computer, place, { person })
  await computer.tollgate('use claude-code --token-command --yes --no-test')
  await using terminal = await openTerminal(computer, 'claude')
  await terminal.choose('✔ Auto')
  await terminal.sees('Security notes')
  await terminal.press('Enter')
  await terminal.choose('Yes, I trust this folder')
  await terminal.sees('manual mode on')
  await terminal.enter('Hello')
  await terminal.sees(ANSWER)
  const from = place.recorder.passed.length
  await clock.jump(2 * HOUR_MS)
  await ageToken(computer)
  await terminal.enter('And again')
  await expect.poll(() => passedSince(from, 200)).toContain('/v1/messages')
  expect(await terminal.screen()).not.toContain('API Error')
  expect(passedSince(from, 200)).toContain('/oauth/token')
})

// from: openai/codex#16288, whose list of models is asked for without a second try
test('Codex goes on after a refusal of its token, whose renewal is one request', async () => {
  const computer = await newComputer()
  await signIn(computer, place, { person })
  await computer.tollgate('use codex --yes --no-test')
  await ageToken(computer)
  const from = place.recorder.passed.length
  await clock.jump(2 * HOUR_MS)
  const run = await computer.run('codex exec --skip-git-repo-check "Say hello." </dev/null')
  expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(ANSWER) })
  expect(passedSince(from, 401)).not.toEqual([])
  expect(passedSince(from, 200).filter((path) => path === '/oauth/token')).toHaveLength(1)
})

// from: anthropics/claude-code#88947, #80585, #48786
test('several sessions whose token is over at once renew it, and none is signed out', async () => {
  const computer = await newComputer()
  const { device, ...first } = await firstStart(computer, place, { person })
  await first[Symbol.asyncDispose]()
  const path = '.claude/.credentials.json'
  const credentials = JSON.parse(await computer.read(path))
  credentials.enterpriseGateway.expiresAt = Date.now() + 1_000
  await computer.put({ [path]: JSON.stringify(credentials) })
  await clock.jump(2 * HOUR_MS)
  const from = place.recorder.passed.length
  const runs = await Promise.all(Array.from({ length: SESSIONS }, () => computer.run('claude -p "Say hello."')))
  for (const run of runs) expect(run, run.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining(ANSWER) })
  expect(passedSince(from, 401)).toEqual([])
  const { body } = await person.ask('GET', '/api/devices')
  expect(body.data.map(({ key }: { key: { id: string } }) => key.id)).toEqual([device])
})

// from: anthropics/claude-code#80000
test('/login offers the gateway again in the session whose sign-in has ended', async () => {
  const computer = await newComputer()
  await using terminal = await firstStart(computer, place, { person })
  await person.ask('DELETE', `/api/devices/${terminal.device}`)
  await terminal.enter('Hello')
  await terminal.sees('This device was signed out at')
  await terminal.enter('/login')
  await approvedIn(terminal, place, { person })
  await terminal.sees('Connected to Cloud gateway')
  await terminal.press('Enter')
  await terminal.enter('Hello again')
  await terminal.sees(ANSWER)
})
