import type { AttemptObstacle } from '../core/model-list-results.ts'
import type { NanoUsd } from '../core/money.ts'
import type { ShadowRule } from '../core/shadow-rules.ts'
import type { Target } from './catalog.ts'
import type { CredentialHealth } from './credential-health.ts'
import type { CredentialPause } from './credential-use.ts'
import { type FailureClass, treatmentOf } from './failure-class.ts'
import { orgTag } from './provider-org.ts'
import type { SpendCap } from './spend-cap.ts'
import type { TargetFailure, TargetHealth } from './target-health.ts'
import type { UpstreamHealth } from './upstream-health.ts'

export interface CandidateParts {
  readonly target: Target
  readonly upstream: UpstreamHealth
  readonly credential: CredentialHealth
  /** Null where the upstream wants none. */
  readonly credentialName?: string | null
  /** `providerOrgOf` its credential; left out: the upstream's own. */
  readonly providerOrg?: string
  /** The target's weight may be divided among several credentials. */
  readonly weight: number
  /** The credential goes through a proxy of its own: whether it gets through says nothing of the others. Left out: it does not. */
  readonly hasOwnWay?: boolean
  /** The upstream has other credentials: what fails with all of them is the upstream's own doing. */
  readonly isOfPool: boolean
  /** Among equals it comes before those that are not. */
  readonly isPreferred: boolean
  /** A number of its own, the same in every process: see `affinityHash`. */
  readonly hash: number
  /** The caps of its target and of its upstream, at least one; null or left out: they have none. */
  readonly caps?: readonly SpendCap[] | null
}

/** When a request was sent, and when it ended; readings of `Clock.elapsed`. */
export interface AttemptTimes {
  readonly beganAt: number
  readonly now: number
}

/** A target with one of the credentials that it may be asked with, and what this process knows of both. */
export class Candidate {
  readonly target: Target
  readonly upstream: UpstreamHealth
  readonly credential: CredentialHealth
  readonly credentialName: string | null
  readonly providerOrg: string
  /** `orgTag` of it. */
  readonly orgTag: string
  readonly weight: number
  readonly isOfPool: boolean
  readonly isPreferred: boolean
  readonly hash: number
  readonly #hasOwnWay: boolean
  /** The health of the target with this credential. */
  readonly health: TargetHealth
  /** The health of the target with any credential; null where there is but one. */
  readonly #whole: TargetHealth | null
  /** The caps that are enforced; null: none is. */
  readonly #caps: readonly SpendCap[] | null
  /** The caps in shadow; null: none is. */
  readonly #shadowCaps: readonly SpendCap[] | null
  /** Some rule for its target, its upstream or its credential is in shadow. */
  readonly isShadowed: boolean

  constructor(parts: CandidateParts) {
    this.target = parts.target
    this.upstream = parts.upstream
    this.credential = parts.credential
    this.credentialName = parts.credentialName ?? null
    this.providerOrg = parts.providerOrg ?? parts.target.upstreamId
    this.orgTag = orgTag(this.providerOrg)
    this.weight = parts.weight
    this.#hasOwnWay = parts.hasOwnWay ?? false
    this.isOfPool = parts.isOfPool
    this.isPreferred = parts.isPreferred
    this.hash = parts.hash
    this.health = parts.credential.of(parts.target.model)
    this.#whole = parts.isOfPool ? parts.upstream.of(parts.target.model) : null
    this.#caps = orNull(parts.caps?.filter(({ isShadow }) => !isShadow))
    this.#shadowCaps = orNull(parts.caps?.filter(({ isShadow }) => isShadow))
    this.isShadowed = this.#shadowCaps !== null || parts.target.shadow !== undefined || parts.credential.use.isShadowed
  }

  /** When it may be asked, by its own state and that of its credential; `Infinity`: not as it is configured. */
  mayBeAskedAt(now: number, callerId: string | null = null): number {
    const own = Math.max(this.health.mayBeAskedAt(now, callerId), this.credential.mayBeAskedAt(now))
    const at = this.#caps === null ? own : Math.max(own, opensAt(this.#caps, now))
    return this.#whole === null ? at : Math.max(at, this.#whole.mayBeAskedAt(now, callerId))
  }

  /** When it may be tried where no other is well: a rest that we guessed is cut short. */
  mayBeTriedAt(now: number, callerId: string | null = null): number {
    const own = Math.max(this.health.mayBeTriedAt(now, callerId), this.credential.mayBeTriedAt(now))
    const at = this.#caps === null ? own : Math.max(own, opensAt(this.#caps, now))
    return this.#whole === null ? at : Math.max(at, this.#whole.mayBeTriedAt(now, callerId))
  }

  /** What is known of the target with any of its credentials. */
  get targetHealth(): TargetHealth {
    return this.#whole ?? this.health
  }

  /** Why there is no room for a request now, though nothing is known against it; null: there is. */
  pause(now: number): CredentialPause | null {
    const pause = this.credential.use.pause(now)
    if (this.#caps === null || pause === 'expired') return pause
    return opensAt(this.#caps, now) > now ? 'spend_cap' : pause
  }

  /** Nothing is known against it, but that it may have no room: see `wellness`. */
  get isWell(): boolean {
    return this.health.isWell && this.#isWellBesides
  }

  /** Whether it is well, as far as it concerns requests of one caller. */
  isWellFor(callerId: string | null): boolean {
    return !this.isInDoubtFor(callerId) && this.#isWellBesides
  }

  get #isWellBesides(): boolean {
    return this.credential.held === null && (this.#whole === null || this.#whole.restsUntil === 0)
  }

  /** Whether it rests or has just rested, or fails often with this caller's requests: few ask it while others are well. */
  isInDoubtFor(callerId: string | null): boolean {
    return this.health.restsUntil !== 0 || this.health.isIllFor(callerId)
  }

  /** Why it is left alone: of rests the one that lasts longest: what healed long ago does not count. Where it is not, why it was last. */
  restsBecause(now: number, callerId: string | null = null): FailureClass | CredentialPause | null {
    const { held } = this.credential
    if (held !== null) return held.because
    const pause = this.pause(now)
    if (pause !== null && pause !== 'busy') return pause
    const ofPair = this.health.mayBeAskedAt(now, callerId)
    const ofAll = this.#whole?.mayBeAskedAt(now, callerId) ?? now
    if (Math.max(ofPair, ofAll) > now) return (ofAll > ofPair ? this.#whole : this.health)?.lastFailure ?? pause
    return pause ?? this.health.lastFailure ?? this.#whole?.lastFailure ?? null
  }

  /** Why no answer came when what rests here failed last; null: one came, it does not rest, or nothing says why. */
  restsWhy(now: number): AttemptObstacle | null {
    const resting = [this.health, this.#whole].filter((health) => health !== null && health.restsUntil > now)
    return resting.find((health) => health?.lastWhy != null)?.lastWhy ?? null
  }

  begin(now: number): void {
    this.health.begin(now)
    this.#whole?.begin(now)
    this.credential.begin(now)
  }

  /** A request is over, however it ended. */
  end(): void {
    this.health.end()
    this.#whole?.end()
    this.credential.use.end()
  }

  /** A request is over and used so much. */
  used(tokens: number, cost: NanoUsd): void {
    this.credential.use.used(tokens, cost)
    if (this.#caps !== null) for (const cap of this.#caps) cap.add(cost)
    if (this.#shadowCaps !== null) for (const cap of this.#shadowCaps) cap.add(cost)
  }

  /** The first event of an answer came to a request that was sent at `beganAt`. */
  answered(beganAt: number, now: number): void {
    this.health.answered(beganAt, now)
    this.#whole?.answered(beganAt, now)
    this.credential.answered(beganAt)
  }

  /** A request that was sent at `beganAt` was called off before its first event came: it takes at least so long. */
  waitedFor(beganAt: number, now: number): void {
    this.health.waitedFor(beganAt, now)
    this.#whole?.waitedFor(beganAt, now)
  }

  /** An answer that says that the request is wrong came: target and credential are well. */
  isThere(beganAt: number): void {
    this.health.isThere(beganAt)
    this.#whole?.isThere(beganAt)
    this.credential.answered(beganAt)
  }

  /** A request came to its good end. */
  succeeded(beganAt: number): void {
    this.health.succeeded(beganAt)
    this.#whole?.succeeded(beganAt)
  }

  failed({ beganAt, now }: AttemptTimes, about: TargetFailure): void {
    const { failure } = about
    const affectsOtherCredentials = this.affectsOtherCredentials(failure)
    // An upstream that refuses one credential, or asks it to wait, is there for the others.
    if (!affectsOtherCredentials && failure !== 'proxy') this.#whole?.isThere(beganAt)
    if (treatmentOf(failure).concernsCredential) return this.credential.refused({ beganAt, now }, failure, about.said)
    this.health.failed(beganAt, now, about)
    if (this.#whole === null || !affectsOtherCredentials) return
    const isHint = failure !== 'unreachable' || this.#hasOwnWay
    this.#whole.failed(beganAt, now, { ...about, restMs: null, isHint })
  }

  /** What its rules in shadow keep from it now, but for those on margins, which are of a request's group. */
  refusingInShadow(now: number): readonly ShadowRefusal[] {
    if (!this.isShadowed) return []
    const ofCredential = this.credential.use.refusingInShadow(now).map((rule) => ({ rule, of: 'credential' }) as const)
    const caps = (this.#shadowCaps ?? []).filter((cap) => cap.opensAt(now) > now)
    return [...ofCredential, ...caps.map(({ of }) => ({ rule: 'spend_per_day', of }) as const)]
  }

  /** Whether other credentials of the upstream are likely to do no better. */
  affectsOtherCredentials(failure: FailureClass): boolean {
    return treatmentOf(failure).concernsUpstream && !(failure === 'proxy' && this.#hasOwnWay)
  }
}

/** A rule in shadow that would have kept a request from a candidate, and what it is set on. */
export interface ShadowRefusal {
  readonly rule: ShadowRule
  readonly of: 'upstream' | 'target' | 'credential'
}

function orNull(caps: readonly SpendCap[] | undefined): readonly SpendCap[] | null {
  return caps === undefined || caps.length === 0 ? null : caps
}

/** When all of them leave room. */
function opensAt(caps: readonly SpendCap[], now: number): number {
  let at = now
  for (const cap of caps) at = Math.max(at, cap.opensAt(now))
  return at
}
