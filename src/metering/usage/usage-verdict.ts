import { INPUT_BELIEVED_LIMIT, UNSET_CONTEXT_BELIEVED_LIMIT } from '../../core/limits.ts'
import { type TokenCounts, totalInput, totalOutput } from '../../core/tokens.ts'

/** More output than this in one answer is not believed when neither the request nor the model says a limit. */
const OUTPUT_WITHOUT_LIMIT = 1_000_000
/** Nor more than this whatever a request or an admin's setting says. */
const OUTPUT_LIMIT = 20_000_000
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
  /** Whether one of those tools was called, or none would show: a report that is not the last one lacks what they read. */
  readonly mayHaveLooped: boolean
  /** Charged for input of which nothing tells how much it was, in tokens: as much is held; null: it is all in the request. */
  readonly unseenInputTokens: number | null
  readonly contextTokens: number | null
  /** What the answer could have at most, whatever the request asked for; `none` on a wire without output; null: not known. */
  readonly outputTokensLimit: VerdictLimit
}

/** `none`: the wire has no output, so none is counted. Otherwise tokens; null: not known. */
export type VerdictLimit = number | 'none' | null

/** What an upstream reported, and whether that was all of the output. */
interface Reported {
  readonly reported: TokenCounts
  /** False: the answer ended before its usage was complete. */
  readonly isFinal: boolean
  /** Whether anything came of an answer, which costs to find out; asked where the report says that nothing did. */
  hasOutput(): boolean
}

/**
 * What becomes of one side of a report. `taken`: charged as reported. `capped`: more than can be, and charged at what can be
 * at most. `counted`: not reported, or reported as none, and counted by ourselves.
 */
export type SideVerdict =
  | { readonly kind: 'taken' }
  | { readonly kind: 'capped'; readonly most: number }
  | { readonly kind: 'counted' }

/** What becomes of a report. */
export interface UsageVerdict {
  readonly input: SideVerdict
  readonly output: SideVerdict
  /** More input than the bytes that were sent explain. */
  readonly isAboveBytes: boolean
  /** All input and all output that was reported, in tokens; null: none was. */
  readonly claimedInput: number | null
  readonly claimedOutput: number | null
}

const TAKEN: SideVerdict = { kind: 'taken' }
const COUNTED: SideVerdict = { kind: 'counted' }

/**
 * Judges an upstream's report. What is too much is charged at the bound and never at a smaller count of ours: who sends a
 * request must not gain when its report is doubted. What is nothing beside a prompt or an answer is counted here.
 */
export function judgeUsage(used: Reported, evidence: UsageEvidence): UsageVerdict {
  const { reported } = used
  const claimedInput = totalInput(reported)
  const claimedOutput = totalOutput(reported)
  return {
    input: judgeInput(used, claimedInput, evidence),
    output: judgeOutput(used, claimedOutput, evidence),
    isAboveBytes: isAboveBytes(claimedInput, evidence),
    claimedInput,
    claimedOutput,
  }
}

/** The most output that an answer can have had. `limit`: what it could have at most. */
export function believableOutput(limit: VerdictLimit): number {
  return Math.min(limit === null || limit === 'none' ? OUTPUT_WITHOUT_LIMIT : limit, OUTPUT_LIMIT)
}

function judgeInput({ reported, isFinal }: Reported, claimed: number | null, evidence: UsageEvidence): SideVerdict {
  const { bytesSent, contextTokens, loopsUpstream } = evidence
  const most = loopsUpstream ? INPUT_BELIEVED_LIMIT : Math.max(contextTokens ?? UNSET_CONTEXT_BELIEVED_LIMIT, bytesSent)
  if (claimed !== null && claimed > most) return { kind: 'capped', most }
  // What was counted here tells whether there was anything to read.
  return reported.input === null || claimed === 0 || (evidence.mayHaveLooped && !isFinal) ? COUNTED : TAKEN
}

function judgeOutput(used: Reported, claimed: number | null, evidence: UsageEvidence): SideVerdict {
  const { outputTokensLimit, loopsUpstream } = evidence
  const most = Math.max(believableOutput(outputTokensLimit), loopsUpstream ? OUTPUT_WITHOUT_LIMIT : 0)
  if (claimed !== null && claimed > most) return { kind: 'capped', most }
  if (outputTokensLimit === 'none') return TAKEN
  if (used.reported.output === null || !used.isFinal) return COUNTED
  return claimed === 0 && used.hasOutput() ? COUNTED : TAKEN
}

function isAboveBytes(claimed: number | null, evidence: UsageEvidence): boolean {
  if (evidence.refersElsewhere || evidence.loopsUpstream) return false
  return claimed !== null && claimed > evidence.bytesSent + ADDED_BY_PROVIDER
}
