import type { IncomingHttpHeaders } from 'node:http'
import { fieldsOf, listOf, parseOrUndefined } from '../../../protocols/json/json-object.ts'
import type { UpstreamHandler } from '../../upstream-client.ts'

/** Writes an error in the form of one wire. */
export type ErrorWriter = (error: GoogleError) => object

/**
 * Passes on what comes, and writes an error in Google's form (`google.rpc.Status`, alone or in a list, as streams have it)
 * anew: Google answers for itself in front of every model, about projects, quotas and regions. Errors of the model's own
 * maker pass as they are.
 */
export function googleErrors(handler: UpstreamHandler, write: ErrorWriter): UpstreamHandler {
  let status = 0
  let held: Buffer[] | null = null
  let heldBytes = 0
  const release = (): void => {
    for (const chunk of held ?? []) handler.onData(chunk)
    held = null
  }
  return {
    onConnected: () => handler.onConnected?.(),
    onHead: (given, headers) => {
      status = given
      if (given < 400) return handler.onHead(given, headers)
      held = []
      handler.onHead(given, asJson(headers))
    },
    onData: (chunk) => {
      if (held === null) return handler.onData(chunk)
      held.push(chunk)
      heldBytes += chunk.length
      if (heldBytes > ERROR_BYTES_LIMIT) release()
    },
    onEnd: () => {
      const error = held === null ? null : errorIn(Buffer.concat(held), status)
      if (error === null) release()
      else handler.onData(Buffer.from(JSON.stringify(write(error))))
      handler.onEnd()
    },
    onFailure: (fault) => {
      release()
      handler.onFailure(fault)
    },
  }
}

/** Google's errors are short. */
const ERROR_BYTES_LIMIT = 256 * 1024

/** The length that was announced is not that of what is written. */
function asJson({ 'content-length': _length, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers
}

export interface GoogleError {
  readonly message: string
  /** `RESOURCE_EXHAUSTED` and the like. */
  readonly status: string
  /** The reason of its details, which says more; null: there is none. */
  readonly reason: string | null
  /** All of it, as it came. */
  readonly fields: Readonly<Record<string, unknown>>
}

function errorIn(body: Buffer, httpStatus: number): GoogleError | null {
  const json = parseOrUndefined(body.toString())
  return googleErrorOf(Array.isArray(json) ? (json as unknown[])[0] : json, httpStatus)
}

/** An error in Google's form; null: the value is something else. */
export function googleErrorOf(value: unknown, httpStatus: number): GoogleError | null {
  const { error } = fieldsOf(value)
  const { code, message, status, details } = fieldsOf(error)
  if (typeof message !== 'string' || typeof code !== 'number') return null
  const reason = listOf(details)
    .slice(0, DETAILS_LIMIT)
    .map((each) => fieldsOf(each)['reason'])
    .find((each) => typeof each === 'string')
  return {
    message: withViolations(message, details),
    status: typeof status === 'string' ? status : (STATUS_OF[code] ?? STATUS_OF[httpStatus] ?? 'UNKNOWN'),
    reason: typeof reason === 'string' ? reason : null,
    fields: fieldsOf(error),
  }
}

const DETAILS_LIMIT = 16

/** `Request contains an invalid argument.` says nothing without the fields in its details (maximhq/bifrost issue 6589). */
function withViolations(message: string, details: unknown): string {
  const violations = listOf(details)
    .slice(0, DETAILS_LIMIT)
    .flatMap((each) => listOf(fieldsOf(each)['fieldViolations']).slice(0, DETAILS_LIMIT))
    .map(fieldsOf)
    .filter(({ field, description }) => typeof field === 'string' && typeof description === 'string')
    .filter(({ description }) => !message.includes(String(description)))
    .map(({ field, description }) => `${String(field)}: ${String(description)}`)
  return violations.length === 0 ? message : `${message} (${violations.join('; ')})`
}

/** Statuses of HTTP as Google names them (`google.rpc.Code`). */
const STATUS_OF: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/** Anthropic's types of errors (its API reference) for Google's. */
const ANTHROPIC_TYPES: Readonly<Record<string, string>> = {
  INVALID_ARGUMENT: 'invalid_request_error',
  FAILED_PRECONDITION: 'invalid_request_error',
  OUT_OF_RANGE: 'invalid_request_error',
  UNAUTHENTICATED: 'authentication_error',
  PERMISSION_DENIED: 'permission_error',
  NOT_FOUND: 'not_found_error',
  RESOURCE_EXHAUSTED: 'rate_limit_error',
  UNAVAILABLE: 'overloaded_error',
  DEADLINE_EXCEEDED: 'timeout_error',
}

/** Anthropic's form, with Google's own word for a code. */
export const asAnthropic: ErrorWriter = ({ message, status, reason }) => ({
  type: 'error',
  error: { type: ANTHROPIC_TYPES[status] ?? 'api_error', message, code: reason ?? status },
})

/** OpenAI's form, with Google's own words for type and code. */
export const asOpenai: ErrorWriter = ({ message, status, reason }) => ({
  error: { message, type: status, param: null, code: reason ?? status },
})

/** Google's own form, alone and with all that its message leaves to the details. */
export const asGoogle: ErrorWriter = ({ message, fields }) => ({ error: { ...fields, message } })
