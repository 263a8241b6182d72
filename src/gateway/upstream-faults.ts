import { Fault } from '../core/faults.ts'
import type { UpstreamError } from '../protocols/protocol.ts'

/** What an upstream's refusal looked like. */
export interface Refusal {
  readonly status: number
  readonly error: UpstreamError
  /** The header, as it came. */
  readonly retryAfter: string | undefined
}

/** Statuses that mean: this request is wrong, whoever serves it. */
const REJECTIONS = new Set([400, 413, 422])
const OVERLOADED = new Set([503, 529])
const LONGEST_RETRY_AFTER_SECONDS = 30

/** Turns an upstream's error answer into the Fault that the caller gets, in words that name no upstream. */
export function faultOfRefusal(refusal: Refusal): Fault {
  const { status, error } = refusal
  if (REJECTIONS.has(status)) {
    return new Fault('upstream_rejected', error.message ?? `The model refused the request with status ${status}.`, {
      status,
      ...(error.param === null ? {} : { param: error.param }),
      ...(error.code === null ? {} : { upstreamCode: error.code }),
    })
  }
  if (status === 429) {
    return new Fault('upstream_rate_limited', 'The model gets too many requests right now. Try again in a moment.', {
      retryAfterSeconds: seconds(refusal.retryAfter),
    })
  }
  if (OVERLOADED.has(status)) {
    return new Fault('upstream_overloaded', 'The model is overloaded right now. Try again in a moment.', {
      retryAfterSeconds: seconds(refusal.retryAfter),
    })
  }
  if (status === 408 || status === 504) {
    return new Fault('upstream_timeout', 'The model did not answer in time. Try again, or ask for less.')
  }
  const isOurs = status === 401 || status === 403 || status === 404
  return new Fault(
    'upstream_unavailable',
    isOurs
      ? 'The model can’t be reached because of how this gateway is set up. Its operator has to look at the upstream’s credential and model names.'
      : 'The model failed to answer. Try again in a moment.',
    { cause: `the upstream answered ${status}` },
  )
}

/** An upstream's words without its address and credential. */
export function withoutSecrets(message: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message)
}

/** Whether another target may do better. */
export function mayHelpElsewhere(fault: Fault): boolean {
  return fault.policy.blame === 'upstream'
}

/** Whether a connection was lost that had been made, as a kept-alive one that the other side closed just then. */
export function isLostConnection(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE'
}

/** The Fault for an answer that stopped in its middle. */
export function brokenOff(cause: unknown): Fault {
  return new Fault('upstream_unavailable', 'The model’s answer broke off before its end. Try again.', { cause })
}

/** What was thrown, as a Fault: anything but one is a defect of ours. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  return new Fault('internal', 'The gateway failed. Report the request id to its operator.', { cause: error })
}

function seconds(retryAfter: string | undefined): number {
  const value = Number(retryAfter)
  return Number.isFinite(value) && value > 0 ? Math.min(Math.ceil(value), LONGEST_RETRY_AFTER_SECONDS) : 5
}

/** Whether a status announces an answer. */
export function isGood(status: number): boolean {
  return status >= 200 && status < 300
}
