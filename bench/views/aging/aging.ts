import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type RetentionOptions, RetentionRun } from '../../../src/app/retention/retention-run.ts'

/** Between two settlements that are timed: some 100 requests a second. */
const BETWEEN_MS = 10

/** A run of the retention that keeps usage records for so many days, archives into the directory, and says nothing. */
export function usageRetention(
  of: Pick<RetentionOptions, 'store' | 'now' | 'elapsed' | 'pause'> & Partial<Pick<RetentionOptions, 'onProgress'>>,
  { keepDays, directory, databaseUrl = null }: { keepDays: number; directory: string; databaseUrl?: string | null },
): RetentionRun {
  return new RetentionRun({
    onProgress: () => {},
    ...of,
    settings: {
      keepUsage: keepDays,
      keepRefusals: null,
      keepTries: null,
      keepAudit: null,
      keepSessions: 30,
      archiveDir: null,
      dataDir: directory,
      databaseUrl,
    },
    randomBytes,
    isStopped: () => false,
    counts: false,
  })
}

/** How long each call of `settle` took until `over`, in milliseconds, the shortest first. `settle` gets how many were before. */
export async function timesUntil(
  over: Promise<unknown>,
  settle: (nr: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const state = { isOver: false }
  const ending = over.finally(() => {
    state.isOver = true
  })
  const took: number[] = []
  while (!state.isOver) {
    const began = performance.now()
    await settle(took.length)
    took.push(performance.now() - began)
    await pause(BETWEEN_MS)
  }
  await ending
  return took.toSorted((a, b) => a - b)
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
