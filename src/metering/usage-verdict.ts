import type { TokenCounts } from '../core/tokens.ts'
import type { UsageSource } from './usage-record.ts'

/** More output than this in one answer is not believed when neither the request nor the model says a limit. */
const OUTPUT_WITHOUT_LIMIT = 1_000_000
/** No model reads more at once. */
const INPUT_LIMIT = 20_000_000
/** A provider adds its own instructions to a request: for tools, for formats. The largest documented are a few hundred tokens. */
const ADDED_BY_PROVIDER = 4_000

/** What the gateway itself saw of a request and its answer, to judge the upstream's report by. */
export interface UsageEvidence {
  /** Bytes of the request body. A token is at least a byte of what was sent. */
  readonly bytesSent: number
  /** The request refers to content that is elsewhere (URLs, file ids, earlier answers), so its bytes bound nothing. */
  refersElsewhere(): boolean
  readonly contextTokens: number | null
  /** What the answer could have at most, whatever the request asked for; 0 on a wire that has no output; null: not known. */
  readonly outputTokensLimit: number | null
  /** The answer ended before its usage was complete: what it reported of its output is not the whole. */
  readonly isCutShort: boolean
}

/** Which counts of a report can be taken, and which have to be counted by ourselves. */
export interface UsageVerdict {
  readonly mustCountInput: boolean
  readonly mustCountOutput: boolean
  /** The report held an impossible count. */
  readonly isCapped: boolean
}

/** Judges an upstream's report. An impossible count is a lie, and is not taken at all. */
export function judgeUsage(reported: TokenCounts, evidence: UsageEvidence): UsageVerdict {
  const input = sum(reported.input, reported.cacheRead, reported.cacheWrite, reported.cacheWrite1h)
  const isInputImpossible =
    input !== null && input > evidence.bytesSent && (input > INPUT_LIMIT || input > inputBound(evidence))
  const isOutputImpossible =
    reported.output !== null && reported.output > (evidence.outputTokensLimit ?? OUTPUT_WITHOUT_LIMIT)
  const hasOutput = evidence.outputTokensLimit !== 0
  return {
    mustCountInput: input === null || isInputImpossible,
    mustCountOutput: hasOutput && (reported.output === null || isOutputImpossible || evidence.isCutShort),
    isCapped: isInputImpossible || isOutputImpossible,
  }
}

/** The counts to charge, from the report and our own counts (null: not counted because it was not needed). */
export function settleCounts(
  reported: TokenCounts,
  counted: { input: number | null; output: number | null },
  verdict: UsageVerdict,
): { readonly tokens: TokenCounts; readonly source: UsageSource } {
  const inputTokens: Pick<TokenCounts, 'input' | 'cacheRead' | 'cacheWrite' | 'cacheWrite1h'> = verdict.mustCountInput
    ? { input: counted.input, cacheRead: null, cacheWrite: null, cacheWrite1h: null }
    : reported
  const ownOutput = counted.output ?? 0
  // A stream that was cut had reported at least its beginning.
  const believable = verdict.isCapped ? 0 : (reported.output ?? 0)
  const output = verdict.mustCountOutput ? Math.max(ownOutput, believable) : reported.output
  return {
    tokens: {
      input: inputTokens.input,
      cacheRead: inputTokens.cacheRead,
      cacheWrite: inputTokens.cacheWrite,
      cacheWrite1h: inputTokens.cacheWrite1h,
      output,
      reasoning: verdict.mustCountOutput ? null : reported.reasoning,
    },
    source: verdict.mustCountInput || verdict.mustCountOutput ? 'estimated' : 'reported',
  }
}

function inputBound(evidence: UsageEvidence): number {
  return evidence.refersElsewhere() ? (evidence.contextTokens ?? Infinity) : evidence.bytesSent + ADDED_BY_PROVIDER
}

function sum(...counts: readonly (number | null)[]): number | null {
  let total: number | null = null
  for (const count of counts) if (count !== null) total = (total ?? 0) + count
  return total
}
