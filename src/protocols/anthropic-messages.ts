import type { Fault } from '../core/faults.ts'
import type { TokenCounts } from '../core/tokens.ts'
import { anthropicError } from './fault-body.ts'
import { readingEitherForm, wholeInStream } from './forms/answer-forms.ts'
import { messagesForms } from './forms/messages-forms.ts'
import type { AnswerAbout, EarlyEnd, StreamingProtocol, StreamOptions, StreamReader } from './protocol.ts'
import { answerReader } from './reading/answer.ts'
import type { AnswerCalls } from './reading/answer-calls.ts'
import { failureIn, failureOfEvent, holdsContent, isSaid, NOTHING_CAME } from './reading/answer-failure.ts'
import { anthropicTerms } from './reading/answer-terms.ts'
import { readAnthropicUsage } from './reading/anthropic-usage.ts'
import { limitMessages } from './reading/output-limit.ts'
import { dropForeignThinking, keepingOwnReasoning, ownReasoningRefusal } from './hub/own-reasoning.ts'
import { readsRequests } from './reading/request-head.ts'
import { renameModel } from './reading/request-rewrite.ts'
import { flawOfStop, stopReasonOf } from './reading/stop-words.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'
import { boundInTools } from './reading/tool-bounds.ts'
import { fieldsOf } from './json/json-object.ts'
import { UsageTally } from './reading/usage-tally.ts'
import { AnswerPolicy } from './stream/answer-policy.ts'
import { madeUpId, reportedInput } from './stream/early-usage.ts'
import { fieldsOfEvent } from './stream/event-fields.ts'
import {
  EventStream,
  failed,
  PASS,
  type EventPolicy,
  type StreamShape,
  type EventAction,
} from './stream/event-stream.ts'
import type { ProducedText } from './stream/produced-text.ts'
import { jsonOf, namedEvent, type ServerEvent } from './reading/server-event.ts'

const readWhole = answerReader({
  countsOf: (usage) => countsOf(usage),
  output: 'content',
  text: { fields: ['text', 'thinking', 'input', 'name'] },
  isCut: { fields: ['stop_reason'], says: ([reason]) => reason === 'max_tokens' },
  termsOf: ({ usage }) => anthropicTerms(usage),
  addCalls: addUnreported,
  isNothingWithout: true,
  flawOf: ({ stop_reason: reason }, { passesUnknown }) => flawOfStop(reason, { passesUnknown }),
  isWithheld: ({ stop_reason: reason }) => stopReasonOf(reason) === 'filtered',
})

/** `POST /v1/messages`, and `POST /v1/messages/count_tokens`, whose requests are the same and whose answers are free. */
export const anthropicMessages: StreamingProtocol = {
  wire: 'anthropic-messages',
  streams: true,
  ...readsRequests({
    outputLimits: ['max_tokens'],
    // Warms the prompt cache and writes nothing (Anthropic, "Prompt caching": pre-warming the cache).
    takesNoOutput: true,
    stream: true,
    terms: true,
    conversation: 'anthropic-messages',
  }),
  rewriteRequest: keepingOwnReasoning(renameModel, dropForeignThinking),
  rewriteRefusal: ownReasoningRefusal,
  limitOutput: limitMessages,
  toolBounds: boundInTools('max_uses', new Set(['web_search', 'web_fetch'])),
  readAnswer: readingEitherForm(readWhole, { forms: messagesForms, open: openStream }),
  readError: readErrorAnswer,
  takesEitherForm: true,
  openStream,
}

function openStream(options: StreamOptions): StreamReader {
  return new EventStream(STREAM, new MessagesPolicy(options))
}

const STREAM: StreamShape = {
  whole: wholeInStream(messagesForms, readWhole),
  style: { kind: 'named', types: /^(?:message_|content_block_|ping$|error$)/ },
  marker: /block_st|"message_|error/g,
  sign: /"message_|"content_block_st(?:art|op)"|"error"|event: ?error/,
  // `content` is the summary that a compaction writes. What a citation cites was not written by the model.
  text: { fields: ['text', 'thinking', 'partial_json', 'content'], thinking: /"(?:redacted_)?thinking(?:_delta)?"/ },
  // Blocks of tools that it runs by itself, also those that code of the model called, and summaries (@anthropic-ai/sdk 1.11, `BetaContentBlock`).
  calling: /"type":[ \t]*"(?:server_tool_use|mcp_tool_use|\w+_tool_result|compaction\w*|fallback\w*|advisor\w*)"/,
  stopping: /"content_block_stop"|"stop_reason":[ \t]*"/,
}

class MessagesPolicy extends AnswerPolicy implements EventPolicy {
  /** Indexes of the content blocks that are open; one at a time, unless an upstream mixes them. */
  readonly #open = new Set<number>()
  #hasBegun = false
  /** An event of a message came, be it not its first. */
  #isUnderWay = false
  #hasEnded = false
  #hasStopReason = false

  constructor(about: AnswerAbout) {
    super(about, { inputIncludesCache: false })
  }

  /** Whether every event is read: until a message begins, anything may be a failure. */
  get seesAll(): boolean {
    return !this.#isUnderWay
  }

  /** A message that came to its end without a count of its output: what its start said was an interim one. */
  override get usage(): TokenCounts {
    const counts = super.usage
    return this.#hasEnded && !this.usageIsFinal ? { ...counts, output: null, reasoning: null } : counts
  }

  judge(event: ServerEvent, text: ProducedText): EventAction {
    if (this.#judgeBlock(event)) return PASS
    if (event.name === 'error') return failed(failureOfEvent(event))
    const fields = fieldsOf(jsonOf(event))
    const failure = failureIn(fields)
    if (failure !== null) return failed(failure)
    const type = fields['type'] ?? event.name
    if (type === 'message_stop') {
      this.#hasEnded = true
      return { kind: 'end' }
    }
    if (type === 'message_start') {
      this.#hasBegun = true
      this.#isUnderWay = true
      this.#add(fieldsOf(fields['message'])['usage'])
    }
    if (type === 'message_delta') {
      const { stop_reason: reason } = fieldsOf(fields['delta'])
      const flaw = flawOfStop(reason, { passesUnknown: this.passesUnknown })
      if (flaw !== null) return failed(flaw)
      this.#hasStopReason ||= typeof reason === 'string'
      this.isWithheld ||= stopReasonOf(reason) === 'filtered'
      this.usageIsFinal = this.#add(fields['usage']) || this.usageIsFinal
      if ((fieldsOf(fields['usage'])['server_tool_use'] ?? null) !== null) this.calls?.leaveOutReported()
      if (this.#hasStopReason && this.isNothing(text)) return failed(NOTHING_CAME)
    }
    return PASS
  }

  isFinished(): boolean {
    return this.#hasStopReason
  }

  keepAlive(): Buffer {
    return Buffer.from(namedEvent('ping'))
  }

  writeFault(fault: Fault, requestId: string): Buffer {
    return Buffer.from(namedEvent('error', anthropicError(fault, requestId)))
  }

  /** Tool calls end where they are, as Anthropic's own do at the limit; thinking lacks its signature then. */
  finishEarly(end: EarlyEnd): Buffer {
    const events = this.#hasBegun ? [] : [messageStart(end)]
    for (const index of this.#open) events.push(namedEvent('content_block_stop', { index }))
    if (!this.#hasStopReason) {
      // The input that was already reported to the client stays, unless that was nothing.
      const tell = end.inputTokens !== null && (reportedInput(this.usage) ?? 0) === 0
      const usage = { ...(tell ? { input_tokens: end.inputTokens } : {}), output_tokens: end.outputTokens }
      const delta = { stop_reason: 'max_tokens', stop_sequence: null }
      events.push(namedEvent('message_delta', { delta, usage }))
    }
    return Buffer.from([...events, namedEvent('message_stop')].join(''))
  }

  /** Whether the event begins or ends a block. It is scanned and not parsed: a block may begin with a whole search result. */
  #judgeBlock(event: ServerEvent): boolean {
    if (event.name !== null && !event.name.startsWith('content_block_st')) return false
    const fields = fieldsOfEvent(event, this.calls === null && this.hasContent ? BLOCK_FIELDS : WHOLE_BLOCK)
    if (fields === null) return false
    const [type, index] = [fields.get('type'), fields.get('index')]
    if (type !== 'content_block_start' && type !== 'content_block_stop') return false
    if (isSaid(fields.get('error'))) return false
    this.#isUnderWay = true
    if (type === 'content_block_start') {
      this.calls?.addBlock(fields.get('content_block'))
      this.hasContent ||= holdsContent(fields.get('content_block'))
    }
    if (typeof index !== 'number') return true
    if (type === 'content_block_stop') this.#open.delete(index)
    else if (this.#open.size < OPEN_BLOCKS_LIMIT) this.#open.add(index)
    return true
  }

  /** Whether the output was among what was reported. */
  #add(usage: unknown): boolean {
    const report = readAnthropicUsage(usage)
    this.report(report, anthropicTerms(usage))
    return (report?.output ?? null) !== null
  }
}

const BLOCK_FIELDS = new Set(['type', 'index', 'error'])
const WHOLE_BLOCK = new Set([...BLOCK_FIELDS, 'content_block'])
/** More than any upstream has open at once. */
const OPEN_BLOCKS_LIMIT = 64

function messageStart({ requestId, model, inputTokens }: EarlyEnd): string {
  // This wire has to name the input here; it is an interim count, as the output is.
  const usage = { input_tokens: inputTokens ?? 0, output_tokens: 0 }
  const stop = { stop_reason: null, stop_sequence: null }
  const id = madeUpId('msg_', requestId)
  const message = { id, type: 'message', role: 'assistant', model, content: [], ...stop, usage }
  return namedEvent('message_start', { message })
}

/** A whole answer's usage reports its searches and fetches, and leaves out those that failed. */
function addUnreported(content: unknown, calls: AnswerCalls): void {
  if (!Array.isArray(content)) return
  for (const block of content) calls.addBlock(block)
  calls.leaveOutReported()
}

function countsOf(usage: unknown): TokenCounts {
  const tally = new UsageTally({ inputIncludesCache: false })
  tally.add(readAnthropicUsage(usage))
  return tally.counts
}
