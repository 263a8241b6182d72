import type { Clock } from '../core/clock.ts'
import type { NanoUsd } from '../core/money.ts'
import { SlidingCount } from '../core/sliding-count.ts'
import type { Credential } from './credential.ts'
import type { DaySpend } from './day-spend.ts'
import { SpendCap } from './spend-cap.ts'

/** What a credential may be used for, besides its health. */
export type CredentialLimits = Pick<
  Credential,
  'maxConcurrency' | 'requestsPerMinute' | 'tokensPerMinute' | 'spendPerDay' | 'expiresAt'
>

/** Why a credential is not used now, though the provider takes it. */
export type CredentialPause = 'busy' | 'spend_cap' | 'expired'

/** One that has all the requests it may have at once is looked at again so soon. */
const LOOK_AGAIN_MS = 100

/** How much one credential is used, and when its own limits leave room for one more request. */
export class CredentialUse {
  /** Requests on their way with it. */
  inFlight = 0
  readonly #limits: CredentialLimits
  /** Nothing of its own limits it: there is room at any time. */
  readonly isUnlimited: boolean
  readonly #clock: Clock
  /** null: not limited, so not counted. */
  readonly #requests: SlidingCount | null
  readonly #tokens: SlidingCount | null
  /** null: none, so nothing is added up. */
  readonly #cap: SpendCap | null

  /** `spend`: where what it costs is counted, with what other processes spend; absent: here alone. */
  constructor(limits: CredentialLimits, clock: Clock, spend?: DaySpend) {
    this.#limits = limits
    this.isUnlimited = Object.values(limits).every((limit) => limit === null)
    this.#clock = clock
    this.#cap = limits.spendPerDay === null ? null : new SpendCap(limits.spendPerDay, clock, spend)
    this.#requests = limits.requestsPerMinute === null ? null : new SlidingCount()
    this.#tokens = limits.tokensPerMinute === null ? null : new SlidingCount()
  }

  /** A request is sent. `now`: a reading of `Clock.elapsed`. */
  begin(now: number): void {
    this.inFlight += 1
    this.#requests?.add(1, now)
  }

  end(): void {
    this.inFlight -= 1
  }

  /** A request is over and cost so much. */
  used(tokens: number, cost: NanoUsd): void {
    this.#tokens?.add(tokens, this.#clock.elapsed())
    this.#cap?.add(cost)
  }

  /** On what it costs in a day; null: none. */
  get cap(): SpendCap | null {
    return this.#cap
  }

  /** When there is room for a request; at most `now`: at once; `Infinity`: not as it is configured. */
  roomAt(now: number): number {
    if (this.isUnlimited) return now
    const { maxConcurrency, requestsPerMinute, tokensPerMinute } = this.#limits
    let at = this.#closedUntil(now)
    if (maxConcurrency !== null && this.inFlight >= maxConcurrency) at = Math.max(at, now + LOOK_AGAIN_MS)
    if (requestsPerMinute !== null) at = Math.max(at, now + (this.#requests?.waitMs(requestsPerMinute - 1, now) ?? 0))
    if (tokensPerMinute !== null) at = Math.max(at, now + (this.#tokens?.waitMs(tokensPerMinute - 1, now) ?? 0))
    return at
  }

  /** Why there is no room now; null: there is. */
  pause(now: number): CredentialPause | null {
    const closedUntil = this.#closedUntil(now)
    if (closedUntil > now) return closedUntil === Infinity ? 'expired' : 'spend_cap'
    return this.roomAt(now) > now ? 'busy' : null
  }

  #closedUntil(now: number): number {
    const { expiresAt } = this.#limits
    if (expiresAt !== null && this.#clock.now() >= expiresAt) return Infinity
    return this.#cap === null ? now : this.#cap.opensAt(now)
  }
}
