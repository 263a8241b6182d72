import type { UpstreamNow } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import type { UpstreamInUse } from '../../gateway/snapshot.ts'
import type { TargetHealth } from '../../routing/target-health.ts'

/** How this process sees an upstream with whichever credential: what is under way there, and each model that was asked for. */
export function upstreamNow(inUse: UpstreamInUse | undefined, clock: Clock): UpstreamNow {
  if (inUse === undefined) return { inFlight: 0, models: [] }
  const now = clock.elapsed()
  const models = [...healthByModel(inUse)].map(([model, health]) => {
    const state = health.state(now)
    const rests = state === 'cooling' || state === 'probing'
    return {
      model,
      state,
      because: rests ? health.lastFailure : null,
      why: rests ? health.lastWhy : null,
      until: state === 'cooling' ? Math.round(clock.now() + health.restsUntil - now) : null,
      count: health.restsInARow,
    }
  })
  return { inFlight: inUse.pool.reduce((sum, { health }) => sum + health.use.inFlight, 0), models }
}

/** Health by the upstream's names of models: of all credentials together, or of the only one where there is one. */
function healthByModel({ pool, health }: Pick<UpstreamInUse, 'pool' | 'health'>): ReadonlyMap<string, TargetHealth> {
  const usable = pool.filter(({ isDisabled }) => !isDisabled)
  const [only] = usable
  return usable.length === 1 && only !== undefined ? only.health.models : health.models
}
