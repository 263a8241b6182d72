import type { Change } from './changes.ts'

/**
 * The running gateways, and how far each has followed the changes. Whoever revokes a key waits until every node that is
 * alive has seen it, so that «disabled» means refused everywhere once the call returns. A node that could not extend its
 * life in time refuses requests by itself, so a frozen one need not be waited for longer than that.
 */
export interface NodeStore {
  /** Registers this process and returns the change it starts from. */
  join(node: {
    id: string
    host: string
    processId: number
    nowMs: number
    aliveUntilMs: number
  }): Promise<{ seq: number }>
  extend(nodeId: string, aliveUntilMs: number): Promise<void>
  leave(nodeId: string): Promise<void>
  /** The others that are not known to be dead at `nowMs`. */
  living(nowMs: number): Promise<readonly LivingNode[]>
  /** Changes after `seq`, oldest first, at most 1,000. */
  changesAfter(seq: number): Promise<readonly Change[]>
  /** Says that this node acts on everything up to `seq`. */
  acknowledge(nodeId: string, seq: number): Promise<void>
  /** Calls back soon (well under 200 ms) after any process committed something. Returns how to stop. */
  onCommit(listener: () => void): () => void
}

export interface LivingNode {
  readonly id: string
  readonly host: string
  readonly processId: number
  readonly seenSeq: number
  readonly aliveUntil: number
}
