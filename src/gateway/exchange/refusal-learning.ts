import { TRIES_OF_TARGET_LIMIT } from '../../core/limits.ts'
import type { Wire } from '../../core/wire.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Target } from '../../routing/catalog.ts'
import type { LearnedRefusal } from '../../routing/learned-refusals.ts'
import type { Attempt } from './attempt.ts'
import type { ExchangeState } from './state.ts'

/** What a target has refused, for as long as it has not answered without it. */
interface Unproven {
  readonly target: Target
  readonly refusals: readonly Omit<LearnedRefusal, 'refusedAt'>[]
  readonly settings: ReadonlySet<string>
}

/**
 * What one request learns from targets that refuse one of its settings by name (decision 0109). The same target is asked once
 * more without it, and without a second one. It is remembered for other requests when the target goes on from there: when it
 * answers, or refuses something else. An error that quotes what was asked is the same again, and teaches nothing.
 */
export class RefusalLearning {
  readonly #state: ExchangeState
  /** The target that was asked last, and how often in a row. */
  #asked: Target | null = null
  #tries = 0
  #again: Candidate | null = null
  #mayElsewhere = false
  #unproven: Unproven | null = null
  /** The wire that a target seems to lack, for as long as it has not answered on another. */
  #missing: { readonly target: Target; readonly wire: Wire } | null = null

  constructor(state: ExchangeState) {
    this.#state = state
  }

  /** A target is to be asked again, or another one might take what the last one refused. */
  mayGoOn(isOtherLeft: boolean): boolean {
    return this.#again !== null || (this.#mayElsewhere && isOtherLeft)
  }

  /** Takes the candidate that is to be asked again; null: none is. */
  take(): Candidate | null {
    const again = this.#again
    this.#again = null
    return again
  }

  /** A candidate is asked. */
  begins({ target }: Candidate): void {
    this.#tries = target === this.#asked ? this.#tries + 1 : 1
    this.#asked = target
    this.#mayElsewhere = false
  }

  /** A target has refused the request. `isOver`: another one runs beside it, or none may be asked any more. */
  refused(attempt: Attempt, { isOver }: { readonly isOver: boolean }): void {
    const { refusedByName: refused, candidate, inUse } = attempt
    const { target } = candidate
    if (attempt.lacksWire) this.#leaveWire(attempt, isOver)
    if (refused === null) return
    if (!refused.settings.some((setting) => this.#unproven?.settings.has(setting))) this.#prove(target)
    const untaken = this.#state.request.adapters.leaveOut(target, candidate.orgTag, refused)
    if (untaken === null) return
    this.#mayElsewhere = true
    // It is not under way any more: its credential may have room for one request alone.
    attempt.leave()
    if (isOver || this.#tries >= TRIES_OF_TARGET_LIMIT || !this.#isReady(candidate)) return
    this.#again = candidate
    const said = attempt.learnsFrom(refused)
    for (const setting of refused.settings) {
      this.#state.parts.figures.learnedRefusal(inUse.upstream.name, target.model, setting)
    }
    this.#unproven = {
      target,
      settings: new Set([...(this.#unproven?.settings ?? []), ...refused.settings]),
      refusals: [...(this.#unproven?.refusals ?? []), ...untaken.map((each) => ({ ...each, said }))],
    }
  }

  /** An upstream without the endpoint that is asked first is asked by the next one that it may have. */
  #leaveWire(attempt: Attempt, isOver: boolean): void {
    const { candidate, adapter } = attempt
    const { adapters } = this.#state.request
    if (isOver || this.#tries >= TRIES_OF_TARGET_LIMIT || !adapters.leaveWire(candidate.target, adapter.wire)) return
    attempt.leavesWire()
    attempt.leave()
    if (!this.#isReady(candidate)) return
    this.#again = candidate
    this.#missing = { target: candidate.target, wire: adapter.wire }
  }

  /** The candidate rests for no other reason, and its credential has room. */
  #isReady(candidate: Candidate): boolean {
    const { parts, request } = this.#state
    const now = parts.clock.elapsed()
    return candidate.mayBeAskedAt(now, request.caller.account.id) <= now
  }

  /** A good answer came. */
  answered({ target }: Candidate): void {
    if (this.#unproven !== null) this.#prove(target)
    const missing = this.#missing
    const { request, parts } = this.#state
    const upstream = request.snapshot.upstreamsById.get(target.upstreamId)?.upstream
    if (missing?.target === target && upstream !== undefined) parts.missingEndpoints.note(upstream, missing.wire)
  }

  /** What this target has refused is remembered. */
  #prove(target: Target): void {
    const unproven = this.#unproven
    this.#unproven = null
    const { request, parts } = this.#state
    const upstream = request.snapshot.upstreamsById.get(target.upstreamId)?.upstream
    if (unproven?.target !== target || upstream === undefined) return
    parts.learnedRefusals.learn({ upstream, target }, unproven.refusals)
  }
}
