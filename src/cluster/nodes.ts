import type { Change } from '../access/changes.ts'
import type { ClockDifference } from './clock-watch.ts'
import type { LeaseStore } from '../metering/budgets/budget.ts'
import type { SettlementStore } from '../metering/settle/settlement.ts'
import type { OpenRequestStore } from '../metering/usage/open-request.ts'

/**
 * The running gateways, and how far each has followed the changes. Revoking a key waits until every node that is
 * alive has seen it, so that «disabled» means refused everywhere once the call returns.
 *
 * Whether a node lives is decided by its beat alone: each counts its own up several times in `NODE_LIFE_MS`, and is dead to an
 * observer who, by a clock that only goes forward, saw the same beat for that long. So no wall clock decides whose money,
 * slots and requests are given to others, and none can be wrong. A node that could not renew its beat in time (frozen, or
 * cut off from the database) refuses requests by itself before others may think it dead.
 *
 * An id is one life: a node that was buried and comes back joins under a new one, so that a node that still clears up after the
 * old life takes nothing from the new.
 */
export interface NodeStore {
  /** Registers this process and returns the change it starts from. An id is registered once. */
  join(node: { id: string; host: string; processId: number }): Promise<{ seq: number }>
  /** Counts the node's beat up. False: it was taken for dead meanwhile and is not registered any more. */
  beat(nodeId: string): Promise<boolean>
  /** Keeps the status of this node. Returns the server's time in epoch milliseconds; null: the database is in this process. */
  report(nodeId: string, standing: NodeStatus): Promise<number | null>
  /** Takes nodes that leave off the list. */
  remove(nodeIds: readonly string[]): Promise<void>
  /**
   * Takes nodes that are dead off the list, but for those that beat again after this was seen of them: in one step, so that
   * from then on either their beat is answered with false, or nothing is taken from them.
   */
  retire(dead: readonly Pick<RegisteredNode, 'id' | 'beat'>[]): Promise<void>
  all(): Promise<readonly RegisteredNode[]>
  /** Nodes that are not registered any more and that leases or open requests are still in the name of. */
  unsettled(): Promise<readonly string[]>
  /** Changes after `seq`, oldest first, at most 1,000. */
  changesAfter(seq: number): Promise<readonly Change[]>
  /** Says that this node acts on everything up to `seq`. */
  acknowledge(nodeId: string, seq: number): Promise<void>
  /** Calls back soon (well under 200 ms) after any process committed something. Returns how to stop. */
  onCommit(listener: () => void): () => void
}

export interface RegisteredNode {
  readonly id: string
  /** Where `processId` means something: see `thisHost` in `app`. */
  readonly host: string
  readonly processId: number
  readonly seenSeq: number
  readonly beat: number
  /** The status that the node reported last; null: it has not yet. */
  readonly standing: NodeStatus | null
}

/** What a node says of itself, for admins alone. */
export interface NodeStatus {
  readonly version: string
  /** Requests under way. */
  readonly inFlight: number
  /** The share of time in which its thread works, from 0 to 1. */
  readonly busy: number
  readonly clock: ClockDifference
}

/** The stores in which nodes see one another, and in which a dead one leaves what the others have to clear up. */
export interface ClusterStores {
  readonly nodes: NodeStore
  readonly leases: LeaseStore
  readonly openRequests: OpenRequestStore
  readonly settlements: SettlementStore
}
