import { TARGET_PATIENCE_MS } from '../../core/limits.ts'
import { nanoUsd } from '../../core/money.ts'
import type { LimitedTarget } from '../../routing/kept-limits.ts'
import type { ExchangeContext } from './context.ts'
import { costWithoutLimit } from './hold.ts'

/**
 * Whether the reservation has to grow before a target is asked that was never seen to keep to an output limit, where the request is held by one. Those
 * first in line are reserved for before a request begins (`IgnoredLimits.mayPass`); the others are seldom asked, so that it is seen
 * to when they are. A stream can be ended for want of money and needs none.
 */
export function needsLargerReservation(context: ExchangeContext, target: LimitedTarget): boolean {
  const { prepared, parts } = context
  const { head, hold, reservation } = prepared
  if (head.stream || !hold.trustsLimit || reservation === null) return false
  if (!parts.ignoredLimits.mayBePassedBy(target)) return false
  return !parts.admission.isExclusive(reservation) && shortfall(context) > 0n
}

/** Reserves the shortfall, or has the request run exclusively. False: neither can be for now, and the target may not be asked. */
export async function raiseReservation(context: ExchangeContext): Promise<boolean> {
  const { prepared, parts } = context
  const { reservation } = prepared
  if (reservation === null) return true
  return parts.admission.extendOrRunExclusively(reservation, nanoUsd(shortfall(context)), TARGET_PATIENCE_MS)
}

function shortfall({ prepared, parts }: ExchangeContext): bigint {
  return costWithoutLimit(prepared, parts) - (prepared.reservation?.amount ?? 0n)
}
