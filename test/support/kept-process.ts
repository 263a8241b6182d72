import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KeeperOrder, SystemUser } from './keeper-order.ts'

const OUTPUT_TAIL_CHARACTERS = 4_000
const STOP_TIMEOUT_MS = 15_000

/** A server, or a bare directory, that disappears with this process however this process ends. */
export interface KeptProcess {
  /** Stops the server and removes its directory. Safe to call again. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a server under a keeper (see `keeper.ts`) and resolves when the server has printed `ready`.
 * Rejects with the last lines of its output when it ends before that or takes longer than `readyTimeoutMs`.
 */
export async function keepProcess(
  order: KeeperOrder,
  { ready, readyTimeoutMs }: { ready: RegExp; readyTimeoutMs: number },
): Promise<KeptProcess> {
  const kept = startKeeper(order)
  const outcome = Promise.withResolvers<'ready'>()
  let tail = ''
  for (const stream of [kept.child.stdout, kept.child.stderr]) {
    // Read to the end: a full pipe would stop the server.
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-OUTPUT_TAIL_CHARACTERS)
      if (ready.test(tail)) outcome.resolve('ready')
    })
  }
  const timer = setTimeout(() => outcome.reject(new Error(`not ready after ${readyTimeoutMs} ms`)), readyTimeoutMs)
  kept.child.once('exit', () => outcome.reject(new Error('ended at once')))
  try {
    await outcome.promise
    return { stop: kept.stop }
  } catch (cause) {
    await kept.stop()
    const server = order.steps.at(-1)?.command ?? 'keeper'
    throw new Error(`${server}: ${String(cause)}. Its last output:\n${tail}`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

/** A new temporary directory that is removed by `stop`, or when this process ends in any other way. */
export async function keepDirectory(): Promise<KeptProcess & { readonly path: string }> {
  const path = await newDirectory('run')
  const { stop } = startKeeper({ directory: path, steps: [], stopSignal: 'SIGTERM' })
  return { path, stop }
}

/** A new directory for a server's files, owned by the user the server runs as. */
export async function newDirectory(purpose: string, owner?: SystemUser): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), `tollgate-test-${purpose}-`))
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  return path
}

/** A TCP port on 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('the probe has no port')
  return address.port
}

function startKeeper(order: KeeperOrder) {
  // Detached: Ctrl-C in a terminal reaches the whole foreground group, and the keeper must stay to clean up.
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./keeper.ts', import.meta.url)), JSON.stringify(order)],
    {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  const exited = once(child, 'exit')
  const stop = async (): Promise<void> => {
    const forced = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    child.stdin.destroy()
    await exited
    clearTimeout(forced)
  }
  return { child, stop }
}
