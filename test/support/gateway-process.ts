/** `tollgate` as a process of its own: the one launcher for tests, benches and tools. Needs no vitest. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'tollgate.js')

/** A second on an idle machine, half a minute was seen on a busy one. Below a test's limit, for the better message. */
export const READY_WITHIN_MS = 150_000
/** Running requests get 30 s, and what is left to settle some more. */
const ENDED_WITHIN_MS = 150_000
const COMMAND_WITHIN_MS = 150_000
/** Far more than a gateway prints; a bound all the same. */
const OUTPUT_CHARACTERS = 1_000_000
const OUTPUT_TAIL_CHARACTERS = 4_000

export type Environment = Readonly<Record<string, string>>

/**
 * Everything a gateway on this data directory needs: a free port, and nothing of this process's own but the way to
 * programs, so that no variable of the person who runs the tests changes it.
 */
export function gatewayEnvironment(dataDirectory: string, more: Environment = {}): Environment {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: dataDirectory,
    PORT: '0',
    TOLLGATE_DATA_DIR: dataDirectory,
    // No load balancer has to turn away first.
    TOLLGATE_SHUTDOWN_DELAY_MS: '0',
    ...more,
  }
}

export interface LaunchOptions {
  /** The program and its arguments, to which `start` is added; the launcher under this Node unless given. */
  readonly command?: readonly string[]
  readonly cwd?: string
  /** What it must have printed to count as started, besides its `ready` line. */
  readonly until?: RegExp
  /** Called with everything it prints, as it comes. */
  readonly onPrinted?: (text: string) => void
  /** Kills it, whether it is ready yet or not. */
  readonly signal?: AbortSignal
  /** Whether it has a channel for messages: what is preloaded into it can be asked for something. */
  readonly hasChannel?: boolean
}

export interface GatewayProcess {
  /** The origin in its `ready` line: `http://127.0.0.1:port`. */
  readonly origin: string
  readonly processId: number
  /** The end of everything on stdout and stderr so far, up to a million characters. */
  printed(): string
  /** Sends a message over its channel; resolves with the next message from there. */
  ask(message: object): Promise<unknown>
  /** SIGKILL, from one instruction to the next; resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code, or null when a signal ended it: ours, because it took too long. */
  stop(): Promise<number | null>
}

/**
 * Runs `tollgate start` and resolves when it is ready. Rejects with the end of its output when it ends before that or
 * takes too long. Its log level must let `ready` through, which is of level `info`. It is killed when this process exits.
 */
export async function startGatewayProcess(
  environment: Environment,
  options: LaunchOptions = {},
): Promise<GatewayProcess> {
  const [program = '', ...args] = options.command ?? [process.execPath, LAUNCHER]
  const child = spawn(program, [...args, 'start'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', ...(options.hasChannel === true ? (['ipc'] as const) : [])],
    killSignal: 'SIGKILL',
    cwd: options.cwd,
    signal: options.signal,
  })
  const killChild = (): void => void child.kill('SIGKILL')
  process.once('exit', killChild)
  child.once('exit', () => process.off('exit', killChild))
  // Listened for from the start: a process that has ended by itself is not waited for in vain. `close` comes when
  // everything that it printed was read as well.
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  const output = readOutput(child, options)
  const origin = await output.ready.catch(async (cause: unknown) => {
    killChild()
    throw new Error(`The gateway ${reasonOf(cause)}. The end of its output:\n${output.tail()}`, { cause })
  })
  return {
    origin,
    processId: child.pid ?? 0,
    printed: output.printed,
    async ask(message) {
      const answered = once(child, 'message', { signal: AbortSignal.timeout(COMMAND_WITHIN_MS) })
      child.send(message)
      const [answer] = (await answered) as [unknown]
      return answer
    },
    async kill() {
      killChild()
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      const overdue = setTimeout(killChild, ENDED_WITHIN_MS)
      await closed
      clearTimeout(overdue)
      return child.exitCode
    },
  }
}

const READY_LINE = /"origin":"([^"]+)".*"msg":"ready"/

interface Output {
  /** Resolves with the origin. */
  readonly ready: Promise<string>
  printed(): string
  tail(): string
}

/** Read to the end: a full pipe would stop the gateway. */
function readOutput(child: ChildProcess, { until, onPrinted }: LaunchOptions): Output {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let printed = ''
  const look = (text: string): void => {
    printed = (printed + text).slice(-OUTPUT_CHARACTERS)
    onPrinted?.(text)
    if (isReady) return
    const origin = READY_LINE.exec(printed)?.[1]
    if (origin === undefined || until?.test(printed) === false) return
    isReady = true
    resolve(origin)
  }
  let isReady = false
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', look)
  child.once('error', (error) => reject(new Error(`could not be run: ${error.message}`)))
  // Not `exit`: what it complained of may still be on its way.
  child.once('close', (code) => reject(new Error(`ended with ${code} at its start`)))
  const late = setTimeout(() => reject(new Error(`was not ready after ${READY_WITHIN_MS / 1_000} s`)), READY_WITHIN_MS)
  return {
    ready: promise.finally(() => clearTimeout(late)),
    printed: () => printed,
    tail: () => printed.slice(-OUTPUT_TAIL_CHARACTERS),
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

export interface CommandOutcome {
  /** Null when it was ended because it took too long. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command of the command line to its end, in the environment of a gateway. */
export async function runTollgate(
  environment: Environment,
  args: readonly string[],
  stdin = '',
): Promise<CommandOutcome> {
  const options = { env: environment, timeout: COMMAND_WITHIN_MS, killSignal: 'SIGKILL' } as const
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [LAUNCHER, ...args], options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr })
    })
    // A command that does not read it may be gone before.
    child.stdin?.on('error', () => {})
    child.stdin?.end(stdin)
  })
}
