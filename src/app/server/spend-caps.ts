import type { Clock } from '../../core/clock.ts'
import type { ShadowRule } from '../../core/shadow-rules.ts'
import type { Model, Target, Upstream } from '../../routing/catalog.ts'
import { SpendCap } from '../../routing/spend-cap.ts'
import type { SpendCaps } from '../../routing/spend-caps.ts'
import { credentialSpender, type Spender, targetSpender, upstreamSpender } from '../../routing/spender.ts'
import type { SharedSpend } from './shared-spend.ts'

/** Where what is spent is added up; `spends` absent: in this process alone. */
export interface SpendCapWatch {
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
