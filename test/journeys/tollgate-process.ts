import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from '../support/test-servers.ts'

export const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'tollgate.js')
export const READY_MS = 30_000

export type Environment = Readonly<Record<string, string>>

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A fresh data directory's environment, with nothing of this process's own but the way to Node. */
export async function freshEnvironment(more: Environment = {}): Promise<Environment> {
  const data = await temporaryDirectory()
  return { PATH: process.env['PATH'] ?? '', HOME: data, PORT: '0', TOLLGATE_DATA_DIR: data, ...more }
}

/** Runs one command to its end. */
export function tollgate(environment: Environment, args: readonly string[], stdin = ''): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [LAUNCHER, ...args], { env: environment }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end(stdin)
  })
}

export interface Running {
  readonly child: ChildProcess
  readonly origin: string
  /** Everything on stdout so far. */
  printed(): string
  /** Ends it with SIGTERM and answers its exit code. */
  stop(): Promise<number | null>
}

/** Starts a gateway and waits until it is ready and has printed what it prints. */
export async function startGateway(
  environment: Environment,
  node: readonly string[] = [process.execPath],
): Promise<Running> {
  const [program = '', ...options] = node
  const child = spawn(program, [...options, LAUNCHER, 'start'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const origin = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready: ${printed}${complaint}`)), READY_MS)
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${complaint}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const ready = /"origin":"([^"]+)".*"msg":"ready"/.exec(printed)?.[1]
      if (ready === undefined) return
      clearTimeout(late)
      resolve(ready)
    })
  })
  return {
    child,
    origin,
    printed: () => printed,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await ended
      return code
    },
  }
}
