import { type TokenCounts, totalInput, totalOutput } from '../../core/tokens.ts'

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
  /** The request brings in what its bytes do not bound: content that is elsewhere, pictures and documents. */
  readonly refersElsewhere: boolean
  /** The upstream may read its input several times over, and reports the sum: it runs tools by itself, or compacts. */
  readonly loopsUpstream: boolean
  readonly contextTokens: number | null
  /** What the answer could have at most, whatever the request asked for; 0 on a wire that has no output; null: not known. */
  readonly outputTokensLimit: number | null
}

/** What an upstream reported, and whether that was all of the output. */
interface Reported {
  readonly reported: TokenCounts
  /** False: the answer ended before its usage was complete. */
  readonly isFinal: boolean
}

/** Which counts of a report can be taken, and which have to be counted by ourselves. */
export interface UsageVerdict {
  readonly mustCountInput: boolean
  readonly mustCountOutput: boolean
  /** The report held an impossible count. */
  readonly isCapped: boolean
  /** All input and all output that was reported, in tokens; null: none was. */
  readonly claimedInput: number | null
  readonly claimedOutput: number | null
}

/** Judges an upstream's report. An impossible count is a lie, and is not taken at all. */
export function judgeUsage({ reported, isFinal }: Reported, evidence: UsageEvidence): UsageVerdict {
  const claimedInput = totalInput(reported)
  const claimedOutput = totalOutput(reported)
  const isInputImpossible =
    claimedInput !== null &&
    claimedInput > evidence.bytesSent &&
    (claimedInput > INPUT_LIMIT || claimedInput > inputBound(evidence))
  const isOutputImpossible = claimedOutput !== null && claimedOutput > believableOutput(evidence.outputTokensLimit)
  const hasOutput = evidence.outputTokensLimit !== 0
  return {
    mustCountInput: reported.input === null || isInputImpossible,
    mustCountOutput: hasOutput && (reported.output === null || isOutputImpossible || !isFinal),
    isCapped: isInputImpossible || isOutputImpossible,
    claimedInput,
    claimedOutput,
  }
}

/** The most output that an answer can have had. `limit`: what it could have at most; null: not known. */
export function believableOutput(limit: number | null): number {
  return Math.min(limit ?? OUTPUT_WITHOUT_LIMIT, OUTPUT_LIMIT)
}

function inputBound(evidence: UsageEvidence): number {
  if (evidence.loopsUpstream) return Infinity
  return evidence.refersElsewhere ? (evidence.contextTokens ?? Infinity) : evidence.bytesSent + ADDED_BY_PROVIDER
}
