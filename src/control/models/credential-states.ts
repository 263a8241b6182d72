import type { CredentialStateView } from '../../contract/upstreams.ts'
import { formatUsd } from '../../core/money.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { ControlParts } from '../parts.ts'

/** How each credential of an upstream stands, as this node sees it; without those that it cannot open. */
export function statesOf(
  { id, credentials }: Upstream,
  credentialsNow: ControlParts['credentialsNow'],
): CredentialStateView[] {
  const byName = new Map(credentialsNow(id).map((each) => [each.name, each]))
  return credentials.map(({ name }) => {
    const now = byName.get(name)
    if (now === undefined) {
      return { name, secret_end: null, state: 'unusable', reason: null, until: null, in_flight: 0, spent_today: null }
    }
    return {
      name,
      secret_end: now.secretEnd,
      state: now.state,
      reason: now.because,
      until: now.until === null ? null : new Date(now.until).toISOString(),
      in_flight: now.inFlight,
      spent_today: now.spentToday === null ? null : formatUsd(now.spentToday),
    }
  })
}
