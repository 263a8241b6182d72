import type { TokenCounts } from '../core/tokens.ts'
import { costOf } from '../metering/cost.ts'
import type { TokenCounter } from '../metering/token-counter.ts'
import { judgeUsage, settleCounts, type UsageEvidence } from '../metering/usage-verdict.ts'
import type { UsageOutcome } from '../metering/usage-record.ts'
import type { FaultCode } from '../core/faults.ts'
import type { RequestHead, StreamReader } from '../protocols/protocol.ts'
import type { ChosenModel } from './choose-model.ts'
import type { Ending } from './request-trace.ts'

/** What is known at the end of a request of what it used. */
export interface UsedSoFar {
  readonly reported: TokenCounts
  /** What was reported of the output is all of it. */
  readonly isFinal: boolean
  producedText(): string
  /** Tokens of the whole output, where `producedText()` may be but the beginning of it, from a count of that. */
  wholeCount?(counted: number): number
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
}

/** The ending with its tokens and cost. Answers at once when the upstream's report can be taken as it is. */
export function withCost(
  end: UsedEnding,
  used: UsedSoFar,
  context: { request: UsedRequest; counter: TokenCounter },
): Ending | Promise<Ending> {
  const { request, counter } = context
  const verdict = judgeUsage(used.reported, evidenceOf(request, used.isFinal))
  if (!verdict.mustCountInput && !verdict.mustCountOutput) {
    const { tokens, source } = settleCounts(used.reported, { input: null, output: null }, verdict)
    return priced(end, { tokens, source, isCapped: false }, request)
  }
  return Promise.all([
    verdict.mustCountInput ? counter.countRequest(request.body) : null,
    verdict.mustCountOutput ? countOutput(used, counter) : null,
  ]).then(([input, output]) => {
    const { tokens, source } = settleCounts(used.reported, { input, output }, verdict)
    return priced(end, { tokens, source, isCapped: verdict.isCapped }, request)
  })
}

async function countOutput(used: UsedSoFar, counter: TokenCounter): Promise<number> {
  const counted = await counter.countText(used.producedText())
  return used.wholeCount?.(counted) ?? counted
}

function priced(
  end: UsedEnding,
  counts: { tokens: TokenCounts; source: Ending['usageSource']; isCapped: boolean },
  request: UsedRequest,
): Ending {
  const { prices, group } = request.chosen
  return {
    ...end,
    tokens: counts.tokens,
    usageSource: counts.source,
    isCapped: counts.isCapped,
    cost: costOf(counts.tokens, prices, group.multiplier),
  }
}

function evidenceOf(request: UsedRequest, isFinal: boolean): UsageEvidence {
  const { body, head, chosen } = request
  return {
    bytesSent: body.length,
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
  '"plugins"',
  '"compact_',
]

/** What a stream that came to its end used. */
export function usedBy(reader: StreamReader): UsedSoFar {
  return {
    reported: reader.usage,
    isFinal: true,
    producedText: () => reader.producedText(),
    wholeCount: (counted) => reader.wholeCount(counted),
  }
}
