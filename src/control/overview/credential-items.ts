/** Credentials that are refused, or will be: by their providers, or by the services that issue their tokens. */
import { withCloudAdvice } from '../../causes/cloud-refusal-texts.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { type CredentialState, markOf } from '../../routing/credential-states.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import type { ControlParts } from '../parts.ts'
import type { Failures } from './attention-failures.ts'
import type { RawItem } from './attention-item.ts'

/** The credentials that all nodes know to be held. */
export function heldCredentials(
  { upstreams }: ListedCatalogue,
  states: readonly CredentialState[],
  failures: Pick<Failures, 'recent'>,
): readonly RawItem[] {
  return states.flatMap(({ upstreamId, name, isDisabled, hold }): RawItem[] => {
    const upstream = upstreams.find(({ id }) => id === upstreamId)
    const credential = upstream?.credentials.find((each) => each.name === name)
    if (upstream === undefined || credential === undefined || isDisabled || hold === null) return []
    if (hold.of !== markOf(credential)) return []
    const said = hold.said ?? null
    return [
      {
        kind: 'credential_held',
        upstream: { id: upstream.id, name: upstream.name },
        credential: name,
        because: hold.because,
        said,
        since: timeOnWire(hold.since),
        requests: failures.recent((record) => record.upstreamName === upstream.name && record.credentialName === name),
        detail: withCloudAdvice(
          `The provider refuses the credential "${name}" of the upstream "${upstream.name}": replace it, or pay the provider, and test it.`,
          said,
        ),
      },
    ]
  })
}

/** The credentials whose last token is good for a while, and for which this node can get no other. */
export function failingRenewals(
  upstreams: readonly Upstream[],
  { credentialsNow }: Pick<ControlParts, 'credentialsNow'>,
  failures: Pick<Failures, 'seen'>,
): readonly RawItem[] {
  return upstreams.flatMap(({ id, name: at }) =>
    credentialsNow(id).flatMap(({ name, state, renewal }): RawItem[] => {
      if (renewal === null || state === 'disabled' || state === 'expired') return []
      const [since, heldAt] = [timeOnWire(renewal.since), timeOnWire(renewal.goodUntil)]
      return [
        {
          kind: 'renewal_failing',
          upstream: { id, name: at },
          credential: name,
          said: renewal.said,
          since,
          held_at: heldAt,
          requests: failures.seen((record) => record.upstreamName === at && record.credentialName === name),
          detail: withCloudAdvice(
            `Since ${since} no token can be had for the credential "${name}" of the upstream "${at}": the last one is good until ${heldAt}, and it is held then.`,
            renewal.said,
          ),
        },
      ]
    }),
  )
}
