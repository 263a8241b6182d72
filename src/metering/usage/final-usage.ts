import type { NanoUsd, PartsPerMillion } from '../../core/money.ts'
import type { TokenPrices } from '../../core/prices.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { ExpectedUnits } from '../../core/units.ts'
import { costOf } from '../prices/cost.ts'
import { chargedTokens, reportedTokens } from './charged-tokens.ts'
import { settleUnits } from './unit-verdict.ts'
import type { UsageSource } from './usage-record.ts'
import { judgeUsage, type UsageEvidence, type UsageVerdict } from './usage-verdict.ts'

/** What is known at the end of a request of what it used. */
export interface UsedSoFar {
  readonly reported: TokenCounts
  /** What was reported of the output is all of it. */
  readonly isFinal: boolean
  producedText(): string
  /** Tokens of the whole output, where `producedText()` may be but the beginning of it, from a count of that. */
  wholeCount?(counted: number): number
  /** Tokens of an output other than text. */
  readonly estimatedOutputTokens?: number
}

/** What a request is charged by. */
export interface UsagePricing {
  readonly prices: TokenPrices
  readonly multiplier: PartsPerMillion
  /** The units that the request's bytes showed before; undefined on wires that have but requests. */
  readonly expectedUnits: ExpectedUnits | undefined
}

/** The gateway's own counts in tokens, made where the report cannot be taken. */
export interface OwnCounts {
  countInput(): number | Promise<number>
  countOutput(used: UsedSoFar): number | Promise<number>
}

/** What a request is charged for, and how much. */
export interface FinalUsage {
  readonly tokens: TokenCounts
  readonly usageSource: UsageSource
  /** The report held an impossible count. */
  readonly isCapped: boolean
  readonly cost: NanoUsd
}

/** Judges what was reported, counts what cannot be believed, and prices it. Returns at once when the report can be taken as it is. */
export function finalUsage(
  used: UsedSoFar,
  about: { readonly evidence: UsageEvidence; readonly pricing: UsagePricing; readonly own: OwnCounts },
): FinalUsage | Promise<FinalUsage> {
  const { evidence, pricing, own } = about
  const verdict = judgeUsage(used, evidence)
  const isTaken = pricing.prices.input === null || (!verdict.mustCountInput && !verdict.mustCountOutput)
  if (isTaken) return charge(used.reported, { verdict, counted: NOTHING_COUNTED, pricing })
  return Promise.all([
    verdict.mustCountInput ? own.countInput() : null,
    verdict.mustCountOutput ? own.countOutput(used) : null,
  ]).then(([input, output]) => charge(used.reported, { verdict, counted: { input, output }, pricing }))
}

const NOTHING_COUNTED = { input: null, output: null }

function charge(
  reported: TokenCounts,
  about: {
    readonly verdict: UsageVerdict
    readonly counted: { readonly input: number | null; readonly output: number | null }
    readonly pricing: UsagePricing
  },
): FinalUsage {
  const { verdict, counted, pricing } = about
  const { prices, multiplier, expectedUnits } = pricing
  const isPriced = prices.input !== null
  const ofTokens = isPriced ? chargedTokens(reported, counted, verdict) : reportedTokens(reported, verdict)
  const ofUnits = settleUnits(reported.units, expectedUnits, prices.units)
  const tokens = ofUnits.units === null ? ofTokens.tokens : { ...ofTokens.tokens, units: ofUnits.units }
  return {
    tokens,
    usageSource: ofUnits.isEstimated ? 'estimated' : ofTokens.source,
    isCapped: (isPriced && verdict.isCapped) || ofUnits.isCapped,
    cost: costOf(tokens, prices, multiplier),
  }
}
