import type { CapNow } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import type { Snapshot } from '../../gateway/snapshot.ts'
import type { SpendCap } from '../../routing/spend-cap.ts'

/** How this process sees the caps on what an upstream and its targets may spend in a day. */
export function capsNow(
  upstreamId: string,
  { upstreamsById, modelsByName }: Snapshot,
  clock: Clock,
): readonly CapNow[] {
  const caps = upstreamsById.get(upstreamId)?.caps
  if (caps === undefined) return []
  const ofTargets = [...modelsByName.values()].flatMap(({ name, targets }) =>
    targets.flatMap((target): CapNow[] => {
      const cap = caps.ofTargets.get(target)
      return cap === undefined ? [] : [capNow(cap, { model: name, targetModel: target.model }, clock)]
    }),
  )
  const { ofUpstream } = caps
  return ofUpstream === null ? ofTargets : [capNow(ofUpstream, { model: null, targetModel: null }, clock), ...ofTargets]
}

function capNow(cap: SpendCap, of: Pick<CapNow, 'model' | 'targetModel'>, clock: Clock): CapNow {
  const now = clock.elapsed()
  const until = cap.isReached && !cap.isShadow ? Math.round(clock.now() + cap.opensAt(now) - now) : null
  return { ...of, perDay: cap.perDay, spentToday: cap.spentToday, until, isShadow: cap.isShadow }
}
