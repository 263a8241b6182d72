import type { Store } from '../store/store.ts'
import { isProcessAlive } from './is-process-alive.ts'

/** A crash may have been a while ago. */
const LOOKED_BACK_MS = 7 * 86_400_000

export interface ThisProcess {
  readonly host: string
  readonly processId: number
}

/**
 * Gives back what gateways of this host held that ended without saying so, so that after a crash nobody waits for their
 * leases to expire. Called before this process joins the nodes: one of its own number is an earlier life of it.
 */
export async function buryDeadNodes(
  store: Pick<Store, 'nodes' | 'leases'>,
  about: ThisProcess & { nowMs: number; isAlive?: (processId: number) => boolean },
): Promise<void> {
  const { host, processId, nowMs, isAlive = isProcessAlive } = about
  for (const node of await store.nodes.living(nowMs - LOOKED_BACK_MS)) {
    if (node.host !== host || (node.processId !== processId && isAlive(node.processId))) continue
    await store.leases.closeOfNode(node.id)
    await store.nodes.leave(node.id)
  }
}
