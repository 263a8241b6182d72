import { fundingOf } from '../../entitlement/funding.ts'
import { fullestCap, knownCaps, passedThreshold, usedShare } from '../../entitlement/spend-caps.ts'
import type { ShownCap } from '../../protocols/cap-headers.ts'
import type { GatewayParts } from '../parts.ts'
import type { PreparedRequest } from '../request/prepared.ts'
import type { RequestTrace } from '../request/trace.ts'

/**
 * The fullest cap of an admitted request as this node knows it at the moment of the call; null: it has none. Nothing is asked:
 * what others used stands as the database said it last, with a grant or with the beat of this node.
 */
export function shownCap(
  { caller, chosen, reservation }: PreparedRequest,
  trace: Pick<RequestTrace, 'chosen'>,
  { leases, clock }: Pick<GatewayParts, 'leases' | 'clock'>,
): ShownCap | null {
  if (reservation === null) return null
  const nowMs = clock.now()
  const groupId = trace.chosen?.group.id ?? chosen.group.id
  // It may be charged in a later group of its key by now.
  const funding = groupId === chosen.group.id ? reservation.request : fundingOf(caller, groupId, nowMs)
  const cap = fullestCap(knownCaps(funding, (budget) => leases.holderOf(budget), nowMs))
  return cap === null ? null : { share: usedShare(cap), passed: passedThreshold(cap), resetsAt: cap.resetsAt }
}
