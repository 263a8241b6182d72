import { NO_TOKENS, type OtherTokens, type TokenCounts, totalInput, totalOutput } from '../../core/tokens.ts'
import type { UsageSource } from './usage-record.ts'

/** More output than this in one answer is not believed when neither the request nor the model says a limit. */
const OUTPUT_WITHOUT_LIMIT = 1_000_000
/** Nor more than this whatever a request or an admin's setting says. */
const OUTPUT_LIMIT = 20_000_000
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
  /** The upstream may read its input several times over, and reports the sum: it runs tools by itself, or compacts. */
  loopsUpstream(): boolean
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
  const input = totalInput(reported)
  const output = totalOutput(reported)
  const isInputImpossible =
    input !== null && input > evidence.bytesSent && (input > INPUT_LIMIT || input > inputBound(evidence))
  const isOutputImpossible = output !== null && output > believableOutput(evidence.outputTokensLimit)
  const hasOutput = evidence.outputTokensLimit !== 0
  return {
    mustCountInput: reported.input === null || isInputImpossible,
    mustCountOutput: hasOutput && (reported.output === null || isOutputImpossible || evidence.isCutShort),
    isCapped: isInputImpossible || isOutputImpossible,
  }
}

/** The most output that an answer can have had. `limit`: what it could have at most; null: not known. */
export function believableOutput(limit: number | null): number {
  return Math.min(limit ?? OUTPUT_WITHOUT_LIMIT, OUTPUT_LIMIT)
}

/** The counts to charge, from the report and our own counts (null: not counted because it was not needed). */
export function settleCounts(
  reported: TokenCounts,
  counted: { input: number | null; output: number | null },
  verdict: UsageVerdict,
): { readonly tokens: TokenCounts; readonly source: UsageSource } {
  const input = verdict.mustCountInput ? countedInput(reported, counted.input ?? 0, verdict) : reported
  const output = verdict.mustCountOutput ? countedOutput(reported, counted.output ?? 0, verdict) : reported
  return {
    tokens: {
      input: input.input,
      cacheRead: input.cacheRead,
      cacheWrite: input.cacheWrite,
      cacheWrite1h: input.cacheWrite1h,
      output: output.output,
      reasoning: output.reasoning,
      other: input.other === null && output.other === null ? null : otherOf(input.other, output.other),
      // Judged apart, see unit-verdict.ts.
      units: null,
    },
    source: verdict.mustCountInput || verdict.mustCountOutput ? 'estimated' : 'reported',
  }
}

/** What we counted, less what was reported of it: an upstream may tell what it read from its cache, and nothing else. */
function countedInput(reported: TokenCounts, counted: number, verdict: UsageVerdict): TokenCounts {
  const claimed = totalInput(reported) ?? 0
  if (reported.input !== null || verdict.isCapped || claimed > counted) return { ...NO_TOKENS, input: counted }
  return { ...reported, input: counted - claimed }
}

/** What we counted, unless more was reported: a stream that was cut had reported at least its beginning. */
function countedOutput(reported: TokenCounts, counted: number, verdict: UsageVerdict): TokenCounts {
  const isMore = !verdict.isCapped && (totalOutput(reported) ?? 0) > counted
  return isMore ? { ...reported, reasoning: null } : { ...NO_TOKENS, output: counted }
}

function otherOf(ofInput: OtherTokens | null, ofOutput: OtherTokens | null): OtherTokens | null {
  const audioInput = ofInput?.audioInput ?? 0
  const imageInput = ofInput?.imageInput ?? 0
  const audioOutput = ofOutput?.audioOutput ?? 0
  return audioInput + imageInput + audioOutput === 0 ? null : { audioInput, imageInput, audioOutput }
}

function inputBound(evidence: UsageEvidence): number {
  if (evidence.loopsUpstream()) return Infinity
  return evidence.refersElsewhere() ? (evidence.contextTokens ?? Infinity) : evidence.bytesSent + ADDED_BY_PROVIDER
}
