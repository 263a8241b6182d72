import type { Clock } from '../../core/clock.ts'
import { dayOf, DaySpend } from '../../routing/day-spend.ts'
import { spenderKey, credentialSpender, targetSpender, upstreamSpender } from '../../routing/spender.ts'
import type { Spender, SpendStore } from '../../routing/spender.ts'
import type { ShadowRule } from '../../core/shadow-rules.ts'
import type { Model, Target, Upstream } from '../../routing/catalog.ts'
import { SpendCap } from '../../routing/spend-cap.ts'
import type { SpendCaps } from '../../routing/spend-caps.ts'

export interface SharedSpendOptions {
  readonly store: SpendStore
  readonly clock: Clock
}

interface SpenderCount {
  readonly of: Spender
  readonly spend: DaySpend
}

/**
 * Adds up over all processes, and over their restarts, what upstreams, targets and credentials with a cap on their
 * spending cost in a day. The store is asked once in a few seconds, never by a request, and not at all where nothing has a cap.
 */
export class SharedSpend {
  readonly #options: SharedSpendOptions
  readonly #entries = new Map<string, SpenderCount>()

  constructor(options: SharedSpendOptions) {
    this.#options = options
  }

  /** The count of one spender: the same one while it is configured, whatever of it is changed. */
  of(spender: Spender): DaySpend {
    const key = spenderKey(spender)
    let entry = this.#entries.get(key)
    if (entry === undefined) {
      entry = { of: spender, spend: new DaySpend(this.#options.clock) }
      this.#entries.set(key, entry)
    }
    return entry.spend
  }

  /** Forgets all others. */
  keepOnly(spenders: readonly Spender[]): void {
    const kept = new Set(spenders.map(spenderKey))
    for (const key of this.#entries.keys()) if (!kept.has(key)) this.#entries.delete(key)
  }

  /**
   * Stores what was spent here, and reads what all spent; to be called every few seconds. Rejects with what the database said:
   * what could not be stored is so the next time.
   */
  async share(): Promise<void> {
    const entries = [...this.#entries.values()]
    if (entries.length === 0) return
    const { store, clock } = this.#options
    const day = dayOf(clock.now())
    const taken = entries.map(({ of, spend }) => ({ ...of, amount: spend.take(day) }))
    const all = await store.shareSpend(
      day,
      taken.filter(({ amount }) => amount > 0n),
    )
    const totals = new Map(all.map((each) => [spenderKey(each), each.amount]))
    for (const { of, spend } of entries) {
      const total = totals.get(spenderKey(of))
      if (total !== undefined) spend.stored(day, total)
    }
  }
}

/** Where what is spent is added up; `spends` absent: in this process alone. */
interface SpendCapWatch {
  readonly clock: Clock
  readonly spends?: Pick<SharedSpend, 'of'> | undefined
}

/** The caps of an upstream and of the targets there; undefined: none has one, as nearly always. */
export function spendCapsOf(
  upstream: Upstream,
  models: readonly Model[],
  counting: SpendCapWatch,
): SpendCaps | undefined {
  const { clock, spends } = counting
  const cap = (perDay: SpendCap['perDay'], of: Spender, isShadow: boolean) =>
    new SpendCap(perDay, clock, { spend: spends?.of(of), of: of.kind, isShadow })
  const targets = cappedTargets(upstream, models)
  const { spendPerDay, shadow } = upstream
  if (spendPerDay === undefined && targets.length === 0) return undefined
  return {
    ofUpstream: spendPerDay === undefined ? null : cap(spendPerDay, upstreamSpender(upstream), isCapIn(shadow)),
    ofTargets: new Map(targets.map(({ target, perDay, of }) => [target, cap(perDay, of, isCapIn(target.shadow))])),
  }
}

function isCapIn(shadow: readonly ShadowRule[] = []): boolean {
  return shadow.includes('spend_per_day')
}

/** All at an upstream that have a cap on their spending. */
export function cappedSpenders(upstream: Upstream, models: readonly Model[]): readonly Spender[] {
  const capped = upstream.credentials.filter(({ spendPerDay }) => spendPerDay !== null)
  return [
    ...(upstream.spendPerDay === undefined ? [] : [upstreamSpender(upstream)]),
    ...capped.map((credential) => credentialSpender(upstream, credential)),
    ...cappedTargets(upstream, models).map(({ of }) => of),
  ]
}

interface CappedTarget {
  readonly target: Target
  readonly perDay: SpendCap['perDay']
  readonly of: Spender
}

function cappedTargets({ id }: Upstream, models: readonly Model[]): readonly CappedTarget[] {
  return models.flatMap((model) =>
    model.targets.flatMap((target): CappedTarget[] =>
      target.upstreamId !== id || target.spendPerDay === undefined
        ? []
        : [{ target, perDay: target.spendPerDay, of: targetSpender(model, target) }],
    ),
  )
}
