import { MOST_WORKERS } from '../../core/limits.ts'

/** What `TOLLGATE_WORKERS` asks for. */
export type WantedWorkers = number | 'auto'

/** Threads that carry requests, the main thread included, and why there are fewer than were asked for; null: there are not. */
export interface ThreadCount {
  readonly threads: number
  readonly lackedBecause: string | null
}

/** `cores`: those that this process may use. `canSharePort`: several threads can listen on one. */
export function threadCount(wanted: WantedWorkers, machine: { cores: number; canSharePort: boolean }): ThreadCount {
  const threads = wanted === 'auto' ? Math.min(Math.max(1, machine.cores), MOST_WORKERS) : wanted
  if (threads === 1 || machine.canSharePort) return { threads, lackedBecause: null }
  return {
    threads: 1,
    lackedBecause: wanted === 'auto' ? null : 'several threads can listen on one port on Linux alone',
  }
}
