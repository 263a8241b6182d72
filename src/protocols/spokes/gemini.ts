import type { Spoke } from '../hub/spoke.ts'
import { FREE_FIELDS } from './gemini/camel-names.ts'
import { HINTS } from './gemini/hints.ts'
import { ARGS, GeminiPartReader, readAnswer } from './gemini/read-answer.ts'
import { GeminiPartWriter, writeAnswer } from './gemini/write-answer.ts'
import { readRequest } from './gemini/read-request.ts'
import { writeRequest } from './gemini/write-request.ts'

/**
 * Google's `generateContent` and `streamGenerateContent`, as the API reference at ai.google.dev and the types of
 * googleapis/js-genai (3.1, `src/types.ts`) have them. Both kinds of its field names are read, camel case is written.
 */
export const geminiSpoke: Spoke = {
  wire: 'gemini',
  hints: HINTS,
  conversation: 'contents',
  can: {
    customTools: false,
    // Google takes dots and colons as well, and more characters; older models do not.
    toolName: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
  },
  callIds: { form: 'any', mayRepeat: true, clientLimit: 64 },
  freeFields: { ofRequests: FREE_FIELDS, ofAnswers: ARGS },
  readRequest,
  writeRequest,
  readAnswer,
  writeAnswer,
  openReader: () => new GeminiPartReader(),
  openWriter: (call) => new GeminiPartWriter(call),
}
