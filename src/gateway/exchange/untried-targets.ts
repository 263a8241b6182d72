import { TARGET_PATIENCE_MS } from '../../core/limits.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Target } from '../../routing/catalog.ts'
import { chooseTarget } from '../../routing/choose-target.ts'
import type { ChoosingBy, TargetChoice } from '../../routing/choosing.ts'
import type { PreparedRequest } from '../arrival/prepare.ts'
import type { RealmBond } from '../choice/realm-bond.ts'
import { candidatesOf } from '../choice/target-candidates.ts'
import { type RouteAbout, RouteNotes } from './route-notes.ts'

/** The part of a request by which its targets are chosen. */
export interface Choosing extends RouteAbout {
  /** Left out: nothing that it holds is bound to a realm. */
  readonly bond?: RealmBond | null
  readonly caller: { readonly account: { readonly id: string } }
  readonly adapters: Pick<PreparedRequest['adapters'], 'isSameWire'>
}

/** The targets of one request with the credentials that it has not been sent to them with. */
export class UntriedTargets {
  /** What became of each. */
  readonly notes: RouteNotes
  /** Those that are left, with the one that was removed last. */
  #list: readonly Candidate[]
  /** It is taken out where the others are looked at: nearly all requests ask one target and look at no other. */
  #removed: Candidate | null = null
  readonly #random: () => number
  readonly #affinity: number | null
  readonly #callerId: string
  /** Failed in a way that other credentials are not likely to help with. */
  #failed: Target | null = null
  /** The realm whose candidates come before all others; null: any. */
  #realm: string | null
  /** That made something which the request holds. */
  readonly #bondRealm: string | null

  constructor(of: Choosing, random: () => number) {
    const { chosen, snapshot, adapters, affinity, caller } = of
    this.#random = random
    this.#affinity = affinity
    this.#callerId = caller.account.id
    this.#bondRealm = of.bond?.realm ?? null
    this.#realm = this.#bondRealm
    const candidates = (target: Target) => {
      const inUse = snapshot.upstreamsById.get(target.upstreamId)
      return inUse === undefined ? [] : candidatesOf(target, inUse, adapters.isSameWire(target))
    }
    const [only] = chosen.targets
    const isOne = only !== undefined && chosen.targets.length === 1
    this.#list = isOne ? candidates(only) : chosen.targets.flatMap(candidates)
    this.notes = new RouteNotes(of, this.#list)
  }

  get count(): number {
    return this.#left.length
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

  /** Which one is to be asked next. `isRetry`: another one has failed; then only those that have room for retries are. */
  choose(now: number, { isRetry }: { isRetry: boolean }): TargetChoice {
    if (isRetry) this.#left = this.#left.filter((candidate) => this.#hasRoom(candidate, now))
    const by: ChoosingBy = { now, random: this.#random, affinity: this.#affinity, callerId: this.#callerId, isRetry }
    const choice = this.#realm === null ? this.#chooseBy(this.#left, by) : this.#inRealm(this.#realm, by)
    this.notes.chosen(choice, this.#left, by)
    return choice
  }

  /** As long as the realm may be asked in a moment, nothing else is. */
  #inRealm(realm: string, by: ChoosingBy): TargetChoice {
    const inside = this.#left.filter((candidate) => candidate.realm === realm)
    const choice = this.#chooseBy(inside, by)
    if (choice.kind === 'none' || (choice.kind === 'rest' && choice.at - by.now > TARGET_PATIENCE_MS)) {
      this.leaveRealm()
      return this.#chooseBy(this.#left, by)
    }
    for (const candidate of this.#left) if (candidate.realm !== realm) this.notes.skipped(candidate, 'owner')
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
   * One that may be asked while another is under way, at a moment's notice, and best at another upstream; null: there is none.
   * `without`: these may not be.
   */
  beside({ target }: Candidate, now: number, without: ReadonlySet<Target> = NO_TARGETS): Candidate | null {
    const left = this.#left.filter(
      (each) =>
        (this.#bondRealm === null || each.realm === this.#bondRealm) &&
        !without.has(each.target) &&
        each.upstream.retries.hasRoom(now) &&
        each.mayBeAskedAt(now, this.#callerId) <= now,
    )
    const by = { now, random: this.#random, affinity: this.#affinity, callerId: this.#callerId, isRetry: true }
    const elsewhere = this.#chooseBy(
      left.filter((each) => each.target.upstreamId !== target.upstreamId),
      by,
    )
    const choice = elsewhere.kind === 'take' ? elsewhere : this.#chooseBy(left, by)
    return choice.kind === 'take' ? choice.candidate : null
  }

  /** Others may be asked as well; false: they might be before. */
  leaveRealm(): boolean {
    const isLeft = this.#realm !== null
    this.#realm = null
    return isLeft
  }

  /** Only that realm is of use; null: any but `from`, and then the one that is chosen. False: none of it is left. */
  turnTo(realm: string | null, from: string): boolean {
    const rest = this.#left.filter(
      (candidate) => candidate.realm !== from && candidate.realm === (realm ?? candidate.realm),
    )
    if (rest.length === 0) return false
    this.#left = rest
    return true
  }

  /** Of a realm that was not asked, the candidate that comes back first; null: there is none, or it may be asked now. */
  restingIn(realm: string | null, now: number): { readonly candidate: Candidate; readonly at: number } | null {
    const inside = this.#left.filter((candidate) => candidate.realm === realm)
    const by = { now, random: this.#random, affinity: this.#affinity, callerId: this.#callerId }
    const choice = chooseTarget(inside, by)
    return choice.kind === 'rest' ? choice : null
  }

  #hasRoom(candidate: Candidate, now: number): boolean {
    const hasRoom = candidate.upstream.retries.hasRoom(now)
    if (!hasRoom) this.notes.skipped(candidate, 'retries')
    return hasRoom
  }

  /** The target failed: others come before it with another credential. */
  putBehind(target: Target): void {
    this.#failed = target
  }

  /** It gets a second chance. */
  putBack(candidate: Candidate): void {
    this.#left = [...this.#left, candidate]
  }

  /** It is asked. */
  remove(candidate: Candidate): void {
    if (this.#removed !== null) this.#left = this.#left.filter((each) => each !== candidate)
    else this.#removed = candidate
  }

  /** It was to be asked, and its target cannot carry the request, with whichever credential. */
  cannotCarry({ target }: Candidate): void {
    for (const each of this.#left) if (each.target === target) this.notes.skipped(each, 'capability')
    this.#left = this.#left.filter((each) => each.target !== target)
  }
}

const NO_TARGETS: ReadonlySet<Target> = new Set()
