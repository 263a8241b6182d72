/** What the JavaScript of a running process keeps, by the diagnostic report that Node writes on a signal. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const FILE = 'report.json'
const WRITTEN_WITHIN_MS = 10_000
const LOOK_MS = 50

/** The environment of a process that can be asked. See «Diagnostic report» in Node's documentation. */
export function reportingEnvironment(directory: string): Record<string, string> {
  const options = ['--report-on-signal', '--report-signal=SIGUSR2', '--report-exclude-network']
  return { NODE_OPTIONS: [...options, `--report-directory="${directory}"`, `--report-filename=${FILE}`].join(' ') }
}

/**
 * Megabytes in use on the heap of its main thread, and outside of it in buffers. Garbage counts until it is collected,
 * which an idle gateway does once by itself. Rejects when no report comes.
 */
export async function readHeapMb(processId: number, directory: string): Promise<number> {
  const path = join(directory, FILE)
  await rm(path, { force: true })
  process.kill(processId, 'SIGUSR2')
  const deadline = performance.now() + WRITTEN_WITHIN_MS
  for (;;) {
    await pause(LOOK_MS)
    const heap = await readFile(path, 'utf8').then(readHeap, () => null)
    if (heap !== null) return (heap.usedMemory + heap.externalMemory) / 2 ** 20
    if (performance.now() > deadline) throw new Error(`process ${processId} writes no report`)
  }
}

interface Heap {
  readonly usedMemory: number
  readonly externalMemory: number
}

/** null: the report is not written to its end. */
function readHeap(text: string): Heap | null {
  try {
    return (JSON.parse(text) as { readonly javascriptHeap: Heap }).javascriptHeap
  } catch {
    return null
  }
}
