import type { CallCounts } from './calls.ts'
import type { UnitCounts } from './units.ts'

/**
 * What a request consumed, by kind of token. `null` means that the count was not reported; 0 means it was reported as none.
 * The kinds don't overlap: a token is counted in exactly one of `input`, `cacheRead`, `cacheWrite`, `cacheWrite1h`, `output`
 * and the kinds of `other`. `reasoning` is the part of `output` that was thinking: it may have another price, and is never
 * charged on top.
 */
export interface TokenCounts {
  /** Input tokens that were neither read from nor written to the upstream's prompt cache. */
  readonly input: number | null
  readonly cacheRead: number | null
  /** Tokens written to a cache that lives for five minutes, or for a time that was not said. */
  readonly cacheWrite: number | null
  readonly cacheWrite1h: number | null
  /** Everything the model wrote, thinking included. */
  readonly output: number | null
  readonly reasoning: number | null
  /** Tokens of the kinds that few requests have; null when there are none, as nearly always. */
  readonly other: OtherTokens | null
  /** What is charged by another measure than tokens; null: nothing, as on every chat wire without a price for a request. */
  readonly units: UnitCounts | null
  /** Calls of tools that the provider ran; absent: none, as nearly always. */
  readonly calls?: CallCounts
}

/**
 * Tokens that some providers price apart. What was not reported as one of these is in `input` or `output`, so a 0 here needs no
 * null beside it.
 */
export interface OtherTokens {
  readonly audioInput: number
  readonly imageInput: number
  readonly audioOutput: number
}

export const NO_TOKENS: TokenCounts = {
  input: null,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  output: null,
  reasoning: null,
  other: null,
  units: null,
}

/** The input of all kinds; null when none was reported. */
export function totalInput({ input, cacheRead, cacheWrite, cacheWrite1h, other }: TokenCounts): number | null {
  const apart = other === null ? 0 : other.audioInput + other.imageInput
  if (input === null && cacheRead === null && cacheWrite === null && cacheWrite1h === null && apart === 0) return null
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) + (cacheWrite1h ?? 0) + apart
}

/** The output of all kinds; null when none was reported. */
export function totalOutput({ output, other }: TokenCounts): number | null {
  const apart = other === null ? 0 : other.audioOutput
  return output === null && apart === 0 ? null : (output ?? 0) + apart
}
