import type { TokenCounts } from '../../core/tokens.ts'
import type { UpstreamError } from '../protocol.ts'
import type { ServerEvent } from './server-event.ts'
import { readErrorAnswer, readErrorObject } from './upstream-error.ts'
import { fieldsOf, parseOrUndefined } from '../json/json-object.ts'

/** Top-level fields that say that an answer, or an event of one, is a failure. */
export interface FailureFields {
  readonly error?: unknown
  readonly type?: unknown
  readonly object?: unknown
  readonly base_resp?: unknown
  readonly [field: string]: unknown
}

/** The failure that an answer or an event with these top-level fields is, whatever else stands in it; null: it is none. */
export function failureIn(fields: FailureFields): UpstreamError | null {
  if (isSaid(fields.error) || fields.object === 'error' || fields.type === 'error') return errorOf(fields)
  return failureInBaseResponse(fieldsOf(fields.base_resp))
}

/** Whether the value of an `error` field is an error: some upstreams send an empty one with each answer. */
export function isSaid(error: unknown): boolean {
  if (typeof error === 'object' && error !== null) return Object.keys(error).length > 0
  return Boolean(error)
}

/** The failure that an event named `error` is, whose data need not be JSON; half an event says nothing. */
export function failureOfEvent(event: ServerEvent): UpstreamError {
  const text = event.data.toString('utf8').trim()
  if (!/^[{[]/.test(text)) return readErrorAnswer(event.data)
  return errorOf(parseOrUndefined(text))
}

/** The type of an event is not that of its error. */
function errorOf(value: unknown): UpstreamError {
  const error = readErrorObject(value)
  return error.type === 'error' ? { ...error, type: null } : error
}

/** MiniMax says how a request ended beside its answer, with a status of its own; 0 is good. */
function failureInBaseResponse(base: Readonly<Record<string, unknown>>): UpstreamError | null {
  const { status_code: status, status_msg: message } = base
  if (status === undefined || status === null || Number(status) === 0) return null
  const code = typeof status === 'number' || typeof status === 'string' ? String(status) : ''
  return { ...readErrorObject({ message, code }), type: MINIMAX_TYPES.get(code) ?? null }
}

/** What MiniMax's statuses stand for, by names that say the same at other providers (MiniMax, list of error codes). */
const MINIMAX_TYPES: ReadonlyMap<string, string> = new Map([
  ['1001', 'timeout_error'],
  ['1002', 'rate_limit_error'],
  ['1004', 'authentication_error'],
  ['1008', 'billing_error'],
  ['1026', 'invalid_request_error'],
  ['1027', 'invalid_request_error'],
  ['1039', 'context_length_exceeded'],
  ['2013', 'invalid_request_error'],
  ['2049', 'authentication_error'],
])

/** The failure of an answer that came to its end without a word, and without a count that is above zero. */
export const NOTHING_CAME: UpstreamError = {
  message: 'The model gave no answer. Try again.',
  type: 'upstream_error',
  code: null,
  param: null,
}

/** Whether anything was reported to be used. */
export function isAnyUsed({ input, cacheRead, cacheWrite, cacheWrite1h, output, other }: TokenCounts): boolean {
  const counts = [input, cacheRead, cacheWrite, cacheWrite1h, output]
  return other !== null || counts.some((count) => count !== null && count > 0)
}

/** Fields that name or describe what they stand in, and are not what a model wrote. */
const NOT_CONTENT: ReadonlySet<string> = new Set([
  'type', 'role', 'id', 'object', 'status', 'index', 'phase', 'finish_reason', 'native_finish_reason', 'stop_reason',
  'finishReason',
]) // prettier-ignore

/** Whether an output has anything that was written: a text, a call, a picture. */
export function holdsContent(output: unknown): boolean {
  // A list of what is still to be looked at and no recursion, since an upstream decides how deep it goes.
  const open: unknown[] = [output]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string' && value !== '') return true
    for (const inner of insideOf(value)) open.push(inner)
  }
  return false
}

/** The values of a list, or of an object but for those that describe it. */
function insideOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value as readonly unknown[]
  return Object.entries(value).flatMap(([field, inner]) => (isContent(field) ? [inner as unknown] : []))
}

/** Whether the value of a field can be what a model wrote. */
export function isContent(field: string): boolean {
  return !NOT_CONTENT.has(field)
}
