import type { Snapshot } from '../../../gateway/snapshot.ts'
import type { SpendCap } from '../../../routing/spend-cap.ts'
import type { Value } from '../../../telemetry/figures.ts'

/** How far the caps on spending that are enforced are used: those of credentials, of targets by their model, and one value for each upstream. */
export function spendCapValues({ upstreamsById, modelsByName }: Snapshot): readonly Value[] {
  const ofTargets = [...modelsByName.values()].flatMap(({ name, targets }) =>
    targets.flatMap((target): Value[] => {
      const inUse = upstreamsById.get(target.upstreamId)
      const cap = inUse?.caps?.ofTargets.get(target)
      return inUse === undefined || cap === undefined || cap.isShadow
        ? []
        : [value([inUse.upstream.name, '', name], cap)]
    }),
  )
  const ofUpstreams = [...upstreamsById.values()].flatMap(({ upstream, caps, pool }) => [
    value([upstream.name, '', ''], caps?.ofUpstream ?? null),
    ...pool.flatMap(({ credential, health }): Value[] => {
      const { cap } = health.use
      return cap === null || cap.isShadow || credential === null
        ? []
        : [value([upstream.name, credential.name, ''], cap)]
    }),
  ])
  return [...ofUpstreams, ...ofTargets]
}

function value(labels: readonly string[], cap: SpendCap | null): Value {
  return { of: 'spendCapUsed', labels, value: cap === null || cap.isShadow ? 0 : cap.usedPart }
}
