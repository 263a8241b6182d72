import { factsOf } from '../models/table.ts'
import { readingEitherForm, wholeInStream } from './forms/answer-forms.ts'
import { chatForms } from './forms/chat-forms.ts'
import type { RequestHead, StreamingProtocol, StreamOptions, StreamReader } from './protocol.ts'
import { answerReader, type TextFields } from './reading/answer.ts'
import type { AnswerCalls } from './reading/answer-calls.ts'
import { CHOICES } from './reading/choice-flaws.ts'
import { limitAtTop } from './reading/output-limit.ts'
import { readsRequests } from './reading/request-head.ts'
import { renameModelAndAskForUsage } from './reading/request-rewrite.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'
import { fieldsOf, listOf } from './json/json-object.ts'
import { EventStream, type StreamShape } from './stream/event-stream.ts'
import { type ChunkForm, ChunkPolicy, CHUNKS, FINISHED } from './stream/chunk-policy.ts'
import type { ModelFacts } from '../models/facts.ts'

/** Upstreams send reasoning under several of these names at once. */
const REASONING = ['reasoning_content', 'reasoning', 'text', 'summary', 'thinking']

/**
 * What the model writes, in messages and deltas alike: the text of parts of a content (Mistral), calls of functions and of
 * custom tools, what was said in sound, and reasoning (OpenRouter's `reasoning_details` have `text` or `summary`,
 * LiteLLM's `thinking_blocks` have `thinking`).
 */
const TEXT: TextFields = {
  fields: ['content', 'refusal', 'transcript', 'arguments', 'input', 'name', ...REASONING],
  twins: REASONING,
}

const readWhole = answerReader({ ...CHOICES, text: TEXT, addCalls: addMessages })

/** `POST /v1/chat/completions`, of OpenAI and of every provider that speaks it. */
export const openaiChat: StreamingProtocol = {
  wire: 'openai-chat',
  streams: true,
  usageIsAskedFor: true,
  ...readsRequests({
    outputLimits: ['max_completion_tokens', 'max_tokens'],
    stream: true,
    chatFields: true,
    terms: true,
    conversation: 'openai-chat',
  }),
  rewriteRequest: renameModelAndAskForUsage,
  // As where a request is translated: see `spokes/openai-chat/write-request.ts`.
  limitOutput: limitAtTop(
    ['max_completion_tokens', 'max_tokens'],
    (model) => factsOf(model, 'openai-chat').limit_field,
  ),
  isRefusedBy: isRefusedAtChat,
  readAnswer: readingEitherForm(readWhole, { forms: chatForms, open: openStream }),
  readError: readErrorAnswer,
  takesEitherForm: true,
  openStream,
}

function openStream(options: StreamOptions): StreamReader {
  return new EventStream(options.countsCalls === true ? STREAM_WITH_CALLS : STREAM, new ChunkPolicy(FORM, options))
}

const STREAM: StreamShape = {
  whole: wholeInStream(chatForms, readWhole),
  ...CHUNKS,
  text: {
    ...TEXT,
    finish: FINISHED,
    thinking: /"(?:reasoning(?:_content|_details)?|thinking(?:_blocks)?)":[ \t]*["[{][^"\]}]/,
  },
}

/** Sees the sources and the tools, too. */
const STREAM_WITH_CALLS: StreamShape = {
  ...STREAM,
  marker: /_tokens"|\[DONE\]|error|reason":[ \t]*"[^"]|se_resp"|annotations"|executed_tools"/g,
  sign: /_(?:tokens|resp)"|\[DONE\]|"error"|event: ?error|finish_reason":[ \t]*"[^"]|^data: ?[^\s{[]|"(?:annotations|executed_tools)"/m,
}

function addMessages(choices: unknown, calls: AnswerCalls): void {
  for (const choice of listOf(choices)) calls.addMessage(fieldsOf(choice)['message'])
}

/** An empty delta: some clients' timers do not see comments, and all accept it even as the first. */
const FORM: ChunkForm = {
  object: 'chat.completion.chunk',
  idPrefix: 'chatcmpl-',
  emptyChoice: (index, { isBegun, finishReason }) => {
    const delta = isBegun ? {} : { role: 'assistant', content: '' }
    return { index, delta, ...(finishReason === null ? {} : { logprobs: null }), finish_reason: finishReason }
  },
}

const OPEN_BRACKET = 0x5b
const NONE = '"none"'
const SHORT = 16

/**
 * Whether a model with these facts refuses a request for a chat completion for its tools, which it takes by responses: OpenAI's
 * from GPT-5.4 on beside reasoning, some always.
 */
function isRefusedAtChat(
  { chat_tools: tools, reasons_unasked: reasonsUnasked }: ModelFacts,
  body: Buffer,
  { conversation: fields }: RequestHead,
): boolean {
  if (tools === 'taken') return false
  const [listed, effort] = [fields?.get('tools'), fields?.get('reasoning_effort')]
  if (listed === undefined || body[listed.start] !== OPEN_BRACKET) return false
  if (tools === 'refused') return true
  const said =
    effort === undefined ? 'null' : body.toString('latin1', effort.start, Math.min(effort.end, effort.start + SHORT))
  return said === 'null' ? reasonsUnasked : said !== NONE
}
