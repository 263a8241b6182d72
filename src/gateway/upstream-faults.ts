import { Fault, type FaultCode, FAULTS } from '../core/faults.ts'
import { plainFault } from '../core/plain-fault.ts'
import { isTooLong } from '../protocols/context-length.ts'
import type { UpstreamError } from '../protocols/protocol.ts'
import { type FailureClass, treatmentOf } from '../routing/failure-class.ts'

/** What an upstream's refusal looked like. */
export interface Refusal {
  readonly status: number
  readonly error: UpstreamError
  /** The header, as it came. */
  readonly retryAfter: string | undefined
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
/** Google answers a wrong credential with 400 (ErrorInfo's `reason`, ai.google.dev/gemini-api/docs/troubleshooting). */
const GOOGLES_BAD_CREDENTIAL = 'API_KEY_INVALID'

/** Turns an upstream's error answer into the Fault that the caller gets, in words that name no upstream. */
export function faultOfRefusal(refusal: Refusal): Fault {
  const { status, error, insteadCall = null } = refusal
  if (insteadCall !== null && lacksEndpoint(status)) return endpointMissing(status, insteadCall)
  const isOurs = status === 401 || status === 403 || status === 404 || error.code === GOOGLES_BAD_CREDENTIAL
  if (REJECTIONS.has(status) && !isOurs) {
    return new Fault('upstream_rejected', error.message ?? `The model refused the request with status ${status}.`, {
      status,
      ...(error.param === null ? {} : { param: error.param }),
      ...(error.code === null ? {} : { upstreamCode: error.code }),
    })
  }
  if (status === 429) {
    return new Fault(
      'upstream_rate_limited',
      'The model’s provider reports too many requests. Try again in a moment.',
      {
        retryAfterSeconds: seconds(refusal.retryAfter),
      },
    )
  }
  if (OVERLOADED.has(status)) {
    return new Fault('upstream_overloaded', 'The model is overloaded right now. Try again in a moment.', {
      retryAfterSeconds: seconds(refusal.retryAfter),
    })
  }
  if (status === 408 || status === 504) {
    return new Fault('upstream_timeout', 'The model did not answer in time. Try again, or ask for less.')
  }
  const cause = `the upstream answered ${status}`
  if (isOurs) return misconfigured(cause)
  return new Fault('upstream_unavailable', 'The model failed to answer. Try again in a moment.', { cause })
}

const NO_TARGET = 'No upstream can serve this model right now.'

/** The Fault of a request that none of its targets may be asked for now. `ms`: until the first one may. */
export function faultOfRest(because: FailureClass | null, ms: number): Fault {
  const { code, message } = RESTS[because ?? 'unreachable']
  if (treatmentOf(because ?? 'unreachable').needsAdmin) return misconfigured(NO_TARGET)
  return new Fault(code, message, { retryAfterSeconds: Math.max(1, Math.ceil(ms / 1_000)) })
}

const UNAVAILABLE = { code: 'upstream_unavailable', message: NO_TARGET } as const
const RESTS: Readonly<Record<FailureClass, { readonly code: FaultCode; readonly message: string }>> = {
  rate_limited: {
    code: 'upstream_rate_limited',
    message: 'The model’s provider reports too many requests. Try again later.',
  },
  overloaded: { code: 'upstream_overloaded', message: 'The model is overloaded right now. Try again later.' },
  timed_out: { code: 'upstream_timeout', message: 'The model has not answered in time of late. Try again later.' },
  unreachable: UNAVAILABLE,
  failed: UNAVAILABLE,
  malformed: UNAVAILABLE,
  broken_off: UNAVAILABLE,
  missing: UNAVAILABLE,
  credential: UNAVAILABLE,
  no_credit: UNAVAILABLE,
}

/** Whether a status says that the upstream has no such endpoint. */
export function lacksEndpoint(status: number): boolean {
  return LACKS_ENDPOINT.has(status)
}

/** The upstream serves the model, and lacks this endpoint or has it for other models only. */
function endpointMissing(status: number, insteadCall: string): Fault {
  const message = `The model’s provider does not have this endpoint, or not for this model. Call ${insteadCall} instead, or use another model here.`
  return new Fault('upstream_unavailable', message, { retry: 'never', cause: `the upstream answered ${status}` })
}

/** The upstream refuses our own credential or does not know the target's model: the same request fails until that is fixed. */
function misconfigured(cause: string): Fault {
  const message =
    'The model cannot be reached because its upstream is misconfigured. An admin has to fix its credential, base URL or model name.'
  return new Fault('upstream_unavailable', message, { retry: 'never', cause })
}

/** The Fault for an answer that came with a good status and said in its stream that it failed. */
export function faultOfFailure(error: UpstreamError): Fault {
  const message = error.message ?? 'The model failed while it was answering. Try again.'
  if (!isTooLong(error)) return new Fault('upstream_overloaded', message)
  const details = { status: 400, ...(error.code === null ? {} : { upstreamCode: error.code }) }
  return new Fault('upstream_rejected', message, details)
}

/** The Fault for a whole body that is not an answer; `error`: what it says instead, null where it cannot be read. */
export function faultOfNoAnswer(error: UpstreamError | null): Fault {
  const [message, cause] =
    error === null
      ? ['The model’s answer cannot be read. Try again.', 'malformed']
      : [error.message ?? 'The model failed to answer. Try again.', 'failed']
  return new Fault('upstream_malformed', message, { cause })
}

/** An upstream's words without its address and credential. */
export function withoutSecrets(message: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message)
}

/** The same of all that an upstream says of an error; what it calls the error and the field only where that is a name. */
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
  return new Fault('upstream_unavailable', 'The model’s answer broke off before its end. Try again.', { cause })
}

/** What was thrown, as a Fault: anything but one is a defect of ours. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  return plainFault('internal', { cause: error })
}

function seconds(retryAfter: string | undefined): number {
  const value = Number(retryAfter)
  return Number.isFinite(value) && value > 0 ? Math.min(Math.ceil(value), LONGEST_RETRY_AFTER_SECONDS) : 5
}

/** Whether an answer of this content type is a stream; the names of media types are written in any case (RFC 9110, 8.3.1). */
export function isEventStream(contentType: string): boolean {
  return /^text\/event-stream(?:\s*;|\s*$)/i.test(contentType)
}

/** Whether a status announces an answer. */
export function isGood(status: number): boolean {
  return status >= 200 && status < 300
}
