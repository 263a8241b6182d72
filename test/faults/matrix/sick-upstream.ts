/** A provider that is ill in the way that the path says, and would answer in its own protocol if it were well. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ChatWire } from '../../../src/core/wire.ts'
import { readBody } from '../../../tools/fake-upstream/incoming-request.ts'
import { objectOf } from '../../../src/upstreams/demo/json.ts'
import { namedEvent } from '../../../src/upstreams/demo/wire-answer.ts'
import { chatFormat } from '../../support/provider/chat-format.ts'
import { geminiFormat } from '../../support/provider/gemini-format.ts'
import { generate } from '../../support/provider/generation.ts'
import { messagesFormat } from '../../support/provider/messages-format.ts'
import { dataEvent, type ProviderWireFormat } from '../../support/provider/provider-wire.ts'
import { responsesFormat } from '../../support/provider/responses-format.ts'
import { scriptedUpstream } from '../../support/scripted-upstream.ts'
import { AILMENTS, type Asked, type ErrorWords } from './ailments.ts'

export interface SickUpstream {
  /** Below which the ailment's number stands, and then what any base URL has. */
  readonly url: string
  /** How often a model was asked. */
  askedFor(model: string): number
  close(): void
}

/** One of the protocols: how an error is said in it. */
interface Speech {
  readonly format: ProviderWireFormat
  error(words: ErrorWords): object
  errorEvent(words: ErrorWords): string
}

/** OpenAI's guide to error codes; the codes of failed responses. */
const OPENAI_TYPES: Readonly<Record<number, string>> = { 429: 'rate_limit_exceeded', 503: 'slow_down' }
const RESPONSES_CODES: Readonly<Record<number, string>> = {
  ...OPENAI_TYPES,
  400: 'invalid_prompt',
  500: 'server_error',
}
const openaiError = ({ status, code, message }: ErrorWords) => {
  const type = OPENAI_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return { error: { message, type, param: null, code } }
}
const anthropicError = ({ status, code, message }: ErrorWords) => ({
  type: 'error',
  error: { type: code ?? ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'), message },
})
const geminiError = ({ status, code, message }: ErrorWords) => ({
  error: {
    code: status,
    message,
    status: code ?? GOOGLE_STATUSES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'),
  },
})
/** Anthropic's API reference, errors; Google's, `google.rpc.Code`. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  529: 'overloaded_error',
}
const GOOGLE_STATUSES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

const SPEECH: Readonly<Record<ChatWire, Speech>> = {
  'openai-chat': { format: chatFormat, error: openaiError, errorEvent: (words) => dataEvent(openaiError(words)) },
  'openai-responses': {
    format: responsesFormat,
    error: openaiError,
    errorEvent: ({ status, message }) => {
      const error = { code: RESPONSES_CODES[status], message }
      const response = { id: 'resp_1', object: 'response', status: 'failed', error, output: [] }
      return namedEvent({ type: 'response.failed', sequence_number: 99, response })
    },
  },
  'anthropic-messages': {
    format: messagesFormat,
    error: anthropicError,
    errorEvent: (words) => namedEvent(anthropicError(words)),
  },
  gemini: { format: geminiFormat, error: geminiError, errorEvent: (words) => dataEvent(geminiError(words)) },
}

const WIRE_BY_PATH: readonly (readonly [RegExp, ChatWire])[] = [
  [/\/chat\/completions$/, 'openai-chat'],
  [/\/responses$/, 'openai-responses'],
  [/\/messages$/, 'anthropic-messages'],
  [/:(streamGenerateContent|generateContent)$/, 'gemini'],
]

/** Starts one on a free port of the loopback. */
export async function startSickUpstream(): Promise<SickUpstream> {
  const asked = new Map<string, number>()
  const { url, close } = await scriptedUpstream((request, response) => {
    response.on('error', () => {})
    readBody(request, (body) => answer(request, response, { body: body ?? Buffer.alloc(0), asked }))
  })
  return { url, askedFor: (model) => asked.get(model) ?? 0, close }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { body, asked }: { body: Buffer; asked: Map<string, number> },
): void {
  const [whole = '', query = ''] = (request.url ?? '').split('?', 2)
  const [, number = '', path = ''] = /^\/(\d+)(\/.*)$/.exec(whole) ?? []
  const wire = WIRE_BY_PATH.find(([pattern]) => pattern.test(path))?.[1]
  const act = AILMENTS[Number(number)]?.act
  if (wire === undefined || act === undefined) throw new Error(`nothing is scripted for ${request.url}`)
  const { format, error, errorEvent } = SPEECH[wire]
  const fields = objectOf(JSON.parse(body.toString()))
  const generation = generate(format.read({ path, query, headers: request.headers, body: fields }))
  const { model, isStream } = generation.asked
  asked.set(model, (asked.get(model) ?? 0) + 1)
  const about: Asked = {
    response,
    isStream,
    whole: JSON.stringify(format.whole(generation, true)),
    events: Array.from(format.stream(generation, true), ({ text }) => text),
    errorEvent,
    errorBody: (words) => JSON.stringify(error(words)),
  }
  act(about)
}
