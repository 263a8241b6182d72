import type { Clock } from '../core/clock.ts'
import type { NanoUsd } from '../core/money.ts'
import type { CredentialShadow } from '../core/shadow-rules.ts'
import { SlidingCount } from '../core/sliding-count.ts'
import type { Credential } from './credential.ts'
import type { DaySpend } from './day-spend.ts'
import { SpendCap } from './spend-cap.ts'

/** What a credential may be used for, besides its health. */
export type CredentialLimits = Pick<
  Credential,
  'maxConcurrency' | 'requestsPerMinute' | 'tokensPerMinute' | 'spendPerDay' | 'expiresAt' | 'shadow'
>

type EnforcedLimits = Omit<CredentialLimits, 'shadow'>

/** Why a credential is not used now, though the provider takes it. */
export type CredentialPause = 'busy' | 'spend_cap' | 'expired'

/** How soon a credential that has all the requests it may have at once is looked at again. */
const LOOK_AGAIN_MS = 100

/** How much one credential is used, and when its own limits leave room for one more request. */
export class CredentialUse {
  /** Requests on their way with it. */
  inFlight = 0
  readonly #limits: EnforcedLimits
  /** Nothing of its own keeps requests from it: there is room at any time. */
  readonly isUnlimited: boolean
  /** All of them, where some are in shadow; null: none is. */
  readonly #shadowed: CredentialLimits | null
  readonly #clock: Clock
  /** null: not limited, so not counted. */
  readonly #requests: SlidingCount | null
  readonly #tokens: SlidingCount | null
  /** The cap on what it costs in a day, enforced or not; null: none, so nothing is added up. */
  readonly cap: SpendCap | null
  /** The cap, where it is enforced. */
  readonly #closing: SpendCap | null

  /** `spend`: where what it costs is counted, with what other processes spend; absent: here alone. */
  constructor(limits: CredentialLimits, clock: Clock, spend?: DaySpend) {
    this.#limits = enforced(limits)
    this.isUnlimited = Object.values(this.#limits).every((limit) => limit === null)
    this.#shadowed = limits.shadow === undefined ? null : limits
    this.#clock = clock
    const isShadow = limits.shadow?.includes('spend_per_day') === true
    this.cap =
      limits.spendPerDay === null
        ? null
        : new SpendCap(limits.spendPerDay, clock, { spend, of: 'credential', isShadow })
    this.#closing = isShadow ? null : this.cap
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
    this.cap?.add(cost)
  }

  /** When there is room for a request; at most `now`: at once; `Infinity`: not as it is configured. */
  roomAt(now: number): number {
    if (this.isUnlimited) return now
    return Math.max(this.#closedUntil(now), this.#busyUntil(this.#limits, now))
  }

  /** Why there is no room now; null: there is. */
  pause(now: number): CredentialPause | null {
    const closedUntil = this.#closedUntil(now)
    if (closedUntil > now) return closedUntil === Infinity ? 'expired' : 'spend_cap'
    return this.roomAt(now) > now ? 'busy' : null
  }

  /** Some of its limits are in shadow. */
  get isShadowed(): boolean {
    return this.#shadowed !== null
  }

  /** Rules in shadow that leave no room for a request now, each judged as if it alone were enforced. */
  refusingInShadow(now: number): readonly CredentialShadow[] {
    const limits = this.#shadowed
    if (limits?.shadow === undefined) return []
    return limits.shadow.filter((rule) => {
      if (rule === 'spend_per_day') return this.cap !== null && this.cap.opensAt(now) > now
      const field = COUNTED[rule]
      return this.#busyUntil({ ...UNCOUNTED, [field]: limits[field] }, now) > now
    })
  }

  #busyUntil({ maxConcurrency, requestsPerMinute, tokensPerMinute }: CountedCredentialLimits, now: number): number {
    let at = now
    if (maxConcurrency !== null && this.inFlight >= maxConcurrency) at = now + LOOK_AGAIN_MS
    if (requestsPerMinute !== null) at = Math.max(at, now + (this.#requests?.waitMs(requestsPerMinute - 1, now) ?? 0))
    if (tokensPerMinute !== null) at = Math.max(at, now + (this.#tokens?.waitMs(tokensPerMinute - 1, now) ?? 0))
    return at
  }

  #closedUntil(now: number): number {
    const { expiresAt } = this.#limits
    if (expiresAt !== null && this.#clock.now() >= expiresAt) return Infinity
    return this.#closing === null ? now : this.#closing.opensAt(now)
  }
}

type CountedCredentialLimits = Pick<CredentialLimits, 'maxConcurrency' | 'requestsPerMinute' | 'tokensPerMinute'>

const UNCOUNTED: CountedCredentialLimits = { maxConcurrency: null, requestsPerMinute: null, tokensPerMinute: null }

const COUNTED = {
  max_concurrency: 'maxConcurrency',
  requests_per_minute: 'requestsPerMinute',
  tokens_per_minute: 'tokensPerMinute',
} as const satisfies Record<Exclude<CredentialShadow, 'spend_per_day'>, keyof CountedCredentialLimits>

function enforced({ shadow = [], ...limits }: CredentialLimits): EnforcedLimits {
  const unless = <Limit>(rule: CredentialShadow, limit: Limit) => (shadow.includes(rule) ? null : limit)
  return {
    maxConcurrency: unless('max_concurrency', limits.maxConcurrency),
    requestsPerMinute: unless('requests_per_minute', limits.requestsPerMinute),
    tokensPerMinute: unless('tokens_per_minute', limits.tokensPerMinute),
    spendPerDay: unless('spend_per_day', limits.spendPerDay),
    expiresAt: limits.expiresAt,
  }
}
