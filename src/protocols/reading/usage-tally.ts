import { NO_TOKENS, type OtherTokens, type TokenCounts } from '../../core/tokens.ts'
import { completedByTotal, withReasoningBeside } from './usage-by-total.ts'
import { largerOf, sumOf, type UsageReport } from './usage-report.ts'
import { laterInput } from './usage-later-input.ts'

/** Gathers the reports of one answer. A stream may report several times, each time the whole so far. */
export class UsageTally {
  readonly #inputIncludesCache: boolean
  #report: UsageReport | null = null

  /** `inputIncludesCache`: true on OpenAI's wires, false on Anthropic's. */
  constructor(options: { readonly inputIncludesCache: boolean }) {
    this.#inputIncludesCache = options.inputIncludesCache
  }

  /** Null means not reported and changes nothing. */
  add(next: UsageReport | null): void {
    const past = this.#report
    if (past === null || next === null) {
      this.#report = next ?? past
      return
    }
    const larger = largerOf(past, next)
    this.#report = this.#inputIncludesCache ? larger : { ...larger, ...laterInput(past, next) }
  }

  /** The counts in kinds that do not overlap. */
  get counts(): TokenCounts {
    const report = this.#report
    if (report === null) return NO_TOKENS
    if (this.#inputIncludesCache) return inKinds(withoutCacheInInput(completedByTotal(report)))
    return inKinds(withReasoningBeside(report.besides === null ? report : sumOf(report, report.besides)))
  }
}

/**
 * OpenAI counts cached tokens within the input, so they are taken out of it. Where they exceed it (the counts of writes
 * are documented as "unadjusted") they are cut: no more input is charged than was reported.
 */
function withoutCacheInInput(report: UsageReport): UsageReport {
  const { input } = report
  if (input === null) return report
  const cacheRead = atMost(report.cacheRead, input)
  const cacheWrite = atMost(report.cacheWrite, input - (cacheRead ?? 0))
  return { ...report, cacheRead, cacheWrite, input: input - (cacheRead ?? 0) - (cacheWrite ?? 0) }
}

/** How much of the cached input was audio or images is not reported; it counts as cached, and the rest of the input as the rest. */
function inKinds(report: UsageReport): TokenCounts {
  const { input, output, cacheRead, cacheWrite } = report
  const longLived = cacheWrite === null ? report.cacheWrite1h : atMost(report.cacheWrite1h, cacheWrite)
  const other = otherIn(report)
  const written = other === null || output === null ? output : output - other.audioOutput
  return {
    input: other === null || input === null ? input : input - other.audioInput - other.imageInput,
    cacheRead,
    cacheWrite: cacheWrite === null ? null : cacheWrite - (longLived ?? 0),
    cacheWrite1h: longLived,
    output: written,
    reasoning: written === null ? report.reasoning : atMost(report.reasoning, written),
    other,
    units: null,
    ...(report.calls === undefined ? {} : { calls: report.calls }),
  }
}

/** Parts of an input or output that was not itself reported are not known to be all of it, and are left to be counted. */
function otherIn(report: UsageReport): OtherTokens | null {
  const input = report.input ?? 0
  const audioInput = Math.min(report.audioInput ?? 0, input)
  const imageInput = Math.min(report.imageInput ?? 0, input - audioInput)
  const audioOutput = Math.min(report.audioOutput ?? 0, report.output ?? 0)
  return audioInput + imageInput + audioOutput === 0 ? null : { audioInput, imageInput, audioOutput }
}

function atMost(count: number | null, limit: number): number | null {
  return count === null ? null : Math.min(count, limit)
}
