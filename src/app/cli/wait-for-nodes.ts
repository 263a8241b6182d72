import { setTimeout } from 'node:timers/promises'
import type { LivingNode, NodeStore } from '../../access/nodes.ts'
import { isProcessAlive } from '../is-process-alive.ts'

export interface Waiting {
  readonly nodes: Pick<NodeStore, 'living'>
  readonly nowMs: () => number
  /** This host's name: its dead processes can be told from living ones at once. */
  readonly host: string
}

/**
 * Fulfils when every running gateway acts on the change, so that «disabled» means refused everywhere. A dead one is waited
 * for until its life has run out, unless it ran on this host. Answers the ids of those that live on and did not follow
 * within WAIT_LIMIT_MS; normally none.
 */
export async function waitForNodes(seq: number, { nodes, nowMs, host }: Waiting): Promise<readonly string[]> {
  const startedAt = nowMs()
  for (;;) {
    const living = await nodes.living(nowMs())
    const behind = living.filter((node) => node.seenSeq < seq && !isKnownDead(node, host))
    if (behind.length === 0) return []
    if (nowMs() - startedAt > WAIT_LIMIT_MS) return behind.map(({ id }) => id)
    await setTimeout(BETWEEN_LOOKS_MS)
  }
}

/** Longer than any node lives without renewing itself. */
const WAIT_LIMIT_MS = 60_000
const BETWEEN_LOOKS_MS = 20

function isKnownDead(node: LivingNode, host: string): boolean {
  return node.host === host && !isProcessAlive(node.processId)
}
