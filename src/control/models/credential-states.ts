import type { CredentialStateView } from '../../contract/upstreams.ts'
import { formatUsd } from '../../core/money.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { CredentialState } from '../../routing/credential-states.ts'
import { versionOf } from '../api/version.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import type { ControlParts, CredentialNow } from '../parts.ts'

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
        since: null,
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
      ...refusalOf(now, storedOf.get(name)),
      until: now.until === null ? null : timeOnWire(now.until),
      count: now.count,
      in_flight: now.inFlight,
      spent_today: now.spentToday === null ? null : formatUsd(now.spentToday),
    }
  })
}

/** What was said when it was refused, by its provider or where its tokens come from, and when that began. */
function refusalOf(
  { state, renewal }: CredentialNow,
  stored: CredentialState | undefined,
): Pick<CredentialStateView, 'said' | 'since'> {
  if (state === 'renewal_failing' && renewal !== null) return { said: renewal.said, since: timeOnWire(renewal.since) }
  const hold = state === 'held' ? stored?.hold : null
  if (hold == null) return { said: null, since: null }
  return { said: hold.said ?? null, since: timeOnWire(hold.since) }
}
