import type { WholeProtocol } from './protocol.ts'
import { answerReader } from './reading/answer.ts'
import { inputOnlyCounts } from './reading/openai-usage.ts'
import { readsRequests } from './reading/request-head.ts'
import { renameModel } from './reading/request-rewrite.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'

/**
 * `POST /v1/moderations`: never a stream. OpenAI reports no usage, as it asks nothing for it; where a model has a price for
 * tokens its input is counted here.
 */
export const openaiModerations: WholeProtocol = {
  wire: 'openai-moderations',
  streams: false,
  ...readsRequests({ hasNoOutput: true }),
  rewriteRequest: renameModel,
  readAnswer: answerReader({ countsOf: inputOnlyCounts, output: 'results', text: { fields: [] } }),
  readError: readErrorAnswer,
}
