import type { KeyWithOwner } from '../access/api-key.ts'
import type { FaultCode } from '../core/faults.ts'
import type { NanoUsd } from '../core/money.ts'
import type { TokenCounts } from '../core/tokens.ts'
import type { Wire } from '../core/wire.ts'
import type { UsageOutcome } from '../metering/usage/usage-record.ts'
import type { Target, Upstream } from '../routing/catalog.ts'
import type { FailureClass } from '../routing/failure-class.ts'

/**
 * Follows requests from their arrival to their end for a system outside, as OpenTelemetry does. There is none unless it is
 * configured. It is given names that an admin configured, ids and counts, never a text of a client's or a secret; it never
 * throws, and nothing waits for it.
 */
export interface RequestObserver {
  /** A request that generates has arrived. `traceparent`: as its client sent it (W3C Trace Context), unread. */
  arrived(request: ArrivedRequest, traceparent: string | undefined): ObservedRequest
}

export interface ArrivedRequest {
  readonly wire: Wire
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The moment of arrival as a reading of `Clock.elapsed`. */
  readonly startedAt: number
}

export interface ObservedRequest {
  /** The request is sent to a target. `beganAt`: a reading of `Clock.elapsed`. */
  attempted(attempt: AttemptAt, beganAt: number): ObservedAttempt
  /** The request is over, with a record or without one; called once. `endedAt`: a reading of `Clock.elapsed`. */
  ended(request: EndedRequest, ending: ObservedEnding, endedAt: number): void
}

export interface AttemptAt {
  readonly upstream: Upstream
  readonly target: Target
  readonly credential: string
}

export interface ObservedAttempt {
  /** The header by which the upstream can go on with the trace. */
  readonly traceparent: string
  /** Said once. `status` null: no answer came. */
  ended(how: { readonly class: AttemptClass; readonly status: number | null }, endedAt: number): void
}

export interface EndedRequest {
  readonly id: string
  readonly isStream: boolean
  /** Readings of `Clock.elapsed`. */
  readonly startedAt: number
  readonly firstByteAt: number | null
  readonly caller: KeyWithOwner | null
  /** Both are configured; null: none was chosen. */
  readonly chosen: { readonly model: { readonly name: string }; readonly group: { readonly name: string } } | null
}

/** What was used and charged is absent where nothing was settled. */
export interface ObservedEnding {
  readonly outcome: UsageOutcome
  readonly fault: FaultCode | null
  readonly httpStatus?: number | null
  readonly tokens?: TokenCounts
  readonly cost?: NanoUsd
}

/** How an attempt at an upstream ended: well, by a failure of its own, by what the caller asked, or by us or the caller. */
export type AttemptClass = 'ok' | FailureClass | 'rejected' | 'cancelled'
