import type { Fault } from '../core/faults.ts'
import { STORED_ITEMS_LIMIT, STORED_RESPONSE_ID_CHARACTERS } from '../core/limits.ts'
import { openaiError } from './fault-body.ts'
import { fieldsOf, listOf } from './json/json-object.ts'
import { readingEitherForm, wholeInStream } from './forms/answer-forms.ts'
import { responsesForms } from './forms/responses-forms.ts'
import type {
  AnswerAbout,
  EarlyEnd,
  StoredAnswer,
  StreamingProtocol,
  StreamOptions,
  StreamReader,
  UpstreamError,
} from './protocol.ts'
import {
  type AnswerFields,
  answerReader,
  collectText,
  readFields,
  type StoredFields,
  type TextFields,
} from './reading/answer.ts'
import type { AnswerCalls } from './reading/answer-calls.ts'
import { failureIn, failureOfEvent, holdsContent, isAnyUsed, isSaid } from './reading/answer-failure.ts'
import { openaiTerms } from './reading/answer-terms.ts'
import { JsonFlaw } from './json/json-bytes.ts'
import { fieldsIn } from './json/json-scan.ts'
import { limitAtTop } from './reading/output-limit.ts'
import { openaiCounts, readOpenaiUsage } from './reading/openai-usage.ts'
import { dropForeignItems, keepingOwnReasoning, ownReasoningRefusal } from './hub/own-reasoning.ts'
import { readsRequests } from './reading/request-head.ts'
import { renameModel } from './reading/request-rewrite.ts'
import { flawOfStop, stopReasonOf } from './reading/stop-words.ts'
import { readErrorAnswer, readErrorObject } from './reading/upstream-error.ts'
import { boundAtTop } from './reading/tool-bounds.ts'
import { AnswerPolicy } from './stream/answer-policy.ts'
import {
  EventStream,
  failed,
  PASS,
  type SoFar,
  type EventPolicy,
  type StreamShape,
  type EventAction,
} from './stream/event-stream.ts'
import { KEEP_ALIVE_COMMENT } from './stream/keep-alive-comment.ts'
import type { ProducedText } from './stream/produced-text.ts'
import { identityOf, incompleteResponse, inProgressResponse, repeatedFields } from './stream/response-object.ts'
import { addEvent, type Numbered } from './stream/responses-closing.ts'
import { ResponsesOutput } from './stream/responses-output.ts'
import { jsonOf, namedEvent, type ServerEvent } from './reading/server-event.ts'

/** What the model writes, in items of the output. Calls of shells have lists of commands, patches a diff. */
const TEXT: TextFields = {
  fields: ['text', 'refusal', 'arguments', 'input', 'code', 'command', 'commands', 'diff', 'query', 'queries', 'name'],
}

const readWhole = answerReader({
  countsOf: openaiCounts,
  output: 'output',
  text: TEXT,
  isCut: { fields: ['incomplete_details'], says: ([details]) => fieldsOf(details)['reason'] === 'max_output_tokens' },
  termsOf: openaiTerms,
  addCalls: addItems,
  pending: ({ status }) => isPending(status),
  storedAs: storedAnswer,
  isNothingWithout: true,
  flawOf: (fields, { passesUnknown }) => flawOfStop(endWordOf(fields), { passesUnknown }),
  isWithheld: (fields) => stopReasonOf(endWordOf(fields)) === 'filtered',
})

/** `POST /v1/responses`. */
export const openaiResponses: StreamingProtocol = {
  wire: 'openai-responses',
  streams: true,
  ...readsRequests({
    outputLimits: ['max_output_tokens'],
    stream: true,
    background: true,
    alsoOnce: ['max_tool_calls'],
    terms: true,
    conversation: 'openai-responses',
  }),
  rewriteRequest: keepingOwnReasoning(renameModel, dropForeignItems),
  rewriteRefusal: ownReasoningRefusal,
  limitOutput: limitAtTop(['max_output_tokens'], () => 'max_output_tokens'),
  toolBounds: boundAtTop('max_tool_calls'),
  readAnswer: readingEitherForm(readWhole, { forms: responsesForms, open: openStream }),
  readError: readErrorAnswer,
  takesEitherForm: true,
  openStream,
}

function openStream(options: StreamOptions): StreamReader {
  return new EventStream(STREAM, new ResponsesPolicy(options))
}

/**
 * Items of an output that the upstream makes by itself and reads in again: its calls, lists of tools of MCP servers, compactions
 * (openai-node 7.55, `ResponseOutputItem`). Calls that the client has to answer are none.
 */
const CALLED_BY_UPSTREAM =
  /"type":[ \t]*"(?!function_|custom_tool_|computer_|local_shell_|apply_patch_)(?:\w+_call(?:_output)?|mcp_\w+|compaction\w*|program\w*)"/

const STREAM: StreamShape = {
  whole: wholeInStream(responsesForms, readWhole),
  // Everything but deltas: they are most of a stream, and all else is rare.
  marker: /"response\.(?!\w+\.delta")|error/g,
  sign: /"response\.(?:created|completed|incomplete|failed|[a-z_.]*\.(?:added|done))"|"error"|event: ?error/,
  stopping: /"response\.(?:output_text|output_item|content_part|[a-z_]+_arguments)\.done"/,
  calling: CALLED_BY_UPSTREAM,
  // A delta is a string of text, of whatever kind, at every upstream that is known; as an object it is like an item.
  text: { ...TEXT, thinking: /"type":[ \t]*"reasoning"|"response\.reasoning/ },
}

class ResponsesPolicy extends AnswerPolicy implements EventPolicy {
  readonly #output = new ResponsesOutput()
  /** The fields of `response.created` that every later event about the response repeats, as raw JSON. */
  #created: ReadonlyMap<string, string> | null = null
  /** An event of a response came. */
  #isUnderWay = false
  storedAs: StoredAnswer | null = null
  textOfEnd = ''

  constructor(about: AnswerAbout) {
    super(about, { inputIncludesCache: true })
  }

  /** Whether every event is read: until a response begins, anything may be a failure. */
  get seesAll(): boolean {
    return !this.#isUnderWay || this.#output.isMixed
  }

  judge(event: ServerEvent, text: ProducedText): EventAction {
    const type = typeOf(event)
    if (type === 'error' || type === 'response.error') return failed(failureOfEvent(event))
    if (typeof type === 'string' && type.startsWith('response.')) this.#isUnderWay = true
    else {
      const failure = failureIn(fieldsOf(jsonOf(event)))
      return failure === null ? PASS : failed(failure)
    }
    if (type === 'response.created') this.#created = repeatedFields(responseOf(event))
    else if (OUTPUT_EVENT.test(type)) this.#output.take(type, event.data, text)
    if (type === 'response.output_item.added' || type === 'response.output_item.done') this.#countItem(event)
    if (!ENDS.has(type)) return PASS
    const fields = fieldsInResponse(event, AT_END)
    // Not JSON, so no client can read it as an end either.
    if (fields === null) return PASS
    const usage = readOpenaiUsage(fields.get('usage'))
    this.report(usage, openaiTerms({ service_tier: fields.get('service_tier') }))
    if (this.calls !== null) addItems(outputOf(event), this.calls)
    this.usageIsFinal = (usage?.output ?? null) !== null
    if (usage === null) this.textOfEnd = textOf(event)
    const isEmpty = usage === null && this.textOfEnd === '' && text.bytes === 0
    if (isEmpty && isPending(fields.get('status'))) return failed(NEVER_CAME)
    const word = endWordOf({ status: fields.get('status'), incomplete_details: fields.get('incomplete_details') })
    this.isWithheld = stopReasonOf(word) === 'filtered'
    // Looked at where no usage is above zero.
    this.hasContent = !isAnyUsed(this.usage) && holdsContent(outputOf(event))
    const flaw = isSaid(fields.get('error'))
      ? readErrorObject({ error: fields.get('error') })
      : flawOfStop(word, { passesUnknown: this.passesUnknown })
    if (flaw !== null) return failed(flaw)
    if (type === 'response.failed' || type === 'response.cancelled') return failed(readErrorObject({}))
    const ids = { id: fields.get('id'), store: fields.get('store') }
    this.storedAs = storedAnswer(ids, () => outputOf(event))
    return { kind: 'end' }
  }

  override isNothing(text: ProducedText): boolean {
    return super.isNothing(text) && this.textOfEnd === ''
  }

  /**
   * Allowed only behind `response.created`; OpenAI's helpers break on any event before it, and skip comments. It takes the number of the
   * event before it, as the next number belongs to an event that is still to come.
   */
  keepAlive(last: string): Buffer {
    if (this.#created === null) return Buffer.from(KEEP_ALIVE_COMMENT)
    return Buffer.from(namedEvent('keepalive', { sequence_number: Math.max(0, lastSequenceNumber(last)) }))
  }

  writeFault(fault: Fault, requestId: string, last: string): Buffer {
    const { error } = openaiError(fault, requestId)
    const sequence = lastSequenceNumber(last) + 1
    if (this.#created === null) {
      const { code, message, param } = error
      return Buffer.from(namedEvent('error', { code, message, param, sequence_number: sequence }))
    }
    const failure = { error: { code: error.code, message: error.message }, usage: null, output: [] }
    const response = { ...identityOf(this.#created), object: 'response', status: 'failed', ...failure }
    return Buffer.from(namedEvent('response.failed', { response, sequence_number: sequence }))
  }

  finishEarly(end: EarlyEnd, { last, text }: SoFar): Buffer {
    const numbered: Numbered = { events: [], next: lastSequenceNumber(last) + 1 }
    if (this.#created === null) addEvent(numbered, 'response.created', { response: inProgressResponse(end) })
    const output = this.#output.close(text, numbered)
    const type = 'response.incomplete'
    const response = incompleteResponse(end, { created: this.#created, output, reported: this.usage })
    const data = `{"type":"${type}","sequence_number":${numbered.next},"response":${response}}`
    return Buffer.concat([...numbered.events, Buffer.from(`event: ${type}\ndata: ${data}\n\n`)])
  }

  #countItem(event: ServerEvent): void {
    if (this.calls === null) return
    const { item, output_index: index } = fieldsOf(jsonOf(event))
    this.calls.addItem(item, `item ${String(index)}`)
  }
}

/** The events that end a response, whatever became of it. */
const ENDS: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])

/** The word for the end of a response with these fields; undefined where it is whole, or not at its end. */
function endWordOf({
  status,
  incomplete_details: details,
}: Pick<AnswerFields, 'status' | 'incomplete_details'>): unknown {
  if (status === 'incomplete') return fieldsOf(details)['reason']
  return status === 'completed' || isPending(status) ? undefined : status
}

/** The answer would come later, in the background, where its cost could not be counted. */
function isPending(status: unknown): boolean {
  return status === 'queued' || status === 'in_progress'
}

/** Where nothing is said of it, a response is stored, as it is at OpenAI. */
function storedAnswer({ id, store }: StoredFields, output: () => unknown): StoredAnswer | null {
  if (!isStoredId(id) || store === false) return null
  const ids = listOf(output())
    .map((item) => fieldsOf(item)['id'])
    .filter(isStoredId)
  return { id, items: ids.slice(0, STORED_ITEMS_LIMIT) }
}

function isStoredId(id: unknown): id is string {
  return typeof id === 'string' && STORED_ID.test(id)
}

const STORED_ID = new RegExp(`^[\\w-]{1,${STORED_RESPONSE_ID_CHARACTERS}}$`)

const NEVER_CAME: UpstreamError = {
  message: 'The model put the request into a queue and gave no answer. Try again.',
  type: null,
  code: null,
  param: null,
}

/** Events of the output, except those about progress only. */
const OUTPUT_EVENT = /^response\..+\.(?:added|done|delta)$/
const TYPE = new Set(['type'])
const RESPONSE = new Set(['response'])
const AT_END = new Set(['usage', 'error', 'status', 'incomplete_details', 'id', 'store', 'service_tier'])
const OUTPUT = new Set(['output'])
const NOWHERE = { start: 0, end: 0 }

/** The type, which stands in both places; taken from the `event:` line where it is a type, since the data may be long. */
function typeOf(event: ServerEvent): unknown {
  if (event.name === 'error' || event.name?.startsWith('response.')) return event.name
  const fields = readFields(event.data, TYPE)
  if (!(fields instanceof JsonFlaw)) return fields.get('type')
  return fieldsOf(jsonOf(event))['type']
}

/**
 * The `response` object in an event, as bytes and not parsed: it repeats the instructions and tools of the request and
 * is often 100 KB, of which a few small fields matter here. Empty when there is none.
 */
function responseOf(event: ServerEvent): Buffer {
  const { start, end } = fieldsIn(event.data, RESPONSE)?.get('response') ?? NOWHERE
  return event.data.subarray(start, end)
}

/** The wanted fields of the `response` in an event; null where it is not JSON. */
function fieldsInResponse(event: ServerEvent, wanted: ReadonlySet<string>): ReadonlyMap<string, unknown> | null {
  const fields = readFields(responseOf(event), wanted)
  if (!(fields instanceof JsonFlaw)) return fields
  // Deeper than a scan goes, or with more keys: clients read it all the same.
  const json = jsonOf(event)
  return json === undefined ? null : new Map(Object.entries(fieldsOf(fieldsOf(json)['response'])))
}

function textOf(event: ServerEvent): string {
  return collectText(outputOf(event), TEXT)
}

function outputOf(event: ServerEvent): unknown {
  return fieldsInResponse(event, OUTPUT)?.get('output')
}

function addItems(output: unknown, calls: AnswerCalls): void {
  for (const [index, item] of listOf(output).entries()) calls.addItem(item, `item ${index}`)
}

/** -1 where the events have none. */
function lastSequenceNumber(events: string): number {
  const at = events.lastIndexOf('"sequence_number":')
  const digits = at < 0 ? null : /^\s*(\d{1,15})/.exec(events.slice(at + 18, at + 40))
  return digits === null ? -1 : Number(digits[1])
}
