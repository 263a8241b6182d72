import { NO_TOKENS, type OtherTokens, type TokenCounts } from '../../core/tokens.ts'
import { added, largerOf, sumOf, type UsageReport } from './usage-report.ts'

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

/**
 * Reads `total_tokens` beside the counts of OpenAI's wires. It is input and output together; where it is more, it tells
 * what an upstream left out of them:
 * - its thinking: xAI's chat completions report that beside the output (vercel/ai #12425), Gemini's OpenAI form leaves it
 *   out altogether (mozilla-ai/any-llm #1290), and then it is what is missing;
 * - its cache, where a gateway passed on Anthropic's counts, which are beside the input (new-api #5003).
 * A total that fits none of these tells nothing. Where one of the two counts is missing, the total makes it.
 */
function completedByTotal(report: UsageReport): UsageReport {
  const { input, output, total } = report
  if (total === null) return withReasoningBeside(report)
  if (input === null || output === null) return withMissingCount(report, total)
  const missing = total - input - output
  if (missing === 0) return report
  if (missing < 0) return withReasoningBeside(report)
  const reasoning = report.reasoning ?? 0
  const cached = (report.cacheRead ?? 0) + (report.cacheWrite ?? 0)
  if (missing === reasoning) return { ...report, output: output + reasoning }
  if (missing === cached) return { ...report, input: input + cached }
  if (missing === cached + reasoning) return { ...report, input: input + cached, output: output + reasoning }
  return report.reasoning === null ? { ...report, output: output + missing } : withReasoningBeside(report)
}

/** A part is no more than its whole: reasoning above the output was reported beside it, unless a total says that both are all. */
function withReasoningBeside(report: UsageReport): UsageReport {
  const { output, reasoning } = report
  if (output === null || reasoning === null || reasoning <= output) return report
  return { ...report, output: added(output, reasoning) }
}

/** A total that is no more than the count that is there leaves the other unknown: it need not be 0. */
function withMissingCount(report: UsageReport, total: number): UsageReport {
  const { input, output } = report
  if (input !== null && total > input) return { ...report, output: total - input }
  if (output !== null && total > output) return { ...report, input: total - output }
  return report
}

type InputCounts = Pick<UsageReport, 'input' | 'cacheRead' | 'cacheWrite' | 'cacheWrite1h'>

/**
 * The input of two reports on Anthropic's wire, where it comes with the start of a message and, mostly, once more at its
 * end. Anthropic says the same twice, or nothing the second time. Moonshot and Alibaba report the whole input at the start,
 * and only at the end what of it was read from a cache (maximhq/bifrost #5510, #5355; jeremychone/rust-genai #258): the
 * larger of each count would charge the cached tokens twice. Others fill the end with zeros.
 */
function laterInput(past: UsageReport, next: UsageReport): InputCounts {
  const both = largerOf(past, next)
  if (!tellsCache(next) || wholeOf(next) === 0) return inputOf(both)
  if (tellsCache(past)) return wholeOf(next) < wholeOf(past) ? inputOf(past) : completed(next, past)
  if (next.input !== null || past.input === null) return inputOf(next)
  return { ...inputOf(next), input: Math.max(0, past.input - wholeOf(next)) }
}

function tellsCache({ cacheRead, cacheWrite }: InputCounts): boolean {
  return cacheRead !== null || cacheWrite !== null
}

function wholeOf({ input, cacheRead, cacheWrite }: InputCounts): number {
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
}

/** The end of a message says less of its writes: how long they live stands at the start alone. */
function completed(next: InputCounts, past: InputCounts): InputCounts {
  return {
    input: next.input ?? past.input,
    cacheRead: next.cacheRead ?? past.cacheRead,
    cacheWrite: next.cacheWrite ?? past.cacheWrite,
    cacheWrite1h: next.cacheWrite1h ?? past.cacheWrite1h,
  }
}

function inputOf({ input, cacheRead, cacheWrite, cacheWrite1h }: UsageReport): InputCounts {
  return { input, cacheRead, cacheWrite, cacheWrite1h }
}
