import type { Fault } from '../core/faults.ts'
import type { ServiceTerms } from '../core/terms.ts'
import { tierNamed } from '../core/terms.ts'
import { readingEitherForm, wholeInStream } from './forms/answer-forms.ts'
import { converseForms } from './forms/converse-forms.ts'
import { JsonFlaw } from './json/json-bytes.ts'
import { fieldsOf } from './json/json-object.ts'
import type { Answer, AnswerAbout, StreamingProtocol, StreamOptions, StreamReader, UpstreamError } from './protocol.ts'
import { collectText, readFields, type TextFields } from './reading/answer.ts'
import { failureIn, failureOfEvent, holdsContent, isAnyUsed, NOTHING_CAME } from './reading/answer-failure.ts'
import { converseEventOf } from './reading/converse-events.ts'
import { readConverseUsage } from './reading/converse-usage.ts'
import { bothWays, invalid } from './reading/request-head.ts'
import { jsonOf, type ServerEvent } from './reading/server-event.ts'
import { flawOfStop, stopReasonOf } from './reading/stop-words.ts'
import { errorJson, readErrorAnswer, readErrorObject } from './reading/upstream-error.ts'
import { UsageTally } from './reading/usage-tally.ts'
import { AnswerPolicy } from './stream/answer-policy.ts'
import {
  EventStream,
  failed,
  PASS,
  type EventAction,
  type EventPolicy,
  type StreamShape,
} from './stream/event-stream.ts'
import type { ProducedText } from './stream/produced-text.ts'

/** Parts of an answer: text and thoughts, and calls of tools. */
const TEXT: TextFields = { fields: ['text', 'name', 'input'] }

/**
 * Amazon Bedrock's `POST /model/{id}/converse` and `/converse-stream`, which upstreams alone speak. Streams come as the dialect
 * hands them on: an event of each frame, named by its event type, with the payload as data (`upstreams/dialects/bedrock/`).
 */
export const bedrockConverse: StreamingProtocol = {
  wire: 'bedrock-converse',
  streams: true,
  ...bothWays(() => {
    throw invalid('No client sends requests in this protocol.')
  }),
  rewriteRequest: (body) => [body],
  pathOf: (model, asks) => `/model/${encodeURIComponent(model)}/${METHODS[asks]}`,
  readAnswer: readingEitherForm(readWhole, { forms: converseForms, open: openStream }),
  readError: readConverseError,
  takesEitherForm: true,
  openStream,
}

const METHODS = { whole: 'converse', stream: 'converse-stream', count_tokens: 'count-tokens' } as const

function openStream(options: StreamOptions): StreamReader {
  return new EventStream(STREAM, new ConversePolicy(options))
}

const ANSWER_FIELDS: ReadonlySet<string> = new Set([
  'usage',
  'stopReason',
  'serviceTier',
  'error',
  'type',
  'object',
  'base_resp',
  'message',
  'detail',
])

function readWhole(body: Buffer, about?: AnswerAbout): Answer {
  const fields = readFields(body, ANSWER_FIELDS)
  if (fields instanceof JsonFlaw) return { kind: 'malformed', why: fields.message }
  const tally = new UsageTally({ inputIncludesCache: false })
  tally.add(readConverseUsage(fields.get('usage')))
  const usage = tally.counts
  const reason = fields.get('stopReason')
  const terms = termsOf(fields.get('serviceTier'))
  const producedText = (): string => collectText(contentIn(body), TEXT)
  const said = Object.fromEntries(fields)
  const error = failureIn(said) ?? flawOfStop(reason, { passesUnknown: about?.isTranslated !== true })
  if (error !== null) return { kind: 'failed', usage, error, producedText }
  const isWithheld = stopReasonOf(reason) === 'filtered'
  if (!isAnyUsed(usage) && !isWithheld && !holdsContent(contentIn(body))) {
    const refusal = readErrorObject(said)
    if (refusal.message === null) return { kind: 'malformed', why: 'it has neither an answer nor usage' }
    return { kind: 'failed', usage, error: refusal, producedText }
  }
  const isCut = (): boolean => stopReasonOf(reason) === 'length'
  return { kind: 'answer', usage, producedText, isCut, ...(terms === null ? {} : { terms }) }
}

function contentIn(body: Buffer): unknown {
  const fields = readFields(body, new Set(['output']))
  return fields instanceof JsonFlaw ? undefined : fieldsOf(fieldsOf(fields.get('output'))['message'])['content']
}

/** The class of service of an answer (`ServiceTier` of the SDK); null: it names none. */
function termsOf(serviceTier: unknown): ServiceTerms | null {
  const tier = tierNamed(fieldsOf(serviceTier)['type'])
  return tier === null ? null : { tier, geo: null }
}

/** AWS names the exception in `__type`, perhaps behind a namespace, where a header does not. */
function readConverseError(body: Buffer): UpstreamError {
  const error = readErrorAnswer(body)
  const { __type: named } = fieldsOf(errorJson(body))
  const type = typeof named === 'string' ? (/([A-Za-z]{1,64})$/.exec(named)?.[1] ?? null) : null
  return error.type === null && type !== null ? { ...error, type } : error
}

const STREAM: StreamShape = {
  whole: wholeInStream(converseForms, readWhole),
  // Nothing of it goes to a client as it is, so no event needs a name that it lacks.
  marker: /BlockSt|messageS|metadata|stopReas|"usage|xception|error/g,
  sign: /event: ?(?:contentBlockSt|messageS|metadata|\w*Exception|error)|"(?:stopReason|usage|start|error)"/,
  text: { fields: ['text', 'input'], thinking: /"reasoningContent"/ },
  // Tools that Bedrock runs by itself (`ToolUseType` of the SDK).
  calling: /"type":[ \t]*"server_tool_use"/,
  stopping: /event: ?(?:contentBlockStop|messageStop)|"stopReason":[ \t]*"/,
}

/** Rules of a wire whose usage comes behind the end of its message: the stream ends where both have come. */
class ConversePolicy extends AnswerPolicy implements EventPolicy {
  #hasBegun = false
  #hasStopReason = false

  constructor(about: AnswerAbout) {
    super(about, { inputIncludesCache: false })
  }

  /** Whether every event is read: until a message begins, anything may be a failure. */
  get seesAll(): boolean {
    return !this.#hasBegun
  }

  judge(event: ServerEvent, text: ProducedText): EventAction {
    const fields = fieldsOf(jsonOf(event))
    const kind = converseEventOf(event.name, (field) => Object.hasOwn(fields, field))
    if (kind === 'exception') return failed(exceptionOf(event))
    const failure = failureIn(fields)
    if (failure !== null) return failed(failure)
    switch (kind) {
      case 'messageStart':
      case 'contentBlockDelta':
      case 'contentBlockStop':
        this.#hasBegun = true
        return PASS
      case 'contentBlockStart':
        this.hasContent ||= holdsContent(fields['start'])
        this.#hasBegun = true
        return PASS
      case 'messageStop':
        return this.#stop(fields['stopReason'], text)
      case 'metadata':
        this.report(readConverseUsage(fields['usage']), termsOf(fields['serviceTier']))
        this.usageIsFinal ||= this.usage.output !== null
        return this.#endOr(text)
      case null:
        return PASS
    }
  }

  get hasStopped(): boolean {
    return this.#hasStopReason
  }

  isFinished(): boolean {
    return this.#hasStopReason
  }

  keepAlive(): Buffer {
    return KEEP_ALIVE
  }

  writeFault(fault: Fault): Buffer {
    return eventOf('internalServerException', { message: fault.message })
  }

  /** No client reads this wire: a stream that is ended early is ended in the client's own. */
  finishEarly(): Buffer {
    return NO_EVENTS
  }

  #stop(reason: unknown, text: ProducedText): EventAction {
    const flaw = flawOfStop(reason, { passesUnknown: this.passesUnknown })
    if (flaw !== null) return failed(flaw)
    this.#hasBegun = true
    this.#hasStopReason = true
    this.isWithheld ||= stopReasonOf(reason) === 'filtered'
    return this.#endOr(text)
  }

  /** Usage alone does not end it, wherever it stands (anomalyco/opencode #46065), nor does an end without it while more may come. */
  #endOr(text: ProducedText): EventAction {
    if (!this.#hasStopReason || !this.usageIsFinal) return PASS
    return this.isNothing(text) ? failed(NOTHING_CAME) : { kind: 'end' }
  }
}

const NO_EVENTS = Buffer.alloc(0)
const KEEP_ALIVE = Buffer.from(': keep-alive\n\n')

/** The name of an exception is its type; its data has the words, and those of the model's own server beside them. */
function exceptionOf(event: ServerEvent): UpstreamError {
  const error = failureOfEvent(event)
  const { originalMessage } = fieldsOf(jsonOf(event))
  const said = error.message ?? (typeof originalMessage === 'string' ? readErrorObject(originalMessage).message : null)
  return { ...error, message: said, type: event.name === 'error' ? error.type : event.name }
}

function eventOf(name: string, data: object): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}
