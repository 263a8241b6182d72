import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../browser/place.ts'
import { testClients } from '../../support/test-servers.ts'
import { startDeadEnd } from '../dead-end.ts'
import { INSTALL_TIMEOUT_MS } from '../installed-clients.ts'
import { signIn, startComputer } from './computer.ts'
import { sightings } from './leaks.ts'
import { ANSWER, type SignInPlace, startSignInPlace } from './sign-in-place.ts'
import { SIGNED_IN_CLIENTS } from './signed-in-clients.ts'

// Each real client gets from a link to an answer, and no key is seen or copied.

const parts = new AsyncDisposableStack()
let place: SignInPlace
let person: Person
let about: { readonly packages: string; readonly deadEnd: string }

beforeAll(async () => {
  const deadEnd = parts.adopt(await startDeadEnd(), (one) => one.close())
  about = { packages: await testClients(), deadEnd: deadEnd.url }
  place = parts.use(await startSignInPlace())
  person = await place.gateway.person({ balance: '1000' })
}, INSTALL_TIMEOUT_MS)
afterAll(() => parts.disposeAsync())

/** Where the command line keeps what it signed in with, for its person alone. */
const KEPT = ['access\\.json', 'refresh'].map((name) => `^\\.local/share/tollgate-client/gateways/[\\w.-]+/${name}$`)

test('a credential in a file, a command and a terminal is found', async () => {
  using computer = await startComputer(about)
  const secret = 'tg-dat-a-credential-that-no-gateway-made'
  await computer.run(`echo ${secret} | tee ~/note; chmod 644 ~/note; sleep 0.5; true ${secret}`)
  expect(await sightings(computer, [secret])).toEqual({
    files: ['note (644)'],
    commands: [expect.stringContaining(secret)],
    isInTerminal: true,
  })
})

test.for(SIGNED_IN_CLIENTS)('$id', async ({ id, files, use, message }) => {
  using computer = await startComputer(about)
  await computer.put(files)
  const device = await signIn(computer, place, { person })

  const used = await computer.tollgate(`use ${use} --yes`)
  expect(used, used.stderr).toMatchObject({ code: 0 })
  expect(used.stdout).toContain(`answers: ${ANSWER}`)
  for (const path of Object.keys(files)) expect(await computer.read(path)).not.toBe(files[path])

  const run = await computer.run(message)
  expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(ANSWER) })
  const { data } = (await person.ask('GET', `/api/usage?key=${device}&limit=100`)).body
  expect(data.map((record: { outcome: string }) => record.outcome)).not.toContain('refused')
  expect(data.length).toBeGreaterThan(2)
  const seen = await sightings(computer, place.recorder.secrets)
  expect(seen).toEqual({ files: KEPT.map((name) => expect.stringMatching(name)), commands: [], isInTerminal: false })

  const unused = await computer.tollgate(`unuse ${id} --yes`)
  expect(unused, unused.stderr).toMatchObject({ code: 0, stderr: '' })
  for (const path of Object.keys(files)) expect(await computer.read(path)).toBe(files[path])
})
