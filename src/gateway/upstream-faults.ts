import type { IncomingHttpHeaders } from 'node:http'
import { explainedFault } from '../causes/explained-fault.ts'
import { Fault, type FaultCode, type FaultDetails, FAULTS } from '../core/faults.ts'
import { plainFault } from '../core/plain-fault.ts'
import { protocolOf } from '../protocols/protocol-of.ts'
import type { StreamReader, UpstreamError } from '../protocols/protocol.ts'
import type { AccountFailure } from '../routing/account-refusals.ts'
import type { TargetChoice } from '../routing/choosing.ts'
import type { CredentialPause } from '../routing/credential-use.ts'
import { type FailureClass, treatmentOf } from '../routing/failure-class.ts'
import type { ResponseAdapter } from './request/outbound.ts'
import { statusFromErrorBody } from './status-from-error-body.ts'

/** What an upstream's refusal looked like. */
export interface UpstreamRefusal {
  readonly status: number
  readonly error: UpstreamError
  /** What the error says of the credential or its account: `accountFailureOf`. */
  readonly account: AccountFailure | null
  /** How long it asks to be left alone, in milliseconds; null: it does not say. */
  readonly restMs: number | null
  /** A 429 names no limit that is spent at all, so the request alone is more than one of them. */
  readonly isTooLarge?: boolean
  /** Set where not every upstream of the wire has the endpoint that was asked: the one that each has, as messages name it. */
  readonly insteadCall?: string | null
}

/** Statuses that mean: this request is wrong, for every upstream. */
const REJECTIONS: ReadonlySet<number> = new Set([
  FAULTS.upstream_rejected.status,
  ...FAULTS.upstream_rejected.upstreamStatuses,
])
const OVERLOADED = new Set([503, 529])
const LACKS_ENDPOINT: ReadonlySet<number> = new Set([404, 405, 501])
const LONGEST_RETRY_AFTER_SECONDS = 30

/** Turns an upstream's error answer into the Fault that the caller gets, in words that name no upstream. */
export function faultOfRefusal(refusal: UpstreamRefusal): Fault {
  const { status, error, account, insteadCall = null } = refusal
  if (insteadCall !== null && lacksEndpoint(status)) return endpointMissing(status, insteadCall)
  if (status === 402 || account === 'no_credit') return untilFixed('no_credit', `the upstream answered ${status}`)
  if (isRedirect(status)) return untilFixed('redirect', `the upstream answered ${status}`)
  const isOurs = status === 401 || status === 403 || status === 404 || account === 'credential'
  if (REJECTIONS.has(status) && !isOurs) {
    return new Fault('upstream_rejected', error.message ?? `The model refused the request with status ${status}.`, {
      status,
      ...(error.message === null ? {} : QUOTED),
      ...(error.param === null ? {} : { param: error.param }),
      ...(error.code === null ? {} : { upstreamCode: error.code }),
    })
  }
  if (status === 429 && refusal.isTooLarge === true)
    return explainedFault('upstream_rate_limited', { why: 'too_large' }, { retry: 'never' })
  if (status === 429) {
    return new Fault(
      'upstream_rate_limited',
      'The model’s provider reports too many requests. Try again in a moment.',
      {
        retryAfterSeconds: seconds(refusal.restMs),
      },
    )
  }
  if (OVERLOADED.has(status)) {
    return new Fault('upstream_overloaded', 'The model is overloaded right now. Try again in a moment.', {
      retryAfterSeconds: seconds(refusal.restMs),
    })
  }
  if (status === 408 || status === 504) {
    return new Fault('upstream_timeout', 'The model did not answer in time. Try again, or ask for less.')
  }
  const cause = `the upstream answered ${status}`
  if (isOurs) return untilFixed(account === null ? whyNotServed(status, error) : 'credential', cause)
  return explainedFault('upstream_unavailable', { why: 'failed' }, { cause })
}

const QUOTED = { isQuoted: true } as const
const NO_TARGET = 'no upstream can serve this model'

/** The Fault of a request that none of its targets may be asked for now. `ms`: until the first one may. */
export function faultOfRest(because: FailureClass | CredentialPause | null, ms: number): Fault {
  // Without a reason, all are disabled.
  if (because === 'expired' || (because === null && ms === Infinity)) return untilFixed('no_credential', NO_TARGET)
  if (ms === Infinity) return untilFixed(because === 'not_found' ? 'not_found' : 'credential', NO_TARGET)
  const retryAfterSeconds = Math.max(1, Math.ceil(ms / 1_000))
  if (because === 'busy') return new Fault('upstream_overloaded', BUSY, { retryAfterSeconds })
  if (because === 'spend_cap') {
    return explainedFault('upstream_unavailable', { why: 'until_midnight' }, { retryAfterSeconds })
  }
  if (treatmentOf(because ?? 'unreachable').needsAdmin)
    return untilFixed(because === 'not_found' || because === 'no_credit' ? because : 'credential', NO_TARGET)
  const rest = RESTS[because ?? 'unreachable']
  return rest === undefined
    ? noTarget({ retryAfterSeconds })
    : new Fault(rest.code, rest.message, { retryAfterSeconds })
}

interface ChoiceMadeBy {
  /** A reading of `Clock.elapsed`. */
  readonly now: number
  readonly callerId: string
  /** There was nothing to choose from, since the upstreams of all targets have no credential that is enabled. */
  readonly lacksCredentials: boolean
}

/** The Fault of a request of which nothing may be asked after this choice: that of the target that comes back first, with its time. */
export function faultOfChoice(choice: TargetChoice, { now, callerId, lacksCredentials }: ChoiceMadeBy): Fault {
  if (lacksCredentials) return untilFixed('no_credential', NO_TARGET)
  if (choice.kind !== 'rest') return noTarget()
  // One that has expired may be held as well, and stays out when that is over.
  if (choice.candidate.pause(now) === 'expired') return untilFixed('no_credential', NO_TARGET)
  return faultOfRest(choice.candidate.restsBecause(now, callerId), choice.at - now)
}

/** The Fault where no target may be asked, and waiting may help. */
function noTarget(details: FaultDetails = {}): Fault {
  return explainedFault('upstream_unavailable', { why: 'no_target' }, details)
}

const BUSY = 'The model is busy. Try again in a moment.'

/** What is said where a target rests for one of these; of all others no more than that none can serve. */
const RESTS: Readonly<Partial<Record<FailureClass, { readonly code: FaultCode; readonly message: string }>>> = {
  rate_limited: {
    code: 'upstream_rate_limited',
    message: 'The model’s provider reports too many requests. Try again later.',
  },
  overloaded: { code: 'upstream_overloaded', message: 'The model is overloaded right now. Try again later.' },
  timed_out: { code: 'upstream_timeout', message: 'The model has not answered in time of late. Try again later.' },
}

/** Whether a status says that the upstream has no such endpoint. */
export function lacksEndpoint(status: number): boolean {
  return LACKS_ENDPOINT.has(status)
}

/** The upstream serves the model, and lacks this endpoint or has it for other models only. */
function endpointMissing(status: number, insteadCall: string): Fault {
  const cause = `the upstream answered ${status}`
  return explainedFault('upstream_unavailable', { why: 'endpoint', endpoint: insteadCall }, { retry: 'never', cause })
}

/** What an admin has to set right. `no_credential`: all that could be used are disabled or have expired. `no_credit`: the provider wants to be paid. */
type ForAdmins =
  | 'credential'
  | 'model_missing'
  | 'path_missing'
  | 'not_found'
  | 'forbidden'
  | 'redirect'
  | 'no_credential'
  | 'no_credit'

/** The Fault of a request that fails until an admin has set something right, however often it is sent. */
function untilFixed(why: ForAdmins, cause: string): Fault {
  return explainedFault('upstream_unavailable', { why }, { retry: 'never', cause })
}

/** Names, in the place of a code or of a type, by which providers say that they do not know a model (404). */
const NO_MODEL: ReadonlySet<string> = new Set([
  'model_not_found',
  'DeploymentNotFound',
  'ModelNotFound',
  'InvalidEndpointOrModel.NotFound',
  'ResourceNotFoundException',
  'not_found_error',
  'NotFoundError',
  'NOT_FOUND',
])

/** Why an upstream does not serve a request, by status and names, never by words: a path that does not exist is answered by servers that know nothing of models. */
function whyNotServed(status: number, { message, type, code }: UpstreamError): ForAdmins {
  if (status === 401) return 'credential'
  if (status === 403) return 'forbidden'
  if ([type, code].some((name) => name !== null && NO_MODEL.has(name))) return 'model_missing'
  return message === null && type === null && code === null ? 'path_missing' : 'not_found'
}

/** The Fault for an answer that came with a good status and says that it failed, in the upstream's own words where it has any. */
export function faultOfFailure(error: UpstreamError, account: AccountFailure | null): Fault {
  const fault = faultOfRefusal({ status: statusFromErrorBody(error), error, account, restMs: null })
  if (fault.retry === 'never') return fault
  if (error.message !== null) {
    return new Fault(fault.code, error.message, { ...fault.details, ...QUOTED, cause: fault.cause })
  }
  const { facts: _, ...details } = fault.details
  return new Fault(fault.code, 'The model failed while it was answering. Try again.', {
    ...details,
    cause: fault.cause,
  })
}

/** The Fault for a whole body that is not an answer and says nothing of an error. */
export function faultOfNoAnswer(): Fault {
  return new Fault('upstream_malformed', 'The model’s answer cannot be read. Try again.', { cause: 'malformed' })
}

/** An upstream's words without its address and credential. */
export function withoutSecrets(message: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message)
}

/** An upstream's error without its address and credential; what it calls the error and the field only where that is a name. */
export function withoutSecretsIn(error: UpstreamError, secrets: readonly string[]): UpstreamError {
  const { message, type, code, param } = error
  const name = (text: string | null) => {
    const isName = text !== null && /^[\w.[\]-]{1,64}$/.test(text) && !secrets.some((secret) => text.includes(secret))
    return isName ? text : null
  }
  const words = message === null ? null : withoutSecrets(message, secrets)
  return { message: words, type: name(type), code: name(code), param: name(param) }
}

/** Whether another target may do better. */
export function mayHelpElsewhere(fault: Fault): boolean {
  return fault.policy.blame === 'upstream'
}

/** The Fault for an answer that stopped in its middle. */
export function brokenOff(cause: unknown): Fault {
  return explainedFault('upstream_unavailable', { why: 'broken_off' }, { cause })
}

/** What was thrown, as a Fault: anything but one is a defect of ours. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  return plainFault('internal', { cause: error })
}

function seconds(restMs: number | null): number {
  return restMs === null ? 5 : Math.min(Math.ceil(restMs / 1_000), LONGEST_RETRY_AFTER_SECONDS)
}

/** The content type that an upstream names. It may send any header twice, against the rules. */
export function contentTypeOf(headers: IncomingHttpHeaders): string {
  const said: string | readonly string[] | undefined = headers['content-type']
  return (typeof said === 'object' ? said[0] : said) ?? 'application/json'
}

/** Whether an answer of this content type is a stream; the names of media types are written in any case (RFC 9110, 8.3.1). */
export function isEventStream(contentType: string): boolean {
  return /^text\/event-stream(?:\s*;|\s*$)/i.test(contentType)
}

/** The content type of an answer that is JSON, where its upstream says that or something else. */
export function jsonType(contentType: string): string {
  return /^application\/(?:[\w.-]+\+)?json(?:\s*;|\s*$)/i.test(contentType) ? contentType : 'application/json'
}

/** Whether a status says that what was asked for is elsewhere. */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304
}

/** Whether a status announces an answer. */
export function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

/** What an answer says of an error, for admins: only in one of the known shapes, so that any other text stays unread. */
export function errorIn(body: Buffer): UpstreamError | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    // Google's reader takes all families' errors, and its own reasons besides.
    return typeof value === 'object' && value !== null ? protocolOf('gemini').readError(body) : null
  } catch {
    return null
  }
}

/** The head of an upstream's answer, and whether its client asked for a stream. */
interface AnswerHead {
  readonly status: number
  readonly contentType: string
  readonly isStream: boolean
  /** False for a count of tokens, which is taken whole whatever its content type says. */
  readonly isMetered: boolean
}

/**
 * Whether an answer is read as a stream. What was asked for decides, where the wire's answers are taken in either form: upstreams
 * send events of any content type, and JSON in their place. On other wires the content type says what came.
 */
export function isReadAsStream(
  adapter: ResponseAdapter | null,
  { status, contentType, isStream, isMetered }: AnswerHead,
): boolean {
  if (adapter === null || adapter.openStream === null || !isMetered || !isGood(status)) return false
  return adapter.takesEitherForm ? isStream : isEventStream(contentType)
}

/** The Fault for a stream that stopped before its end: nothing of it was an answer, or the answer was cut off. */
export function faultOfCut(reader: StreamReader, contentType: string): Fault {
  if (reader.hasBegun || isEventStream(contentType)) return brokenOff('the stream ended before its end')
  return faultOfNoAnswer()
}
