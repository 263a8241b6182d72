import { affinityHash, type Candidate, chooseTarget, type TargetChoice } from '../../routing/choose-target.ts'
import type { Target } from '../../routing/catalog.ts'
import type { PreparedRequest } from '../arrival/prepare.ts'
import { type RouteAbout, RouteNotes } from './route-notes.ts'

/** The part of a request by which its targets are chosen. */
export interface Choosing extends RouteAbout {
  readonly affinity: number | null
  readonly adapters: Pick<PreparedRequest['adapters'], 'isSameWire'>
}

/** The targets of one request that it has not been sent to, each with what is known of its health. */
export class UntriedTargets {
  /** What became of each. */
  readonly notes: RouteNotes
  #left: Candidate[]
  readonly #random: () => number
  readonly #affinity: number | null

  constructor(of: Choosing, random: () => number) {
    const { chosen, snapshot, adapters, affinity } = of
    this.#random = random
    this.#affinity = affinity
    this.#left = chosen.targets.flatMap((target) => {
      const inUse = snapshot.upstreamsById.get(target.upstreamId)
      if (inUse === undefined) return []
      const { health } = inUse
      return [
        {
          target,
          health: health.of(target.model),
          upstream: health,
          isPreferred: adapters.isSameWire(target),
          hash: hashOf(target),
        },
      ]
    })
    this.notes = new RouteNotes(of, this.#left)
  }

  get count(): number {
    return this.#left.length
  }

  /** Which one is to be asked next. `isRetry`: another one has failed; then only those that have room for retries are. */
  choose(now: number, { isRetry }: { isRetry: boolean }): TargetChoice {
    if (isRetry) this.#left = this.#left.filter((candidate) => this.#hasRoom(candidate, now))
    const by = { now, random: this.#random, affinity: this.#affinity }
    const choice = chooseTarget(this.#left, by)
    this.notes.chosen(choice, this.#left, by)
    return choice
  }

  #hasRoom(candidate: Candidate, now: number): boolean {
    const hasRoom = candidate.upstream.retries.hasRoom(now)
    if (!hasRoom) this.notes.skipped(candidate, 'retries')
    return hasRoom
  }

  /** It gets a second chance. */
  putBack(candidate: Candidate): void {
    this.#left.push(candidate)
  }

  /** It is asked. */
  remove(candidate: Candidate): void {
    this.#left = this.#left.filter((each) => each !== candidate)
  }

  /** It was to be asked, and cannot carry the request. */
  cannotCarry(candidate: Candidate): void {
    this.notes.skipped(candidate, 'capability')
  }
}

/** No hash is made twice of one target. */
const HASHES = new WeakMap<Target, number>()

function hashOf(target: Target): number {
  let hash = HASHES.get(target)
  if (hash === undefined) {
    hash = affinityHash(`${target.upstreamId}\n${target.model}`)
    HASHES.set(target, hash)
  }
  return hash
}
