/** Error answers in the words and shape of the real providers, since clients and gateways read both. */
import type { IncomingMessage } from 'node:http'
import { credentialOf } from './incoming-request.ts'
import type { Script, Sentinel } from './model-name.ts'

/** `embeddings` and `models` fail like any OpenAI wire. */
export type ErrorWire = 'chat' | 'responses' | 'messages' | 'gemini' | 'converse' | 'embeddings' | 'models'

export interface Failure {
  readonly status: number
  /** Flat list of names and values. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** What a strict provider says of a request that breaks its rules. `code` is OpenAI's, which Codex and others read. */
export interface Refusal {
  readonly message: string
  readonly code?: string
  readonly param?: string
  readonly status?: number
}

/** One failure as each family words it. Gemini takes the words of OpenAI. */
interface Telling extends Refusal {
  /** The type at OpenAI, and at Anthropic unless that is given; `invalid_request_error` where it is left out. */
  readonly type?: string
  readonly anthropic?: { readonly type?: string; readonly message?: string; readonly status?: number }
  readonly headers?: readonly string[]
}

const JSON_TYPE = ['content-type', 'application/json']

type FailureMaker = (script: Script, wire: ErrorWire, incoming: IncomingMessage) => Failure

const FAILURES: Partial<Record<Sentinel, FailureMaker>> = {
  overloaded: (_, wire) => refused(wire, { ...OVERLOADED, anthropic: { ...OVERLOADED.anthropic, status: 529 } }),
  'rate-limited': (script, wire) => refused(wire, rateLimited(script.retryAfterSeconds, wire)),
  'context-too-long': (_, wire) => refused(wire, contextTooLong(wire)),
  'bad-request': (_, wire) => refused(wire, BAD_REQUEST),
  unauthorized: (_, wire, incoming) => unauthorized(wire, credentialOf(incoming)),
  'html-error': () => ({ status: 502, headers: ['content-type', 'text/html'], body: Buffer.from(HTML) }),
  'malformed-json': () => ({
    status: 200,
    headers: JSON_TYPE,
    body: Buffer.from('{"id":"broken","object":"chat.comp'),
  }),
}

/** The failure that the sentinel stands for, before anything is answered; null when it stands for none. */
export function failureOf(script: Script, wire: ErrorWire, incoming: IncomingMessage): Failure | null {
  return FAILURES[script.sentinel]?.(script, wire, incoming) ?? null
}

/** The answer to a call that is refused by chance or by its turn: 503 on every wire. */
export function overloaded(wire: ErrorWire): Failure {
  return refused(wire, OVERLOADED)
}

/** A credential that is not the required one. Its first and last characters are repeated, as OpenAI does. */
export function unauthorized(wire: ErrorWire, credential: string): Failure {
  const shown = credential === '' ? '' : `: ${credential.slice(0, 3)}***${credential.slice(-4)}`
  const message = `Incorrect API key provided${shown}.`
  const anthropic = { type: 'authentication_error', message: 'invalid x-api-key' }
  return refused(wire, { status: 401, code: 'invalid_api_key', message, anthropic })
}

export function modelUnknown(wire: ErrorWire, model: string): Failure {
  const message = `The model \`${model}\` does not exist or you do not have access to it.`
  const anthropic = { type: 'not_found_error', message: `model: ${model}` }
  return refused(wire, { status: 404, code: 'model_not_found', message, anthropic })
}

export function pathUnknown(wire: ErrorWire, method: string, path: string): Failure {
  const anthropic = { type: 'not_found_error', message: 'Not found' }
  return refused(wire, { status: 404, message: `Invalid URL (${method} ${path})`, anthropic })
}

export function bodyTooLarge(wire: ErrorWire): Failure {
  const message = 'Request exceeds the maximum size'
  return refused(wire, { status: 413, message, anthropic: { type: 'request_too_large' } })
}

/** What stands in for a stream that would break in the middle when the call is not a stream. */
export function serverError(wire: ErrorWire): Failure {
  const message = 'The server had an error while processing your request.'
  const anthropic = { type: 'api_error', message: 'Internal server error' }
  return refused(wire, { status: 500, type: 'server_error', message, anthropic })
}

const HTML =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<h1>502 Bad Gateway</h1>\r\n</body>\r\n</html>\r\n'

const OVERLOADED: Telling = {
  status: 503,
  type: 'service_unavailable_error',
  message: 'The engine is currently overloaded, please try again later',
  anthropic: { type: 'overloaded_error', message: 'Overloaded' },
}

const BAD_REQUEST: Telling = {
  code: 'decimal_above_max_value',
  param: 'temperature',
  message: "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
  anthropic: { message: 'temperature: range: 0..1' },
}

/** The chat and the responses wire name the same trouble in different words. */
function contextTooLong(wire: ErrorWire): Telling {
  const chat =
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens. Please reduce the length of the messages."
  const responses = 'Your input exceeds the context window of this model. Please adjust your input and try again.'
  const words = wire === 'responses' ? { param: 'input', message: responses } : { param: 'messages', message: chat }
  const anthropic = { message: 'prompt is too long: 215344 tokens > 200000 maximum' }
  return { ...words, code: 'context_length_exceeded', anthropic }
}

function rateLimited(retryAfterSeconds: number, wire: ErrorWire): Telling {
  const openaiLimits = {
    'x-ratelimit-limit-requests': '500',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': `${retryAfterSeconds}s`,
    'x-ratelimit-limit-tokens': '30000',
    'x-ratelimit-remaining-tokens': '0',
    'x-ratelimit-reset-tokens': `${retryAfterSeconds}s`,
  }
  const anthropicLimits = { 'anthropic-ratelimit-requests-limit': '50', 'anthropic-ratelimit-requests-remaining': '0' }
  const limits = wire === 'messages' ? anthropicLimits : openaiLimits
  return {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message: `Rate limit reached for this model in organization org-fake. Please try again in ${retryAfterSeconds}s.`,
    anthropic: { type: 'rate_limit_error', message: "This request would exceed your organization's rate limit." },
    headers: ['retry-after', String(retryAfterSeconds), ...Object.entries(limits).flat()],
  }
}

/** The answer that refuses a call, in the shape of its family. */
export function refused(wire: ErrorWire, telling: Telling): Failure {
  const { type = 'invalid_request_error', status = 400, message, code = null, param = null } = telling
  const written = (as: number, body: object): Failure => ({
    status: as,
    headers: [...JSON_TYPE, ...(telling.headers ?? [])],
    body: Buffer.from(JSON.stringify(body)),
  })
  if (wire === 'messages') {
    const { status: own = status, ...words } = telling.anthropic ?? {}
    const error = { type, message, ...words }
    return written(own, { type: 'error', error, request_id: 'req_fake_upstream' })
  }
  if (wire === 'converse') return awsRefusal(status, message)
  if (wire !== 'gemini') return written(status, { error: { message, type, param, code } })
  return written(status, { error: { code: status, message, status: GEMINI_STATUSES[status] ?? 'UNKNOWN' } })
}

/** AWS names the exception in a header, and says what is wrong in the body. */
function awsRefusal(status: number, message: string): Failure {
  const type = AWS_EXCEPTIONS[status] ?? 'ValidationException'
  const headers = [...JSON_TYPE, 'x-amzn-errortype', type]
  return { status, headers, body: Buffer.from(JSON.stringify({ message })) }
}

const AWS_EXCEPTIONS: Readonly<Record<number, string>> = {
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
}

const GEMINI_STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}
