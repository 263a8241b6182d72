import { Fault } from '../../core/faults.ts'
import { fingerprintOf, realmTagIn, sealedIn, sealedPieces } from '../../protocols/bound-content.ts'
import type { RequestHead, StoredAnswer } from '../../protocols/protocol.ts'
import { storedIdsIn } from '../../protocols/stored-ids.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Model } from '../../routing/catalog.ts'
import { providerOrgOf, orgTag } from '../../routing/provider-org.ts'
import type { ProviderOrgMemory } from '../../routing/provider-org-memory.ts'
import type { ChosenModel, OrgBinding } from '../request/prepared.ts'
import type { Snapshot } from '../snapshot.ts'
import { faultOfRest } from '../upstream-faults.ts'
import type { ExchangeState } from './state.ts'
import type { UntriedTargets } from './plan.ts'

// Encrypted reasoning and stored answers go back to the organisation that created them.

const NOTHING_BOUND: OrgBinding = { providerOrg: null, fingerprints: [] }

/**
 * What binds a request for a model that several organisations serve, by what is newest in it; null where one serves it, as most are:
 * then nothing is looked for. The body is searched, not parsed.
 */
export function orgBindingOf(
  { model }: ChosenModel,
  request: { readonly body: Buffer; readonly head: RequestHead; readonly snapshot: Snapshot; readonly now: number },
  memory: ProviderOrgMemory,
): OrgBinding | null {
  const providerOrgs = providerOrgsOf(model, request.snapshot)
  if (providerOrgs.size < 2) return null
  const { body, head, now } = request
  const sealed = sealedIn(body)
  const fingerprints = head.outside.kept ? [...namedIn(body, head), ...sealed] : sealed
  for (const fingerprint of fingerprints) {
    const providerOrg = memory.providerOrgOf(fingerprint, now)
    if (providerOrg !== null) return { providerOrg, fingerprints }
  }
  const tag = realmTagIn(body)
  const providerOrg = tag === null ? null : (providerOrgs.get(tag) ?? null)
  return providerOrg === null && fingerprints.length === 0 ? NOTHING_BOUND : { providerOrg, fingerprints }
}

function namedIn(body: Buffer, { outside }: RequestHead): readonly string[] {
  const { answers, otherIds } = storedIdsIn(body, outside)
  return [...answers, ...otherIds].map(fingerprintOf)
}

/** A model belongs to one reading of the catalogue, and so do the upstreams beside it. */
const PROVIDER_ORGS = new WeakMap<Model, ReadonlyMap<string, string>>()

/** The organisations of all credentials that a model's targets may be asked with, by their tags. */
function providerOrgsOf(model: Model, { upstreamsById }: Snapshot): ReadonlyMap<string, string> {
  const known = PROVIDER_ORGS.get(model)
  if (known !== undefined) return known
  const providerOrgs = new Map<string, string>()
  for (const { upstreamId } of model.targets) {
    for (const { credential } of upstreamsById.get(upstreamId)?.pool ?? []) {
      const providerOrg = providerOrgOf(upstreamId, credential)
      providerOrgs.set(orgTag(providerOrg), providerOrg)
    }
  }
  PROVIDER_ORGS.set(model, providerOrgs)
  return providerOrgs
}

/**
 * Codes by which OpenAI says that it cannot read what another organisation made, or does not have it: see
 * `protocols/bound-content.ts`, and its page on conversation state for answers that are continued.
 */
const CANNOT_READ: ReadonlySet<string> = new Set(['invalid_encrypted_content', 'previous_response_not_found'])

/** Notes that an attempt failed: the organisation that created what the request holds may be well again soon. */
export function noteOrgFailure(state: ExchangeState, { providerOrg }: Candidate, fault: Fault): void {
  if (state.request.binding?.providerOrg === providerOrg && fault.policy.blame === 'upstream') {
    state.boundOrgFailure ??= fault
  }
}

/**
 * Turns to the organisation that can read what an upstream could not, once for a request, and returns who that is: the hedge
 * that is under way, or a candidate that was not asked. Null: there is none to be asked.
 */
export function crossToOrg(
  state: ExchangeState,
  fault: Fault,
  way: { readonly from: Candidate; readonly hedge: Candidate | null; readonly untried: UntriedTargets },
): 'hedge' | 'untried' | null {
  const { binding } = state.request
  const { from, hedge, untried } = way
  if (!cannotRead(fault) || binding === null || state.hasCrossed || binding.providerOrg === from.providerOrg)
    return null
  state.hasCrossed = true
  const isOfUse = (providerOrg: string) =>
    providerOrg === (binding.providerOrg ?? providerOrg) && providerOrg !== from.providerOrg
  if (hedge !== null && isOfUse(hedge.providerOrg)) return 'hedge'
  return untried.turnTo(binding.providerOrg, from.providerOrg) ? 'untried' : null
}

/**
 * The Fault for the caller. Where the organisation that can read it rests or has failed, that: it may be well again. Else which item
 * cannot be read.
 */
export function faultToShow(
  { request, parts, boundOrgFailure }: ExchangeState,
  fault: Fault,
  { from, untried }: { readonly from: Candidate | null; readonly untried: UntriedTargets },
): Fault {
  if (from === null || !cannotRead(fault)) return fault
  if (boundOrgFailure !== null) return boundOrgFailure
  const now = parts.clock.elapsed()
  const boundOrg = request.binding?.providerOrg ?? null
  const resting = boundOrg === from.providerOrg ? null : untried.restingIn(boundOrg, now)
  if (resting !== null) return faultOfRest(resting.candidate.restsBecause(now), resting.at - now)
  const item = sealedPieces(request.body).find(
    ({ fingerprint }) => parts.providerOrgs.providerOrgOf(fingerprint, now) !== from.providerOrg,
  )
  if (item === undefined || fault.details.upstreamCode !== 'invalid_encrypted_content') return fault
  const { status, upstreamCode } = fault.details
  return new Fault(
    'upstream_rejected',
    `\`${item.at}\` cannot be read by the provider: it was made by another organisation than the one that serves this model now. Leave that item out, or begin a new conversation.`,
    { param: item.at, ...(status === undefined ? {} : { status }), upstreamCode },
  )
}

/** Remembers who made what goes to the client as it came. */
export function rememberPassed(state: ExchangeState, bytes: Buffer, { providerOrg }: Candidate): void {
  if (state.request.binding !== null) remember(state, sealedIn(bytes), { providerOrg })
}

/** Remembers who has read all that the request held, since its answer is whole, and who keeps the answer. */
export function rememberAnswered(
  state: ExchangeState,
  { providerOrg, credentialName: credential }: Candidate,
  storedAs: StoredAnswer | null | undefined,
): void {
  const { binding } = state.request
  if (binding === null) return
  remember(state, binding.fingerprints, { providerOrg })
  if (storedAs) remember(state, [storedAs.id, ...storedAs.items].map(fingerprintOf), { providerOrg, credential })
}

function remember(
  { parts }: ExchangeState,
  fingerprints: readonly string[],
  by: Parameters<ProviderOrgMemory['remember']>[1],
): void {
  const now = parts.clock.elapsed()
  for (const fingerprint of fingerprints) parts.providerOrgs.remember(fingerprint, by, now)
}

function cannotRead({ code, details: { upstreamCode } }: Fault): boolean {
  return code === 'upstream_rejected' && upstreamCode !== undefined && CANNOT_READ.has(upstreamCode)
}
