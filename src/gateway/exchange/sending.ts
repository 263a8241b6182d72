import { Fault } from '../../core/faults.ts'
import { SHADOW_RULE_NAMES, type ShadowRule } from '../../core/shadow-rules.ts'
import { type Wire, wireFacts, isChatWire } from '../../core/wire.ts'
import type { CallableModel } from '../../entitlement/callable-models.ts'
import { isMarginShadowed } from '../../entitlement/usable-targets.ts'
import type { Candidate, ShadowRefusal } from '../../routing/candidate.ts'
import type { TargetHealth } from '../../routing/target-health.ts'
import type { UpstreamClient, UpstreamRequest } from '../../upstreams/upstream-client.ts'
import type { ResponseAdapter } from '../request/outbound.ts'
import type { UpstreamInUse } from '../snapshot.ts'
import type { ExchangeState } from './state.ts'
import type { RouteNotes } from './route-notes.ts'

export interface Sending {
  readonly candidate: Candidate
  readonly inUse: UpstreamInUse
  readonly client: UpstreamClient
  readonly adapter: ResponseAdapter
  readonly request: UpstreamRequest
}

/** The request as the candidate gets it, with its credential; null: its target cannot carry it. */
export function sendingTo(
  candidate: Candidate,
  { request: { snapshot, adapters }, trace }: Pick<ExchangeState, 'request' | 'trace'>,
): Sending | null {
  const { target, orgTag, credential } = candidate
  const inUse = snapshot.upstreamsById.get(target.upstreamId)
  const client = inUse?.pool.find(({ health }) => health === credential)?.client
  const outbound = adapters.to(target, orgTag)
  if (inUse === undefined || client === undefined || outbound instanceof Fault) return null
  const request = { ...outbound.request, isRepeatable: !isPaidByThePiece(trace.wire) }
  return { candidate, inUse, client, adapter: outbound.adapter, request }
}

/**
 * Whether a request that failed before its first event may go to another target. What is made of some requests is paid by the
 * piece (pictures, sound), so those are sent again only where nothing can have been made of them.
 */
export function mayBeSentAgain(wire: Wire, { fault, isSent }: { fault: Fault; isSent: boolean }): boolean {
  if (!isPaidByThePiece(wire)) return true
  return !isSent || fault.code === 'upstream_rate_limited' || fault.code === 'upstream_overloaded'
}

/** Whether what is made of requests of this wire is paid by the piece. */
export function isPaidByThePiece(wire: Wire): boolean {
  return wireFacts(wire).unit !== undefined
}

/** A target that takes longer than this on the average may take much longer for one request. */
const SOON_MS = 20_000
/** How fields begin by which requests ask for thinking, or bring earlier thinking along, on all wires. */
const THINKING = ['"reasoning', '"thinking', '"enable_thinking']

/**
 * Whether the first event of this stream is to be expected soon: it is of a chat, the target has begun soon so far, and
 * nothing says that the model thinks before it writes. Reads the body: to be asked of streams that have been silent for long.
 */
export function beginsSoon({ request, parts }: ExchangeState, { firstEventMs }: TargetHealth): boolean {
  const { head, protocol, chosen, body } = request
  if (!head.stream || !isChatWire(protocol.wire)) return false
  if (firstEventMs === null || firstEventMs > SOON_MS) return false
  return parts.hiddenOutput.expected(chosen.model.name) === 0 && !THINKING.some((name) => body.includes(name))
}

/** Notes which rules in shadow speak against an attempt, before it counts there itself: so one that is enforced would see it. */
export function noteShadow(
  { request, parts }: ExchangeState,
  { candidate, inUse }: Sending,
  { notes, now }: { readonly notes: RouteNotes; readonly now: number },
): void {
  const refusals = shadowRefusals(candidate, request.chosen, now)
  if (refusals.length === 0) return
  notes.shadowed(candidate, rulesOf(refusals))
  parts.figures.refusedInShadow(
    {
      upstream: inUse.upstream.name,
      credential: candidate.credentialName ?? '',
      model: request.chosen.model.name,
      upstreamModel: candidate.target.model,
    },
    refusals,
    parts.clock.now(),
  )
}

/**
 * The rules in shadow that would keep a request from a candidate now, were they enforced. Nothing for one without such rules,
 * as nearly all are.
 */
export function shadowRefusals(
  candidate: Candidate,
  { model, group }: Pick<CallableModel, 'model' | 'group'>,
  now: number,
): readonly ShadowRefusal[] {
  if (!candidate.isShadowed) return NONE
  const refusals = candidate.refusingInShadow(now)
  if (!isMarginShadowed(candidate.target, model, group)) return refusals
  return [{ rule: 'min_margin', of: 'target' }, ...refusals]
}

const NONE: readonly ShadowRefusal[] = []

/** Each rule once, on whatever it is set, in one order. */
export function rulesOf(refusals: readonly ShadowRefusal[]): readonly ShadowRule[] {
  return SHADOW_RULE_NAMES.filter((name) => refusals.some(({ rule }) => rule === name))
}
