import type { Spoke } from '../hub/spoke.ts'
import { ConversePartReader, INPUT, readAnswer } from './bedrock-converse/read-answer.ts'
import { readRequest } from './bedrock-converse/read-request.ts'
import { ConversePartWriter, writeAnswer } from './bedrock-converse/write-answer.ts'
import { writeRequest } from './bedrock-converse/write-request.ts'

/**
 * Amazon Bedrock's `Converse` and `ConverseStream`, for models of any maker. What its fields are is taken from the API
 * reference and the types of @aws-sdk/client-bedrock-runtime (3.1164, `models/models_0.d.ts`). Bytes stand as base64 in JSON.
 */
export const bedrockConverseSpoke: Spoke = {
  wire: 'bedrock-converse',
  // No client speaks it, so that nothing of its requests is carried to another wire.
  hints: {},
  conversation: 'messages',
  // `ToolSpecification.name` of the API reference.
  can: { customTools: false, toolName: /^[a-zA-Z0-9_-]{1,64}$/ },
  callIds: { form: 'portable', mayRepeat: false, clientLimit: 64 },
  freeFields: {
    ofRequests: new Map([
      ['input', 'data'],
      ['json', 'schema'],
    ]),
    ofAnswers: INPUT,
  },
  readRequest,
  writeRequest,
  readAnswer,
  writeAnswer,
  openReader: () => new ConversePartReader(),
  openWriter: () => new ConversePartWriter(),
}
