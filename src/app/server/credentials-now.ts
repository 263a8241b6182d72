import type { CredentialNow } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import type { UpstreamInUse } from '../../gateway/snapshot.ts'

/** How this process sees the credentials of an upstream; those that it cannot use are left out. */
export function credentialsNow(inUse: UpstreamInUse | undefined, clock: Clock): readonly CredentialNow[] {
  const now = clock.elapsed()
  const epoch = (at: number) => (at === Infinity ? null : Math.round(clock.now() + at - now))
  return (inUse?.pool ?? []).flatMap(({ credential, health, isDisabled, secretEnd = null }): CredentialNow[] => {
    if (credential === null) return []
    const { inFlight, cap } = health.use
    const { state, because, until, count } = health.standing(now)
    const of = { name: credential.name, secretEnd, inFlight, count, spentToday: cap?.spentToday ?? null }
    if (isDisabled) return [{ ...of, state: 'disabled', because: null, until: null }]
    if (state === 'held') return [{ ...of, state, because, until: until === null ? null : epoch(until) }]
    const pause = health.use.pause(now)
    if (pause !== null) return [{ ...of, state: pause, because: null, until: epoch(health.use.roomAt(now)) }]
    return [{ ...of, state, because, until: until === null ? null : epoch(until) }]
  })
}
