import type { Steps } from '../core/turns.ts'
import type { RequestHead, StreamingProtocol } from './protocol.ts'
import { bothWays, CHOICES_LIMIT, parsed, requestReader } from './reading/request-head.ts'
import { answerReader } from './reading/answer.ts'
import { CHOICES } from './reading/choice-flaws.ts'
import { limitAtTop } from './reading/output-limit.ts'
import { listEntries } from './json/list-entries.ts'
import { renameModelAndAskForUsage } from './reading/request-rewrite.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'
import { EventStream, type StreamShape } from './stream/event-stream.ts'
import { type ChunkForm, ChunkPolicy, CHUNKS, FINISHED } from './stream/chunk-policy.ts'

const readHead = requestReader({
  outputLimits: ['max_tokens'],
  // With `echo`, to have the prompt's own probabilities (OpenAI's API reference, "Create completion": minimum 0).
  takesNoOutput: true,
  stream: true,
  chatFields: true,
  tokenIds: 'prompt',
  alsoOnce: ['best_of'],
  terms: true,
})

/** `POST /v1/completions`: text that goes on where the prompt ends. */
export const openaiCompletions: StreamingProtocol = {
  wire: 'openai-completions',
  streams: true,
  usageIsAskedFor: true,
  ...bothWays(readRequest),
  rewriteRequest: renameModelAndAskForUsage,
  limitOutput: limitAtTop(['max_tokens'], () => 'max_tokens'),
  readAnswer: answerReader({ ...CHOICES, text: { fields: ['text'] } }),
  readError: readErrorAnswer,
  openStream: (options) => new EventStream(STREAM, new ChunkPolicy(FORM, options)),
}

/** A list of prompts gets an answer to each, and of `best_of` answers all are written and billed. */
function* readRequest(body: Buffer): Steps<RequestHead> {
  const { head, fields } = yield* readHead(body)
  const [prompt, bestPlace] = [fields.get('prompt'), fields.get('best_of')]
  const best = bestPlace === undefined ? undefined : parsed(body, bestPlace)
  const isList = prompt !== undefined && body[prompt.start] === OPEN_BRACKET
  const { count, areNumbers } = isList ? yield* listEntries(body, prompt, PROMPTS_LIMIT) : ONE
  // A list of numbers, and of nothing else, is one prompt, as tokens.
  const prompts = areNumbers ? 1 : count
  const answers =
    typeof best === 'number' && best > head.choices ? Math.min(Math.floor(best), CHOICES_LIMIT) : head.choices
  return { ...head, choices: prompts * answers }
}

const OPEN_BRACKET = 0x5b
const ONE = { count: 1, areNumbers: false }

/** No upstream is known to take more at once. */
const PROMPTS_LIMIT = 2_048

const STREAM: StreamShape = {
  ...CHUNKS,
  // Each piece of text is the value of `text` itself.
  text: { fields: [], delta: 'text', finish: FINISHED },
}

const FORM: ChunkForm = {
  object: 'text_completion',
  idPrefix: 'cmpl-',
  emptyChoice: (index, { finishReason }) => ({ text: '', index, logprobs: null, finish_reason: finishReason }),
}
