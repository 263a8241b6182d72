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

/** What one node may open to the database, and what its server grants. */
interface ConnectionNeeds {
  /** How many all that have this role may open; null: as many as are wanted. */
  readonly granted: number | null
  /** TOLLGATE_DATABASE_CONNECTIONS. */
  readonly ofThread: number
  readonly threads: number
}

/** A sentence for a node that may open more connections than there are for all of its role; null: there are enough. */
export function lackingConnections({ granted, ofThread, threads }: ConnectionNeeds): string | null {
  // Each thread listens to changes on one more, and one is opened where a connection is in doubt.
  const needed = threads * (ofThread + 1) + 1
  if (granted === null || needed <= granted) return null
  const fitting = Math.floor((granted - 1) / threads) - 1
  const remedy = fitting < 1 ? 'raise its limit' : `raise its limit, or set it to ${fitting} or less`
  return `TOLLGATE_DATABASE_CONNECTIONS is ${ofThread}, so that this node may open ${needed} connections to the database, and the server grants its role ${granted} for all nodes: requests may wait for each other; ${remedy}`
}
