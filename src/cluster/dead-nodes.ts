import type { ClusterStores, NodeStore, RegisteredNode } from './nodes.ts'
import { isProcessAlive } from './host-process.ts'
import { interruptedRecord } from '../metering/usage/open-request.ts'

export interface ThisProcess {
  /** See `thisHost`. */
  readonly host: string
  readonly processId: number
}

/** Whether a node certainly ended: its process was one of this host's, and there is none of its number any more. */
export function hasEnded(
  node: Pick<RegisteredNode, 'host' | 'processId'>,
  host: string,
  isAlive = isProcessAlive,
): boolean {
  return node.host === host && !isAlive(node.processId)
}

/**
 * Takes gateways of this host that ended without saying so off the list, so that after a crash no process waits for them.
 * Called before this process joins the nodes: one of its own number is an earlier life of it.
 */
export async function retireOwnPreviousNodes(
  nodes: Pick<NodeStore, 'all' | 'retire'>,
  { host, processId, isAlive }: ThisProcess & { isAlive?: (processId: number) => boolean },
): Promise<void> {
  const isEarlierLife = (node: RegisteredNode) => node.host === host && node.processId === processId
  const all = await nodes.all()
  await nodes.retire(all.filter((node) => isEarlierLife(node) || hasEnded(node, host, isAlive)))
}

/**
 * Gives back what nodes that are off the list held, and records what they left unfinished; returns how many requests that
 * were. Taking a node off the list comes first and is one step; all of this can be done again, by several nodes at once and
 * by another one when the first is killed in between.
 */
export async function clearUpAfterDead(store: ClusterStores): Promise<number> {
  const gone = await store.nodes.unsettled()
  if (gone.length === 0) return 0
  await store.leases.closeOfNodes(gone)
  return recordInterrupted(store)
}

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
