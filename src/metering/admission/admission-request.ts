import type { FaultFacts } from '../../core/fact-values.ts'
import type { NanoUsd } from '../../core/money.ts'
import type { Budget } from '../budgets/budget.ts'
import type { CountedUse } from '../limits/counted-use.ts'
import type { EstimatedTokens, Limited } from '../limits/limit-terms.ts'

/** What a request asks for before it is sent. */
export interface AdmissionRequest {
  readonly key: Limited
  /** What is counted for all keys of the account together; absent: it has no limits. */
  readonly account?: Limited | undefined
  /** The tokens that count for the limit on tokens. */
  readonly tokens: EstimatedTokens
  /** The use as it is counted on all nodes already, by the admission itself; absent: it is counted here. */
  readonly counted?: CountedUse
  /** All that it may cost. More than zero, unless there are neither caps nor sources: then it is free for good. */
  readonly amount: NanoUsd
  /** What it can do with less than that; absent: it runs with all of it or not at all. Asked only where there is less. */
  readonly less?: () => LessMoney
  /** Each of them is charged the whole cost, by any payer. */
  readonly caps: readonly Budget[]
  /** Who pays, in order: what one has left is used before the next. */
  readonly sources: readonly FundingSource[]
  /** What the caller can do with what is left; for the fault. */
  readonly advice?: (available: NanoUsd) => SpendingAdvice
}

/** What the rest pays for; or, where it is nothing, what the input alone costs and with which model. */
export type SpendingAdvice = Pick<FaultFacts, 'affordable_tokens' | 'input_usd' | 'model'>

/** How a request runs for which there is not as much as it may cost. */
export interface LessMoney {
  /** The least that is of any use. */
  readonly least: NanoUsd
  /**
   * The amount from which some of the rest is left to others; below it all that is there is taken. null: what it costs cannot be
   * kept to what is held, so it takes all that is left, and no other such request runs beside it.
   */
  readonly comfortable: NanoUsd | null
  /** Whether with less than `comfortable`, too, it may cost more than is held, and no other such request runs beside it. */
  readonly isExclusiveBelow?: boolean
}

/** A source that may pay: a subscription with the budgets of its windows, or (null) the account's balance. */
export interface FundingSource {
  readonly subscriptionId: string | null
  readonly budgets: readonly Budget[]
}
