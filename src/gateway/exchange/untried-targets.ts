import { affinityHash, type Candidate, chooseTarget, type TargetChoice } from '../../routing/choose-target.ts'
import type { Target } from '../../routing/catalog.ts'
import type { PreparedRequest } from '../arrival/prepare.ts'

/** The targets of one request that it has not been sent to, each with what is known of its health. */
export class UntriedTargets {
  #left: Candidate[]
  readonly #random: () => number
  readonly #affinity: number | null

  constructor({ chosen, snapshot, adapters, affinity }: PreparedRequest, random: () => number) {
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
  }

  get count(): number {
    return this.#left.length
  }

  /** Which one is to be asked next. `isRetry`: another one has failed; then only those that have room for retries are. */
  choose(now: number, { isRetry }: { isRetry: boolean }): TargetChoice {
    if (isRetry) this.#left = this.#left.filter(({ upstream }) => upstream.retries.hasRoom(now))
    return chooseTarget(this.#left, { now, random: this.#random, affinity: this.#affinity })
  }

  /** It gets a second chance. */
  putBack(candidate: Candidate): void {
    this.#left.push(candidate)
  }

  /** It is asked, or cannot carry the request. */
  remove(candidate: Candidate): void {
    this.#left = this.#left.filter((each) => each !== candidate)
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
