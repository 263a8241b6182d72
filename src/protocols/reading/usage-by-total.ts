import { added, type UsageReport } from './usage-report.ts'

/**
 * Reads `total_tokens` beside the counts of OpenAI's wires. It is input and output together; where it is more, it tells
 * what an upstream left out of them:
 * - its thinking: xAI's chat completions report that beside the output (vercel/ai #12425), Gemini's OpenAI form leaves it
 *   out altogether (mozilla-ai/any-llm #1290), and then it is what is missing;
 * - its cache, where a gateway passed on Anthropic's counts, which are beside the input (new-api #5003).
 * A total that fits none of these tells nothing. Where one of the two counts is missing, the total makes it.
 */
export function completedByTotal(report: UsageReport): UsageReport {
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
export function withReasoningBeside(report: UsageReport): UsageReport {
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
