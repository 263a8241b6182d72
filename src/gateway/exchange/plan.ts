import { ATTEMPTS_LIMIT } from '../../core/limits.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { needsLargerReservation } from './reservations.ts'
import type { ExchangeState } from './state.ts'
import { clientTimesOutBefore } from './times.ts'
import type { GroupRoute, UntriedTargets } from './untried-targets.ts'

/** What is to be done next for a request that no target has answered. */
export type NextStep =
  | { readonly kind: 'send'; readonly candidate: Candidate }
  /** The candidate that comes back first rests until `at`, a reading of `Clock.elapsed`. */
  | { readonly kind: 'wait'; readonly candidate: Candidate; readonly at: number }
  /** The next candidate is of another group: what the request may cost there has to be reserved first. */
  | { readonly kind: 'reserve_in_group'; readonly group: GroupRoute }
  /** The request may cost more at the candidate than is reserved. */
  | { readonly kind: 'raise_reservation'; readonly candidate: Candidate }
  | { readonly kind: 'stop' }

const STOP: NextStep = { kind: 'stop' }

/** Plans the next step. `tried`: how many attempts there were. `now`: a reading of `Clock.elapsed`. */
export function planNext(
  state: ExchangeState,
  untried: UntriedTargets,
  { tried, now }: { readonly tried: number; readonly now: number },
): NextStep {
  while (mayTryMore(state, { tried, now })) {
    const choice = untried.choose(now, { isRetry: tried > 0 })
    if (choice.kind === 'none') return STOP
    const { candidate } = choice
    if (choice.kind === 'take') {
      const group = untried.groupOf(candidate)
      if (group.chosen !== state.request.chosen) return { kind: 'reserve_in_group', group }
      const kind = needsLargerReservation(state, candidate.target) ? 'raise_reservation' : 'send'
      return { kind, candidate }
    }
    if (!clientTimesOutBefore(state, choice.at)) return { kind: 'wait', candidate, at: choice.at }
    if (!untried.leaveOrg()) return STOP
  }
  return STOP
}

/** Whether there is time for one more attempt, and none too many were made. */
export function mayTryMore(
  state: ExchangeState,
  { tried, now }: { readonly tried: number; readonly now: number },
): boolean {
  if (tried >= ATTEMPTS_LIMIT || state.times.isTooLateToTry(now)) return false
  return tried === 0 || !clientTimesOutBefore(state, now)
}
