/** What the JavaScript of a running gateway keeps, by thread. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { KEPT_FILE_VARIABLE, type KeptByThread } from './kept-memory-witness.ts'

const FILE = 'kept-memory.json'
const WRITTEN_WITHIN_MS = 20_000
const LOOK_MS = 50

/** When all garbage is gone: resident memory of the process, and what each thread has. */
export interface KeptMemory {
  readonly residentMb: number
  readonly threads: readonly KeptByThread[]
}

/** The environment of a gateway that can be asked. */
export function witnessedEnvironment(directory: string): Record<string, string> {
  const witness = fileURLToPath(new URL('./kept-memory-witness.ts', import.meta.url))
  return { NODE_OPTIONS: `--import "${witness}"`, [KEPT_FILE_VARIABLE]: join(directory, FILE) }
}

/** Has each thread collect all garbage, and returns what is left. Rejects when no report comes. */
export async function readKeptMemory(processId: number, directory: string): Promise<KeptMemory> {
  const path = join(directory, FILE)
  await rm(path, { force: true })
  process.kill(processId, 'SIGUSR2')
  const deadline = performance.now() + WRITTEN_WITHIN_MS
  for (;;) {
    await pause(LOOK_MS)
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text !== null) return JSON.parse(text) as KeptMemory
    if (performance.now() > deadline) throw new Error(`process ${processId} writes no report`)
  }
}

/** The thread that keeps most more than before; those that came or went in between cannot be compared. */
export function mostGrown(
  before: readonly KeptByThread[],
  after: readonly KeptByThread[],
): { readonly name: string; readonly fromMb: number; readonly byMb: number } {
  const grown = after.flatMap(({ thread, name, mb }) => {
    const then = before.find((one) => one.thread === thread)
    return then === undefined ? [] : [{ name, fromMb: then.mb, byMb: mb - then.mb }]
  })
  const [most] = grown.toSorted((a, b) => b.byMb - a.byMb)
  if (most === undefined) throw new Error('no thread was there at both rests')
  return most
}
