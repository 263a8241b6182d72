import { NO_TOKENS, type OtherTokens, type TokenCounts } from '../../core/tokens.ts'
import type { UsageSource } from './usage-record.ts'
import type { UsageVerdict } from './usage-verdict.ts'

/** The counts to charge, from the report and our own counts (null: not counted because it was not needed). */
export function chargedTokens(
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

/** Tokens without a price are only reported: those that cannot be true are left out, and the gateway counts none itself. */
export function reportedTokens(
  reported: TokenCounts,
  verdict: UsageVerdict,
): { readonly tokens: TokenCounts; readonly source: UsageSource } {
  return { tokens: { ...(verdict.isCapped ? NO_TOKENS : reported), units: null }, source: 'reported' }
}

/** What we counted, less what was reported of it: an upstream may tell what it read from its cache, and nothing else. */
function countedInput(reported: TokenCounts, counted: number, verdict: UsageVerdict): TokenCounts {
  const claimed = verdict.claimedInput ?? 0
  if (reported.input !== null || verdict.isCapped || claimed > counted) return { ...NO_TOKENS, input: counted }
  return { ...reported, input: counted - claimed }
}

/** What we counted, unless more was reported: a stream that was cut had reported at least its beginning. */
function countedOutput(reported: TokenCounts, counted: number, verdict: UsageVerdict): TokenCounts {
  const isMore = !verdict.isCapped && (verdict.claimedOutput ?? 0) > counted
  return isMore ? { ...reported, reasoning: null } : { ...NO_TOKENS, output: counted }
}

function otherOf(ofInput: OtherTokens | null, ofOutput: OtherTokens | null): OtherTokens | null {
  const audioInput = ofInput?.audioInput ?? 0
  const imageInput = ofInput?.imageInput ?? 0
  const audioOutput = ofOutput?.audioOutput ?? 0
  return audioInput + imageInput + audioOutput === 0 ? null : { audioInput, imageInput, audioOutput }
}
