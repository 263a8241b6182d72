import { isLeft, type RouteReason } from '../../core/route-reasons.ts'
import type { ShadowRule } from '../../core/shadow-rules.ts'
import type { Wire } from '../../core/wire.ts'
import type { Target } from '../../routing/catalog.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { isPlainChoice, passedOverBy, whyPassedOver } from '../../routing/choose-target.ts'
import type { ChoosingBy, TargetChoice } from '../../routing/choosing.ts'
import { type RouteStep, WRITTEN_STEPS, writtenRoute } from '../../routing/route-trace.ts'
import { objectionTo } from '../choice/choose-model.ts'
import type { PreparedRequest } from '../request/prepared.ts'

/** What the trace of a request depends on, beside its candidates. */
export interface RouteAbout extends Pick<PreparedRequest, 'chosen' | 'snapshot' | 'isSameWireOnly'> {
  readonly protocol: Pick<PreparedRequest['protocol'], 'wire'>
  /** See `affinityOf`; null: any target is as good. */
  readonly affinity: number | null
}

type Why = Omit<RouteStep, 'name' | 'shadow'>

export interface NotedStep extends RouteStep {
  readonly target: Target
  /** null: it was never among the candidates. */
  readonly candidate: Candidate | null
}

/**
 * What became of each candidate of one request. Nearly all take their first choice while every other is well: of them the one
 * that was taken is kept, and the trace is the same for each that takes it, and made once.
 */
export class RouteNotes {
  readonly #of: RouteAbout
  #candidates: readonly Candidate[]
  /** Candidates came later, so that the trace is the request's own. */
  #isExtended = false
  /** The first choice, as long as it says all. */
  #plain: Candidate | null = null
  #why: Map<Candidate, Why> | null = null
  #asked: readonly Candidate[] = NONE
  /** Candidates that were asked although rules in shadow speak against it. */
  #shadow: Map<Candidate, readonly ShadowRule[]> | null = null

  constructor(of: RouteAbout, candidates: readonly Candidate[]) {
    this.#of = of
    this.#candidates = candidates
  }

  get isWithoutCandidates(): boolean {
    return this.#candidates.length === 0
  }

  /** Candidates of another group may be asked as well. */
  also(candidates: readonly Candidate[]): void {
    if (candidates.length === 0) return
    this.#candidates = [...this.#candidates, ...candidates]
    this.#isExtended = true
  }

  /** A choice was made among those that were left. */
  chosen(choice: TargetChoice, left: readonly Candidate[], by: ChoosingBy): void {
    const isFirst = this.#plain === null && this.#why === null
    const isPlain =
      choice.kind === 'take' &&
      (choice.isPlain ?? (choice.looked === undefined && isPlainChoice(choice.candidate, left, by)))
    if (isFirst && isPlain) {
      this.#plain = choice.candidate
      return
    }
    const why = this.#inFull()
    const taken = choice.kind === 'take' ? choice.candidate : null
    const looked = choice.kind === 'take' ? choice.looked : undefined
    const over =
      looked === undefined ? passedOverBy(taken, left, by) : { taken, mean: null, now: by.now, callerId: by.callerId }
    for (const candidate of looked ?? left) {
      const before = why.get(candidate)
      if (before === undefined || isLeft(before.reason)) {
        why.set(candidate, whyPassedOver(candidate, over))
      }
    }
    if (taken === null) return
    const rests = taken.mayBeAskedAt(by.now, by.callerId) > by.now
    why.set(
      taken,
      rests ? { ...whyPassedOver(taken, over), reason: 'panic' } : by.affinity === null ? TAKEN : BY_AFFINITY,
    )
    this.#asked = [...this.#asked, taken]
  }

  hedged(candidate: Candidate): void {
    this.#inFull().set(candidate, HEDGE)
    this.#asked = [...this.#asked, candidate]
  }

  /** A candidate is left out for a reason of its own. */
  skipped(candidate: Candidate, reason: RouteReason): void {
    this.#inFull().set(candidate, { reason, restSeconds: null })
    this.#asked = this.#asked.filter((each) => each !== candidate)
  }

  /** A candidate is asked, although these rules in shadow speak against it; at least one. */
  shadowed(candidate: Candidate, rules: readonly ShadowRule[]): void {
    this.#shadow ??= new Map()
    this.#shadow.set(candidate, rules)
  }

  /** Every target of the model, those that were asked first; null: none was to be chosen. */
  steps(): readonly NotedStep[] | null {
    const why = this.#why
    if (why === null) return this.#plain === null ? null : this.#plainSteps(this.#plain)
    const steps = this.#ordered().map((candidate) => this.#step(candidate, why.get(candidate) ?? NOT_NEEDED))
    return [...steps, ...this.#excluded()]
  }

  /** The trace as a record keeps it; null where the model has one target with one credential, which was simply asked. */
  written(): string | null {
    const plain = this.#plain
    if (this.#why === null && plain !== null) {
      return this.#shadow === null ? this.#writtenPlain(plain) : writtenRoute(this.#plainSteps(plain))
    }
    const why = this.#why
    return why === null ? null : this.#writtenOf(this.#ordered(), why)
  }

  /** Steps are made for those alone that a record has room for: there may be 500 candidates. */
  #writtenOf(ordered: readonly Candidate[], why: ReadonlyMap<Candidate, Why>): string | null {
    const excluded = this.#excluded()
    const kept = ordered
      .slice(0, WRITTEN_STEPS)
      .map((candidate) => this.#step(candidate, why.get(candidate) ?? NOT_NEEDED))
    const further = ordered.length - kept.length
    if (further > 0) return writtenRoute(kept, further + excluded.length)
    return kept.length + excluded.length === 0 ? null : writtenRoute([...kept, ...excluded])
  }

  get #taken(): Why {
    return this.#of.affinity === null ? TAKEN : BY_AFFINITY
  }

  /** All candidates, those that were asked first. */
  #ordered(): readonly Candidate[] {
    const asked = new Set(this.#asked)
    return [...asked, ...this.#candidates.filter((candidate) => !asked.has(candidate))]
  }

  #writtenPlain(plain: Candidate): string | null {
    const { chosen, protocol, isSameWireOnly, affinity } = this.#of
    const { targets } = chosen.model
    if (targets.length === 1 && this.#candidates.length === 1) return null
    if (chosen.isNarrowed === true || this.#isExtended) return writtenRoute(this.steps() ?? [])
    // Whatever else the trace depends on is new with a new catalogue, as the candidate is.
    let byGroup = PLAIN.get(plain)
    if (byGroup === undefined) PLAIN.set(plain, (byGroup = new Map()))
    let byWire = byGroup.get(chosen.group.id)
    if (byWire === undefined) byGroup.set(chosen.group.id, (byWire = new Map()))
    let texts = byWire.get(protocol.wire)
    if (texts === undefined) byWire.set(protocol.wire, (texts = []))
    const about = (isSameWireOnly ? 1 : 0) + (affinity === null ? 0 : 2)
    return (texts[about] ??= writtenRoute(this.steps() ?? []))
  }

  #plainSteps(taken: Candidate): readonly NotedStep[] {
    const others = this.#candidates.filter((candidate) => candidate !== taken)
    return [
      this.#step(taken, this.#taken),
      ...others.map((candidate) => this.#step(candidate, NOT_NEEDED)),
      ...this.#excluded(),
    ]
  }

  /** Targets of the model that were never among the candidates. */
  #excluded(): readonly NotedStep[] {
    const { chosen, snapshot: catalogue, protocol, isSameWireOnly } = this.#of
    // A target without any credential that is switched on has no candidate.
    const leftOut = chosen.isNarrowed === true ? 'owner' : 'disabled'
    return chosen.model.targets
      .filter((target) => !this.#candidates.some((candidate) => candidate.target === target))
      .map((target) => ({
        target,
        candidate: null,
        name: this.#upstreamOf(target),
        reason: objectionTo(target, { catalogue, wire: protocol.wire, isSameWireOnly, ...chosen }) ?? leftOut,
        restSeconds: null,
      }))
  }

  #inFull(): Map<Candidate, Why> {
    if (this.#why === null) {
      this.#why = new Map()
      if (this.#plain !== null) {
        this.#why.set(this.#plain, this.#taken)
        this.#asked = [...this.#asked, this.#plain]
      }
    }
    return this.#why
  }

  #step(candidate: Candidate, why: Why): NotedStep {
    const shadow = this.#shadow?.get(candidate)
    const step = { target: candidate.target, candidate, name: this.#nameOf(candidate), ...why }
    return shadow === undefined ? step : { ...step, shadow }
  }

  /** The name of the upstream, with that of the credential where it has several. */
  #nameOf({ target, credentialName, isOfPool }: Candidate): string {
    const upstream = this.#upstreamOf(target)
    return isOfPool ? `${upstream}/${credentialName ?? ''}` : upstream
  }

  #upstreamOf({ upstreamId }: Target): string {
    return this.#of.snapshot.upstreamsById.get(upstreamId)?.upstream.name ?? '?'
  }
}

const NONE: readonly Candidate[] = []
const TAKEN: Why = { reason: 'taken', restSeconds: null }
const BY_AFFINITY: Why = { reason: 'affinity', restSeconds: null }
const HEDGE: Why = { reason: 'hedge', restSeconds: null }
const NOT_NEEDED: Why = { reason: 'not_needed', restSeconds: null }
/**
 * Traces of requests whose first choice was this candidate, by what else they depend on: the group, the wire, and whether it is to be
 * the same and affinity chose. Maps in maps, since a text made of all of it would be made by every request.
 */
const PLAIN = new WeakMap<Candidate, Map<string, Map<Wire, string[]>>>()
