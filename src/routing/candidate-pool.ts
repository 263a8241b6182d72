import type { Candidate } from './candidate.ts'
import type { ChoosingBy, TargetChoice } from './choosing.ts'
import { betterCredential, fraction, isBusy, meanLoad, mixed } from './equals.ts'
import { wellness } from './target-health.ts'

/** Where fewer of a tier may be asked than one in so many, some requests ask those that rest: they may be well again. */
export const PANIC_AT_ONE_IN = 4
/** The part of all requests that ask one in doubt, where one may be asked. */
const DOUBT_SHARE = 0.1

/** Whether this request asks one in doubt. Never where it has failed once already: it is to be answered. */
export function findsOut({ random, isRetry }: Pick<ChoosingBy, 'random' | 'isRetry'>): boolean {
  return isRetry !== true && random() < DOUBT_SHARE
}

/** The number of candidates from which sorting them once for many requests is worth its memory. */
const LARGE = 16
/** So often one is picked by chance whose credential has no room, before all are looked at. */
const PICKS = 4

/**
 * A target with many credentials, sorted into those that are well and those that are not each time this changes for one of
 * them. A request then looks at the few that are ill and picks one of the others; where that decides nothing (few are well,
 * the one that affinity wants is busy), all are looked at one by one, as in small pools.
 */
export class CandidatePool {
  readonly #all: readonly Candidate[]
  #changes = -1
  #well: Candidate[] = []
  #ill: Candidate[] = []
  /** Candidates that are ill, and those whose credentials have limits; a cap on what the target costs holds for all alike. */
  #mayRest: Candidate[] = []
  /** The weights up to and with each candidate that is well, by its place, and their hashes. */
  #weights = new Float64Array(0)
  #hashes = new Int32Array(0)
  #areOfOneWeight = true

  constructor(all: readonly Candidate[]) {
    this.#all = all
  }

  /** Chooses as `chooseTarget` would; null: all have to be looked at. */
  choose(by: ChoosingBy): TargetChoice | null {
    if (this.#changes !== wellness.changes) this.#sort()
    const well = this.#well.length
    if (well * PANIC_AT_ONE_IN < this.#all.length) return null
    const doubtful = this.#doubtful(by)
    if (doubtful === null) return null
    const candidate = doubtful > 0 && findsOut(by) ? this.#inDoubt(by, doubtful) : this.#ofWell(by)
    if (candidate === null) return null
    return this.#haveRoom(by)
      ? { kind: 'take', candidate, isPlain: true }
      : { kind: 'take', candidate, looked: this.#mayRest }
  }

  /** None is ill, and those with limits of their own are within them: then the choice says nothing of their state. */
  #haveRoom({ now, callerId }: ChoosingBy): boolean {
    if (this.#ill.length > 0) return false
    for (const each of this.#mayRest) if (each.mayBeAskedAt(now, callerId) > now) return false
    return true
  }

  #sort(): void {
    this.#changes = wellness.changes
    this.#well = this.#all.filter((each) => each.isWell)
    this.#ill = this.#all.filter((each) => !each.isWell)
    this.#mayRest = this.#all.filter((each) => !each.isWell || !each.credential.use.isUnlimited)
    const [first] = this.#well
    this.#areOfOneWeight = this.#well.every(({ weight }) => weight === first?.weight)
    let sum = 0
    this.#weights = Float64Array.from(this.#well, ({ weight }) => (sum += weight))
    this.#hashes = Int32Array.from(this.#well, ({ hash }) => hash)
  }

  /** How many that are in doubt may be asked; null: one of the ill may be that counts among the well, as one that was held does. */
  #doubtful({ now, callerId }: ChoosingBy): number | null {
    let count = 0
    for (const each of this.#ill) {
      if (each.mayBeAskedAt(now, callerId) > now) continue
      if (!each.isInDoubtFor(callerId)) return null
      count += 1
    }
    return count
  }

  #inDoubt({ now, callerId, random }: ChoosingBy, count: number): Candidate | null {
    let left = Math.floor(random() * count)
    for (const each of this.#ill) if (each.mayBeAskedAt(now, callerId) <= now && left-- === 0) return each
    return null
  }

  #ofWell(by: ChoosingBy): Candidate | null {
    return by.affinity === null ? this.#byChance(by) : this.#byAffinity(by, by.affinity)
  }

  #byChance(by: ChoosingBy): Candidate | null {
    const first = this.#picked(by)
    if (first === null) return null
    for (let tries = 0; tries < PICKS; tries++) {
      const second = this.#picked(by)
      if (second === null) return null
      // Weights that differ are shares: only those of one weight compete.
      if (second.weight === first.weight) return betterCredential(first, second)
    }
    return first
  }

  /** Picks one of those that may be asked, as likely as its weight says. */
  #picked({ now, callerId, random }: ChoosingBy): Candidate | null {
    for (let tries = 0; tries < PICKS; tries++) {
      const candidate =
        this.#well[this.#areOfOneWeight ? Math.floor(random() * this.#well.length) : this.#placeBy(random())]
      if (candidate !== undefined && candidate.mayBeAskedAt(now, callerId) <= now) return candidate
    }
    return null
  }

  /** The first place where the sum of weights is above this part of all. */
  #placeBy(part: number): number {
    const wanted = part * (this.#weights.at(-1) ?? 0)
    let [low, high] = [0, this.#weights.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#weights[middle] ?? 0) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }

  #byAffinity({ now, callerId }: ChoosingBy, affinity: number): Candidate | null {
    const candidate = this.#well[this.#areOfOneWeight ? this.#highest(affinity) : this.#highestByWeight(affinity)]
    if (candidate === undefined || candidate.mayBeAskedAt(now, callerId) > now) return null
    // With one request under way it is not busy, whatever the others have.
    if (candidate.health.inFlight > 1 && isBusy(candidate, meanLoad(this.#well))) return null
    return candidate
  }

  #highest(affinity: number): number {
    let best = 0
    let highest = -1
    for (let place = 0; place < this.#hashes.length; place++) {
      const part = mixed(affinity ^ (this.#hashes[place] ?? 0)) >>> 0
      if (part > highest) {
        highest = part
        best = place
      }
    }
    return best
  }

  #highestByWeight(affinity: number): number {
    let best = 0
    let highest = -Infinity
    for (let place = 0; place < this.#hashes.length; place++) {
      const part = fraction(mixed(affinity ^ (this.#hashes[place] ?? 0)))
      const score = -(this.#well[place]?.weight ?? 0) / Math.log(part)
      if (score > highest) {
        highest = score
        best = place
      }
    }
    return best
  }
}

const POOLS = new WeakMap<readonly Candidate[], CandidatePool>()

/** Sorts these once for many requests, where they are many of one priority, all with a weight. The same list has to be chosen from. */
export function sortOnce(candidates: readonly Candidate[]): void {
  if (candidates.length >= LARGE && candidates.every(({ weight }) => weight > 0)) {
    POOLS.set(candidates, new CandidatePool(candidates))
  }
}

/** The pool of a list that `sortOnce` was given. */
export function poolOf(candidates: readonly Candidate[]): CandidatePool | null {
  return candidates.length < LARGE ? null : (POOLS.get(candidates) ?? null)
}
