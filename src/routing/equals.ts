import type { Candidate } from './candidate.ts'
import type { TargetHealth } from './target-health.ts'

// The choice among candidates that may all be asked, and of which none comes before another.

/** A target may be so many times as busy as the mean of its tier, and one request more, before affinity gives way. */
export const BOUNDED_LOAD = 1.25

/**
 * Picks by weight, so that unequal weights are shares of what is chosen. Only those of one weight compete: of two
 * targets of one weight, and then of two credentials of one weight at the target, the better is chosen.
 */
export function betterOfTwo(equals: readonly Candidate[], random: () => number): Candidate | null {
  const first = byWeight(equals, random, isAny)
  if (first === null) return null
  // With replacement, so that the worst is still asked now and then, and can show that it has become better.
  const other = byWeight(equals, random, ({ target }) => target.weight === first.target.weight)
  const there = other === null || other.target === first.target ? first : betterTarget(first, other)
  if (!there.isOfPool) return there
  const beside = byWeight(equals, random, ({ target, weight }) => target === there.target && weight === there.weight)
  return beside === null ? there : betterCredential(there, beside)
}

/** The better of two targets of one weight, by all that is known of each. */
function betterTarget(first: Candidate, second: Candidate): Candidate {
  return isBetter(second.targetHealth, first.targetHealth) ? second : first
}

/** The better of two credentials of one weight at one target. */
export function betterCredential(first: Candidate, second: Candidate): Candidate {
  return isBetter(second.health, first.health) ? second : first
}

/** What differs by less is chance, such as some milliseconds to the first event. */
const CLEARLY = 1.1

/** Whether one serves clearly better, or as well as the other and has less to do. */
function isBetter(one: TargetHealth, other: TargetHealth): boolean {
  const [score, otherScore] = [one.score, other.score]
  if (score > CLEARLY * otherScore) return true
  return one.inFlight < other.inFlight && otherScore <= CLEARLY * score
}

const isAny = () => true

/** Each as likely as its weight says, of those that may be chosen. */
function byWeight(
  equals: readonly Candidate[],
  random: () => number,
  mayBe: (each: Candidate) => boolean,
): Candidate | null {
  let total = 0
  for (const each of equals) if (mayBe(each)) total += each.weight
  let left = random() * total
  let last: Candidate | null = null
  for (const each of equals) {
    if (!mayBe(each)) continue
    left -= each.weight
    last = each
    if (left < 0) return each
  }
  return last
}

/** Weighted rendezvous hashing: a target that leaves moves its own requests only, and every process chooses alike. */
export function byAffinity(equals: readonly Candidate[], affinity: number): Candidate | null {
  const mean = meanLoad(equals)
  let best: Candidate | null = null
  let bestPart = 0
  for (const candidate of equals) {
    if (isBusy(candidate, mean)) continue
    const part = fraction(mixed(affinity ^ candidate.hash))
    // The highest -weight / log(part) comes first; where weights are equal that needs no logarithm.
    const isFirst =
      best === null ||
      (candidate.weight === best.weight
        ? part > bestPart
        : -candidate.weight / Math.log(part) > -best.weight / Math.log(bestPart))
    if (isFirst) {
      best = candidate
      bestPart = part
    }
  }
  return best
}

function totalWeight(equals: readonly Candidate[]): number {
  let total = 0
  for (const { weight } of equals) total += weight
  return total
}

/** Requests under way for each unit of weight: the mean of equals, of which those with more weight have more. */
export function meanLoad(equals: readonly Candidate[]): number {
  let inFlight = 0
  for (const { health } of equals) inFlight += health.inFlight
  return inFlight / totalWeight(equals)
}

export function isBusy({ health, weight }: Candidate, mean: number): boolean {
  return health.inFlight > BOUNDED_LOAD * mean * weight + 1
}

/** A 32-bit number of a text, spread evenly (FNV-1a with the finalizer of MurmurHash3, both in the public domain). */
export function affinityHash(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return mixed(hash)
}

/** The affinity of the bytes at these places, behind a text of which `seed` is the number. */
export function affinityOfBytes(
  seed: number,
  bytes: Buffer,
  places: readonly { readonly start: number; readonly end: number }[],
): number {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let hash = seed
  for (const { start, end } of places) {
    let at = start
    // Two at a time, of which neither waits for the other.
    let beside = ~hash
    for (; at + 8 <= end; at += 8) {
      hash = Math.imul(hash ^ words.getInt32(at, true), 0x85ebca6b)
      beside = Math.imul(beside ^ words.getInt32(at + 4, true), 0xc2b2ae35)
      hash ^= hash >>> 15
      beside ^= beside >>> 15
    }
    for (; at < end; at++) hash = Math.imul(hash ^ words.getUint8(at), 0x01000193)
    hash = mixed(hash ^ mixed(beside ^ (end - start)))
  }
  return hash
}

export function mixed(number: number): number {
  let hash = number
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** A number between 0 and 1, and neither of them. */
export function fraction(hash: number): number {
  return ((hash >>> 0) + 0.5) / 4_294_967_296
}
