import { ATTEMPTS_LIMIT, TARGET_PATIENCE_MS } from '../../core/limits.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Target } from '../../routing/catalog.ts'
import { chooseTarget } from '../../routing/choose-target.ts'
import type { ChoosingBy, TargetChoice } from '../../routing/choosing.ts'
import { candidatesOf } from '../choice/target-candidates.ts'
import { needsLargerReservation } from './reservations.ts'
import { type RouteAbout, RouteNotes } from './route-notes.ts'
import type { ExchangeState } from './state.ts'
import { clientTimesOutBefore } from './times.ts'
import type { PreparedRequest, GroupRoute, OrgBinding } from '../request/prepared.ts'

/** What is left of a later group of the request's key. */
interface FallbackGroup {
  readonly group: GroupRoute
  left: readonly Candidate[]
}

/** The part of a request by which its targets are chosen. */
export interface Choosing extends RouteAbout {
  /** Left out: nothing that it holds is bound to an organisation. */
  readonly binding?: OrgBinding | null
  readonly caller: { readonly account: { readonly id: string } }
  readonly adapters: Pick<PreparedRequest['adapters'], 'isSameWire'>
}

/** The targets of one request with the credentials that it has not been sent to them with. */
export class UntriedTargets {
  /** What became of each. */
  readonly notes: RouteNotes
  /** Candidates that are left, with the one that was removed last. */
  #list: readonly Candidate[]
  /** The candidate that was removed last, which is taken out where the others are looked at: nearly all requests ask one target and look at no other. */
  #removed: Candidate | null = null
  readonly #random: () => number
  readonly #callerId: string
  /** Failed in a way that other credentials are not likely to help with, or at an upstream that was asked twice. */
  #failed: Target | null = null
  /** The upstream that was asked last. */
  #askedUpstreamId: string | null = null
  /** The organisation whose candidates come before all others; null: any. */
  #preferredOrg: string | null
  /** The organisation that created what the request holds; null: none, or not known. */
  readonly #boundOrg: string | null
  /** The group that the request is charged in. */
  #group: GroupRoute
  readonly #fallbacks: (() => readonly GroupRoute[]) | null
  /** Groups that may follow it; null: they were not looked for. */
  #fallbackGroups: readonly FallbackGroup[] | null = null
  readonly #of: Pick<Choosing, 'snapshot' | 'adapters'>

  /** `fallbacks`: the groups that follow where none of the first one's targets may be asked, looked for then; null: none. */
  constructor(of: Choosing, random: () => number, fallbacks: (() => readonly GroupRoute[]) | null = null) {
    const { chosen, caller } = of
    this.#of = of
    this.#random = random
    this.#group = of
    this.#fallbacks = fallbacks
    this.#callerId = caller.account.id
    this.#boundOrg = of.binding?.providerOrg ?? null
    this.#preferredOrg = this.#boundOrg
    this.#list = this.#candidatesOf(chosen.targets)
    this.notes = new RouteNotes(of, this.#list)
  }

  /** Every request does this: a list is made only where there is more than one target. */
  #candidatesOf(targets: readonly Target[]): readonly Candidate[] {
    const { snapshot, adapters } = this.#of
    let all: readonly Candidate[] = NO_CANDIDATES
    let joined: Candidate[] | null = null
    for (const target of targets) {
      const inUse = snapshot.upstreamsById.get(target.upstreamId)
      if (inUse === undefined) continue
      const candidates = candidatesOf(target, inUse, adapters.isSameWire(target))
      if (joined !== null) for (const each of candidates) joined.push(each)
      else if (all.length === 0) all = candidates
      else joined = [...all, ...candidates]
    }
    return joined ?? all
  }

  /** How many candidates of the group that the request is charged in are left. */
  get count(): number {
    return this.#left.length
  }

  /** There were targets, and none of them, nor of a later group that was looked at, had a credential that is enabled. */
  get lacksCredentials(): boolean {
    return this.#group.chosen.targets.length > 0 && this.notes.isWithoutCandidates
  }

  get isAnyLeft(): boolean {
    return this.#left.length > 0 || this.#others.some(({ left }) => left.length > 0)
  }

  /** The group that the request is charged in where a candidate is asked. */
  groupOf(candidate: Candidate): GroupRoute {
    if (this.#fallbackGroups === null) return this.#group
    return this.#fallbackGroups.find(({ left }) => left.includes(candidate))?.group ?? this.#group
  }

  /** The request is charged in that group from now on. */
  switchTo(group: GroupRoute): void {
    const before = { group: this.#group, left: this.#left }
    const entered = this.#others.find((each) => each.group === group)
    if (entered === undefined) return
    this.#fallbackGroups = this.#others.map((each) => (each === entered ? before : each))
    this.#group = group
    this.#left = entered.left
    this.#preferredOrg = this.#boundOrg
  }

  /** The request cannot be charged in that group. */
  exclude(group: GroupRoute): void {
    for (const each of this.#others) {
      if (each.group !== group) continue
      for (const candidate of each.left) this.notes.skipped(candidate, 'group')
      each.left = []
    }
  }

  /** How those of later groups stand, for the notes. */
  noteOthers(now: number): void {
    for (const { group, left } of this.#others) this.notes.chosen(NONE, left, this.#by(now, group, { isRetry: false }))
  }

  get #others(): readonly FallbackGroup[] {
    if (this.#fallbackGroups === null) {
      const groups = (this.#fallbacks?.() ?? []).map((group) => ({
        group,
        left: this.#candidatesOf(group.chosen.targets),
      }))
      this.#fallbackGroups = groups
      for (const { left } of groups) this.notes.also(left)
    }
    return this.#fallbackGroups
  }

  #by(now: number, { affinity }: GroupRoute, { isRetry }: { isRetry: boolean }): ChoosingBy {
    return { now, random: this.#random, affinity, callerId: this.#callerId, isRetry }
  }

  get #left(): readonly Candidate[] {
    const removed = this.#removed
    if (removed !== null) this.#list = this.#list.filter((each) => each !== removed)
    this.#removed = null
    return this.#list
  }

  set #left(left: readonly Candidate[]) {
    this.#list = left
    this.#removed = null
  }

  /** Chooses the candidate to ask next. `isRetry`: another one has failed; then only those that have room for retries may be. */
  choose(now: number, { isRetry }: { isRetry: boolean }): TargetChoice {
    if (isRetry) this.#left = this.#left.filter((candidate) => this.#hasRoom(candidate, now))
    const by = this.#by(now, this.#group, { isRetry })
    const own = this.#preferredOrg === null ? this.#chooseBy(this.#left, by) : this.#withinOrg(this.#preferredOrg, by)
    const isEnough = this.#fallbacks === null || (this.#isEnough(own, by) && !this.#isRisk(own, by))
    if (isEnough || !this.#isAnyFallbackLeft(by)) {
      this.notes.chosen(own, this.#left, by)
      return own
    }
    return this.#chooseFromFallbacks(own, by)
  }

  /** Whether a candidate of its own group may be asked. What a request holds binds it to its group as long as one of the organisation may be, well or not. */
  #isEnough(own: TargetChoice, by: ChoosingBy): boolean {
    return mayBeAsked(own, this.#left, this.#preferredOrg === null ? by : { ...by, isRetry: false })
  }

  /**
   * Whether the request would find out how a candidate is that is not known to be well, while none that is well takes a retry now: the
   * request goes at once to one of a later group. Where a group of few requests rests as a whole, nearly each of them would
   * find out, and no upstream has room for so many retries.
   */
  #isRisk(own: TargetChoice, { now, isRetry }: ChoosingBy): boolean {
    if (isRetry === true || own.kind !== 'take' || this.#preferredOrg !== null) return false
    if (own.candidate.isWellFor(this.#callerId)) return false
    const isWell = (each: Candidate) => each.mayBeAskedAt(now, this.#callerId) <= now && each.isWellFor(this.#callerId)
    const later = this.#others.flatMap(({ left }) => left.filter(isWell))
    if (later.length === 0) return false
    return ![...this.#left.filter(isWell), ...later].some(({ upstream }) => upstream.retries.hasRoom(now))
  }

  #isAnyFallbackLeft({ now, isRetry }: ChoosingBy): boolean {
    let isAny = false
    for (const each of this.#others) {
      if (isRetry === true) each.left = each.left.filter((candidate) => this.#hasRoom(candidate, now))
      isAny ||= each.left.length > 0
    }
    return isAny
  }

  /** None of its own group may be asked now: one of the next group with one that may, else the one that comes back first. */
  #chooseFromFallbacks(own: TargetChoice, by: ChoosingBy): TargetChoice {
    this.notes.chosen(NONE, this.#left, by)
    for (const { group, left } of this.#others) {
      const there = { ...by, affinity: group.affinity }
      const choice = this.#chooseBy(left, there)
      // It is taken when the request is charged there, which has to be seen to first.
      this.notes.chosen(NONE, left, there)
      if (mayBeAsked(choice, left, there)) return choice
    }
    if (own.kind === 'take') {
      this.notes.chosen(own, this.#left, by)
      return own
    }
    return chooseTarget([...this.#left, ...this.#others.flatMap(({ left }) => left)], by)
  }

  /** Chooses within one organisation as long as it may be asked in a moment. */
  #withinOrg(providerOrg: string, by: ChoosingBy): TargetChoice {
    const inside = this.#left.filter((candidate) => candidate.providerOrg === providerOrg)
    const choice = this.#chooseBy(inside, by)
    if (choice.kind === 'none' || (choice.kind === 'rest' && choice.at - by.now > TARGET_PATIENCE_MS)) {
      this.leaveOrg()
      return this.#chooseBy(this.#left, by)
    }
    for (const candidate of this.#left)
      if (candidate.providerOrg !== providerOrg) this.notes.skipped(candidate, 'owner')
    return choice
  }

  #chooseBy(candidates: readonly Candidate[], by: ChoosingBy): TargetChoice {
    const failed = this.#failed
    if (failed === null) return chooseTarget(candidates, by)
    const elsewhere = candidates.filter(({ target }) => target.upstreamId !== failed.upstreamId)
    const choice = chooseTarget(elsewhere, by)
    return choice.kind === 'take' ? choice : chooseTarget(candidates, by)
  }

  /**
   * Chooses a candidate for a hedge: one that may be asked at once, and best at another upstream; null: there is none.
   * `without`: these may not be.
   */
  chooseHedge({ target }: Candidate, now: number, without: ReadonlySet<Target> = NO_TARGETS): Candidate | null {
    const left = this.#left.filter(
      (each) =>
        (this.#boundOrg === null || each.providerOrg === this.#boundOrg) &&
        !without.has(each.target) &&
        each.upstream.retries.hasRoom(now) &&
        each.mayBeAskedAt(now, this.#callerId) <= now,
    )
    const by = this.#by(now, this.#group, { isRetry: true })
    const elsewhere = this.#chooseBy(
      left.filter((each) => each.target.upstreamId !== target.upstreamId),
      by,
    )
    const choice = elsewhere.kind === 'take' ? elsewhere : this.#chooseBy(left, by)
    return choice.kind === 'take' ? choice.candidate : null
  }

  /** Lets candidates of all organisations be asked; false: they might be before. */
  leaveOrg(): boolean {
    const isLeft = this.#preferredOrg !== null
    this.#preferredOrg = null
    return isLeft
  }

  /** Keeps candidates of one organisation alone; null: of any but `from`. False: none is left. */
  turnTo(providerOrg: string | null, from: string): boolean {
    const isOfUse = (candidate: Candidate) =>
      candidate.providerOrg !== from && candidate.providerOrg === (providerOrg ?? candidate.providerOrg)
    const rest = this.#left.filter(isOfUse)
    if (rest.length > 0) this.#left = rest
    else if (this.#others.some(({ left }) => left.some(isOfUse))) {
      this.#left = []
      for (const each of this.#others) each.left = each.left.filter(isOfUse)
    } else return false
    return true
  }

  /** The candidate of an organisation that was not asked which comes back first; null: there is none, or it may be asked now. */
  restingIn(providerOrg: string | null, now: number): { readonly candidate: Candidate; readonly at: number } | null {
    const inside = this.#left.filter((candidate) => candidate.providerOrg === providerOrg)
    const choice = chooseTarget(inside, this.#by(now, this.#group, { isRetry: false }))
    return choice.kind === 'rest' ? choice : null
  }

  #hasRoom(candidate: Candidate, now: number): boolean {
    const hasRoom = candidate.upstream.retries.hasRoom(now)
    if (!hasRoom) this.notes.skipped(candidate, 'retries')
    return hasRoom
  }

  /** The target failed: others come before it with another credential. */
  deprioritize(target: Target): void {
    this.#failed = target
  }

  /** Gives a candidate a second chance. */
  putBack(candidate: Candidate): void {
    this.#left = [...this.#left, candidate]
  }

  /** Removes a candidate that is asked. Where it is the second of its upstream in a row, the last attempt goes elsewhere if it can. */
  remove(candidate: Candidate): void {
    const { target } = candidate
    if (target.upstreamId === this.#askedUpstreamId) this.deprioritize(target)
    this.#askedUpstreamId = target.upstreamId
    const other = this.#fallbackGroups?.find(({ left }) => left.includes(candidate))
    if (other !== undefined) {
      other.left = other.left.filter((each) => each !== candidate)
      return
    }
    if (this.#removed !== null) this.#left = this.#left.filter((each) => each !== candidate)
    else this.#removed = candidate
  }

  /** Leaves out a target that cannot carry the request, with any credential. */
  cannotCarry({ target }: Candidate): void {
    for (const each of this.#left) if (each.target === target) this.notes.skipped(each, 'capability')
    this.#left = this.#left.filter((each) => each.target !== target)
  }
}

/**
 * Whether it is chosen, and not for want of one that does not rest. Where another has failed, a group is left as well when none
 * of it is known to be well: the request is to be answered, and does not find out.
 */
function mayBeAsked(choice: TargetChoice, left: readonly Candidate[], by: ChoosingBy): boolean {
  if (choice.kind !== 'take') return false
  const { now, callerId, isRetry } = by
  const isGood = (each: Candidate) =>
    each.mayBeAskedAt(now, callerId) <= now && (isRetry !== true || each.isWellFor(callerId))
  return choice.isPlain === true || left.some(isGood)
}

const NONE: TargetChoice = { kind: 'none' }
const NO_CANDIDATES: readonly Candidate[] = []
const NO_TARGETS: ReadonlySet<Target> = new Set()

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

/** Plans the next step. `now`: a reading of `Clock.elapsed`. */
export function planNext(state: ExchangeState, untried: UntriedTargets, now: number): NextStep {
  while (mayTryMore(state, now)) {
    const choice = untried.choose(now, { isRetry: state.tried > 0 })
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
export function mayTryMore(state: ExchangeState, now: number): boolean {
  const { tried, times } = state
  if (tried >= ATTEMPTS_LIMIT || times.isTooLateToTry(now)) return false
  return tried === 0 || !clientTimesOutBefore(state, now)
}
