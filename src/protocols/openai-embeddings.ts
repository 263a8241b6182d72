import type { WholeProtocol } from './protocol.ts'
import { answerReader } from './reading/answer.ts'
import { inputOnlyCounts } from './reading/openai-usage.ts'
import { readsRequests } from './reading/request-head.ts'
import { renameModel } from './reading/request-rewrite.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'

/** `POST /v1/embeddings`: never a stream, and nothing that is written by a model. */
export const openaiEmbeddings: WholeProtocol = {
  wire: 'openai-embeddings',
  streams: false,
  ...readsRequests({ tokenIds: 'input', hasNoOutput: true }),
  rewriteRequest: renameModel,
  readAnswer: answerReader({ countsOf: inputOnlyCounts, output: 'data', text: { fields: [] } }),
  readError: readErrorAnswer,
}
