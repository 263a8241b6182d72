import type { ClusterStores } from './cluster-stores.ts'
import { interruptedRecord } from '../metering/usage/open-request.ts'

const ROUNDS_LIMIT = 100

/**
 * Records what nodes that are gone left unfinished as interrupted, and returns how many requests that were. A request that
 * is still running, on a node that was only thought dead, replaces this record by the true one when it ends.
 */
export async function recordInterrupted(store: Pick<ClusterStores, 'openRequests' | 'settlements'>): Promise<number> {
  let recorded = 0
  for (let round = 0; round < ROUNDS_LIMIT; round++) {
    const abandoned = await store.openRequests.abandoned()
    if (abandoned.length === 0) return recorded
    // One that was settled just before the crash has its record already, and keeps it.
    await store.settlements.settle(abandoned.map((request) => ({ record: interruptedRecord(request), charges: [] })))
    await store.openRequests.forget(abandoned.map(({ id }) => id))
    recorded += abandoned.length
  }
  return recorded
}
