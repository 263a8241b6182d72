import { type CallCounts, largerCalls } from '../../core/calls.ts'
import type { FaultCode } from '../../core/faults.ts'
import { type NanoUsd, nanoUsd, type PartsPerMillion, ZERO_NANO_USD } from '../../core/money.ts'
import type { ProviderCost } from '../../core/provider-cost.ts'
import type { ServiceTerms } from '../../core/terms.ts'
import { costOf } from '../../metering/prices/cost.ts'
import { type FinalUsage, finalUsage, type TokenCounting, type UsedSoFar } from '../../metering/usage/final-usage.ts'
import type { TokenCount, TokenCounter } from '../../metering/usage/token-counter.ts'
import type { UsageOutcome } from '../../metering/usage/usage-record.ts'
import type { VerdictLimit, UsageEvidence } from '../../metering/usage/usage-verdict.ts'
import type { Answer, RequestHead, StreamReader } from '../../protocols/protocol.ts'
import { searchesByItself } from '../choice/self-searching.ts'
import { affordableOutput, mostAllowed, type PricedRequest } from './hold.ts'
import { marginOf } from '../ignored-limits.ts'
import type { Ending } from '../request/record.ts'
import type { OutputHold } from '../request/prepared.ts'

/** How a request that used something ended. */
export interface UsedEnding {
  readonly outcome: Extract<UsageOutcome, 'completed' | 'aborted' | 'failed'>
  readonly fault: FaultCode | null
  /** See `Ending`. */
  readonly faultFacts?: string
  readonly httpStatus: number | null
}

export interface UsedRequest extends PricedRequest {
  readonly adapters: { readonly mostBytesSent: number }
  readonly reservation: { readonly amount: NanoUsd } | null
  readonly hold: OutputHold
}

/** The ending with its tokens and cost. Returns at once when the upstream's report can be taken as it is. */
export function withCost(
  end: UsedEnding,
  used: UsedSoFar,
  {
    request,
    counter,
    heldInputTokens,
    providerCost,
    askedTerms = request.head.terms,
  }: {
    request: UsedRequest
    counter: TokenCounter
    /** See `HoldingBy`. */
    heldInputTokens: number
    providerCost?: ProviderCost | undefined
    /** What it asked for, as far as that was sent; left out: all of it. */
    askedTerms?: ServiceTerms | undefined
  },
): Ending | Promise<Ending> {
  const { head, chosen } = request
  const evidence = evidenceOf(request, used, heldInputTokens)
  const usage = finalUsage(searchesByItself(chosen.model) ? withSearch(used) : used, {
    evidence,
    pricing: {
      prices: chosen.prices,
      askedTerms,
      multiplier: chosen.group.multiplier,
      expectedUnits: head.units,
      providerCost,
    },
    own: ownCounts(request, counter),
  })
  const ending = (final: FinalUsage): Ending => ({ ...end, ...final })
  return usage instanceof Promise ? usage.then(ending) : ending(usage)
}

/** A model that searches with every request is charged for it by its provider, though its answers may not say so. */
function withSearch(used: UsedSoFar): UsedSoFar {
  return { ...used, reported: { ...used.reported, calls: largerCalls(used.reported.calls, ONE_SEARCH) ?? ONE_SEARCH } }
}

const ONE_SEARCH: CallCounts = { web_search: 1 }

function ownCounts(request: UsedRequest, counter: TokenCounter): TokenCounting {
  const { body, head } = request
  return {
    countInput: async () => {
      if (head.inputIsNoText === true) return head.estimatedInputTokens
      const { tokens } = await counter.countRequest(body, head.estimatedInputTokens)
      return tokens
    },
    countOutput: async (used) => {
      if (used.estimatedOutputTokens !== undefined) return used.estimatedOutputTokens
      const text = used.producedText()
      if (text === '' && head.expectedOutputTokens !== undefined) return head.expectedOutputTokens
      const { tokens, isExact } = await counter.countText(text)
      return outputCharged(request, { tokens: used.wholeCount?.(tokens) ?? tokens, isExact })
    },
  }
}

/**
 * Output tokens to charge of a count of ours. Our tokenizer is another than the upstream's: an answer that may have kept to the
 * limit it was sent has no more than that. By the rule of thumb no more is charged than is held.
 */
function outputCharged(request: UsedRequest, { tokens, isExact }: TokenCount): number {
  const { reservation } = request
  if (!isExact && reservation !== null) return Math.min(tokens, affordableOutput(request, reservation.amount))
  const limit = mostAllowed(request)
  return tokens <= limit + marginOf(limit) ? Math.min(tokens, limit) : tokens
}

function evidenceOf(request: UsedRequest, used: UsedSoFar, heldInputTokens: number): UsageEvidence {
  const { head, chosen, adapters } = request
  const { refers, loops, media } = head.outside
  const mayHaveLooped = loops && (used.hasCalledTools ?? true)
  // Where the input is not text, its estimate was made for that and leans upwards.
  const isText = head.inputIsNoText !== true && head.expectedOutputTokens === undefined
  const isUnseen = isText && (refers || media || mayHaveLooped)
  return {
    bytesSent: adapters.mostBytesSent,
    refersElsewhere: head.outside.refers || head.outside.media,
    loopsUpstream: head.outside.loops,
    mayHaveLooped,
    unseenInputTokens: isUnseen ? (chosen.model.contextTokens ?? heldInputTokens) : null,
    contextTokens: chosen.model.contextTokens,
    outputTokensLimit: outputLimit(head, chosen.model.maxOutputTokens),
  }
}

/** Upstreams exist that take no notice of a request's limit, and report the truth: only the model's own limit binds. */
export function outputLimit(head: RequestHead, ofModel: number | null): VerdictLimit {
  if (head.hasNoOutput) return 'none'
  return ofModel === null ? null : Math.max(ofModel, head.outputTokensLimit ?? 0) * head.choices
}

/** What output beyond so many tokens was charged; nothing for output other than text, which no limit binds. */
export function costBeyond(limit: number, { tokens, applied, cost }: Ending, multiplier: PartsPerMillion): NanoUsd {
  if (tokens.output === null || tokens.output <= limit || applied === undefined) return ZERO_NANO_USD
  return nanoUsd(cost - costOf({ ...tokens, output: limit }, applied.prices, multiplier))
}

/** What a whole answer used. */
export function usedByAnswer(answer: Extract<Answer, { kind: 'answer' }>): UsedSoFar {
  const { usage, terms, estimatedOutputTokens: estimated } = answer
  const used = {
    reported: usage,
    terms,
    isFinal: true,
    producedText: () => answer.producedText(),
    isCut: () => answer.isCut?.() ?? false,
  }
  return estimated === undefined ? used : { ...used, estimatedOutputTokens: estimated }
}

/** What a stream that came to its end used. */
export function usedBy(reader: StreamReader): UsedSoFar {
  return {
    reported: reader.usage,
    terms: reader.terms,
    isFinal: true,
    producedText: () => reader.producedText(),
    wholeCount: (counted) => reader.wholeCount(counted),
    hasCalledTools: reader.hasCalledTools,
  }
}
