/** Requests as the books take them when they end. */
import type { NanoUsd, PartsPerMillion } from '../src/core/money.ts'
import type { TokenPrices } from '../src/core/prices.ts'
import type { TokenCounts } from '../src/core/tokens.ts'
import { balanceBudget } from '../src/metering/budgets/budget.ts'
import type { Settlement } from '../src/metering/settle/settlement.ts'
import { interruptedRecord, type OpenRequest } from '../src/metering/usage/open-request.ts'

/** A request as it begins, but for who asks, when, and for what. */
export const STREAMED = { wire: 'openai-chat', isStream: true, client: 'OpenAI/JS 7.55.0' } as const

export interface Paid {
  readonly tokens: TokenCounts
  readonly prices: TokenPrices
  readonly multiplier: PartsPerMillion
  readonly cost: NanoUsd
  readonly totalMs: number
  readonly leaseId: string | null
}

/** The request was answered by an upstream, and the account's balance pays it. */
export function settlementOf(request: OpenRequest, paid: Paid): Settlement {
  const { tokens, prices, multiplier, cost, totalMs, leaseId } = paid
  const upstream = { upstreamName: 'openai-main', fault: null, totalMs }
  return {
    record: {
      ...interruptedRecord(request),
      outcome: 'completed',
      httpStatus: 200,
      upstreamName: upstream.upstreamName,
      upstreamModel: request.model,
      tokens,
      usageSource: 'reported',
      prices,
      multiplier,
      cost,
      balancePaid: cost,
      attempts: [{ ...upstream, model: request.model ?? '', status: 200 }],
      firstByteMs: Math.floor(totalMs / 3),
      totalMs,
    },
    charges: cost === 0n ? [] : [{ budgetId: balanceBudget(request.accountId).id, leaseId, cost }],
  }
}
