import { type Evidence, isOfKilledLife, wasInTrouble, wasUnderWayAtKill } from './evidence.ts'
import type { Sighting } from './watching-client.ts'

/** How a request may stand in the books; `none`: it has no record. */
export type Outcome = 'none' | 'completed' | 'failed' | 'refused' | 'aborted' | 'interrupted'

/** Faults of an admitted request that no upstream could serve. */
const FAILURES = new Set([
  'upstream_unavailable',
  'upstream_overloaded',
  'upstream_rate_limited',
  'upstream_malformed',
  'upstream_rejected',
])
const REFUSALS = new Set(['balance_exhausted', 'key_quota_exhausted', 'subscription_quota_exhausted', 'rate_limited'])

/** What the books may say of a request, given all that its client saw of it. Nearly always that is one thing. */
export function allowedOutcomes(sighting: Sighting, evidence: Evidence): readonly Outcome[] {
  const { status, sawEnd, hungUp, order, isHeldBack } = sighting
  if (sawEnd) return ['completed']
  if (order.hangUp?.kind === 'while_sending' && hungUp) return ['none']
  // It is not charged; but where the process was killed, a commit that had failed may turn out to stand.
  if (isHeldBack && wasInTrouble(sighting, evidence)) {
    // A database server that was away may have written it without saying so.
    const written: readonly Outcome[] = evidence.troubles.some(({ kind }) => kind === 'server') ? ['completed'] : []
    return [...mayBeLost(sighting, evidence, 'failed'), ...written]
  }
  if (isHeldBack) return []
  if (status !== null && status !== 200) return outcomesOfFault(sighting, evidence)
  // An answer other than a stream is sent when it is in the books, its headers included.
  if (status === 200 && !order.form.isStream) return ['completed']
  if (wasUnderWayAtKill(sighting, evidence) && !hungUp) return ['none', 'interrupted', 'completed', 'failed', 'refused']
  if (hungUp) return outcomesOfHangUp(sighting, evidence)
  // A stream that breaks off is one that failed. Without a kill every client gets an answer.
  return status === 200 ? mayBeLost(sighting, evidence, 'failed') : []
}

function outcomesOfFault(sighting: Sighting, evidence: Evidence): readonly Outcome[] {
  const fault = sighting.fault ?? ''
  // Said before the request is looked at, or when its body or its money had been waited for.
  if (fault === 'draining') {
    return evidence.lives.some(({ ending }) => ending === 'drained') ? ['none', 'refused'] : []
  }
  // It costs nothing and is to be asked again; how often it may be said without a trouble: see `auditUnavailable`.
  if (fault === 'store_unavailable') {
    // What has failed in the first group may go on in the next only when the database has said that its price is there.
    return sighting.order.key.fallback === undefined ? ['none', 'refused'] : ['none', 'refused', 'failed']
  }
  if (FAILURES.has(fault)) return mayBeLost(sighting, evidence, 'failed')
  // Only the first refusals of a key in a minute are recorded: see `auditRefusals`.
  return REFUSALS.has(fault) ? ['refused', 'none'] : []
}

function outcomesOfHangUp(sighting: Sighting, evidence: Evidence): readonly Outcome[] {
  const { status, order, bytes } = sighting
  const lost: readonly Outcome[] = isOfKilledLife(sighting, evidence) ? ['none', 'interrupted'] : []
  // The gateway may not even have read the request, or be done with it: the client cannot know.
  if (status === null || bytes === 0) return ['none', 'aborted', 'completed', 'failed', 'refused', 'interrupted']
  // Of a slow stream there is so much to come that its end cannot meet the hang-up. In another process it is not known.
  if (order.model.isSlow && evidence.lives.length === 0) return ['aborted']
  return ['aborted', 'completed', 'failed', ...lost]
}

/** Requests do not wait for records without a cost, so a kill may lose the last ones; the request then counts as cut by it. */
function mayBeLost(sighting: Sighting, evidence: Evidence, outcome: Outcome): readonly Outcome[] {
  if (!isOfKilledLife(sighting, evidence)) return [outcome]
  return sighting.isHeldBack ? [outcome, 'none', 'interrupted', 'completed'] : [outcome, 'none', 'interrupted']
}
