import type { Spoke } from '../hub/spoke.ts'
import { HINTS } from './anthropic-messages/hints.ts'
import { INPUT, MessagesPartReader, readAnswer } from './anthropic-messages/read-answer.ts'
import { MessagesPartWriter, writeAnswer } from './anthropic-messages/write-answer.ts'
import { readRequest } from './anthropic-messages/read-request.ts'
import { writeRequest } from './anthropic-messages/write-request.ts'

/**
 * Anthropic's messages. What its fields are is taken from Anthropic's API reference and the types of @anthropic-ai/sdk 1.11
 * (`src/resources/messages/messages.ts` and `src/resources/beta/messages/messages.ts`).
 */
export const anthropicMessagesSpoke: Spoke = {
  wire: 'anthropic-messages',
  hints: HINTS,
  conversation: 'messages',
  // Anthropic takes names of 128 characters, others that speak this wire 64.
  can: { customTools: false, toolName: /^[a-zA-Z0-9_-]{1,64}$/ },
  callIds: { form: 'portable', mayRepeat: false, clientLimit: 64 },
  freeFields: {
    ofRequests: new Map([
      ['input', 'data'],
      ['input_schema', 'schema'],
      ['schema', 'schema'],
    ]),
    ofAnswers: INPUT,
  },
  readRequest,
  writeRequest,
  readAnswer,
  writeAnswer,
  openReader: () => new MessagesPartReader(),
  openWriter: (call) => new MessagesPartWriter(call),
}
