/** What a test file may take of the processor in the short suite, and how that is measured. */
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** A good file takes one to five; this leaves room for machines that are two or three times as slow. */
const MOST_PROCESSOR_MS = 20_000
/** What `/proc` counts in, on every Linux that Node supports. */
const MS_PER_TICK = 10

/** Why a file that took so much fails the short suite; null where it took no more than it may. */
export function overBudget(file: string, tookMs: number): string | null {
  if (tookMs <= MOST_PROCESSOR_MS) return null
  return (
    `${file} took ${(tookMs / 1_000).toFixed(1)} s of the processor, and a file of npm test must take at most ` +
    `${MOST_PROCESSOR_MS / 1_000} s: move what is for a night to a file that ends with .long.test.ts`
  )
}

/**
 * Milliseconds of the processor that this worker had so far: its thread's where workers are threads of one process, else
 * its process's and those of the processes that it started and that have ended.
 */
export function processorMs(): number {
  const { user, system } = isMainThread ? process.cpuUsage() : process.threadCpuUsage()
  return (user + system) / 1_000 + (isMainThread ? endedChildrenMs() : 0)
}

/** User and system time of the children that have ended, and of theirs; 0 where the system has no `/proc`. */
function endedChildrenMs(): number {
  if (process.platform !== 'linux') return 0
  // The second field is the name in brackets, which may have spaces; these are the 16th and the 17th of all.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK
}
