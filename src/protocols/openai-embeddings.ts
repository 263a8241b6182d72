import { Fault } from '../core/faults.ts'
import type { TokenCounts } from '../core/tokens.ts'
import type { Protocol } from './protocol.ts'
import { answerReader } from './reading/answer.ts'
import { readOpenaiUsage } from './reading/openai-usage.ts'
import { requestReader } from './reading/request-head.ts'
import { renameModel } from './reading/request-rewrite.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'
import { UsageTally } from './reading/usage-tally.ts'

/** `POST /v1/embeddings`: never a stream, and nothing that is written by a model. */
export const openaiEmbeddings: Protocol = {
  wire: 'openai-embeddings',
  streams: false,
  readRequest: requestReader({ outputLimits: [], stream: false, chatFields: false, tokenIds: true, outputTokens: 0 }),
  rewriteRequest: renameModel,
  readAnswer: answerReader({
    countsOf: (usage) => countsOf(usage),
    output: 'data',
    text: { fields: [] },
    failed: ({ error }) => (error ?? null) !== null,
  }),
  readError: readErrorAnswer,
  openStream() {
    throw new Fault(
      'upstream_malformed',
      'The model answered with a stream, which embeddings are not. Try again later.',
    )
  },
}

/**
 * A report of the input alone is complete here: vectors are not tokens, so the output is 0 and not unknown. Voyage reports
 * the total alone.
 */
function countsOf(usage: unknown): TokenCounts {
  const report = readOpenaiUsage(usage)
  const tally = new UsageTally({ inputIncludesCache: true })
  if (report !== null) tally.add({ ...report, input: report.input ?? report.total, output: 0, total: null })
  return tally.counts
}
