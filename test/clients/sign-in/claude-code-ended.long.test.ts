import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../browser/place.ts'
import { type JumpingClock, jumpingClock } from '../../faults/jumping-clock.ts'
import { testClients } from '../../support/test-servers.ts'
import { startDeadEnd } from '../dead-end.ts'
import { INSTALL_TIMEOUT_MS } from '../installed-clients.ts'
import { approvedIn, firstStart } from './claude-code-login.ts'
import { type Computer, startComputer } from './computer.ts'
import { ANSWER, type SignInPlace, startSignInPlace } from './sign-in-place.ts'
import type { Terminal } from './terminal.ts'

// A Claude Code that is signed in by itself says at once, in our sentence, that its sign-in is over, and signs in again where it is.

/** A beat, and time for it. */
const BEAT_MS = 6_000
const MONTH_MS = 31 * 24 * 3_600_000
const parts = new AsyncDisposableStack()
let place: SignInPlace
let clock: JumpingClock
let computer: Computer
let terminal: Terminal
let person: Person
let device: string

beforeAll(async () => {
  const deadEnd = parts.adopt(await startDeadEnd(), (one) => one.close())
  const packages = await testClients()
  clock = await jumpingClock()
  place = parts.use(await startSignInPlace(clock.environment))
  person = await place.gateway.person({ balance: '1000' })
  computer = parts.use(await startComputer({ packages, deadEnd: deadEnd.url }))
  const opened = parts.use(await firstStart(computer, place, { person }))
  ;({ device } = opened)
  terminal = opened
}, INSTALL_TIMEOUT_MS)
afterAll(() => parts.disposeAsync())

test('signed out in the console', async () => {
  await person.ask('DELETE', `/api/devices/${device}`)
  await refused('This device was signed out at')
})

test('of an account that is disabled', async () => {
  await signInAgain()
  await place.gateway.admin('PATCH', `/api/accounts/${person.id}`, { status: 'disabled' })
  await refused('The account that owns this signed-in device is disabled. Ask an admin of this gateway to enable it.')
})

test('not used for a month', async () => {
  person = await place.gateway.person({ balance: '1000' })
  await signInAgain()
  await clock.jump(MONTH_MS)
  // A node whose clock jumps is a month late with its beat, and answers 503 until the next one.
  await expect.poll(async () => (await fetch(`${place.gateway.origin}/readyz`)).status).toBe(200)
  await pause(BEAT_MS)
  await refused('The sign-in of this device expired at')
})

test('over by its own clock, and not renewed', async () => {
  const path = '.claude/.credentials.json'
  const credentials = JSON.parse(await computer.read(path))
  credentials.enterpriseGateway.expiresAt = Date.now() - 1_000
  await computer.put({ [path]: JSON.stringify(credentials) })
  const from = place.recorder.passed.length
  const run = await computer.run('claude -p "Say hello."')
  expect(run).toMatchObject({ code: 1, stdout: '' })
  expect(run.stderr).toContain(`Cloud gateway ${place.origin} no longer accepts this session.`)
  expect(passedSince(from)).toEqual(['POST /oauth/token 401', 'GET /managed/settings 401'])
})

/** The next message is refused at once, in one sentence: the message, and perhaps a title for it, are sent once. */
async function refused(sentence: string): Promise<void> {
  const from = place.recorder.passed.length
  await terminal.enter('Are you there')
  await terminal.sees(`Please run /login · API Error: 401 ${sentence}`)
  expect(new Set(passedSince(from))).toEqual(new Set(['POST /v1/messages?beta=true 401']))
  expect(passedSince(from).length).toBeLessThanOrEqual(2)
}

function passedSince(from: number): string[] {
  return place.recorder.passed.slice(from).map(({ method, path, status }) => `${method} ${path} ${status}`)
}

async function signInAgain(): Promise<void> {
  await terminal.enter('/login')
  device = await approvedIn(terminal, place, { person })
  await terminal.sees('Connected to Cloud gateway')
  await terminal.press('Enter')
  const from = place.recorder.passed.length
  await terminal.enter('Hello again')
  await expect.poll(() => passedSince(from)).toContain('POST /v1/messages?beta=true 200')
  await terminal.sees(ANSWER)
}
