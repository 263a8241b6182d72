import type { Candidate } from '../../routing/candidate.ts'
import type { Target } from '../../routing/catalog.ts'
import { type ChoosingBy, chooseTarget, type TargetChoice } from '../../routing/choose-target.ts'
import type { PreparedRequest } from '../arrival/prepare.ts'
import { candidatesOf } from '../choice/target-candidates.ts'
import { type RouteAbout, RouteNotes } from './route-notes.ts'

/** The part of a request by which its targets are chosen. */
export interface Choosing extends RouteAbout {
  readonly affinity: number | null
  readonly caller: { readonly account: { readonly id: string } }
  readonly adapters: Pick<PreparedRequest['adapters'], 'isSameWire'>
}

/** The targets of one request with the credentials that it has not been sent to them with. */
export class UntriedTargets {
  /** What became of each. */
  readonly notes: RouteNotes
  #left: readonly Candidate[]
  readonly #random: () => number
  readonly #affinity: number | null
  readonly #callerId: string
  /** Failed in a way that other credentials are not likely to help with. */
  #failed: Target | null = null

  constructor(of: Choosing, random: () => number) {
    const { chosen, snapshot, adapters, affinity, caller } = of
    this.#random = random
    this.#affinity = affinity
    this.#callerId = caller.account.id
    const candidates = (target: Target) => {
      const inUse = snapshot.upstreamsById.get(target.upstreamId)
      return inUse === undefined ? [] : candidatesOf(target, inUse, adapters.isSameWire(target))
    }
    const [only] = chosen.targets
    const isOne = only !== undefined && chosen.targets.length === 1
    this.#left = isOne ? candidates(only) : chosen.targets.flatMap(candidates)
    this.notes = new RouteNotes(of, this.#left)
  }

  get count(): number {
    return this.#left.length
  }

  /** Which one is to be asked next. `isRetry`: another one has failed; then only those that have room for retries are. */
  choose(now: number, { isRetry }: { isRetry: boolean }): TargetChoice {
    if (isRetry) this.#left = this.#left.filter((candidate) => this.#hasRoom(candidate, now))
    const by: ChoosingBy = { now, random: this.#random, affinity: this.#affinity, callerId: this.#callerId }
    const choice = this.#chooseBy(by)
    this.notes.chosen(choice, this.#left, by)
    return choice
  }

  #chooseBy(by: ChoosingBy): TargetChoice {
    const failed = this.#failed
    if (failed === null) return chooseTarget(this.#left, by)
    const elsewhere = this.#left.filter(({ target }) => target.upstreamId !== failed.upstreamId)
    const choice = chooseTarget(elsewhere, by)
    return choice.kind === 'take' ? choice : chooseTarget(this.#left, by)
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
    this.#left = this.#left.filter((each) => each !== candidate)
  }

  /** It was to be asked, and its target cannot carry the request, with whichever credential. */
  cannotCarry({ target }: Candidate): void {
    for (const each of this.#left) if (each.target === target) this.notes.skipped(each, 'capability')
    this.#left = this.#left.filter((each) => each.target !== target)
  }
}
