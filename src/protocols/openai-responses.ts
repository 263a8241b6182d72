import type { Fault } from '../core/faults.ts'
import type { TokenCounts } from '../core/tokens.ts'
import { openaiError } from './fault-body.ts'
import type { Protocol, UpstreamError } from './protocol.ts'
import { answerReader, collectText, readFields } from './reading/answer.ts'
import { JsonFlaw, scanObject } from './reading/json-scan.ts'
import { readOpenaiUsage } from './reading/openai-usage.ts'
import { requestReader } from './reading/request-head.ts'
import { renameModel } from './reading/request-rewrite.ts'
import { readErrorAnswer, readErrorObject } from './reading/upstream-error.ts'
import { NOTHING_REPORTED, UsageTally } from './reading/usage-tally.ts'
import { EventStream, PASS, type StreamJudge, type StreamShape, type Verdict } from './stream/event-stream.ts'
import { jsonOf, type ServerEvent } from './stream/server-event.ts'

const TEXT_FIELDS = ['text', 'refusal', 'arguments', 'input', 'code', 'name']

/** `POST /v1/responses`. */
export const openaiResponses: Protocol = {
  wire: 'openai-responses',
  streams: true,
  readRequest: requestReader({ outputLimits: ['max_output_tokens'], stream: true, chatFields: false, tokenIds: false }),
  rewriteRequest: renameModel,
  readAnswer: answerReader({
    countsOf: (usage) => countsOf(usage),
    output: 'output',
    text: TEXT_FIELDS,
    failed: ({ status, error }) => status === 'failed' || (status === undefined && (error ?? null) !== null),
  }),
  readError: readErrorAnswer,
  openStream: () => new EventStream(STREAM, new ResponsesJudge()),
}

const STREAM: StreamShape = {
  marker: /"response\.(?:created|completed|incomplete|failed)"|error/g,
  sign: /"response\.(?:created|completed|incomplete|failed)"|"error"|event: ?error/,
  text: { fields: ['delta'] },
}

class ResponsesJudge implements StreamJudge {
  readonly #tally = new UsageTally({ inputIncludesCache: true })
  #created: ResponseIdentity | null = null
  usageIsFinal = false
  textOfEnd = ''

  get usage(): TokenCounts {
    return this.#tally.counts
  }

  judge(event: ServerEvent): Verdict {
    const type = typeOf(event)
    if (type === 'error') return this.#judgeError(event)
    if (type === 'response.created') this.#created = identityOf(responseOf(event))
    if (type !== 'response.completed' && type !== 'response.incomplete' && type !== 'response.failed') return PASS
    const fields = readFields(responseOf(event), AT_END)
    // Not JSON, so no client can read it as an end either.
    if (fields instanceof JsonFlaw) return PASS
    const usage = readOpenaiUsage(fields.get('usage'))
    if (usage !== null) this.#tally.add(usage)
    this.usageIsFinal = (usage?.output ?? null) !== null
    if (usage === null) this.textOfEnd = textOf(event)
    if (type !== 'response.failed') return { kind: 'end' }
    return { kind: 'failed', error: readErrorObject({ error: fields.get('error') }) }
  }

  /**
   * Allowed only behind `response.created`; OpenAI's helpers break on anything before it. It takes the number of the
   * event before it, as the next number belongs to an event that is still to come.
   */
  keepAlive(last: string): Buffer | null {
    if (this.#created === null) return null
    return eventOf('keepalive', { type: 'keepalive', sequence_number: Math.max(0, lastSequenceNumber(last)) })
  }

  writeFault(fault: Fault, requestId: string, last: string): Buffer {
    const { error } = openaiError(fault, requestId)
    const sequence = lastSequenceNumber(last) + 1
    if (this.#created === null) {
      const { code, message, param } = error
      return eventOf('error', { type: 'error', code, message, param, sequence_number: sequence })
    }
    const failure = { error: { code: error.code, message: error.message }, usage: null, output: [] }
    const response = { ...this.#created, object: 'response', status: 'failed', ...failure }
    return eventOf('response.failed', { type: 'response.failed', response, sequence_number: sequence })
  }

  #judgeError(event: ServerEvent): Verdict {
    const json = jsonOf(event)
    if (json === undefined) return PASS
    const error: UpstreamError = readErrorObject(json)
    return { kind: 'failed', error: error.type === 'error' ? { ...error, type: null } : error }
  }
}

interface ResponseIdentity {
  readonly id: unknown
  readonly created_at: unknown
  readonly model: unknown
}

const TYPE = new Set(['type'])
const RESPONSE = new Set(['response'])
const IDENTITY = new Set(['id', 'created_at', 'model'])
const AT_END = new Set(['usage', 'error'])
const OUTPUT = new Set(['output'])

/** The same in both places; taken from the `event:` line where it is a type, since the data may be long. */
function typeOf(event: ServerEvent): unknown {
  if (event.name === 'error' || event.name?.startsWith('response.')) return event.name
  const fields = readFields(event.data, TYPE)
  return fields instanceof JsonFlaw ? undefined : fields.get('type')
}

/**
 * The `response` object in an event, as bytes and not parsed: it repeats the instructions and tools of the request and
 * is often 100 KB, of which a few small fields matter here. Empty when there is none.
 */
function responseOf(event: ServerEvent): Buffer {
  try {
    const found = scanObject(event.data, { wanted: RESPONSE }).fields.get('response')
    return found === undefined ? event.data.subarray(0, 0) : event.data.subarray(found.start, found.end)
  } catch (flaw) {
    if (flaw instanceof JsonFlaw) return event.data.subarray(0, 0)
    throw flaw
  }
}

function identityOf(response: Buffer): ResponseIdentity {
  const fields = readFields(response, IDENTITY)
  if (fields instanceof JsonFlaw) return { id: null, created_at: null, model: null }
  return {
    id: fields.get('id') ?? null,
    created_at: fields.get('created_at') ?? null,
    model: fields.get('model') ?? null,
  }
}

function textOf(event: ServerEvent): string {
  const fields = readFields(responseOf(event), OUTPUT)
  return fields instanceof JsonFlaw ? '' : collectText(fields.get('output'), new Set(TEXT_FIELDS))
}

/** -1 where the events have none. */
function lastSequenceNumber(events: string): number {
  const at = events.lastIndexOf('"sequence_number":')
  const digits = at < 0 ? null : /^\s*(\d{1,15})/.exec(events.slice(at + 18, at + 40))
  return digits === null ? -1 : Number(digits[1])
}

function countsOf(usage: unknown): TokenCounts {
  const tally = new UsageTally({ inputIncludesCache: true })
  tally.add(readOpenaiUsage(usage) ?? NOTHING_REPORTED)
  return tally.counts
}

function eventOf(name: string, data: object): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}
