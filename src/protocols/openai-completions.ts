import type { TokenCounts } from '../core/tokens.ts'
import type { StreamingProtocol, RequestHead } from './protocol.ts'
import { openaiTerms } from './reading/answer-terms.ts'
import { allEnded, answerReader, readFields, type TextFields } from './reading/answer.ts'
import { flawOfChoices, isAnyWithheld, mayHaveFlaw } from './reading/choice-flaws.ts'
import { JsonFlaw } from './reading/json-scan.ts'
import { limitAtTop } from './reading/output-limit.ts'
import { readOpenaiUsage } from './reading/openai-usage.ts'
import { CHOICES_LIMIT, requestReader } from './reading/request-head.ts'
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
  readRequest,
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

const SEVERAL = new Set(['prompt', 'best_of'])

/** A list of prompts gets an answer to each, and of `best_of` answers all are written and billed. */
function readRequest(body: Buffer): RequestHead {
  const head = readHead(body)
  const fields = readFields(body, SEVERAL)
  if (fields instanceof JsonFlaw) return head
  const [prompt, best] = [fields.get('prompt'), fields.get('best_of')]
  // A list of numbers, and of nothing else, is one prompt, as tokens.
  const isOne = !Array.isArray(prompt) || prompt.every((each) => typeof each === 'number')
  const prompts = isOne ? 1 : prompt.length
  const answers =
    typeof best === 'number' && best > head.choices ? Math.min(Math.floor(best), CHOICES_LIMIT) : head.choices
  return { ...head, choices: Math.min(prompts, PROMPTS_LIMIT) * answers }
}

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
