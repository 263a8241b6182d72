import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../browser/place.ts'
import { type JumpingClock, jumpingClock } from '../../faults/jumping-clock.ts'
import { testClients } from '../../support/test-servers.ts'
import { startDeadEnd } from '../dead-end.ts'
import { INSTALL_TIMEOUT_MS } from '../installed-clients.ts'
import { ageToken, type Computer, keptFolder, signIn, startComputer } from './computer.ts'
import type { Passed } from './recorder.ts'
import { type SignInPlace, startSignInPlace } from './sign-in-place.ts'
import { ENDED, SIGNED_IN_CLIENTS, type SignedInClient } from './signed-in-clients.ts'

// A sign-in that is over ends in each client with one sentence and a few requests, however it came to its end.

interface Ending {
  readonly name: string
  /** The cause, as the gateway names it to a token that is over, and to one that is to be renewed. */
  readonly cause: RegExp
  end(of: { readonly person: Person; readonly device: string }): Promise<unknown>
  /** The access token is over by the computer's own clock, too. */
  readonly isPast: boolean
}

const MONTH_MS = 31 * 24 * 3_600_000
const parts = new AsyncDisposableStack()
let place: SignInPlace
let clock: JumpingClock
let about: { readonly packages: string; readonly deadEnd: string }

beforeAll(async () => {
  const deadEnd = parts.adopt(await startDeadEnd(), (one) => one.close())
  about = { packages: await testClients(), deadEnd: deadEnd.url }
  clock = await jumpingClock()
  place = parts.use(await startSignInPlace(clock.environment))
}, INSTALL_TIMEOUT_MS)
afterAll(() => parts.disposeAsync())

const ENDINGS: readonly Ending[] = [
  {
    name: 'signed out in the console',
    cause: /This device was signed out at [\dTZ:-]+\./,
    end: ({ person, device }) => person.ask('DELETE', `/api/devices/${device}`),
    isPast: false,
  },
  {
    name: 'its account disabled',
    cause: /The account that owns this signed-in device is disabled\. Ask an admin of this gateway to enable it\./,
    end: ({ person }) => place.gateway.admin('PATCH', `/api/accounts/${person.id}`, { status: 'disabled' }),
    isPast: false,
  },
  // The last, since it moves the clock.
  {
    name: 'expired, not used for a month',
    cause:
      /This device (?:is signed out|was signed out at [\dTZ:-]+)\.|The sign-in of this device expired at [\dTZ:-]+\./,
    end: () => clock.jump(MONTH_MS),
    isPast: true,
  },
]

describe.for(ENDINGS)('$name', (ending) => {
  const own = new DisposableStack()
  let computer: Computer
  let kept: string

  beforeAll(async () => {
    const person = await place.gateway.person({ balance: '1000' })
    computer = own.use(await startComputer(about))
    const device = await signIn(computer, place, { person })
    const used = await computer.tollgate(`use ${SIGNED_IN_CLIENTS.map(({ id }) => id).join(' ')} ${FLAGS}`)
    expect(used, used.stderr).toMatchObject({ code: 0 })
    await ending.end({ person, device })
    kept = await keptFolder(computer)
    await ageToken(computer, { isPast: ending.isPast })
    await computer.run(`cp -a ${kept} ~/signed-in`)
  }, INSTALL_TIMEOUT_MS)
  afterAll(() => own.dispose())

  test.for(SIGNED_IN_CLIENTS)('$id', async (client) => {
    // As if it were the first to find out.
    await computer.run(`rm -rf ${kept} && cp -a ~/signed-in ${kept}`)
    const first = await refused(client)
    expect(first.count, first.all).toBeLessThanOrEqual(client.refusals)
    expect(first.renewals, first.all).toBeLessThanOrEqual(1)
    expect(first.said).toMatch(ending.isPast ? client.says.ended : client.says.refused)
    const isOurs = ending.isPast ? client.says.ended === ENDED : client.says.isOurs
    if (isOurs) expect(first.said).toMatch(ending.cause)

    // It is remembered: the sign-in is asked for no more.
    const asked = await computer.tollgate('token')
    expect(asked).toMatchObject({ code: 1, stdout: '' })
    expect(asked.stderr).toMatch(ending.cause)
    expect(asked.stderr.match(/Sign in again/g)).toHaveLength(1)
    const again = await refused(client)
    expect(again.count, again.all).toBeLessThanOrEqual(client.refusals)
    expect(again.renewals, again.all).toBe(0)
    expect(again.said).toMatch(client.says.ended)
  })

  async function refused({ message }: SignedInClient) {
    const from = place.recorder.passed.length
    const { code, stdout, stderr } = await computer.run(message)
    const passed = place.recorder.passed.slice(from)
    const all = passed.map(({ method, path, status }) => `${method} ${path} ${status}`).join('\n')
    expect(code, stdout + stderr).toBe(1)
    expect(passed.filter(({ status }) => status !== 401)).toEqual([])
    return { all, count: passed.length, renewals: passed.filter(isRenewal).length, said: stdout + stderr }
  }
})

const FLAGS = '--token-command --yes --no-test'

function isRenewal({ path }: Passed): boolean {
  return path === '/oauth/token'
}
