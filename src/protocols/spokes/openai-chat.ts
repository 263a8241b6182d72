import type { Spoke } from '../hub/spoke.ts'
import { HINTS } from './openai-chat/hints.ts'
import { ARGUMENTS, ChatPartReader, readAnswer } from './openai-chat/read-answer.ts'
import { ChatPartWriter } from './openai-chat/part-writer.ts'
import { readRequest } from './openai-chat/read-request.ts'
import { writeAnswer } from './openai-chat/write-answer.ts'
import { writeRequest } from './openai-chat/write-request.ts'

/**
 * Chat completions, of OpenAI and of every provider that speaks its wire. Custom tools are written as functions: OpenAI alone has
 * them here, and a function does the same everywhere.
 */
export const openaiChatSpoke: Spoke = {
  wire: 'openai-chat',
  hints: HINTS,
  conversation: 'messages',
  can: { customTools: false, toolName: /^[a-zA-Z0-9_-]{1,64}$/ },
  callIds: { form: 'shorter', mayRepeat: true, clientLimit: 40 },
  freeFields: {
    ofRequests: new Map([
      ['arguments', 'data'],
      ['parameters', 'schema'],
      ['schema', 'schema'],
    ]),
    ofAnswers: ARGUMENTS,
  },
  readRequest,
  writeRequest,
  readAnswer,
  writeAnswer,
  openReader: () => new ChatPartReader(),
  openWriter: (call) => new ChatPartWriter(call),
}
