import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../support/kept-process.ts'

const ENTRY = fileURLToPath(new URL('../../bin/tollgate.js', import.meta.url))
const READY_WITHIN_MS = 20_000
const COMMAND_WITHIN_MS = 60_000
/** Running requests get 30 s, and what is left to settle some more. */
const ENDED_WITHIN_MS = 45_000
const LOOK_MS = 20
const OUTPUT_TAIL_CHARACTERS = 4_000

/** The gateway as somebody runs it: `tollgate start` in a process of its own. */
export interface GatewayProcess {
  readonly origin: string
  readonly processId: number
  /** The end of what it has written to stdout and stderr: log lines of level `error`, and what nobody caught. */
  output(): string
  /** SIGKILL, from one instruction to the next; fulfils when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM; fulfils with the exit code, null when the process had to be killed because it did not end. */
  terminate(): Promise<number | null>
}

export interface GatewayPlace {
  readonly dataDirectory: string
  readonly configPath: string
  /** Beside what every gateway of these tests is given. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts it and fulfils when it is ready. Rejects with the end of its output when it is not. */
export async function startGatewayProcess(place: GatewayPlace): Promise<GatewayProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [ENTRY, 'start'], {
    env: { ...environmentFor(place), PORT: String(port), TOLLGATE_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Whoever stops this run must not leave a gateway behind.
  const killChild = () => void child.kill('SIGKILL')
  process.once('exit', killChild)
  const ended = once(child, 'exit').finally(() => process.off('exit', killChild))
  const origin = `http://127.0.0.1:${port}`
  const output = tailOf(child)
  await untilReady(child, origin, output)
  return {
    origin,
    processId: child.pid ?? 0,
    output,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async terminate() {
      child.kill('SIGTERM')
      const overdue = setTimeout(killChild, ENDED_WITHIN_MS)
      await ended
      clearTimeout(overdue)
      return child.exitCode
    },
  }
}

/** Runs one of the command line's commands, its words as they are typed, on the same data. */
export async function runCommand(
  place: GatewayPlace,
  command: string,
): Promise<{ readonly exitCode: number; readonly lines: readonly string[] }> {
  const options = { env: environmentFor(place), timeout: COMMAND_WITHIN_MS }
  const { exitCode, output } = await promisify(execFile)(
    process.execPath,
    [ENTRY, ...command.split(' ')],
    options,
  ).then(
    ({ stdout }) => ({ exitCode: 0, output: stdout }),
    (error: { code?: unknown; stdout?: string; stderr?: string }) => ({
      exitCode: typeof error.code === 'number' ? error.code : -1,
      output: `${error.stderr ?? ''}${error.stdout ?? ''}`,
    }),
  )
  return { exitCode, lines: output.trimEnd().split('\n') }
}

/** Only what belongs to this gateway: a variable of whoever runs the tests must not change it. */
function environmentFor({ dataDirectory, configPath, environment }: GatewayPlace): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  const place = { TOLLGATE_DATA_DIR: dataDirectory, TOLLGATE_CONFIG: configPath }
  return { PATH, HOME, ...place, TOLLGATE_DEMO: '0', ...environment }
}

function tailOf(child: ChildProcess): () => string {
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-OUTPUT_TAIL_CHARACTERS)
    })
  }
  return () => tail
}

async function untilReady(child: ChildProcess, origin: string, output: () => string): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  while (performance.now() < deadline && child.exitCode === null) {
    const isReady = await fetch(`${origin}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await pause(LOOK_MS)
  }
  child.kill('SIGKILL')
  throw new Error(`the gateway did not get ready. The end of its output:\n${output()}`)
}
