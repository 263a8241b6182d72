import { NO_TOKENS, type TokenCounts } from '../../core/tokens.ts'
import { costOf } from '../../metering/prices/cost.ts'
import type { TokenCounter } from '../../metering/usage/token-counter.ts'
import { type SettledUnits, settleUnits } from '../../metering/usage/unit-verdict.ts'
import { judgeUsage, settleCounts, type UsageEvidence } from '../../metering/usage/usage-verdict.ts'
import type { UsageOutcome } from '../../metering/usage/usage-record.ts'
import type { FaultCode } from '../../core/faults.ts'
import type { Answer, RequestHead, StreamReader } from '../../protocols/protocol.ts'
import type { ChosenModel } from '../choice/choose-model.ts'
import type { Ending } from '../arrival/request-trace.ts'

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

/** How a request that used something ended. */
export interface UsedEnding {
  readonly outcome: Extract<UsageOutcome, 'completed' | 'aborted' | 'failed'>
  readonly fault: FaultCode | null
  readonly httpStatus: number | null
}

export interface UsedRequest {
  readonly body: Buffer
  readonly head: RequestHead
  readonly chosen: ChosenModel
  readonly passages: { readonly mostBytesSent: number }
}

/** The ending with its tokens and cost. Answers at once when the upstream's report can be taken as it is. */
export function withCost(
  end: UsedEnding,
  used: UsedSoFar,
  context: { request: UsedRequest; counter: TokenCounter },
): Ending | Promise<Ending> {
  const { request, counter } = context
  const { prices } = request.chosen
  const units = settleUnits(used.reported.units, request.head.units, prices.units)
  const verdict = judgeUsage(used.reported, evidenceOf(request, used.isFinal))
  if (prices.input === null) return withoutTokens(end, { used, units, isCapped: verdict.isCapped }, request)
  if (!verdict.mustCountInput && !verdict.mustCountOutput) {
    const { tokens, source } = settleCounts(used.reported, { input: null, output: null }, verdict)
    return priced(end, { tokens, source, isCapped: false, units }, request)
  }
  return Promise.all([
    verdict.mustCountInput ? countInput(request, counter) : null,
    verdict.mustCountOutput ? countOutput(used, request, counter) : null,
  ]).then(([input, output]) => {
    const { tokens, source } = settleCounts(used.reported, { input, output }, verdict)
    return priced(end, { tokens, source, isCapped: verdict.isCapped, units }, request)
  })
}

/** Tokens without a price are only reported: those that cannot be true are left out, and none are counted by ourselves. */
function withoutTokens(
  end: UsedEnding,
  about: { used: UsedSoFar; units: SettledUnits; isCapped: boolean },
  request: UsedRequest,
): Ending {
  const { used, units, isCapped } = about
  const tokens = { ...(isCapped ? NO_TOKENS : used.reported), units: null }
  return priced(end, { tokens, source: 'reported', isCapped: false, units }, request)
}

function countInput({ body, head }: UsedRequest, counter: TokenCounter): number | Promise<number> {
  return head.inputIsNoText === true ? head.estimatedInputTokens : counter.countRequest(body)
}

async function countOutput(used: UsedSoFar, { head }: UsedRequest, counter: TokenCounter): Promise<number> {
  if (used.estimatedOutputTokens !== undefined) return used.estimatedOutputTokens
  const text = used.producedText()
  if (text === '' && head.expectedOutputTokens !== undefined) return head.expectedOutputTokens
  const counted = await counter.countText(text)
  return used.wholeCount?.(counted) ?? counted
}

function priced(
  end: UsedEnding,
  counts: { tokens: TokenCounts; source: Ending['usageSource']; isCapped: boolean; units: SettledUnits },
  request: UsedRequest,
): Ending {
  const { prices, group } = request.chosen
  const { units, isEstimated, isCapped } = counts.units
  const tokens = units === null ? counts.tokens : { ...counts.tokens, units }
  return {
    ...end,
    tokens,
    usageSource: isEstimated ? 'estimated' : counts.source,
    isCapped: counts.isCapped || isCapped,
    cost: costOf(tokens, prices, group.multiplier),
  }
}

function evidenceOf(request: UsedRequest, isFinal: boolean): UsageEvidence {
  const { body, head, chosen, passages } = request
  return {
    bytesSent: passages.mostBytesSent,
    refersElsewhere: () => REFERENCES.some((name) => body.includes(name)),
    loopsUpstream: () => UPSTREAM_LOOPS.some((name) => body.includes(name)),
    contextTokens: chosen.model.contextTokens,
    outputTokensLimit: outputLimit(head, chosen.model.maxOutputTokens),
    isCutShort: !isFinal,
  }
}

/** Upstreams exist that take no notice of a request's limit, and report the truth: only the model's own limit binds. */
export function outputLimit(head: RequestHead, ofModel: number | null): number | null {
  if (head.outputTokensLimit === 0) return 0
  return ofModel === null ? null : Math.max(ofModel, head.outputTokensLimit ?? 0) * head.choices
}

/** Fields by which a request brings in what is not in its bytes. */
const REFERENCES = [
  '"previous_response_id"',
  '"conversation"',
  '"file_id"',
  '"url"',
  '"image_url"',
  '"file_url"',
  '"fileUri"',
  '"file_uri"',
  '"cachedContent"',
  '"cached_content"',
  '"container"',
  '"pmpt_',
]

/**
 * How a request asks for what makes the upstream call the model again and again: tools that it runs by itself (searches
 * bring in pages, too) and compaction. Beginnings of names, since Anthropic's end in a date.
 */
const UPSTREAM_LOOPS = [
  '"web_search',
  '"web_fetch',
  '"code_execution',
  '"code_interpreter',
  '"file_search',
  '"tool_search',
  '"mcp',
  '"x_search',
  '"search_parameters"',
  '"enable_search"',
  '"googleSearch',
  '"google_search',
  '"urlContext"',
  '"url_context"',
  '"codeExecution"',
  '"plugins"',
  '"compact_',
]

/** What a whole answer used. */
export function usedByAnswer(answer: Extract<Answer, { kind: 'answer' }>): UsedSoFar {
  const { usage, estimatedOutputTokens: estimated } = answer
  const used = { reported: usage, isFinal: true, producedText: () => answer.producedText() }
  return estimated === undefined ? used : { ...used, estimatedOutputTokens: estimated }
}

/** What a stream that came to its end used. */
export function usedBy(reader: StreamReader): UsedSoFar {
  return {
    reported: reader.usage,
    isFinal: true,
    producedText: () => reader.producedText(),
    wholeCount: (counted) => reader.wholeCount(counted),
  }
}
