import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { HeldTime } from './held-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Of a machine that has other work. */
const READY_MS = 120_000

export interface SampleProcessOptions {
  /** Of the database and the secret. */
  readonly directory: string
  /** Where its clock stands: epoch milliseconds. null: it goes with the machine's. */
  readonly standsAtMs: number | null
  /** What it draws follows from this; null: from chance. Two starts on the same data need two of them. */
  readonly seed: string | null
  readonly environment: Readonly<Record<string, string>>
}

/** A running gateway whose time is in the hand of its starter. */
export interface SampleProcess {
  /** `http://localhost:port`: a secure context for browsers, and a name that passkeys can have. */
  readonly origin: string
  /** Everything on stdout so far. */
  printed(): string
  /** Moves the clock; resolves when it stands there. */
  moveTo(atMs: number): Promise<void>
  stop(): Promise<void>
}

/** Starts a gateway from the sources on a free port and waits until it is ready. */
export async function startSampleProcess(options: SampleProcessOptions): Promise<SampleProcess> {
  const preload = new URL('./held-process.ts', import.meta.url).href
  const child = spawn(process.execPath, [`--import=${preload}`, 'src/main.ts', 'start'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: options.directory,
      PORT: '0',
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'tollgate'),
      TOLLGATE_DATA_DIR: options.directory,
      ...(options.standsAtMs === null ? {} : { SAMPLE_STANDS_AT_MS: String(options.standsAtMs) }),
      ...(options.seed === null ? {} : { SAMPLE_SEED: options.seed }),
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const { origin, printed } = await ready(child)
  return {
    origin,
    printed,
    async moveTo(atMs) {
      child.send({ standsAtMs: atMs } satisfies HeldTime)
      await once(child, 'message')
    },
    async stop() {
      process.off('exit', kill)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function ready(child: ChildProcess): Promise<{ origin: string; printed(): string }> {
  let printed = ''
  const found = Promise.withResolvers<string>()
  const late = setTimeout(() => found.reject(new Error(`the gateway is not ready: ${printed}`)), READY_MS)
  child.once('exit', (code) => found.reject(new Error(`the gateway ended with ${code}: ${printed}`)))
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    const port = /"origin":"[^"]+:(\d+)".*"msg":"ready"/.exec(printed)?.[1]
    if (port !== undefined) found.resolve(`http://localhost:${port}`)
  })
  try {
    return { origin: await found.promise, printed: () => printed }
  } finally {
    clearTimeout(late)
  }
}
