import type { AttemptObstacle } from '../core/model-list-results.ts'
import { type FailureClass, treatmentOf } from './failure-class.ts'

/** A failure, as it counts for the health of a target. */
export interface TargetFailure {
  readonly failure: FailureClass
  /** How long the upstream asks to be left alone, in milliseconds; null: it did not say. */
  readonly restMs: number | null
  /** The caller: one caller's requests may fail for a reason of their own. */
  readonly callerId: string
  /** The failure was met with one of several credentials: by itself it is not enough to leave the target alone with all of them. */
  readonly isHint?: boolean
  /** The provider's words, as far as they are kept. */
  readonly said?: string
  /** Why no answer came, or none that is one; null or absent: one came. */
  readonly why?: AttemptObstacle | null
}

/** `probing`: its rest is over, and one request at a time finds out whether it is well again. */
export type TargetState = 'healthy' | 'degraded' | 'cooling' | 'probing'

/** How far one request moves the average of health. */
const HEALTH_STEP = 0.3
const DEGRADED_BELOW = 0.9
/** A target that fails about half of the time, rests or has just rested, is asked by few, as long as there is any other. */
export const ILL_BELOW = 0.6
/** A target that comes back begins here, so that it is not given everything at once. */
const HEALTH_AFTER_REST = 0.5
const TIME_STEP = 0.2
/** So many failures in a row make it rest: of several callers, or of one alone, whose requests may be to blame. */
const FAILURES_OF_SEVERAL = 3
const FAILURES_OF_ONE = 6
const FIRST_REST_MS = 1_000
const LONGEST_GUESSED_REST_MS = 60_000
const LONGEST_STATED_REST_MS = 3_600_000
/** A target that rests is asked so often at most. */
export const PROBE_EVERY_MS = 1_000

/**
 * Counts how often a target or a credential of this process became well or ill. A list that is sorted by that is sorted again when
 * this has changed; of which upstream it was makes no difference, since it is rare beside requests.
 */
export const wellness = { changes: 0 }

/**
 * What this process has seen of one target: how well it answers, how fast, how busy it is, and whether it is to be left
 * alone. All times are readings of `Clock.elapsed`, in milliseconds. Nothing here waits for a person: every rest ends.
 */
export class TargetHealth {
  /** Requests on their way there. */
  inFlight = 0
  /** 1: every request of late went well; 0: none. */
  health = 1
  /** The health for others than `#failing`, whose requests may be to blame: alone, that caller does not put it in doubt for them. */
  #healthForOthers = 1
  /** The caller whose requests failed, since it was healthy. */
  #failing: string | null = null
  /** The time from sending to the first event, as a moving average; null: none has answered yet. */
  firstEventMs: number | null = null
  /** Left alone until then; 0: it does not rest. */
  restsUntil = 0
  /** Why it rests, or rested last. */
  lastFailure: FailureClass | null = null
  /** Why no answer came then; null: one came, or nothing says why. */
  lastWhy: AttemptObstacle | null = null
  #restedSince = 0
  /** The upstream itself said how long. */
  #isRestStated = false
  /** The caller for whom alone it rests, since only requests of theirs failed; null: for all. */
  #restsOnlyFor: string | null = null
  #restsInARow = 0
  #failuresInARow = 0
  #failedCaller: string | null = null
  #hasSeveralCallers = false
  #askedAt = -Infinity
  readonly #random: () => number

  /** `random` gives numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random
  }

  begin(now: number): void {
    this.inFlight += 1
    this.#askedAt = now
  }

  /** A request is over, however it ended. */
  end(): void {
    this.inFlight -= 1
  }

  /** The first event of an answer came, to a request that was sent at `beganAt`: it is there, and so fast. */
  answered(beganAt: number, now: number): void {
    this.#took(now - beganAt)
    this.isThere(beganAt)
  }

  /** None had come when a request was called off that was sent at `beganAt`: it takes longer, and nothing else is known. */
  waitedFor(beganAt: number, now: number): void {
    if (now - beganAt > (this.firstEventMs ?? 0)) this.#took(now - beganAt)
  }

  #took(ms: number): void {
    this.firstEventMs = this.firstEventMs === null ? ms : this.firstEventMs + TIME_STEP * (ms - this.firstEventMs)
  }

  /** An answer of any kind came to a request that was sent at `beganAt`: a rest that began before is over. */
  isThere(beganAt: number): void {
    if (this.restsUntil === 0 || beganAt < this.#restedSince) return
    this.restsUntil = 0
    wellness.changes += 1
    this.#restsOnlyFor = null
    this.#isRestStated = false
    this.health = Math.max(this.health, HEALTH_AFTER_REST)
    this.#healthForOthers = Math.max(this.#healthForOthers, HEALTH_AFTER_REST)
  }

  /** A request came to its good end. */
  succeeded(beganAt: number): void {
    const before = this.health
    this.health += HEALTH_STEP * (1 - before)
    this.#healthForOthers += HEALTH_STEP * (1 - this.#healthForOthers)
    if (this.health >= DEGRADED_BELOW) this.#failing = null
    if (before < ILL_BELOW && this.health >= ILL_BELOW) wellness.changes += 1
    // One that was sent before the rest says nothing of how it is now.
    if (beganAt < this.#restedSince) return
    this.#failuresInARow = 0
    this.#restsInARow = 0
    this.#hasSeveralCallers = false
    this.#failedCaller = null
  }

  /** A request that was sent at `beganAt` failed. Returns whether the target rests from now on because of it. */
  failed(beganAt: number, now: number, about: TargetFailure): boolean {
    const { failure, restMs, callerId } = about
    const before = this.health
    this.health -= HEALTH_STEP * before
    this.#failing ??= callerId
    const bound = this.#failing === callerId ? Math.min(ILL_BELOW, this.#healthForOthers) : 0
    this.#healthForOthers = Math.max(bound, (1 - HEALTH_STEP) * this.#healthForOthers)
    if (before >= ILL_BELOW && this.health < ILL_BELOW) wellness.changes += 1
    this.#failuresInARow += 1
    if (this.#failedCaller !== null && this.#failedCaller !== callerId) this.#hasSeveralCallers = true
    this.#failedCaller = callerId
    const wasResting = this.restsUntil !== 0
    const isOfOne = restMs === null && !this.#hasSeveralCallers
    const enough = this.#hasSeveralCallers ? FAILURES_OF_SEVERAL : FAILURES_OF_ONE
    const restsAtOnce = treatmentOf(failure).restsAtOnce && about.isHint !== true
    const rests = restMs !== null || wasResting || restsAtOnce || this.#failuresInARow >= enough
    if (!rests) return false
    this.#restsOnlyFor = isOfOne && !restsAtOnce && (!wasResting || this.#restsOnlyFor !== null) ? callerId : null
    this.lastFailure = failure
    this.lastWhy = about.why ?? null
    // Sent before the rest began, with others that failed alike: it makes the rest no longer, unless the upstream says so.
    if (wasResting && beganAt < this.#restedSince) {
      if (restMs !== null) this.#restFor(now, Math.max(restMs, this.restsUntil - now), true)
      return true
    }
    this.#restsInARow += 1
    this.#restedSince = now
    this.#restFor(now, restMs ?? this.#guessedRest(), restMs !== null)
    return true
  }

  /** Whether it fails so often that requests of this caller ask others; null: of any. */
  isIllFor(callerId: string | null): boolean {
    const health = callerId === null || callerId === this.#failing ? this.health : this.#healthForOthers
    return health < ILL_BELOW
  }

  /** Whether it neither rests nor is in doubt for any caller. Each change is counted by `wellness`. */
  get isWell(): boolean {
    return this.restsUntil === 0 && this.health >= ILL_BELOW
  }

  /** How often it has begun to rest since a request last went well. */
  get restsInARow(): number {
    return this.#restsInARow
  }

  state(now: number): TargetState {
    if (this.restsUntil > now) return 'cooling'
    if (this.restsUntil !== 0) return 'probing'
    return this.health < DEGRADED_BELOW ? 'degraded' : 'healthy'
  }

  /** When it may be asked next; at most `now`: at once. */
  mayBeAskedAt(now: number, callerId: string | null = null): number {
    if (this.#isOpenTo(callerId)) return now
    return Math.max(this.restsUntil, this.#askedAt + PROBE_EVERY_MS)
  }

  /** When it may be asked where too few others are well: only the upstream's own word is kept to the end. */
  mayBeTriedAt(now: number, callerId: string | null = null): number {
    if (this.#isOpenTo(callerId)) return now
    return Math.max(this.#isRestStated ? this.restsUntil : 0, this.#askedAt + PROBE_EVERY_MS)
  }

  /** The higher, the better it serves: its health over the time it takes, which grows with what it has to do. */
  get score(): number {
    return this.#healthForOthers / (1 + ((this.firstEventMs ?? 0) / 1_000) * (1 + this.inFlight / 8))
  }

  #isOpenTo(callerId: string | null): boolean {
    if (this.restsUntil === 0) return true
    return this.#restsOnlyFor !== null && callerId !== null && callerId !== this.#restsOnlyFor
  }

  #restFor(now: number, ms: number, isStated: boolean): void {
    if (this.restsUntil === 0) wellness.changes += 1
    this.restsUntil = now + Math.min(Math.max(ms, PROBE_EVERY_MS), LONGEST_STATED_REST_MS)
    this.#isRestStated = isStated
  }

  /** Twice as long each time, and by chance, so that nodes do not come back together. */
  #guessedRest(): number {
    const most = Math.min(FIRST_REST_MS * 2 ** Math.min(this.#restsInARow - 1, 16), LONGEST_GUESSED_REST_MS)
    return most * this.#random()
  }
}

/** What this process has seen of each model of an upstream, by its name there. */
export class HealthByModel {
  readonly #random: () => number
  readonly #byModel = new Map<string, TargetHealth>()

  /** `random` gives numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random
  }

  /** Forgets models that are configured no more. */
  keepOnly(models: ReadonlySet<string>): void {
    for (const model of this.#byModel.keys()) if (!models.has(model)) this.#byModel.delete(model)
  }

  /** The health of all models that were asked for since the start. */
  get models(): ReadonlyMap<string, TargetHealth> {
    return this.#byModel
  }

  of(model: string): TargetHealth {
    let health = this.#byModel.get(model)
    if (health === undefined) {
      health = new TargetHealth(this.#random)
      this.#byModel.set(model, health)
    }
    return health
  }
}
