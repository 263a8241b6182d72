import { MOST_WORKERS } from '../../core/limits.ts'

/** What `TOLLGATE_WORKERS` asks for. */
export type WantedWorkers = number | 'auto'

/** Threads that carry requests, the main thread included, and why there are fewer than were asked for; null: there are not. */
export interface ThreadCount {
  readonly threads: number
  readonly lackedBecause: string | null
}

/**
 * Several threads carry more requests than one from so many cores on: beside one thread the rest of the process (the database,
 * durable writes, V8) takes a third of a core, and with fewer cores they wait for each other. Decision 0036 has the figures.
 */
const CORES_FOR_SEVERAL = 3

/** `cores`: those that this process may use. `canSharePort`: several threads can listen on one. */
export function threadCount(wanted: WantedWorkers, machine: { cores: number; canSharePort: boolean }): ThreadCount {
  const ofCores = machine.cores < CORES_FOR_SEVERAL ? 1 : Math.min(machine.cores, MOST_WORKERS)
  const threads = wanted === 'auto' ? ofCores : wanted
  if (threads === 1 || machine.canSharePort) return { threads, lackedBecause: null }
  return {
    threads: 1,
    lackedBecause: wanted === 'auto' ? null : 'several threads can listen on one port on Linux alone',
  }
}

/** A sentence where a number was asked for that so few cores make slower; null: nothing speaks against it. */
export function tooFewCores(wanted: WantedWorkers, cores: number): string | null {
  if (wanted === 'auto' || wanted === 1 || cores >= CORES_FOR_SEVERAL) return null
  return `TOLLGATE_WORKERS is ${wanted} on ${cores === 1 ? 'one core' : `${cores} cores`}: with fewer than ${CORES_FOR_SEVERAL}, one thread carries more requests than several; unset it`
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
