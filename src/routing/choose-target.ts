import type { RouteReason } from '../core/route-reasons.ts'
import type { Candidate } from './candidate.ts'
import { findsOut, PANIC_AT_ONE_IN, poolOf } from './candidate-pool.ts'
import type { ChoosingBy, TargetChoice } from './choosing.ts'
import { betterOfTwo, BOUNDED_LOAD, byAffinity, isBusy, meanLoad } from './equals.ts'

/**
 * The next target of a request: of the lowest priority number with one that may be asked now; among equals those that are
 * preferred; then by affinity, or the better of two that are picked by chance, each as likely as its weight says. Targets of
 * weight 0 come after all others of their priority.
 */
export function chooseTarget(candidates: readonly Candidate[], by: ChoosingBy): TargetChoice {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return takeOrRest(only, by)
  const ofPool = poolOf(candidates)?.choose(by) ?? null
  if (ofPool !== null) return ofPool
  const equal = areEqualAndWell(candidates, by) ? ofEqual(candidates, by) : null
  if (equal !== null) return equal
  const tiers = tiersOf(candidates)
  const chosen =
    firstOf(tiers, (tier) => ofTier(tier, by)) ??
    firstOf(tiers, (tier) => among(askable(tier, by), by)) ??
    firstOf(tiers, (tier) => mostRested(tier, by))
  return chosen === null ? earliest(candidates, by) : { kind: 'take', candidate: chosen }
}

/** Whether all are alike, as nearly always: then no list has to be made of some of them. It decides as the long way does, in one walk. */
function areEqualAndWell(candidates: readonly Candidate[], by: ChoosingBy): boolean {
  const { now, callerId } = by
  const [first] = candidates
  if (first === undefined) return false
  for (const each of candidates) {
    if (each.target !== first.target && !areEqual(each, first)) return false
    if (each.weight === 0 || !each.isWellFor(callerId)) return false
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

/** Sorts by priority, the first to be tried first. */
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
  const inDoubt = may.filter((each) => isInDoubt(each, by))
  if (inDoubt.length > 0 && findsOut(by)) return inDoubt[Math.floor(by.random() * inDoubt.length)] ?? null
  const well = may.filter((candidate) => !inDoubt.includes(candidate))
  return (isPanic && findsOut(by) ? mostRested(tier, by) : null) ?? among(well, by)
}

/** A credential that was refused shows by one request's first attempt whether it is taken again: one that has failed is to be answered. */
function isInDoubt(candidate: Candidate, { isRetry, callerId }: ChoosingBy): boolean {
  return candidate.isInDoubtFor(callerId) || (isRetry === true && candidate.credential.held !== null)
}

function askable(tier: readonly Candidate[], { now, callerId }: ChoosingBy): readonly Candidate[] {
  return tier.filter((candidate) => candidate.mayBeAskedAt(now, callerId) <= now)
}

/** Finds, among those that rest and may be asked all the same, the one whose rest ends first. */
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

/** Picks one of the targets without weight. */
function lightest(spare: readonly Candidate[], { random }: ChoosingBy): Candidate | null {
  const preferred = spare.filter(({ isPreferred }) => isPreferred)
  const equals = preferred.length > 0 ? preferred : spare
  return equals[Math.floor(random() * equals.length)] ?? null
}

/** What candidates are passed over by where `taken` was chosen; looked at once for all of them. */
export interface PassedOverBy {
  readonly taken: Candidate | null
  /** The mean load of the equals of `taken`; null: affinity did not choose. */
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
  const isWell = candidate.isWellFor(callerId)
  return { reason: gaveWay ? 'load' : isWell ? 'not_needed' : 'doubt', restSeconds: null }
}

function whyItRests(candidate: Candidate, now: number): RouteReason {
  if (candidate.credential.held !== null) return 'held'
  const pause = candidate.pause(now)
  return pause === null ? 'cooling' : PAUSES[pause]
}

const PAUSES = { busy: 'load', spend_cap: 'cap', expired: 'unusable' } as const

function areEqual(a: Candidate, b: Candidate): boolean {
  return a.target.priority === b.target.priority && a.isPreferred === b.isPreferred
}

/** Whether every candidate may be asked, all others are well and no equal of `taken` is too busy: then the choice says nothing of their state. */
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
    if (each !== taken && !each.isWellFor(callerId)) return false
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
