import { TRIES_OF_TARGET_LIMIT } from '../../core/limits.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Target, Upstream } from '../../routing/catalog.ts'
import type { Attempt } from './attempt.ts'
import type { ExchangeState } from './state.ts'

// What one request learns from targets that refuse one of its settings by name (decision 0109). The same target is asked once
// more without it, and without a second one. It is remembered for other requests when the target goes on from there: when it
// answers, or refuses something else. An error that quotes what was asked is the same again, and teaches nothing.

/** Whether a target is to be asked again, or another one might take what the last one refused. */
export function mayGoOn({ learning }: ExchangeState, isOtherLeft: boolean): boolean {
  return learning.again !== null || (learning.mayElsewhere && isOtherLeft)
}

export function takeAgain({ learning }: ExchangeState): Candidate | null {
  const { again } = learning
  learning.again = null
  return again
}

/** Counts how often a target is asked in a row. */
export function noteAsked({ learning }: ExchangeState, { target }: Candidate): void {
  learning.tries = target === learning.asked ? learning.tries + 1 : 1
  learning.asked = target
  learning.mayElsewhere = false
}

/** Learns from a target that has refused the request. `isOver`: another one runs beside it, or none may be asked any more. */
export function learnFromRefusal(
  state: ExchangeState,
  attempt: Attempt,
  { isOver }: { readonly isOver: boolean },
): void {
  const { learning, request, parts } = state
  const { refusedByName: refused, candidate, inUse } = attempt
  const { target } = candidate
  const mayRepeat = !isOver && learning.tries < TRIES_OF_TARGET_LIMIT
  if (attempt.lacksWire && mayRepeat) leaveWire(state, attempt)
  if (refused === null) return
  if (!refused.settings.some((setting) => learning.unproven?.settings.has(setting))) prove(state, target)
  const untaken = request.adapters.leaveOut(target, candidate.orgTag, refused)
  if (untaken === null) return
  learning.mayElsewhere = true
  // It is not under way any more: its credential may have room for one request alone.
  attempt.leave()
  if (!mayRepeat || !isReady(state, candidate)) return
  learning.again = candidate
  const said = attempt.learnsFrom(refused)
  for (const setting of refused.settings) parts.figures.learnedRefusal(inUse.upstream.name, target.model, setting)
  const { settings = [], refusals = [] } = learning.unproven ?? {}
  learning.unproven = {
    target,
    settings: new Set([...settings, ...refused.settings]),
    refusals: [...refusals, ...untaken.map((each) => ({ ...each, said }))],
  }
}

/** An upstream without the endpoint that is asked first is asked by the next one that it may have. */
function leaveWire(state: ExchangeState, attempt: Attempt): void {
  const { candidate, adapter } = attempt
  if (!state.request.adapters.leaveWire(candidate.target, adapter.wire)) return
  attempt.leavesWire()
  attempt.leave()
  if (!isReady(state, candidate)) return
  state.learning.again = candidate
  state.learning.missing = { target: candidate.target, wire: adapter.wire }
}

/** Whether the candidate rests for no other reason, and its credential has room. */
function isReady({ parts, request }: ExchangeState, candidate: Candidate): boolean {
  const now = parts.clock.elapsed()
  return candidate.mayBeAskedAt(now, request.caller.account.id) <= now
}

export function learnFromAnswer(state: ExchangeState, { target }: Candidate): void {
  const { unproven, missing } = state.learning
  if (unproven !== null) prove(state, target)
  if (missing?.target !== target) return
  const upstream = upstreamOf(state, target)
  if (upstream !== undefined) state.parts.missingEndpoints.note(upstream, target.model, missing.wire)
}

/** What this target has refused is remembered. */
function prove(state: ExchangeState, target: Target): void {
  const { learning, parts } = state
  const { unproven } = learning
  learning.unproven = null
  const upstream = upstreamOf(state, target)
  if (unproven?.target !== target || upstream === undefined) return
  parts.learnedRefusals.learn({ upstream, target }, unproven.refusals)
}

function upstreamOf({ request }: ExchangeState, { upstreamId }: Target): Upstream | undefined {
  return request.snapshot.upstreamsById.get(upstreamId)?.upstream
}
