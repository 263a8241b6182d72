/** Error answers in the words and shape of the real providers, since clients and gateways read both. */
import type { Script, Sentinel } from './model-name.ts'

/** `embeddings` and `models` fail like any OpenAI wire. */
export type ErrorWire = 'chat' | 'responses' | 'messages' | 'gemini' | 'embeddings' | 'models'

export interface Failure {
  readonly status: number
  /** Flat list of names and values. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** One failure as each family words it: what differs is `type` and the wording. Gemini takes the words of OpenAI. */
interface Telling {
  readonly status: number
  readonly openai: {
    readonly type: string
    readonly code: string | null
    readonly param?: string
    readonly message: string
  }
  readonly anthropic: { readonly type: string; readonly message: string; readonly status?: number }
  readonly headers?: readonly string[]
}

const JSON_TYPE = ['content-type', 'application/json']

type FailureMaker = (script: Script, wire: ErrorWire, credential: string) => Failure

const FAILURES: Partial<Record<Sentinel, FailureMaker>> = {
  overloaded: (_, wire) => write(OVERLOADED, wire),
  'rate-limited': (script, wire) => write(rateLimited(script.retryAfterSeconds, wire), wire),
  'context-too-long': (_, wire) => write(contextTooLong(wire), wire),
  'bad-request': (_, wire) => write(BAD_REQUEST, wire),
  unauthorized: (_, wire, credential) => unauthorized(wire, credential),
  'html-error': () => ({ status: 502, headers: ['content-type', 'text/html'], body: Buffer.from(HTML) }),
  'malformed-json': () => ({
    status: 200,
    headers: JSON_TYPE,
    body: Buffer.from('{"id":"broken","object":"chat.comp'),
  }),
}

/** The failure that the sentinel stands for, before anything is answered; null when it stands for none. */
export function failureOf(script: Script, wire: ErrorWire, credential: string): Failure | null {
  return FAILURES[script.sentinel]?.(script, wire, credential) ?? null
}

/** The answer to a call that is refused by chance or by its turn: 503 on every wire. */
export function overloaded(wire: ErrorWire): Failure {
  return write({ ...OVERLOADED, anthropic: { type: 'overloaded_error', message: 'Overloaded' } }, wire)
}

/** A credential that is not the required one. Its first and last characters are repeated, as OpenAI does. */
export function unauthorized(wire: ErrorWire, credential: string): Failure {
  const shown = credential === '' ? '' : `: ${credential.slice(0, 3)}***${credential.slice(-4)}`
  const message = `Incorrect API key provided${shown}.`
  return write(
    {
      status: 401,
      openai: { type: 'invalid_request_error', code: 'invalid_api_key', message },
      anthropic: { type: 'authentication_error', message: 'invalid x-api-key' },
    },
    wire,
  )
}

export function modelUnknown(wire: ErrorWire, model: string): Failure {
  const message = `The model \`${model}\` does not exist or you do not have access to it.`
  return write(
    {
      status: 404,
      openai: { type: 'invalid_request_error', code: 'model_not_found', message },
      anthropic: { type: 'not_found_error', message: `model: ${model}` },
    },
    wire,
  )
}

/** A body or an option of the model name that cannot be taken, in the fake upstream's own words. */
export function callInvalid(wire: ErrorWire, message: string): Failure {
  const type = 'invalid_request_error'
  return write({ status: 400, openai: { type, code: null, message }, anthropic: { type, message } }, wire)
}

/** What a strict provider says of a request that breaks its rules. `code` is OpenAI's, which Codex and others read. */
export interface Refusal {
  readonly message: string
  readonly code?: string
  readonly param?: string
  readonly status?: 400 | 404
}

export function refused(wire: ErrorWire, refusal: Refusal): Failure {
  const { message, code = null, param, status = 400 } = refusal
  const type = 'invalid_request_error'
  const openai = { type, code, message, ...(param === undefined ? {} : { param }) }
  return write({ status, openai, anthropic: { type, message } }, wire)
}

export function pathUnknown(wire: ErrorWire, method: string, path: string): Failure {
  const openai = { type: 'invalid_request_error', code: null, message: `Invalid URL (${method} ${path})` }
  return write({ status: 404, openai, anthropic: { type: 'not_found_error', message: 'Not found' } }, wire)
}

export function bodyTooLarge(wire: ErrorWire): Failure {
  const message = 'Request exceeds the maximum size'
  const openai = { type: 'invalid_request_error', code: null, message }
  return write({ status: 413, openai, anthropic: { type: 'request_too_large', message } }, wire)
}

/** What stands in for a stream that would break in the middle when the call is not a stream. */
export function serverError(wire: ErrorWire): Failure {
  const message = 'The server had an error while processing your request.'
  const openai = { type: 'server_error', code: null, message }
  return write({ status: 500, openai, anthropic: { type: 'api_error', message: 'Internal server error' } }, wire)
}

const HTML =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<h1>502 Bad Gateway</h1>\r\n</body>\r\n</html>\r\n'

const OVERLOADED: Telling = {
  status: 503,
  openai: {
    type: 'service_unavailable_error',
    code: null,
    message: 'The engine is currently overloaded, please try again later',
  },
  anthropic: { type: 'overloaded_error', message: 'Overloaded', status: 529 },
}

const BAD_REQUEST: Telling = {
  status: 400,
  openai: {
    type: 'invalid_request_error',
    code: 'decimal_above_max_value',
    param: 'temperature',
    message: "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
  },
  anthropic: { type: 'invalid_request_error', message: 'temperature: range: 0..1' },
}

/** The chat and the responses wire name the same trouble in different words. */
function contextTooLong(wire: ErrorWire): Telling {
  const code = 'context_length_exceeded'
  const type = 'invalid_request_error'
  const chat =
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens. Please reduce the length of the messages."
  const responses = 'Your input exceeds the context window of this model. Please adjust your input and try again.'
  return {
    status: 400,
    openai:
      wire === 'responses'
        ? { type, code, param: 'input', message: responses }
        : { type, code, param: 'messages', message: chat },
    anthropic: { type, message: 'prompt is too long: 215344 tokens > 200000 maximum' },
  }
}

function rateLimited(retryAfterSeconds: number, wire: ErrorWire): Telling {
  const openaiLimits = [
    ['x-ratelimit-limit-requests', '500'],
    ['x-ratelimit-remaining-requests', '0'],
    ['x-ratelimit-reset-requests', `${retryAfterSeconds}s`],
    ['x-ratelimit-limit-tokens', '30000'],
    ['x-ratelimit-remaining-tokens', '0'],
    ['x-ratelimit-reset-tokens', `${retryAfterSeconds}s`],
  ]
  const anthropicLimits = [
    ['anthropic-ratelimit-requests-limit', '50'],
    ['anthropic-ratelimit-requests-remaining', '0'],
  ]
  const limits = wire === 'messages' ? anthropicLimits : openaiLimits
  return {
    status: 429,
    openai: {
      type: 'requests',
      code: 'rate_limit_exceeded',
      message: `Rate limit reached for this model in organization org-fake. Please try again in ${retryAfterSeconds}s.`,
    },
    anthropic: { type: 'rate_limit_error', message: "This request would exceed your organization's rate limit." },
    headers: ['retry-after', String(retryAfterSeconds), ...limits.flat()],
  }
}

function write(telling: Telling, wire: ErrorWire): Failure {
  const headers = [...JSON_TYPE, ...(telling.headers ?? [])]
  if (wire === 'messages') {
    const { status = telling.status, ...error } = telling.anthropic
    const body = { type: 'error', error, request_id: 'req_fake_upstream' }
    return { status, headers, body: Buffer.from(JSON.stringify(body)) }
  }
  if (wire === 'gemini') {
    const status = GEMINI_STATUSES[telling.status] ?? 'UNKNOWN'
    const body = { error: { code: telling.status, message: telling.openai.message, status } }
    return { status: telling.status, headers, body: Buffer.from(JSON.stringify(body)) }
  }
  const { message, type, code, param = null } = telling.openai
  const body = { error: { message, type, param, code } }
  return { status: telling.status, headers, body: Buffer.from(JSON.stringify(body)) }
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
