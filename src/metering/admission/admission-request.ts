import type { NanoUsd } from '../../core/money.ts'
import type { Budget } from '../budgets/budget.ts'
import type { EstimatedTokens, Limited } from '../limits/key-limits.ts'

/** What a request asks for before it is sent. */
export interface AdmissionRequest {
  readonly key: Limited
  /** What is counted for all keys of the account together; absent: it has no limits. */
  readonly account?: Limited | undefined
  /** For the limit on tokens. */
  readonly tokens: EstimatedTokens
  /** More than zero, unless there are neither caps nor sources: then it is free for good. */
  readonly amount: NanoUsd
  /** Each of them is charged the whole cost, by any payer. */
  readonly caps: readonly Budget[]
  /** Who pays: the first that can. */
  readonly sources: readonly FundingSource[]
  /** What the caller can do with what is left, as a sentence; for the fault. */
  readonly advice?: (available: NanoUsd) => string | null
}

/** One that may pay: a subscription with the budgets of its windows, or (null) the account's balance. */
export interface FundingSource {
  readonly subscriptionId: string | null
  readonly budgets: readonly Budget[]
}
