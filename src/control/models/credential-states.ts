import type { CredentialStateView } from '../../contract/upstreams.ts'
import { formatUsd } from '../../core/money.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { CredentialState } from '../../routing/credential-states.ts'
import { versionOf } from '../api/version.ts'
import type { ControlParts } from '../parts.ts'

/** What a person changes of a credential's state. undefined: nothing is stored of it. */
export function markedSettings(state: CredentialState | undefined) {
  return { disabled: state?.isDisabled ?? false, held: state?.hold != null }
}

/** How each credential of an upstream stands, as this node sees it; without those that it cannot open. */
export function statesOf(
  { id, credentials }: Upstream,
  {
    credentialsNow,
    stored,
  }: { readonly credentialsNow: ControlParts['credentialsNow']; readonly stored: readonly CredentialState[] },
): CredentialStateView[] {
  const byName = new Map(credentialsNow(id).map((each) => [each.name, each]))
  const storedOf = new Map(stored.filter(({ upstreamId }) => upstreamId === id).map((each) => [each.name, each]))
  return credentials.map(({ name }) => {
    const version = versionOf(markedSettings(storedOf.get(name)))
    const now = byName.get(name)
    if (now === undefined) {
      return {
        name,
        version,
        secret_end: null,
        state: 'unusable',
        reason: null,
        said: null,
        until: null,
        count: 0,
        in_flight: 0,
        spent_today: null,
      }
    }
    return {
      name,
      version,
      secret_end: now.secretEnd,
      state: now.state,
      reason: now.because,
      said: now.state === 'held' ? (storedOf.get(name)?.hold?.said ?? null) : null,
      until: now.until === null ? null : new Date(now.until).toISOString(),
      count: now.count,
      in_flight: now.inFlight,
      spent_today: now.spentToday === null ? null : formatUsd(now.spentToday),
    }
  })
}
