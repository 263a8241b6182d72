import type { RouteReason } from '../core/route-reasons.ts'
import type { Candidate } from './candidate.ts'

/** What is chosen by, beside the candidates. */
export interface ChoosingBy {
  /** A reading of `Clock.elapsed`. */
  readonly now: number
  /** Gives numbers from 0 to 1. */
  readonly random: () => number
  /** Requests with the same number go to the same target as long as it is well and no busier than others; null: to any. */
  readonly affinity: number | null
  /** Whose request it is, since a target may rest for one caller alone; null: anyone's. */
  readonly callerId: string | null
}

export type TargetChoice =
  | {
      readonly kind: 'take'
      readonly candidate: Candidate
      /** All were equal and well, and none too busy: the choice says nothing of their state. Left out: not known. */
      readonly isPlain?: true
    }
  /** All rest; the first may be asked at `at`. */
  | { readonly kind: 'rest'; readonly candidate: Candidate; readonly at: number }
  | { readonly kind: 'none' }

/** Where fewer of a tier may be asked than one in so many, some requests ask those that rest: they may be well again. */
const PANIC_AT_ONE_IN = 4
/** A target that fails about half of the time, rests or has just rested, is asked by few, as long as there is any other. */
const ILL_BELOW = 0.6
const DOUBT_SHARE = 0.1
/** A target may be so many times as busy as the mean of its tier, and one request more, before affinity gives way. */
const BOUNDED_LOAD = 1.25

/**
 * The next target of a request: of the lowest priority number with one that may be asked now; among equals those that are
 * preferred; then by affinity, or the better of two that are picked by chance, each as likely as its weight says. Targets of
 * weight 0 come after all others of their priority.
 */
export function chooseTarget(candidates: readonly Candidate[], by: ChoosingBy): TargetChoice {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return takeOrRest(only, by)
  const equal = areEqualAndWell(candidates, by) ? ofEqual(candidates, by) : null
  if (equal !== null) return equal
  const tiers = tiersOf(candidates)
  const chosen =
    firstOf(tiers, (tier) => ofTier(tier, by)) ??
    firstOf(tiers, (tier) => among(askable(tier, by), by)) ??
    firstOf(tiers, (tier) => mostRested(tier, by))
  return chosen === null ? earliest(candidates, by) : { kind: 'take', candidate: chosen }
}

/** As nearly always: then no list has to be made of some of them. It decides as the long way does, in one walk. */
function areEqualAndWell(candidates: readonly Candidate[], { now, callerId }: ChoosingBy): boolean {
  const [first] = candidates
  if (first === undefined) return false
  for (const each of candidates) {
    if (each.target !== first.target && !areEqual(each, first)) return false
    if (each.weight === 0 || each.health.restsUntil !== 0 || each.health.health < ILL_BELOW) return false
    if (each.mayBeAskedAt(now, callerId) > now) return false
  }
  return true
}

function ofEqual(equals: readonly Candidate[], { affinity, random }: ChoosingBy): TargetChoice | null {
  const candidate = affinity === null ? betterOfTwo(equals, random) : byAffinity(equals, affinity)
  if (candidate === null) return null
  if (affinity === null || !areSomeBusy(equals)) return { kind: 'take', candidate, isPlain: true }
  return { kind: 'take', candidate }
}

function areSomeBusy(equals: readonly Candidate[]): boolean {
  const mean = meanLoad(equals)
  for (const each of equals) if (isBusy(each, mean)) return true
  return false
}

function takeOrRest(only: Candidate, { now, callerId }: ChoosingBy): TargetChoice {
  const at = only.mayBeTriedAt(now, callerId)
  return at <= now ? { kind: 'take', candidate: only } : { kind: 'rest', candidate: only, at }
}

/** By priority, the first to be tried first. */
function tiersOf(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const [first] = candidates
  if (candidates.every(({ target }) => target.priority === first?.target.priority)) return [candidates]
  const byPriority = Map.groupBy(candidates, ({ target }) => target.priority)
  return [...byPriority].sort(([a], [b]) => a - b).map(([, tier]) => tier)
}

function firstOf(
  tiers: readonly (readonly Candidate[])[],
  choose: (tier: readonly Candidate[]) => Candidate | null,
): Candidate | null {
  for (const tier of tiers) {
    const chosen = choose(tier)
    if (chosen !== null) return chosen
  }
  return null
}

function ofTier(tier: readonly Candidate[], by: ChoosingBy): Candidate | null {
  const may = askable(tier, by)
  const isPanic = may.length > 0 && may.length * PANIC_AT_ONE_IN < tier.length
  const inDoubt = may.filter(({ health }) => health.restsUntil !== 0 || health.health < ILL_BELOW)
  if (inDoubt.length > 0 && by.random() < DOUBT_SHARE) return inDoubt[Math.floor(by.random() * inDoubt.length)] ?? null
  const well = may.filter((candidate) => !inDoubt.includes(candidate))
  return (isPanic && by.random() < DOUBT_SHARE ? mostRested(tier, by) : null) ?? among(well, by)
}

function askable(tier: readonly Candidate[], { now, callerId }: ChoosingBy): readonly Candidate[] {
  return tier.filter((candidate) => candidate.mayBeAskedAt(now, callerId) <= now)
}

/** Of those that rest and may be asked all the same, the one whose rest ends first. */
function mostRested(tier: readonly Candidate[], { now, callerId }: ChoosingBy): Candidate | null {
  let best: Candidate | null = null
  let bestUntil = Infinity
  for (const candidate of tier) {
    if (candidate.mayBeTriedAt(now, callerId) > now) continue
    const until = candidate.mayBeAskedAt(now, callerId)
    if (until > now && until < bestUntil) {
      best = candidate
      bestUntil = until
    }
  }
  return best
}

function among(well: readonly Candidate[], by: ChoosingBy): Candidate | null {
  const weighty = well.filter(({ weight }) => weight > 0)
  if (weighty.length === 0) return lightest(well, by)
  const preferred = weighty.filter(({ isPreferred }) => isPreferred)
  const equals = preferred.length > 0 ? preferred : weighty
  const [only] = equals
  if (equals.length === 1 && only !== undefined) return only
  return by.affinity === null ? betterOfTwo(equals, by.random) : byAffinity(equals, by.affinity)
}

/** Of targets without weight. */
function lightest(spare: readonly Candidate[], { random }: ChoosingBy): Candidate | null {
  const preferred = spare.filter(({ isPreferred }) => isPreferred)
  const equals = preferred.length > 0 ? preferred : spare
  return equals[Math.floor(random() * equals.length)] ?? null
}

function betterOfTwo(equals: readonly Candidate[], random: () => number): Candidate | null {
  // With replacement, so that the worst is still asked now and then, and can show that it has become better.
  const first = byWeight(equals, random)
  const second = byWeight(equals, random)
  if (first === null || second === null) return first
  return second.health.score > first.health.score ? second : first
}

function byWeight(equals: readonly Candidate[], random: () => number): Candidate | null {
  let left = random() * totalWeight(equals)
  for (const candidate of equals) {
    left -= candidate.weight
    if (left < 0) return candidate
  }
  return equals.at(-1) ?? null
}

/** Weighted rendezvous hashing: a target that leaves moves its own requests only, and every process chooses alike. */
function byAffinity(equals: readonly Candidate[], affinity: number): Candidate | null {
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
function meanLoad(equals: readonly Candidate[]): number {
  let inFlight = 0
  for (const { health } of equals) inFlight += health.inFlight
  return inFlight / totalWeight(equals)
}

function isBusy({ health, weight }: Candidate, mean: number): boolean {
  return health.inFlight > BOUNDED_LOAD * mean * weight + 1
}

/** What candidates are passed over by where `taken` was chosen; looked at once for all of them. */
export interface PassedOverBy {
  readonly taken: Candidate | null
  /** Of the equals of `taken`; null: affinity did not choose. */
  readonly mean: number | null
  readonly now: number
  readonly callerId: string | null
}

export function passedOverBy(taken: Candidate | null, all: readonly Candidate[], by: ChoosingBy): PassedOverBy {
  const { now, affinity, callerId } = by
  if (taken === null || affinity === null) return { taken, mean: null, now, callerId }
  const equals = all.filter((each) => areEqual(each, taken) && each.mayBeAskedAt(now, callerId) <= now)
  return { taken, mean: meanLoad(equals), now, callerId }
}

/** Why a candidate was passed over, at the moment of the choice. */
export function whyPassedOver(
  candidate: Candidate,
  { taken, mean, now, callerId }: PassedOverBy,
): { readonly reason: RouteReason; readonly restSeconds: number | null } {
  const at = candidate.mayBeAskedAt(now, callerId)
  if (at > now) {
    return { reason: whyItRests(candidate, now), restSeconds: at === Infinity ? null : Math.ceil((at - now) / 1_000) }
  }
  // Affinity may have wanted it, had it been less busy.
  const gaveWay = taken !== null && mean !== null && areEqual(candidate, taken) && isBusy(candidate, mean)
  return { reason: gaveWay ? 'load' : 'not_needed', restSeconds: null }
}

function whyItRests({ credential }: Candidate, now: number): RouteReason {
  if (credential.held !== null) return 'held'
  const pause = credential.use.pause(now)
  return pause === null ? 'cooling' : PAUSES[pause]
}

const PAUSES = { busy: 'load', spend_cap: 'cap', expired: 'unusable' } as const

function areEqual(a: Candidate, b: Candidate): boolean {
  return a.target.priority === b.target.priority && a.isPreferred === b.isPreferred
}

/** Whether every candidate may be asked and no equal of `taken` is too busy: then the choice says nothing of their state. */
export function isPlainChoice(
  taken: Candidate,
  all: readonly Candidate[],
  { now, affinity, callerId }: ChoosingBy,
): boolean {
  let weights = 0
  let inFlight = 0
  let most = 0
  for (const each of all) {
    if (each.mayBeAskedAt(now, callerId) > now) return false
    if (!areEqual(each, taken) || each.weight === 0) continue
    weights += each.weight
    inFlight += each.health.inFlight
    most = Math.max(most, (each.health.inFlight - 1) / each.weight)
  }
  return affinity === null || weights === 0 || most <= (BOUNDED_LOAD * inFlight) / weights
}

/**
 * Where one credential is refused and another is busy or rests, the latter is what to wait for; not one that has expired, for
 * which waiting does not help.
 */
function earliest(candidates: readonly Candidate[], { now, callerId }: ChoosingBy): TargetChoice {
  let first: { candidate: Candidate; at: number; isHeld: boolean } | null = null
  for (const candidate of candidates) {
    const at = candidate.mayBeTriedAt(now, callerId)
    const isHeld = candidate.credential.held !== null || at === Infinity
    const isBefore = first === null || (first.isHeld === isHeld ? at < first.at : first.isHeld)
    if (isBefore) first = { candidate, at, isHeld }
  }
  return first === null ? { kind: 'none' } : { kind: 'rest', candidate: first.candidate, at: first.at }
}

/** A 32-bit number of a text, spread evenly (FNV-1a with the finalizer of MurmurHash3, both in the public domain). */
export function affinityHash(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return mixed(hash)
}

function mixed(number: number): number {
  let hash = number
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** Between 0 and 1, and neither of them. */
function fraction(hash: number): number {
  return ((hash >>> 0) + 0.5) / 4_294_967_296
}
