import type { Steps } from '../core/turns.ts'
import type { TokenCounts } from '../core/tokens.ts'
import type { StreamingProtocol, RequestHead } from './protocol.ts'
import { bothWays } from './reading/both-ways.ts'
import { openaiTerms } from './reading/answer-terms.ts'
import { allEnded, answerReader, type TextFields } from './reading/answer.ts'
import { flawOfChoices, isAnyWithheld, mayHaveFlaw } from './reading/choice-flaws.ts'
import { limitAtTop } from './reading/output-limit.ts'
import { readOpenaiUsage } from './reading/openai-usage.ts'
import { listEntries } from './json/list-entries.ts'
import { CHOICES_LIMIT, parsed, requestReader } from './reading/request-head.ts'
import { renameModelAndAskForUsage } from './reading/request-rewrite.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'
import { UsageTally } from './reading/usage-tally.ts'
import { EventStream, type StreamShape } from './stream/event-stream.ts'
import { type ChunkForm, ChunkPolicy } from './stream/chunk-policy.ts'

const TEXT: TextFields = { fields: ['text'] }

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
  readAnswer: answerReader({
    countsOf: (usage) => countsOf(usage),
    output: 'choices',
    isNothingWithout: true,
    hasEntryForEach: true,
    text: TEXT,
    isCut: { fields: ['choices'], says: ([choices]) => allEnded(choices, 'finish_reason', 'length') },
    termsOf: openaiTerms,
    flawOf: (_, { body, output }) => (mayHaveFlaw(body) ? flawOfChoices(output()) : null),
    isWithheld: (_, output) => isAnyWithheld(output()),
  }),
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
  marker: /_tokens"|\[DONE\]|error|reason":[ \t]*"[^"]|se_resp"/g,
  sign: /_(?:tokens|resp)"|\[DONE\]|"error"|event: ?error|finish_reason":[ \t]*"[^"]|^data: ?[^\s{[]/m,
  // Each piece of text is the value of `text` itself.
  text: { fields: [], delta: 'text', finish: /finish_reason":[ \t]*"[^"]/ },
}

const FORM: ChunkForm = {
  object: 'text_completion',
  idPrefix: 'cmpl-',
  emptyChoice: (index, { finishReason }) => ({ text: '', index, logprobs: null, finish_reason: finishReason }),
}

function countsOf(usage: unknown): TokenCounts {
  const tally = new UsageTally({ inputIncludesCache: true })
  tally.add(readOpenaiUsage(usage))
  return tally.counts
}
