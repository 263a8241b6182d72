import type { Fault } from '../core/faults.ts'
import { CAP_REFUSAL_STATUS, CAP_REFUSAL_TYPE, capRefusal } from './cap-headers.ts'
import { plainMessage } from '../core/plain-fault.ts'
import type { WireFamily } from '../core/wire.ts'

/** A fault as an HTTP answer. `headers` in lower case; the caller adds the ones every answer has. */
export interface FaultAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** Writes a fault for a signed-in device: as for others, but for caps that are used up, where its clients know a form of theirs. */
export function writeFaultForDevice(family: WireFamily, fault: Fault, requestId: string): FaultAnswer {
  return CAPS[family]?.(fault, requestId) ?? writeFault(family, fault, requestId)
}

const CAPS: { readonly [F in WireFamily]?: (fault: Fault, requestId: string) => FaultAnswer | null } = {
  anthropic(fault, requestId) {
    const cap = capRefusal(fault)
    if (cap === null) return null
    const error = { type: CAP_REFUSAL_TYPE, message: fault.message }
    return {
      status: CAP_REFUSAL_STATUS,
      headers: { ...headersOf('anthropic', fault, requestId), ...cap.headers },
      body: Buffer.from(JSON.stringify({ type: 'error', error, request_id: requestId })),
    }
  },
}

/** Writes a fault as the SDKs of that family read their own vendor's errors. */
export function writeFault(family: WireFamily, fault: Fault, requestId: string): FaultAnswer {
  return {
    status: faultStatus(family, fault),
    headers: headersOf(family, fault, requestId),
    body: Buffer.from(JSON.stringify(ERRORS[family](fault, requestId))),
  }
}

const ERRORS: Record<WireFamily, (fault: Fault, requestId: string) => object> = {
  openai: openaiError,
  anthropic: anthropicError,
  gemini: geminiError,
}

/** `{"error":{message,type,param,code}}`: the body of an answer, and of chat completions' error event. */
export function openaiError(fault: Fault, requestId: string): { error: OpenaiError } {
  const { policy, details } = fault
  const code = fault.code === 'upstream_rejected' ? (details.upstreamCode ?? policy.openaiCode) : policy.openaiCode
  return {
    error: { message: messageOf(fault, requestId), type: policy.openaiType, param: details.param ?? null, code },
  }
}

export interface OpenaiError {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
}

/** `{"type":"error","error":{type,message},"request_id"}`: the body of an answer, and of the `error` event. */
export function anthropicError(fault: Fault, requestId: string): AnthropicError {
  const type = fault.details.status === 413 ? 'request_too_large' : fault.policy.anthropicType
  return { type: 'error', error: { type, message: messageOf(fault, requestId) }, request_id: requestId }
}

export interface AnthropicError {
  readonly type: 'error'
  readonly error: { readonly type: string; readonly message: string }
  readonly request_id: string
}

/**
 * A `google.rpc.Status`: the body of an answer, and of a stream's error chunk. Its details say which fault it is, and how long
 * to wait. The reason is a name of ours and the domain no host of Google's: Gemini CLI changes the model for some of theirs.
 */
export function geminiError(fault: Fault, requestId: string): { error: GeminiError } {
  const code = faultStatus('gemini', fault)
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: fault.code, domain: 'tollgate' }
  const retryDelay = retryDelayOf(fault)
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }
  const details = retryDelay === null ? [info] : [info, retry]
  return { error: { code, message: messageOf(fault, requestId), status: geminiStatus(code), details } }
}

export interface GeminiError {
  readonly code: number
  readonly message: string
  readonly status: string
  readonly details: readonly object[]
}

/** The names of `google.rpc.Code`, by HTTP status; none of them has a status for money that is missing. */
const GEMINI_STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  504: 'DEADLINE_EXCEEDED',
}

function geminiStatus(httpStatus: number): string {
  return GEMINI_STATUSES[httpStatus] ?? (httpStatus < 500 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE')
}

/**
 * Gemini CLI waits in silence for up to 300 s, and tells its user of the fault at once when it would have to wait longer
 * (MAX_RETRYABLE_DELAY_SECONDS of its googleQuotaErrors, 0.61). So it gets a short time, or one that is too long.
 */
const GEMINI_TOO_LONG_SECONDS = 301

function retryDelayOf(fault: Fault): string | null {
  const seconds = retryAfterOf(fault)
  if (seconds === null) return null
  const waits = fault.retry === 'later' && seconds <= RETRY_AFTER_LIMIT_SECONDS
  return `${waits ? seconds : Math.max(seconds, GEMINI_TOO_LONG_SECONDS)}s`
}

/** Clients wait in silence for as long as `retry-after` says; up to this long they also recover. Measured. */
const RETRY_AFTER_LIMIT_SECONDS = 30

/** The HTTP status of a fault that is all of the answer. */
export function faultStatus(family: WireFamily, fault: Fault): number {
  const { status } = fault.details
  if (fault.code === 'upstream_rejected') return status ?? fault.policy.status
  // Claude Code asks for a new sign-in at a 401 alone (2.1.332, measured).
  if (fault.code === 'account_disabled' && status !== undefined) return status
  return STATUSES[family](fault.policy)
}

const STATUSES: Record<WireFamily, (policy: Fault['policy']) => number> = {
  openai: ({ status }) => status,
  anthropic: ({ status, anthropicStatus }) => anthropicStatus ?? status,
  gemini: ({ status }) => status,
}

/** The headers in which the clients of a family look for the id of a request; ours is one of them everywhere. */
export const REQUEST_ID_HEADERS: Record<WireFamily, readonly string[]> = {
  openai: ['x-request-id'],
  anthropic: ['x-request-id', 'request-id'],
  gemini: ['x-request-id'],
}

function headersOf(family: WireFamily, fault: Fault, requestId: string): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-tollgate-fault': fault.code,
  }
  for (const name of REQUEST_ID_HEADERS[family]) headers[name] = requestId
  if (fault.details.hint !== undefined) headers['x-tollgate-hint'] = fault.details.hint
  const retryAfterSeconds = retryAfterOf(fault)
  if (retryAfterSeconds !== null) headers['retry-after'] = String(retryAfterSeconds)
  if (fault.retry === 'never' || (retryAfterSeconds ?? 0) > RETRY_AFTER_LIMIT_SECONDS) {
    headers['x-should-retry'] = 'false'
  }
  return headers
}

/** Whole seconds for every 429 and 503 (529 is a 503 on Anthropic's wire); elsewhere where the time is known, else null. */
function retryAfterOf(fault: Fault): number | null {
  const { policy, details } = fault
  const isDue = policy.status === 429 || policy.status === 503
  const standard = isDue ? (policy.retryAfterSeconds ?? RETRY_AFTER_LIMIT_SECONDS) : null
  const seconds = details.retryAfterSeconds ?? standard
  if (seconds === null) return null
  return Math.max(1, Math.ceil(seconds))
}

/** The details of an internal error are for the log; the caller gets the request ID that leads to them. */
function messageOf(fault: Fault, requestId: string): string {
  if (fault.code !== 'internal') return fault.message
  return `${plainMessage('internal')} Request ID: ${requestId}`
}
