import type { FaultCode } from '../../core/faults.ts'
import type { TroubleBar } from './served-hours.ts'

/** Whole hours of UTC from a moment that begins one, until before another; epoch milliseconds. */
export interface HoursAsked {
  readonly fromMs: number
  readonly toMs: number
}

/** How many requests ended in one hour with one fault. */
export interface FaultsOfHour {
  readonly hourAt: number
  /** null: they ended well. */
  readonly fault: FaultCode | null
  readonly requests: number
}

/** An hour in which too many requests of a model failed at an upstream, or before they reached one. */
export interface TroubledHour {
  readonly hourAt: number
  /** null: none was reached. */
  readonly upstream: string | null
  readonly model: string
  readonly requests: number
  readonly failed: number
  /** How many failed with each of those that callers have no part in. */
  readonly faults: readonly { readonly fault: FaultCode; readonly requests: number }[]
}

/** How requests of one hour ended at an upstream, without those that callers got wrong. */
export interface UpstreamHour {
  readonly hourAt: number
  /** null: none was reached. */
  readonly upstream: string | null
  readonly requests: number
  readonly failed: number
}

/** What sums of hours say of failures that callers have no part in. */
export interface IncidentHours {
  /** Hours and faults without a request are left out. */
  faultsByHour(asked: HoursAsked): Promise<readonly FaultsOfHour[]>
  /** Hours without a request are left out. Spans of a few days. */
  hoursOfUpstreams(asked: HoursAsked): Promise<readonly UpstreamHour[]>
  /** Newest first; at most 500. */
  troubledAtUpstreams(asked: HoursAsked, bar: TroubleBar): Promise<readonly TroubledHour[]>
}
