/**
 * `npm run test:more -- clients-more`: clients that the console explains beside those of package.json, from PyPI and npm at these
 * versions, each set up in an empty home as it is shown there and asked once over each of its protocols, through a gateway
 * with the demo. Ends with 1 when one gets no answer. docs/clients.md says which clients are run where.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KeySetup } from '../../src/contract/setup.ts'
import { startPlaceIn } from '../browser/place.ts'
import { startDeadEnd } from './dead-end.ts'
import { setUpClient } from './set-up-client.ts'

/** Each in a folder of its own: Aider pins the libraries that the others bring newer. */
const CLIENTS = [
  { id: 'openai-python', registry: 'pypi', packages: ['openai==3.54.0'] },
  { id: 'anthropic-python', registry: 'pypi', packages: ['anthropic==2.12.0'] },
  { id: 'google-genai-python', registry: 'pypi', packages: ['google-genai==3.4.0'] },
  { id: 'langchain-python', registry: 'pypi', packages: ['langchain-openai==1.7.3'] },
  { id: 'llama-index', registry: 'pypi', packages: ['llama-index-llms-openai-like==0.8.1'] },
  { id: 'aider', registry: 'pypi', packages: ['aider-chat==0.86.2'] },
  { id: 'cline', registry: 'npm', packages: ['cline@3.0.65'] },
  { id: 'continue', registry: 'npm', packages: ['@continuedev/cli@1.5.47'] },
  { id: 'copilot-cli', registry: 'npm', packages: ['@github/copilot@1.0.102'] },
  // The registry has no program of its newest version for this system, so npm leaves it out.
  { id: 'kilo', registry: 'npm', packages: ['@kilocode/cli@7.8.1', '@kilocode/cli-linux-x64@7.7.9'] },
] as const
const SHELF = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tollgate', 'test-more-clients')
const INSTALL_TIMEOUT_MS = 900_000
const MODEL = 'demo/echo'

type Client = (typeof CLIENTS)[number]

const run = promisify(execFile)

async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-more-clients-'))
  const place = await startPlaceIn(join(folder, 'data'))
  const deadEnd = await startDeadEnd()
  let failed = 0
  try {
    const ada = await place.person({ balance: '5' })
    const { body: made } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    const { body } = await ada.ask('GET', `/api/keys/${made.key.id}/setup`)
    const setup: KeySetup = body
    const values = { key: made.secret, name: setup.provider_name, models: { model: MODEL } }
    for (const client of CLIENTS) {
      const packages = await installed(client)
      const ways = setup.clients.find(({ id }) => id === client.id)?.ways ?? []
      if (ways.length === 0) throw new Error(`The console sets up no ${client.id}.`)
      for (const way of ways) {
        const before = await completed()
        const home = await mkdtemp(join(folder, 'home-'))
        const { code, stderr } = await setUpClient({ way, values, packages, deadEnd: deadEnd.url, home })
        const isWell = code === 0 && (await completed()) > before
        failed += isWell ? 0 : 1
        const outcome = isWell ? 'ok' : `FAILED, ended with ${code}\n${stderr}`
        console.log(`${client.packages[0]} over ${way.protocol}: ${outcome}`)
      }
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
async function installed({ registry, packages }: Client): Promise<string> {
  const home = join(SHELF, packages[0].replaceAll('/', '-'))
  const whole = join(home, 'whole')
  const folder = registry === 'pypi' ? home : join(home, 'node_modules')
  if (existsSync(whole)) return folder
  await rm(home, { recursive: true, force: true })
  await mkdir(home, { recursive: true })
  console.log(`Installing ${packages.join(' ')} …`)
  await (registry === 'pypi' ? fromPypi(home, packages) : fromNpm(home, packages))
  await writeFile(whole, '')
  return folder
}

/** Programs name the interpreter by its whole path, so it is made where it stays. */
async function fromPypi(home: string, packages: readonly string[]): Promise<void> {
  await run('python3', ['-m', 'venv', home])
  await run(join(home, 'bin', 'pip'), ['install', '--quiet', ...packages], { timeout: INSTALL_TIMEOUT_MS })
  await symlink('bin', join(home, '.bin'))
}

async function fromNpm(home: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(home, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    cwd: home,
    timeout: INSTALL_TIMEOUT_MS,
  })
}

process.exitCode = await main()
