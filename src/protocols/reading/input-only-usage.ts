import type { TokenCounts } from '../../core/tokens.ts'
import { readOpenaiUsage } from './openai-usage.ts'
import { UsageTally } from './usage-tally.ts'

/**
 * The usage of wires whose answers are not tokens (vectors, verdicts, ranks): a report of the input alone is complete there,
 * so the output is 0 and not unknown. Voyage and Jina report the total alone.
 */
export function inputOnlyCounts(usage: unknown): TokenCounts {
  const report = readOpenaiUsage(usage)
  const tally = new UsageTally({ inputIncludesCache: true })
  if (report !== null) tally.add({ ...report, input: report.input ?? report.total, output: 0, total: null })
  return tally.counts
}
