import { Fault } from '../../core/faults.ts'
import { fingerprintOf, sealedIn, sealedPieces } from '../../protocols/bound-content.ts'
import type { StoredAnswer } from '../../protocols/protocol.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { ProviderOrgMemory } from '../../routing/provider-org-memory.ts'
import type { Clock } from '../../core/clock.ts'
import { faultOfRest } from '../upstream-faults.ts'
import type { UntriedTargets } from './untried-targets.ts'
import type { OrgBinding } from '../request/prepared.ts'

/** The part of a request that may be bound to an organisation. */
export interface OrgBound {
  readonly body: Buffer
  /** null: one provider organisation serves the model. */
  readonly binding: OrgBinding | null
}

/**
 * Codes by which OpenAI says that it cannot read what another organisation made, or does not have it: see
 * `protocols/bound-content.ts`, and its page on conversation state for answers that are continued.
 */
const CANNOT_READ: ReadonlySet<string> = new Set(['invalid_encrypted_content', 'previous_response_not_found'])

/** Who may read what another organisation could not: the hedge that is under way, or a candidate that was not asked. */
type Crossing = 'hedge' | 'untried'

/** Sends encrypted reasoning and stored answers back to the organisation that created them, for one exchange. */
export class ExchangeOrg {
  readonly #of: OrgBound
  readonly #memory: ProviderOrgMemory
  readonly #clock: Clock
  /** One more attempt for it is enough. */
  #hasCrossed = false
  /** The organisation that created it was asked, and failed in a way that may pass. */
  #failure: Fault | null = null

  constructor(of: OrgBound, memory: ProviderOrgMemory, clock: Clock) {
    this.#of = of
    this.#memory = memory
    this.#clock = clock
  }

  /** An attempt failed. */
  failed(candidate: Candidate, fault: Fault): void {
    if (this.#of.binding?.providerOrg === candidate.providerOrg && fault.policy.blame === 'upstream')
      this.#failure ??= fault
  }

  /**
   * Turns to the organisation that can read what an upstream could not, once. `hedge`: the candidate of the hedge under way. Null:
   * there is none to be asked.
   */
  mayCross(fault: Fault, way: { from: Candidate; hedge: Candidate | null }, untried: UntriedTargets): Crossing | null {
    const { binding } = this.#of
    const { from, hedge } = way
    if (!cannotRead(fault) || binding === null || this.#hasCrossed || binding.providerOrg === from.providerOrg)
      return null
    this.#hasCrossed = true
    if (
      hedge !== null &&
      hedge.providerOrg === (binding.providerOrg ?? hedge.providerOrg) &&
      hedge.providerOrg !== from.providerOrg
    )
      return 'hedge'
    return untried.turnTo(binding.providerOrg, from.providerOrg) ? 'untried' : null
  }

  /**
   * The Fault for the caller. Where the organisation that can read it rests or has failed, that: it may be well again. Else which item
   * cannot be read.
   */
  faultToShow(fault: Fault, from: Candidate | null, untried: UntriedTargets): Fault {
    if (from === null || !cannotRead(fault)) return fault
    if (this.#failure !== null) return this.#failure
    const now = this.#clock.elapsed()
    const resting =
      this.#of.binding?.providerOrg === from.providerOrg
        ? null
        : untried.restingIn(this.#of.binding?.providerOrg ?? null, now)
    if (resting !== null) return faultOfRest(resting.candidate.restsBecause(now), resting.at - now)
    const item = sealedPieces(this.#of.body).find(
      ({ fingerprint }) => this.#memory.providerOrgOf(fingerprint, now) !== from.providerOrg,
    )
    if (item === undefined || fault.details.upstreamCode !== 'invalid_encrypted_content') return fault
    const { status, upstreamCode } = fault.details
    return new Fault(
      'upstream_rejected',
      `\`${item.at}\` cannot be read by the provider: it was made by another organisation than the one that serves this model now. Leave that item out, or begin a new conversation.`,
      { param: item.at, ...(status === undefined ? {} : { status }), upstreamCode },
    )
  }

  /** Bytes of an answer go to the client as they came. */
  passed(bytes: Buffer, { providerOrg }: Candidate): void {
    if (this.#of.binding !== null) this.#remember(sealedIn(bytes), providerOrg)
  }

  /** An answer is whole, so its upstream has read all that the request held. */
  succeeded({ providerOrg, credentialName }: Candidate, storedAs: StoredAnswer | null | undefined): void {
    const { binding } = this.#of
    if (binding === null) return
    this.#remember(binding.fingerprints, providerOrg)
    if (storedAs) this.#remember([storedAs.id, ...storedAs.items].map(fingerprintOf), providerOrg, credentialName)
  }

  #remember(fingerprints: readonly string[], providerOrg: string, credential: string | null = null): void {
    const now = this.#clock.elapsed()
    for (const fingerprint of fingerprints) this.#memory.remember(fingerprint, { providerOrg, credential }, now)
  }
}

function cannotRead({ code, details: { upstreamCode } }: Fault): boolean {
  return code === 'upstream_rejected' && upstreamCode !== undefined && CANNOT_READ.has(upstreamCode)
}
