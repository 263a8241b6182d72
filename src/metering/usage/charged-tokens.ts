import { NO_TOKENS, type OtherTokens, type TokenCounts } from '../../core/tokens.ts'
import type { UsageNote } from '../../core/usage-notes.ts'
import type { UsageSource } from './usage-record.ts'
import type { UsageVerdict } from './usage-verdict.ts'

/** Tokens to charge, and what is to be said of them. */
export interface ChargedTokens {
  readonly tokens: TokenCounts
  readonly source: UsageSource
  readonly notes: readonly UsageNote[]
}

/** Our own counts; null: not counted, because it was not needed. */
export interface OwnTokenCounts {
  readonly input: number | null
  readonly output: number | null
}

/** The counts to charge, from the report and our own counts. */
export function chargedTokens(reported: TokenCounts, counted: OwnTokenCounts, verdict: UsageVerdict): ChargedTokens {
  const input = inputOf(reported, counted, verdict)
  const output = outputOf(reported, counted, verdict)
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
    source: verdict.input.kind === 'counted' || verdict.output.kind === 'counted' ? 'estimated' : 'reported',
    notes: notesOf(verdict, counted),
  }
}

/** Tokens without a price are only reported: those that cannot be true are left out, and the gateway counts none itself. */
export function reportedTokens(reported: TokenCounts, { input, output }: UsageVerdict): ChargedTokens {
  const isImpossible = input.kind === 'capped' || output.kind === 'capped'
  return { tokens: { ...(isImpossible ? NO_TOKENS : reported), units: null }, source: 'reported', notes: NO_NOTES }
}

/** What is said of a report that is simply taken, as nearly always. */
const NO_NOTES: readonly UsageNote[] = []

function notesOf({ input, output, isAboveBytes, claimedInput, claimedOutput }: UsageVerdict, counted: OwnTokenCounts) {
  const notes: UsageNote[] = []
  if (input.kind === 'capped') notes.push('input_above_limit')
  else if (isAboveBytes) notes.push('input_above_bytes')
  if (claimedInput === 0 && (counted.input ?? 0) > 0) notes.push('input_reported_as_none')
  if (output.kind === 'capped') notes.push('output_above_limit')
  if (claimedOutput === 0 && (counted.output ?? 0) > 0) notes.push('output_reported_as_none')
  return notes.length === 0 ? NO_NOTES : notes
}

function inputOf(reported: TokenCounts, counted: OwnTokenCounts, verdict: UsageVerdict): TokenCounts {
  if (verdict.input.kind === 'taken') return reported
  if (verdict.input.kind === 'capped') return cappedInput(reported, verdict.input.most, verdict.claimedInput ?? 0)
  return countedInput(reported, counted.input ?? 0, verdict.claimedInput ?? 0)
}

function outputOf(reported: TokenCounts, counted: OwnTokenCounts, verdict: UsageVerdict): TokenCounts {
  if (verdict.output.kind === 'taken') return reported
  if (verdict.output.kind === 'capped') return cappedOutput(reported, verdict.output.most, verdict.claimedOutput ?? 0)
  return countedOutput(reported, counted.output ?? 0, verdict.claimedOutput ?? 0)
}

/**
 * What we counted, less what was reported of it: an upstream may tell what it read from its cache, and nothing else. It may have
 * reported more than we counted.
 */
function countedInput(reported: TokenCounts, counted: number, claimed: number): TokenCounts {
  const plain = reported.input ?? 0
  return { ...reported, input: Math.max(plain, counted - (claimed - plain)) }
}

/** What we counted, unless more was reported: a stream that was cut had reported at least its beginning. */
function countedOutput(reported: TokenCounts, counted: number, claimed: number): TokenCounts {
  return claimed > counted ? { ...reported, reasoning: null } : { ...NO_TOKENS, output: counted }
}

/** So much of it as can be, its kinds in the parts that were reported: a dear kind stays dear. */
function cappedInput(reported: TokenCounts, most: number, claimed: number): TokenCounts {
  const part = (count: number): number => partOf(count, most, claimed)
  const cacheRead = partOrNull(reported.cacheRead, part)
  const cacheWrite = partOrNull(reported.cacheWrite, part)
  const cacheWrite1h = partOrNull(reported.cacheWrite1h, part)
  const audioInput = part(reported.other?.audioInput ?? 0)
  const imageInput = part(reported.other?.imageInput ?? 0)
  const apart = (cacheRead ?? 0) + (cacheWrite ?? 0) + (cacheWrite1h ?? 0) + audioInput + imageInput
  return {
    ...NO_TOKENS,
    input: most - apart,
    cacheRead,
    cacheWrite,
    cacheWrite1h,
    other: audioInput + imageInput === 0 ? null : { audioInput, imageInput, audioOutput: 0 },
  }
}

function cappedOutput(reported: TokenCounts, most: number, claimed: number): TokenCounts {
  const audioOutput = partOf(reported.other?.audioOutput ?? 0, most, claimed)
  const output = most - audioOutput
  const reasoning = reported.reasoning === null ? null : Math.min(reported.reasoning, output)
  const other = audioOutput === 0 ? null : { audioInput: 0, imageInput: 0, audioOutput }
  return { ...NO_TOKENS, output, reasoning, other }
}

/** Rounded down, so that all parts together are never more than the whole. */
function partOf(count: number, most: number, claimed: number): number {
  return claimed === 0 ? 0 : Math.floor(most * (count / claimed))
}

function partOrNull(count: number | null, part: (count: number) => number): number | null {
  return count === null ? null : part(count)
}

function otherOf(ofInput: OtherTokens | null, ofOutput: OtherTokens | null): OtherTokens | null {
  const audioInput = ofInput?.audioInput ?? 0
  const imageInput = ofInput?.imageInput ?? 0
  const audioOutput = ofOutput?.audioOutput ?? 0
  return audioInput + imageInput + audioOutput === 0 ? null : { audioInput, imageInput, audioOutput }
}
