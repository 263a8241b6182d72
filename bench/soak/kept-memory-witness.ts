/**
 * Loaded into a gateway before its own code, in each of its threads. On a signal every thread collects all garbage, which an
 * idle gateway leaves where it is little (`app/server/collector.ts`), and the main thread writes down what is left.
 */
import { rename, writeFile } from 'node:fs/promises'
import { memoryUsage } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BroadcastChannel, isMainThread, threadId, threadName } from 'node:worker_threads'

/** Names the file that the main thread writes. */
export const KEPT_FILE_VARIABLE = 'SOAK_KEPT_FILE'

const ASKED = 'tollgate-soak-asked'
const KEPT = 'tollgate-soak-kept'
/** A thread that is busy for longer is left out. */
const ANSWERED_WITHIN_MS = 5_000
const COLLECTIONS = 3
const BETWEEN_MS = 500

/** The memory of one thread: megabytes on its heap and outside of it in buffers. */
export interface KeptByThread {
  readonly thread: number
  readonly name: string
  readonly mb: number
}

const path = process.env[KEPT_FILE_VARIABLE]
if (path !== undefined) {
  if (isMainThread) process.on('SIGUSR2', () => void writeKept(path))
  else answerWhenAsked()
}

function answerWhenAsked(): void {
  const asked = new BroadcastChannel(ASKED)
  const answers = new BroadcastChannel(KEPT)
  asked.addEventListener('message', () => {
    void keptByThisThread().then((kept) => answers.postMessage(kept))
  })
  asked.unref()
  answers.unref()
}

async function writeKept(file: string): Promise<void> {
  const kept: KeptByThread[] = []
  const answers = new BroadcastChannel(KEPT)
  answers.addEventListener('message', (event) => kept.push((event as { readonly data: KeptByThread }).data))
  const asked = new BroadcastChannel(ASKED)
  asked.postMessage('')
  kept.push(await keptByThisThread())
  await pause(ANSWERED_WITHIN_MS)
  asked.close()
  answers.close()
  await writeFile(`${file}.new`, JSON.stringify({ residentMb: memoryUsage.rss() / 2 ** 20, threads: kept }))
  await rename(`${file}.new`, file)
}

async function keptByThisThread(): Promise<KeptByThread> {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('globalThis.gc') as (how: object) => void
  // What one collection finds dead may keep others alive until it is finalized, and buffers are freed beside this thread.
  for (let times = 0; times < COLLECTIONS; times++) {
    gc({ type: 'major', flavor: 'last-resort' })
    await pause(BETWEEN_MS)
  }
  const { heapUsed, external } = memoryUsage()
  return { thread: threadId, name: isMainThread ? 'main' : (threadName ?? ''), mb: (heapUsed + external) / 2 ** 20 }
}
