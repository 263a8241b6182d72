import type { Spoke } from '../hub/spoke.ts'
import { HINTS } from './gemini/hints.ts'
import { GeminiPartReader } from './gemini/part-reader.ts'
import { GeminiPartWriter } from './gemini/part-writer.ts'
import { readAnswer } from './gemini/read-answer.ts'
import { readRequest } from './gemini/read-request.ts'
import { writeAnswer } from './gemini/write-answer.ts'
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
  readRequest,
  writeRequest,
  readAnswer,
  writeAnswer,
  openReader: (requestId) => new GeminiPartReader(requestId),
  openWriter: (call) => new GeminiPartWriter(call),
}
