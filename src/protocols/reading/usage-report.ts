import { type CallCounts, largerCalls } from '../../core/calls.ts'

/** Counts as a wire reports them; kinds may overlap there. Null: not reported. */
export interface UsageReport {
  /** Calls of tools that the provider ran; absent: none, or nothing was said of them. */
  readonly calls?: CallCounts
  /** Input tokens, read and written ones included or not; see `UsageTally`. */
  readonly input: number | null
  readonly cacheRead: number | null
  /** All tokens written to a cache. */
  readonly cacheWrite: number | null
  /** The part of `cacheWrite` that lives for an hour. */
  readonly cacheWrite1h: number | null
  readonly output: number | null
  readonly reasoning: number | null
  /** Parts of the input. */
  readonly audioInput: number | null
  readonly imageInput: number | null
  /** A part of the output. */
  readonly audioOutput: number | null
  /** Everything together, where the wire reports it. */
  readonly total: number | null
  /** What was used beside all that, and is not in it; null: nothing. */
  readonly besides: UsageReport | null
}

export const NOTHING_REPORTED: UsageReport = {
  input: null,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  output: null,
  reasoning: null,
  audioInput: null,
  imageInput: null,
  audioOutput: null,
  total: null,
  besides: null,
}

/**
 * A reported count: a whole number from 0 to 2^53 - 1, which also stands for all that is more; or its digits as text, as servers
 * of small projects send them. Everything else counts as not reported, as a negative or fractional number of tokens tells nothing.
 */
export function tokenCount(value: unknown): number | null {
  if (typeof value === 'string') return countInText(value)
  if (typeof value !== 'number' || !(value >= 0)) return null
  if (value > Number.MAX_SAFE_INTEGER) return Number.MAX_SAFE_INTEGER
  return Number.isInteger(value) ? value : null
}

function countInText(text: string): number | null {
  const count = WHOLE_NUMBER.test(text) ? Number(text) : null
  return count !== null && count <= Number.MAX_SAFE_INTEGER ? count : null
}

/** A number as `JSON.stringify` writes one: without signs, blanks, fractions and exponents. */
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/

/** Two reports of the same, each of the whole so far: no count shrinks, and none is forgotten. */
export function largerOf(past: UsageReport, next: UsageReport): UsageReport {
  const calls = largerCalls(past.calls, next.calls)
  return {
    ...(calls === undefined ? {} : { calls }),
    ...eachOf(past, next, larger),
    total: larger(past.total, next.total),
    besides: next.besides ?? past.besides,
  }
}

/** Two reports of different things. */
export function sumOf(one: UsageReport, other: UsageReport): UsageReport {
  const calls = one.calls ?? other.calls
  return { ...(calls === undefined ? {} : { calls }), ...eachOf(one, other, added), total: null, besides: null }
}

/** Null only when neither was reported. */
export function added(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : tokenCount((one ?? 0) + (other ?? 0))
}

function larger(past: number | null, next: number | null): number | null {
  if (past === null || next === null) return past ?? next
  return Math.max(past, next)
}

type Combine = (one: number | null, other: number | null) => number | null

function eachOf(
  one: UsageReport,
  other: UsageReport,
  combine: Combine,
): Omit<UsageReport, 'total' | 'besides' | 'calls'> {
  return {
    input: combine(one.input, other.input),
    cacheRead: combine(one.cacheRead, other.cacheRead),
    cacheWrite: combine(one.cacheWrite, other.cacheWrite),
    cacheWrite1h: combine(one.cacheWrite1h, other.cacheWrite1h),
    output: combine(one.output, other.output),
    reasoning: combine(one.reasoning, other.reasoning),
    audioInput: combine(one.audioInput, other.audioInput),
    imageInput: combine(one.imageInput, other.imageInput),
    audioOutput: combine(one.audioOutput, other.audioOutput),
  }
}
