import type { Clock } from '../core/clock.ts'
import { MINUTE_MS } from '../core/durations.ts'
import { CredentialUse, type CredentialLimits } from './credential-use.ts'
import type { DaySpend } from './day-spend.ts'
import type { FailureClass } from './failure-class.ts'
import { HealthByModel, type TargetHealth, type TargetState, wellness } from './target-health.ts'

/** The minutes after which one real request is let through, to see whether the credential is taken again. */
const HELD_MINUTES = [1, 2, 5, 10] as const
/** Where no other target is well, one is let through as often as this. */
const LAST_RESORT_MS = 10_000

/** A credential that its provider refuses, or whose account has nothing left. */
export interface HeldCredential {
  readonly because: FailureClass
  /** A reading of `Clock.elapsed`: then one request is let through. */
  readonly until: number
}

/** The hold as all processes know it: times are epoch milliseconds. */
export interface CredentialHold {
  readonly because: FailureClass
  readonly since: number
  readonly until: number
  /** How many times in a row, this one included. */
  readonly times: number
  /** The provider's words, as far as they are kept; absent: it said nothing, or the version that noted it kept none. */
  readonly said?: string
}

/** A credential has a token that is good, and no other could be had. Times are readings of `Clock.elapsed`. */
export interface FailingRenewal {
  /** When the first renewal failed. */
  readonly since: number
  /** The end of the token: then it is held. */
  readonly goodUntil: number
  /** What the service that issues tokens said last. */
  readonly said: string
}

export interface CredentialStanding {
  readonly state: TargetState | 'renewal_failing' | 'held'
  readonly because: FailureClass | null
  readonly until: number | null
  /** How often in a row it was held, or has rested. */
  readonly count: number
}

const WORSE: readonly CredentialStanding['state'][] = ['healthy', 'degraded', 'probing', 'cooling']
/** States in which requests go out with it: that it will be held is of more weight. */
const USABLE: ReadonlySet<CredentialStanding['state']> = new Set(['healthy', 'degraded'])

export interface CredentialHealthOptions {
  readonly limits: CredentialLimits
  readonly clock: Clock
  /** Where what it costs is counted; absent: in this process alone. */
  readonly spend?: DaySpend | undefined
  /** Gives numbers from 0 to 1. */
  readonly random: () => number
  /** Hears when this process finds the credential refused, or (null) taken again. */
  readonly onNews?: (hold: CredentialHold | null) => void
}

/** What this process knows of one credential: of each model with it, whether it is refused, and how much it is used. */
export class CredentialHealth extends HealthByModel {
  readonly use: CredentialUse
  readonly #options: CredentialHealthOptions
  #held: HeldCredential | null = null
  #renewal: FailingRenewal | null = null
  #heldSince = -Infinity
  #askedAt = -Infinity
  #timesHeld = 0

  constructor(options: CredentialHealthOptions) {
    super(options.random)
    this.#options = options
    this.use = new CredentialUse(options.limits, options.clock, options.spend)
  }

  /**
   * How it stands, for people: held, or the worst of its models and of its renewal; and until when it is left alone, or is
   * good where its renewal fails, by `Clock.elapsed`, null where it is not.
   */
  standing(now: number): CredentialStanding {
    if (this.#held !== null)
      return { state: 'held', because: this.#held.because, until: this.#held.until, count: this.#timesHeld }
    const worst = this.#worstOfModels(now)
    if (this.#renewal === null || !USABLE.has(worst.state)) return worst
    return { state: 'renewal_failing', because: null, until: this.#renewal.goodUntil, count: 0 }
  }

  get held(): HeldCredential | null {
    return this.#held
  }

  /** null: its token was renewed, or is not minted, or it is held by now. */
  get renewal(): FailingRenewal | null {
    return this.#held === null ? this.#renewal : null
  }

  /**
   * The model, of those that were asked for with it, that may be tried again first, as a request that is of no model sees
   * it: the credential rests where all of them do. null: none was asked for yet.
   */
  firstToTry(now: number, callerId: string | null): TargetHealth | null {
    let first: TargetHealth | null = null
    for (const health of this.models.values()) {
      if (first === null || health.mayBeTriedAt(now, callerId) < first.mayBeTriedAt(now, callerId)) first = health
    }
    return first
  }

  /** When it may be used next; at most `now`: at once; `Infinity`: not as it is configured. */
  mayBeAskedAt(now: number): number {
    const roomAt = this.use.roomAt(now)
    return this.#held === null ? roomAt : Math.max(this.#held.until, roomAt)
  }

  /** When it may be used where no other is well. */
  mayBeTriedAt(now: number): number {
    const roomAt = this.use.roomAt(now)
    if (this.#held === null) return roomAt
    return Math.max(roomAt, Math.min(this.#held.until, this.#askedAt + LAST_RESORT_MS))
  }

  /** A request is sent: where it is held, it is to show whether the credential is taken again, and no other. */
  begin(now: number): void {
    this.use.begin(now)
    this.#askedAt = now
    if (this.#held !== null) this.#held = { ...this.#held, until: Math.max(this.#held.until, now + MINUTE_MS) }
  }

  /** A request that was sent at `beganAt` got an answer: the credential is taken. */
  answered(beganAt: number): void {
    if (this.#held === null || beganAt < this.#heldSince) return
    this.#release()
    this.#options.onNews?.(null)
  }

  /** A request that was sent at `beganAt` was refused for the credential's sake. */
  refused({ beganAt, now }: { beganAt: number; now: number }, because: FailureClass, said?: string): void {
    // Requests that were under way together hold it once.
    if (this.#held !== null && beganAt < this.#heldSince) return
    const minutes = HELD_MINUTES[Math.min(this.#timesHeld, HELD_MINUTES.length - 1)] ?? 1
    this.#timesHeld += 1
    this.#heldSince = now
    this.#held = { because, until: now + minutes * MINUTE_MS }
    wellness.changes += 1
    const nowMs = this.#options.clock.now()
    const times = { since: nowMs, until: nowMs + minutes * MINUTE_MS, times: this.#timesHeld }
    this.#options.onNews?.({ because, ...times, ...(said === undefined ? {} : { said }) })
  }

  /** Another token could not be had, while the one at hand is good. */
  renewalFailed({ now, goodUntil }: { now: number; goodUntil: number }, said: string): void {
    this.#renewal = { since: this.#renewal?.since ?? now, goodUntil, said }
  }

  /** A token was had, or none is left. */
  renewed(): void {
    this.#renewal = null
  }

  /** Takes over what all processes know; null: it is not held. */
  adopt(hold: CredentialHold | null): void {
    if (hold === null) return this.#release()
    if (this.#held !== null && this.#timesHeld >= hold.times) return
    const { clock } = this.#options
    const [now, nowMs] = [clock.elapsed(), clock.now()]
    this.#timesHeld = hold.times
    // Another process has asked for us just now.
    this.#askedAt = now
    this.#heldSince = now
    this.#held = { because: hold.because, until: now + Math.max(0, hold.until - nowMs) }
    wellness.changes += 1
  }

  #worstOfModels(now: number): CredentialStanding {
    let worst: CredentialStanding = { state: 'healthy', because: null, until: null, count: 0 }
    for (const health of this.models.values()) {
      const state = health.state(now)
      const until = state === 'cooling' ? Math.max(worst.until ?? 0, health.restsUntil) : worst.until
      const isWorse = WORSE.indexOf(state) > WORSE.indexOf(worst.state)
      const count = Math.max(worst.count, health.restsInARow)
      worst = isWorse ? { state, because: health.lastFailure, until, count } : { ...worst, until, count }
    }
    return worst
  }

  #release(): void {
    this.#held = null
    this.#timesHeld = 0
    wellness.changes += 1
  }
}
