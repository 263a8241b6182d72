import type { Spoke } from '../hub/spoke.ts'
import { toolsInInput } from './openai-responses/tool-names.ts'
import { HINTS } from './openai-responses/hints.ts'
import { ARGUMENTS, ResponsesPartReader } from './openai-responses/part-reader.ts'
import { ResponsesPartWriter, writeAnswer } from './openai-responses/write-answer.ts'
import { readAnswer } from './openai-responses/read-answer.ts'
import { readRequest } from './openai-responses/read-request.ts'
import { writeRequest } from './openai-responses/write-request.ts'

/** OpenAI's responses, without a memory: each request holds its whole conversation, and nothing is stored. */
export const openaiResponsesSpoke: Spoke = {
  wire: 'openai-responses',
  hints: HINTS,
  conversation: 'input',
  keptOf: toolsInInput,
  can: { customTools: true, toolName: /^[a-zA-Z0-9_-]{1,64}$/ },
  callIds: { form: 'short', mayRepeat: true, clientLimit: 64 },
  freeFields: {
    ofRequests: new Map([
      ['arguments', 'data'],
      ['action', 'data'],
      ['operation', 'data'],
      ['output', 'data'],
      ['parameters', 'schema'],
      ['schema', 'schema'],
    ]),
    ofAnswers: ARGUMENTS,
  },
  readRequest,
  writeRequest,
  readAnswer,
  writeAnswer,
  openReader: () => new ResponsesPartReader(),
  openWriter: (call) => new ResponsesPartWriter(call),
}
