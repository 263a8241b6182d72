import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * How long a client may take for all that it is asked: half a minute for two dozen cells on an idle machine, and a test
 * must not depend on that.
 */
export const CLIENT_TIMEOUT_MS = 600_000

export interface ClientRun {
  /** Null: it was ended because it took too long, or by another signal. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly home: string
  readonly work: string
  /** The folder of `installedClients`. */
  readonly packages: string
  /** The URL that `startDeadEnd` gives. */
  readonly deadEnd: string
  /** Called with everything it prints, as it comes. */
  readonly onPrinted?: (text: string) => void
}

/**
 * Runs a script of POSIX shell lines. Nothing of this process's own environment comes along; traffic that is not for this
 * machine ends in the dead end.
 */
export function runClient(script: string, surroundings: Surroundings): Promise<ClientRun> {
  const { work, onPrinted } = surroundings
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-c', script], {
    cwd: work,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: clientEnvironment(surroundings),
  })
  const end = (): void => killGroup(child.pid)
  const late = setTimeout(end, CLIENT_TIMEOUT_MS)
  // It has a process group of its own, which would outlive a run that is broken off.
  process.once('exit', end)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
      onPrinted?.(text)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(late)
      process.off('exit', end)
      // Some leave a server of their own behind.
      end()
      child.once('close', () => resolve({ code, ...output }))
    })
  })
}

/** The environment of a client's process. */
export function clientEnvironment({ home, packages, deadEnd }: Surroundings): Record<string, string> {
  return {
    HOME: home,
    // Some unpack libraries and databases of megabytes there with every start, and leave them.
    TMPDIR: mkdtempSync(join(home, 'tmp-')),
    // The system's Node may be older than what the clients need.
    PATH: [join(packages, '.bin'), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    TERM: 'dumb',
    ...QUIET,
    // What Node compiles stays beside the installation: every start after the first is spared a quarter of its time.
    NODE_COMPILE_CACHE: join(packages, '.cache', 'compiled'),
    HTTP_PROXY: deadEnd,
    HTTPS_PROXY: deadEnd,
    http_proxy: deadEnd,
    https_proxy: deadEnd,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it is gone already.
  }
}

/**
 * What keeps the clients from looking for news, on which no test may depend, from starting themselves twice, and from
 * compiling for speed what runs for a second or two.
 */
const QUIET = {
  // Of Bun, in which some are written: a quarter of what a start takes.
  BUN_JSC_useDFGJIT: '0',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  DO_NOT_TRACK: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  // Its own list of all models of all providers takes it a second to read.
  OPENCODE_MODELS_PATH: join(import.meta.dirname, 'no-models.json'),
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  PI_OFFLINE: '1',
  KIMI_CODE_NO_AUTO_UPDATE: '1',
  // They would start another Node, with more memory.
  GEMINI_CLI_NO_RELAUNCH: 'true',
  QWEN_CODE_NO_RELAUNCH: 'true',
  LANGCHAIN_TRACING_V2: 'false',
} as const
