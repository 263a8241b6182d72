import { spawn } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fillSnippet } from '../../console/setup/fill-snippet.ts'
import type { SetupValues } from '../../console/setup/placeholders.ts'
import type { SetupTextStep, SetupWay } from '../../src/contract/setup.ts'
import { temporaryDirectory } from '../support/test-servers.ts'

/** How long a client may take for its first message. */
const CLIENT_TIMEOUT_MS = 60_000

export interface ClientRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface SetupRun {
  readonly way: SetupWay
  readonly values: SetupValues
  /** The folder of `installedClients`. */
  readonly packages: string
  /** From `startDeadEnd`. */
  readonly deadEnd: string
  /** How the person goes about it: for this terminal, or by the file that keeps it. */
  readonly by?: 'set' | 'keep'
}

/**
 * Does what the console shows for a POSIX shell, in an empty home directory: writes the files, then runs in one bash the
 * commands that set the client up and the one that sends a first message. Installing is left out.
 */
export async function setUpClient({ way, values, packages, deadEnd, by = 'set' }: SetupRun): Promise<ClientRun> {
  const home = await temporaryDirectory()
  const work = join(home, 'work')
  await mkdir(work)
  await symlink(packages, join(work, 'node_modules'))
  const steps = textSteps(way)
  const chosen = by === 'set' ? steps.filter(isSetOrTry) : [...firstKept(steps), ...steps.filter(isTry)]
  const commands: string[] = []
  for (const step of chosen) {
    const text = fillSnippet(step, values)
    if (step.kind === 'shell') commands.push(text)
    else await save(step.path ?? '', text, { home, work })
  }
  return bash(commands.join('\n'), { home, work, packages, deadEnd })
}

function textSteps(way: SetupWay): SetupTextStep[] {
  const steps = way.systems.find(({ system }) => system === 'posix')?.steps ?? []
  return steps.filter((step) => step.kind !== 'settings')
}

function isSetOrTry({ purpose }: SetupTextStep): boolean {
  return purpose === 'set' || purpose === 'try'
}

function isTry({ purpose }: SetupTextStep): boolean {
  return purpose === 'try'
}

function firstKept(steps: readonly SetupTextStep[]): SetupTextStep[] {
  return steps.filter(({ purpose }) => purpose === 'keep').slice(0, 1)
}

async function save(path: string, text: string, place: { home: string; work: string }): Promise<void> {
  const file = path.startsWith('~/') ? join(place.home, path.slice(2)) : join(place.work, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

interface Surroundings {
  readonly home: string
  readonly work: string
  readonly packages: string
  readonly deadEnd: string
}

/** Nothing of this process's own environment comes along; traffic that is not for this machine ends in the dead end. */
function bash(script: string, { home, work, packages, deadEnd }: Surroundings): Promise<ClientRun> {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-c', script], {
    cwd: work,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      HOME: home,
      // The system's Node may be older than what the clients need.
      PATH: [join(packages, '.bin'), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      TERM: 'dumb',
      ...QUIET,
      HTTP_PROXY: deadEnd,
      HTTPS_PROXY: deadEnd,
      http_proxy: deadEnd,
      https_proxy: deadEnd,
      NO_PROXY: '127.0.0.1,localhost',
      no_proxy: '127.0.0.1,localhost',
    },
  })
  const late = setTimeout(() => killGroup(child.pid), CLIENT_TIMEOUT_MS)
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(late)
      // Some leave a server of their own behind.
      killGroup(child.pid)
      child.once('close', () => resolve({ code, ...output }))
    })
  })
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it is gone already.
  }
}

/** What keeps the clients from asking after news, of which no test may depend. */
const QUIET = {
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  DO_NOT_TRACK: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  PI_OFFLINE: '1',
  LANGCHAIN_TRACING_V2: 'false',
} as const

/** A web proxy on this machine that refuses everything, and remembers who was asked for. */
export async function startDeadEnd(): Promise<{ url: string; asked: string[]; close(): void }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(403).end()
  })
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    // The client may be gone before it hears of it.
    socket.on('error', () => {})
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
