/**
 * `npm run test:clients:python`: the Python clients that the console explains, from PyPI at these versions, each set up in an
 * empty home as it is shown there and asked once through a gateway with the demo. Ends with 1 when one gets no answer.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KeySetup } from '../../src/contract/setup.ts'
import { startPlaceIn } from '../browser/place.ts'
import { startDeadEnd } from './dead-end.ts'
import { setUpClient } from './set-up-client.ts'

/** Each in an environment of its own: Aider pins the libraries that the others bring newer. */
const CLIENTS = [
  { id: 'langchain-python', requirement: 'langchain-openai==1.7.3' },
  { id: 'llama-index', requirement: 'llama-index-llms-openai-like==0.8.1' },
  { id: 'aider', requirement: 'aider-chat==0.86.2' },
] as const
const SHELF = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tollgate', 'test-python')
const INSTALL_TIMEOUT_MS = 900_000
const MODEL = 'demo/echo'

const run = promisify(execFile)

async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-python-'))
  const place = await startPlaceIn(join(folder, 'data'))
  const deadEnd = await startDeadEnd()
  let failed = 0
  try {
    const ada = await place.person({ balance: '5' })
    const { body: made } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    const { body } = await ada.ask('GET', `/api/keys/${made.key.id}/setup`)
    const setup: KeySetup = body
    const values = { key: made.secret, name: setup.provider_name, models: { model: MODEL } }
    for (const { id, requirement } of CLIENTS) {
      const packages = await installed(requirement)
      const before = await completed()
      const way = setup.clients.find((client) => client.id === id)?.ways[0]
      if (way === undefined) throw new Error(`The console sets up no ${id}.`)
      const home = await mkdtemp(join(folder, 'home-'))
      const { code, stderr } = await setUpClient({ way, values, packages, deadEnd: deadEnd.url, home })
      const isWell = code === 0 && (await completed()) > before
      failed += isWell ? 0 : 1
      console.log(`${id}, ${requirement}: ${isWell ? 'ok' : `FAILED, ended with ${code}\n${stderr}`}`)
    }

    async function completed(): Promise<number> {
      const { body: list } = await ada.ask('GET', '/api/usage?outcome=completed&limit=100')
      return list.data.length
    }
  } finally {
    deadEnd.close()
    await place.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return failed === 0 ? 0 : 1
}

/** The folder with `.bin`, where `runClient` looks for programs: the last that is made. Installed once. */
async function installed(requirement: string): Promise<string> {
  const home = join(SHELF, requirement)
  if (existsSync(join(home, '.bin'))) return home
  await rm(home, { recursive: true, force: true })
  await mkdir(SHELF, { recursive: true })
  console.log(`Installing ${requirement} …`)
  // Programs name the interpreter by its whole path, so it is made where it stays.
  await run('python3', ['-m', 'venv', home])
  await run(join(home, 'bin', 'pip'), ['install', '--quiet', requirement], { timeout: INSTALL_TIMEOUT_MS })
  await symlink('bin', join(home, '.bin'))
  return home
}

process.exitCode = await main()
