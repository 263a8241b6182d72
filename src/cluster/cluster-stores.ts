import type { LeaseStore } from '../metering/budgets/budget.ts'
import type { SettlementStore } from '../metering/settle/settlement.ts'
import type { OpenRequestStore } from '../metering/usage/open-request.ts'
import type { NodeStore } from './nodes.ts'

/** The stores in which nodes see one another, and in which a dead one leaves what the others have to clear up. */
export interface ClusterStores {
  readonly nodes: NodeStore
  readonly leases: LeaseStore
  readonly openRequests: OpenRequestStore
  readonly settlements: SettlementStore
}
