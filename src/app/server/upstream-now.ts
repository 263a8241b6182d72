import type { UpstreamNow, CredentialNow, CapNow } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import type { UpstreamInUse, Snapshot } from '../../gateway/snapshot.ts'
import type { CredentialHealth } from '../../routing/credential-health.ts'
import type { TargetHealth } from '../../routing/target-health.ts'
import type { SpendCap } from '../../routing/spend-cap.ts'

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

/** How this process sees the credentials of an upstream; those that it cannot use are left out. */
export function credentialsNow(inUse: UpstreamInUse | undefined, clock: Clock): readonly CredentialNow[] {
  const now = clock.elapsed()
  const epoch = (at: number) => (at === Infinity ? null : Math.round(clock.now() + at - now))
  return (inUse?.pool ?? []).flatMap(({ credential, health, isDisabled, secretEnd = null }): CredentialNow[] => {
    if (credential === null) return []
    const { inFlight, cap } = health.use
    const { state, because, until, count } = health.standing(now)
    const spentToday = cap?.spentToday ?? null
    const of = { name: credential.name, secretEnd, inFlight, count, spentToday, renewal: renewalNow(health, clock) }
    if (isDisabled) return [{ ...of, state: 'disabled', because: null, until: null }]
    if (state === 'held') return [{ ...of, state, because, until: until === null ? null : epoch(until) }]
    const pause = health.use.pause(now)
    if (pause !== null) return [{ ...of, state: pause, because: null, until: epoch(health.use.roomAt(now)) }]
    return [{ ...of, state, because, until: until === null ? null : epoch(until) }]
  })
}

function renewalNow({ renewal }: Pick<CredentialHealth, 'renewal'>, clock: Clock): CredentialNow['renewal'] {
  if (renewal === null) return null
  const epoch = (at: number) => Math.round(clock.now() + at - clock.elapsed())
  return { since: epoch(renewal.since), goodUntil: epoch(renewal.goodUntil), said: renewal.said }
}

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
