import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../browser/place.ts'
import { testClients } from '../../support/test-servers.ts'
import { startDeadEnd } from '../dead-end.ts'
import { INSTALL_TIMEOUT_MS } from '../installed-clients.ts'
import { signIn, startComputer } from './computer.ts'
import { sightings } from './leaks.ts'
import { ANSWER, type SignInPlace, startSignInPlace } from './sign-in-place.ts'

// Clients that can renew nothing get a secret in a file of theirs alone, or a token in their environment alone.

const CLIENTS = [
  {
    id: 'gemini-cli',
    folder: '.gemini',
    settings: '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }',
    ask: 'gemini --skip-trust -p "Say hello."',
    words: '--skip-trust -p Hello',
  },
  {
    id: 'qwen-code',
    folder: '.qwen',
    // It adds the version where it is not there.
    settings: '{\n  "$version": 4\n}\n',
    ask: 'qwen -p "Say hello."',
    words: '--auth-type openai -p Hello',
  },
] as const

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

test.for(CLIENTS)('$id', async ({ id, folder, settings, ask, words }) => {
  using computer = await startComputer(about)
  const files = { [`${folder}/.env`]: '# mine\nOWN=1\n', [`${folder}/settings.json`]: settings }
  await computer.put(files)
  const device = await signIn(computer, place, { person })
  const kept = (await sightings(computer, place.recorder.secrets)).files

  const run = await computer.tollgate(`run ${id} -- ${words}`)
  expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(ANSWER) })
  expect((await sightings(computer, place.recorder.secrets)).files).toEqual(kept)

  const used = await computer.tollgate(`use ${id} --yes`)
  expect(used, used.stderr).toMatchObject({ code: 0 })
  const asked = await computer.run(ask)
  expect(asked, asked.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(ANSWER) })
  expect(await sightings(computer, place.recorder.secrets)).toEqual({
    files: [`${folder}/.env`, ...kept].toSorted(),
    commands: [],
    isInTerminal: false,
  })
  const secrets = async () => (await person.ask('GET', '/api/devices')).body.data.find(isOf(device)).secrets
  expect(await secrets()).toMatchObject([{ client: id }])

  const unused = await computer.tollgate(`unuse ${id} --yes`)
  expect(unused, unused.stderr).toMatchObject({ code: 0, stderr: '' })
  expect(await secrets()).toEqual([])
  for (const path of Object.keys(files)) expect(await computer.read(path)).toBe(files[path])
})

function isOf(id: string) {
  return ({ key }: { readonly key: { readonly id: string } }): boolean => key.id === id
}
