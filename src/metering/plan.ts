import type { NanoUsd } from '../core/money.ts'
import type { QuotaWindow } from '../core/quota-window.ts'

/** What is sold: groups, quotas by window, a price, a duration. */
export interface Plan {
  readonly id: string
  readonly name: string
  readonly groupIds: readonly string[]
  readonly days: number
  readonly price: NanoUsd
  readonly quotas: readonly { readonly window: QuotaWindow; readonly usd: NanoUsd }[]
  readonly isManaged: boolean
}

export interface PlanStore {
  plans(): Promise<readonly Plan[]>
  /** Adds the plan or replaces the one of the same name (which keeps its id). Answers whether anything was different. */
  putPlan(plan: Plan): Promise<boolean>
}
