/** How long a start takes. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../test/support/kept-process.ts'
import { chooseCores, readCoreTime } from '../machine/cores.ts'
import { cpuSinceStart, readProcessTree, type ProcessUse } from '../machine/process-tree.ts'
import { PinnedProcess, answers } from '../subjects/pinned-process.ts'

const START_TIMEOUT_MS = 20_000
const END_TIMEOUT_MS = 10_000
const POLL_MS = 20

export interface StartUp {
  /** The time from the command to the first 200 of `/readyz`. */
  readonly readyMs: number
  /** Part of the cores that neither it nor this process used, and yet was busy, 0-1. */
  readonly foreign: number
}

/**
 * Starts it and stops it again. `command`: what to run in `cwd`. `directory`: where its data are, or will be when there
 * are none yet.
 */
export async function measureStartUp(
  command: readonly string[],
  { directory, cwd }: { readonly directory: string; readonly cwd: string },
): Promise<StartUp> {
  const port = await freePort()
  await mkdir(directory, { recursive: true })
  const { all } = await chooseCores('all')
  const env = { HOST: '127.0.0.1', PORT: String(port), TOLLGATE_DATA_DIR: join(directory, 'data') }
  const before = { cores: await readCoreTime(all), own: process.cpuUsage() }
  const startedMs = performance.now()
  const running = new PinnedProcess('start', command, { core: null, directory, env, cwd })
  let tree: readonly ProcessUse[] = []
  try {
    await running.untilReady(() => answers(`http://127.0.0.1:${port}/readyz`), START_TIMEOUT_MS)
    const readyMs = performance.now() - startedMs
    tree = await readProcessTree(running.pid)
    const { user, system } = process.cpuUsage(before.own)
    const ownMs = (user + system) / 1000 + cpuSinceStart(tree)
    const { busyMs, allMs } = await readCoreTime(all)
    const foreignMs = busyMs - before.cores.busyMs - ownMs
    return { readyMs, foreign: Math.max(0, foreignMs / (allMs - before.cores.allMs)) }
  } finally {
    if (tree.length === 0) tree = await readProcessTree(running.pid)
    // npm passes the signal on, but ends without waiting for what it started.
    await running.stop()
    await Promise.all(tree.map(({ pid }) => endOf(pid)))
  }
}

/** Resolves when the process is gone; kills it when that takes longer than 10 s. */
async function endOf(pid: number): Promise<void> {
  const deadline = performance.now() + END_TIMEOUT_MS
  while (signal(pid, 'SIGTERM')) {
    if (performance.now() > deadline) signal(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** False when there is no such process any more. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
