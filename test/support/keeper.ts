/**
 * A program of its own: runs a test server and outlives its caller, just long enough to clean up.
 *
 * Its standard input is a pipe from the test run. When the pipe ends (the run finished, was interrupted, crashed or was
 * killed outright: the kernel closes it in every case), the server is stopped and its directory removed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { KeeperOrder, KeeperStep } from './keeper-order.ts'

const GRACE_MS = 5_000

const order: KeeperOrder = JSON.parse(process.argv[2] ?? '')
let running: ChildProcess | undefined
let closing = false

process.stdin.resume()
process.stdin.once('close', () => void close())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void close())
// The run may be gone while the server still writes its last lines.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const exitCode = await runSteps(order.steps)
// Without steps there is only a directory to keep: then the end of the pipe is the only thing to wait for.
if (order.steps.length > 0) await finish(exitCode)

async function runSteps(steps: readonly KeeperStep[]): Promise<number> {
  for (const step of steps) {
    const code = closing ? 1 : await runStep(step)
    if (code !== 0) return code
  }
  return 0
}

async function runStep(step: KeeperStep): Promise<number> {
  running = spawn(step.command, step.args, {
    cwd: order.directory,
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['ignore', 'inherit', 'inherit'],
    ...(order.user === undefined ? {} : order.user),
  })
  try {
    const [code] = await once(running, 'exit')
    return typeof code === 'number' ? code : 1
  } catch (cause) {
    process.stderr.write(`${step.command} did not start: ${String(cause)}\n`)
    return 1
  } finally {
    running = undefined
  }
}

async function close(): Promise<void> {
  if (closing) return
  closing = true
  if (running === undefined) return finish(0)
  const forced = setTimeout(() => running?.kill('SIGKILL'), GRACE_MS)
  running.kill(order.stopSignal)
  await once(running, 'exit')
  clearTimeout(forced)
  await finish(0)
}

async function finish(code: number): Promise<void> {
  await rm(order.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  process.exit(code)
}
