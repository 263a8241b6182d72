import type { SetLimits } from '../../core/account-limits.ts'
import type { NanoUsd } from '../../core/money.ts'
import type { SubscriptionWindow } from '../../core/quota-window.ts'
import type { AddAnswer, DeleteAnswer, EditAnswer } from '../../core/stored-edits.ts'

/** What is sold: groups, quotas by window, a price, a duration. */
export interface Plan {
  readonly id: string
  readonly name: string
  /** The groups whose requests it pays for. */
  readonly groupIds: readonly string[]
  /** Opens those of its groups that are closed to who has it. Else it pays in its groups and opens none. */
  readonly opensGroups: boolean
  readonly days: number
  readonly price: NanoUsd
  readonly quotas: readonly { readonly window: SubscriptionWindow; readonly usd: NanoUsd }[]
  /** Limits of an account while its subscription runs. Absent: none. */
  readonly limits?: SetLimits
  readonly isManaged: boolean
}

/** An account can buy and renew it by itself. One that costs nothing is for admins to assign. */
export function isForSale({ price }: Pick<Plan, 'price'>): boolean {
  return price > 0n
}

export interface PlanStore {
  plans(): Promise<readonly Plan[]>
  /** Adds the plan or replaces the one of the same name (which keeps its id). Returns whether anything was different. */
  putPlan(plan: Plan): Promise<boolean>
  addPlan(plan: Plan): Promise<AddAnswer>
  /** `edit` makes the plan that is to be from the one that is, which is locked meanwhile; it keeps its id. */
  editPlan(id: string, edit: (before: Plan) => Plan): Promise<EditAnswer<Plan>>
  /** Not while unused redeem codes or open invitations grant it. What was sold by it runs on. */
  deletePlan(id: string): Promise<DeleteAnswer<Plan>>
}
