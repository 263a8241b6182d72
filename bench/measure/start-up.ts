/** How long `npm start` takes on an empty data directory. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../test/support/kept-process.ts'
import { readProcessTree } from '../machine/process-tree.ts'
import { PinnedProcess, answers } from '../subjects/pinned-process.ts'

const START_TIMEOUT_MS = 20_000
const END_TIMEOUT_MS = 10_000
const POLL_MS = 20

/**
 * Milliseconds from the command to the first 200 of `/readyz`; then it is stopped. `command`: what to run in `cwd`.
 * `directory`: one that was not used before.
 */
export async function measureStartUp(
  command: readonly string[],
  { directory, cwd }: { readonly directory: string; readonly cwd: string },
): Promise<number> {
  const port = await freePort()
  await mkdir(directory, { recursive: true })
  const env = { HOST: '127.0.0.1', PORT: String(port), TOLLGATE_DATA_DIR: join(directory, 'data') }
  const startedMs = performance.now()
  const running = new PinnedProcess('start', command, { core: null, directory, env, cwd })
  try {
    await running.untilReady(() => answers(`http://127.0.0.1:${port}/readyz`), START_TIMEOUT_MS)
    return performance.now() - startedMs
  } finally {
    // npm passes the signal on, but ends without waiting for what it started.
    const tree = await readProcessTree(running.pid)
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
