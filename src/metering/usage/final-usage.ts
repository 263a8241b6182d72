import type { NanoUsd, PartsPerMillion } from '../../core/money.ts'
import { boundedCalls, type CallCounts, unpricedKinds } from '../../core/calls.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { isFree } from '../../core/prices.ts'
import type { ProviderCost } from '../../core/provider-cost.ts'
import { NO_TERMS, type ServiceTerms } from '../../core/terms.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { ExpectedUnits } from '../../core/units.ts'
import type { UsageNote } from '../../core/usage-notes.ts'
import { type AppliedPrices, appliedPrices } from '../prices/applied-prices.ts'
import { costOf } from '../prices/cost.ts'
import { providerCostOf } from '../prices/provider-cost.ts'
import { chargedTokens, type OwnTokenCounts, reportedTokens } from './charged-tokens.ts'
import { settleUnits } from './unit-verdict.ts'
import type { UsageSource } from './usage-record.ts'
import { judgeUsage, type UsageEvidence, type UsageVerdict } from './usage-verdict.ts'

/** What is known at the end of a request of what it used. */
export interface UsedSoFar {
  readonly reported: TokenCounts
  /** What was reported of the output is all of it. */
  readonly isFinal: boolean
  /** See `StreamReader`; absent: not known. */
  readonly hasCalledTools?: boolean | null
  /** Whether the answer says that it was cut at its output limit; absent: not known. */
  readonly isCut?: () => boolean
  /** The class of service and the place that the answer names; absent: none. */
  readonly terms?: ServiceTerms | undefined
  producedText(): string
  /** Tokens of the whole output, where `producedText()` may be but the beginning of it, from a count of that. */
  wholeCount?(counted: number): number
  /** Tokens of an output other than text. */
  readonly estimatedOutputTokens?: number
  /**
   * Thinking to expect in what was cut short before its usage came; `isPartlyShown`: some of it is in `producedText()`.
   * `most`: what output and thinking together can have had.
   */
  readonly hiddenOutput?: { readonly tokens: number; readonly isPartlyShown: boolean; readonly most: number }
  /** What is to be said on the record, beside what its counts give rise to. */
  readonly notes?: readonly UsageNote[]
}

/** What a request is charged by. */
export interface UsagePricing {
  readonly prices: ModelPrices
  /** The class of service and the place that the request asked for; absent: none. */
  readonly askedTerms?: ServiceTerms | undefined
  readonly multiplier: PartsPerMillion
  /** The units that the request's bytes showed before; undefined on wires that have but requests. */
  readonly expectedUnits: ExpectedUnits | undefined
  /** What the provider charges that served it; absent: not known. */
  readonly providerCost?: ProviderCost | undefined
}

/** The gateway's own counts in tokens, made where the report cannot be taken. */
export interface TokenCounting {
  countInput(): number | Promise<number>
  countOutput(used: UsedSoFar): number | Promise<number>
}

/** What a request is charged for, and how much. */
export interface FinalUsage {
  readonly tokens: TokenCounts
  readonly usageSource: UsageSource
  /** The report held an impossible count. */
  readonly isCapped: boolean
  readonly usageNotes: readonly UsageNote[]
  readonly applied: AppliedPrices
  readonly cost: NanoUsd
  /** What it cost at its provider; null: not known. */
  readonly providerCost: NanoUsd | null
}

/**
 * Judges what was reported, counts what was not, and prices it. Returns at once when the report can be taken, as it is or up
 * to its bound.
 */
export function finalUsage(
  used: UsedSoFar,
  about: { readonly evidence: UsageEvidence; readonly pricing: UsagePricing; readonly own: TokenCounting },
): FinalUsage | Promise<FinalUsage> {
  const { evidence, pricing, own } = about
  const { reported, isFinal } = used
  const hasOutput = (): boolean => (used.estimatedOutputTokens ?? 0) > 0 || used.producedText() !== ''
  const verdict = judgeUsage({ reported, isFinal, hasOutput }, evidence)
  const mustCountInput = verdict.input.kind === 'counted'
  const mustCountOutput = verdict.output.kind === 'counted'
  const isTaken = pricing.prices.input === null || (!mustCountInput && !mustCountOutput)
  if (isTaken) return charge(used, { verdict, counted: NOTHING_COUNTED, pricing })
  return Promise.all([mustCountInput ? own.countInput() : null, mustCountOutput ? own.countOutput(used) : null]).then(
    ([ownInput, counted]) => {
      const { output, notes: ofOutput } = withHidden(counted, used)
      const { input, notes } = withUnseen(ownInput, evidence, ofOutput)
      const final = charge(used, { verdict, counted: { input, output }, pricing })
      return notes.length === 0 ? final : { ...final, usageNotes: [...final.usageNotes, ...notes] }
    },
  )
}

/**
 * Our count of the input, or all that it can have been where it was not in the request: whatever is less than that could be
 * had for nothing by a sender who sees to it that no report comes.
 */
function withUnseen(
  own: number | null,
  { unseenInputTokens: most }: UsageEvidence,
  notes: readonly UsageNote[],
): { readonly input: number | null; readonly notes: readonly UsageNote[] } {
  if (own === null || most === null || own >= most) return { input: own, notes }
  return { input: most, notes: [...notes, 'input_at_bound'] }
}

/** Our count of what came, with the thinking that did not show. */
function withHidden(
  counted: number | null,
  { hiddenOutput, notes = [] }: UsedSoFar,
): { readonly output: number | null; readonly notes: readonly UsageNote[] } {
  if (hiddenOutput === undefined || counted === null) return { output: counted, notes }
  const { tokens, isPartlyShown, most } = hiddenOutput
  const expected = isPartlyShown ? tokens : counted + tokens
  const output = Math.max(counted, Math.min(expected, most))
  return { output, notes: output === counted ? notes : [...notes, 'hidden_output'] }
}

const NOTHING_COUNTED: OwnTokenCounts = { input: null, output: null }

function charge(
  { reported, terms: named = NO_TERMS }: UsedSoFar,
  about: { readonly verdict: UsageVerdict; readonly counted: OwnTokenCounts; readonly pricing: UsagePricing },
): FinalUsage {
  const { verdict, counted, pricing } = about
  const { prices, multiplier, expectedUnits, askedTerms: asked = NO_TERMS, providerCost } = pricing
  const isPriced = prices.input !== null
  const ofTokens = isPriced ? chargedTokens(reported, counted, verdict) : reportedTokens(reported, verdict)
  const ofUnits = settleUnits(reported.units, expectedUnits, prices.units)
  const calls = reported.calls === undefined ? null : boundedCalls(reported.calls)
  const counts = ofUnits.units === null ? ofTokens.tokens : { ...ofTokens.tokens, units: ofUnits.units }
  const tokens = calls === null ? counts : { ...counts, calls: calls.calls }
  const terms = verdict.output.kind === 'counted' ? { asked, named, isOutputCounted: true as const } : { asked, named }
  const applied = appliedPrices(prices, tokens, terms)
  const areCallsUnpriced = calls !== null && lacksFee(calls.calls, pricing)
  const isAnyCapped = verdict.input.kind === 'capped' || verdict.output.kind === 'capped'
  return {
    tokens,
    usageSource: ofUnits.isEstimated ? 'estimated' : ofTokens.source,
    isCapped: (isPriced && isAnyCapped) || ofUnits.isCapped || calls?.isCapped === true,
    usageNotes:
      calls?.isCapped === true || applied.isUnpriced || areCallsUnpriced
        ? notesOf(ofTokens.notes, { isCapped: calls?.isCapped === true, areCallsUnpriced, applied })
        : ofTokens.notes,
    applied,
    cost: costOf(tokens, applied.prices, multiplier),
    providerCost: providerCost === undefined ? null : providerCostOf(providerCost, { tokens, applied, terms }),
  }
}

/** Few requests have notes, and fewer of these. */
function notesOf(
  ofTokens: readonly UsageNote[],
  {
    isCapped,
    areCallsUnpriced,
    applied,
  }: { readonly isCapped: boolean; readonly areCallsUnpriced: boolean; readonly applied: AppliedPrices },
): readonly UsageNote[] {
  return [
    ...ofTokens,
    ...(isCapped ? (['calls_above_limit'] as const) : []),
    ...(applied.isUnpriced ? (['terms_unpriced'] as const) : []),
    ...(areCallsUnpriced ? (['calls_unpriced'] as const) : []),
  ]
}

/** Whether some of these calls have no fee, of a model that is not served for nothing. */
function lacksFee(calls: CallCounts, { prices, multiplier }: UsagePricing): boolean {
  if (multiplier === 0n || isFree(prices)) return false
  const hasRequestPrice = (prices.units?.request ?? null) !== null
  return unpricedKinds(calls, { fees: prices.calls, hasRequestPrice }).length > 0
}
