import { type FailureClass, treatmentOf } from './failure-class.ts'
import { RetryBudget } from './retry-budget.ts'
import { type TargetFailure, TargetHealth, type TargetState } from './target-health.ts'

const MINUTE_MS = 60_000
/** After so many minutes one real request is let through, to see whether the credential is taken again. */
const HELD_MINUTES = [1, 2, 5, 10] as const
/** Where no other target is well, one is let through as often as this. */
const LAST_RESORT_MS = 10_000

const WORSE: readonly TargetState[] = ['healthy', 'degraded', 'probing', 'cooling']

/** An upstream that refuses our credential, or whose provider says that its account has nothing left. */
export interface HeldUpstream {
  readonly because: FailureClass
  /** A reading of `Clock.elapsed`: then one request is let through. */
  readonly until: number
}

/** What this process has seen of one upstream: of each model there, of its credential, and how often it was asked again. */
export class UpstreamHealth {
  readonly retries = new RetryBudget()
  /** Requests that wait until it may be asked. */
  waiting = 0
  readonly #random: () => number
  readonly #byModel = new Map<string, TargetHealth>()
  #held: HeldUpstream | null = null
  #heldSince = -Infinity
  #askedAt = -Infinity
  #timesHeld = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** Forgets models that are configured no more. */
  keepOnly(models: ReadonlySet<string>): void {
    for (const model of this.#byModel.keys()) if (!models.has(model)) this.#byModel.delete(model)
  }

  /** Of one model, by its name at the upstream. */
  of(model: string): TargetHealth {
    let health = this.#byModel.get(model)
    if (health === undefined) {
      health = new TargetHealth(this.#random)
      this.#byModel.set(model, health)
    }
    return health
  }

  /**
   * How it stands, for people: the worst of its models, or held as a whole; and until when it is left alone, by
   * `Clock.elapsed`, null where it is not.
   */
  standing(now: number): { readonly state: TargetState | 'held'; readonly until: number | null } {
    if (this.#held !== null) return { state: 'held', until: this.#held.until }
    let state: TargetState = 'healthy'
    let until: number | null = null
    for (const health of this.#byModel.values()) {
      const ofModel = health.state(now)
      if (WORSE.indexOf(ofModel) > WORSE.indexOf(state)) state = ofModel
      if (ofModel === 'cooling') until = Math.max(until ?? 0, health.restsUntil)
    }
    return { state, until }
  }

  get held(): HeldUpstream | null {
    return this.#held
  }

  /** When it may be asked next; at most `now`: at once. */
  mayBeAskedAt(now: number): number {
    return this.#held?.until ?? now
  }

  /** When it may be asked where no other upstream is well. */
  mayBeTriedAt(now: number): number {
    return this.#held === null ? now : Math.min(this.#held.until, this.#askedAt + LAST_RESORT_MS)
  }

  /** A request that was sent at `beganAt` got an answer: the credential is taken. */
  answered(beganAt: number): void {
    if (this.#held === null || beganAt < this.#heldSince) return
    this.#held = null
    this.#timesHeld = 0
  }

  /** Notes a failure of a request for `model` that was sent at `beganAt`. Returns whether it is left alone from now on. */
  failed(model: string, times: { beganAt: number; now: number }, about: TargetFailure): boolean {
    const { beganAt, now } = times
    if (!treatmentOf(about.failure).concernsUpstream) return this.of(model).failed(beganAt, now, about)
    // Requests that were under way together hold it once.
    if (this.#held !== null && beganAt < this.#heldSince) return true
    const minutes = HELD_MINUTES[Math.min(this.#timesHeld, HELD_MINUTES.length - 1)] ?? 1
    this.#timesHeld += 1
    this.#heldSince = now
    this.#held = { because: about.failure, until: now + minutes * MINUTE_MS }
    return true
  }

  /** A request is sent: where the upstream is held, it is to show whether the credential is taken again, and no other. */
  begin(now: number): void {
    this.#askedAt = now
    if (this.#held !== null) this.#held = { ...this.#held, until: Math.max(this.#held.until, now + MINUTE_MS) }
  }
}
