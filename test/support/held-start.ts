/** A gateway process in the middle of its start: its main thread answers, and the threads beside it are held. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freshEnvironment } from './gateway-for-test.ts'
import { type Environment, LAUNCHER } from './gateway-process.ts'
import { freePort } from './kept-process.ts'

const HELD = new URL('./preload-held-threads.ts', import.meta.url).href

/** What `/readyz` says until all threads are up. */
export const STARTING = { status: 503, says: { status: 'starting' } }

interface Starting {
  readonly origin: string
  readonly child: ChildProcess
  readonly printed: () => string
  /** Lets the threads beside the main one begin. */
  release(): Promise<void>
  /** What `/readyz` says; null: nothing answers. */
  readiness(): Promise<{ readonly status: number; readonly says: unknown } | null>
  /** Resolves with how the process ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

/** Starts a process with so many threads, of which only the first may begin. Call it inside a test. */
export async function starting(threads: number, more: Environment = {}): Promise<Starting> {
  const port = await freePort()
  const environment = await freshEnvironment({ PORT: String(port), TOLLGATE_WORKERS: String(threads), ...more })
  const file = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'released')
  const child = spawn(process.execPath, [LAUNCHER, 'start'], {
    env: { ...environment, NODE_OPTIONS: `--import=${HELD}`, HELD_UNTIL: file },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void (printed += text))
  }
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const origin = `http://127.0.0.1:${port}`
  const readiness = async () => {
    const answer = await fetch(`${origin}/readyz`, { headers: { connection: 'close' } }).catch(() => null)
    return answer === null ? null : { status: answer.status, says: await answer.json() }
  }
  return { origin, child, printed: () => printed, release: () => writeFile(file, ''), readiness, ended }
}
