import type { TokenCounts } from '../../core/tokens.ts'

/** Counts as a wire reports them; kinds may overlap there. Absent and null: not reported. */
export interface UsageReport {
  /** Input tokens, read and written ones included or not; see `UsageTally`. */
  readonly input: number | null
  readonly cacheRead: number | null
  /** All tokens written to a cache. */
  readonly cacheWrite: number | null
  /** The part of `cacheWrite` that lives for an hour. */
  readonly cacheWrite1h: number | null
  readonly output: number | null
  readonly reasoning: number | null
  /** Everything together, where the wire reports it: some upstreams leave reasoning out of `output` and only here in. */
  readonly total: number | null
}

/**
 * Gathers the reports of one answer. A stream may report several times, each time the whole so far: a later count
 * replaces an earlier one when it is there, and no count shrinks.
 */
export class UsageTally {
  readonly #inputIncludesCache: boolean
  #report: UsageReport = NOTHING_REPORTED

  /** `inputIncludesCache`: true on OpenAI's wires, false on Anthropic's. */
  constructor(options: { readonly inputIncludesCache: boolean }) {
    this.#inputIncludesCache = options.inputIncludesCache
  }

  add(next: UsageReport): void {
    const past = this.#report
    this.#report = {
      input: larger(past.input, next.input),
      cacheRead: larger(past.cacheRead, next.cacheRead),
      cacheWrite: larger(past.cacheWrite, next.cacheWrite),
      cacheWrite1h: larger(past.cacheWrite1h, next.cacheWrite1h),
      output: larger(past.output, next.output),
      reasoning: larger(past.reasoning, next.reasoning),
      total: larger(past.total, next.total),
    }
  }

  /** The counts in kinds that do not overlap. */
  get counts(): TokenCounts {
    const { input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning } = this.#inputIncludesCache
      ? withoutOverlap(this.#report)
      : this.#report
    const longLived = cacheWrite === null ? cacheWrite1h : atMost(cacheWrite1h, cacheWrite)
    return {
      input,
      cacheRead,
      cacheWrite: cacheWrite === null ? null : cacheWrite - (longLived ?? 0),
      cacheWrite1h: longLived,
      output,
      reasoning: output === null ? reasoning : atMost(reasoning, output),
    }
  }
}

/**
 * A reported count: a whole number from 0 to 2^53 - 1. Everything else counts as not reported, as a negative or
 * fractional number of tokens tells nothing.
 */
export function tokenCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** The fields of a JSON object; none where it is something else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

export const NOTHING_REPORTED: UsageReport = {
  input: null,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  output: null,
  reasoning: null,
  total: null,
}

/**
 * OpenAI counts cached tokens within the input, so they are taken out of it. Where they exceed it (the counts of writes
 * are documented as "unadjusted") they are cut: nobody pays for more input than was reported.
 */
function withoutOverlap(report: UsageReport): UsageReport {
  const { input } = report
  const output = outputWithReasoning(report)
  if (input === null) return { ...report, output }
  const cacheRead = atMost(report.cacheRead, input)
  const cacheWrite = atMost(report.cacheWrite, input - (cacheRead ?? 0))
  return { ...report, output, cacheRead, cacheWrite, input: input - (cacheRead ?? 0) - (cacheWrite ?? 0) }
}

/**
 * OpenAI counts reasoning within the output; xAI's chat completions beside it, and then the total is the sum of all
 * three (docs.x.ai, seen in vercel/ai #12425). The total tells which of them it is.
 */
function outputWithReasoning({ input, output, reasoning, total }: UsageReport): number | null {
  if (output === null || reasoning === null || input === null) return output
  return total === input + output + reasoning ? output + reasoning : output
}

function larger(past: number | null, next: number | null): number | null {
  if (past === null || next === null) return past ?? next
  return Math.max(past, next)
}

function atMost(count: number | null, limit: number): number | null {
  return count === null ? null : Math.min(count, limit)
}
