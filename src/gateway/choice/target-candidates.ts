import type { Target } from '../../routing/catalog.ts'
import { Candidate } from '../../routing/candidate.ts'
import { sortOnce } from '../../routing/candidate-pool.ts'
import { affinityHash } from '../../routing/equals.ts'
import { providerOrgOf } from '../../routing/provider-org.ts'
import { capsOn } from '../../routing/spend-caps.ts'
import type { CredentialInUse, UpstreamInUse } from '../snapshot.ts'

/** A target's candidates, which no request makes anew; by whether they are preferred to others. */
interface CandidatesOfTarget {
  readonly inUse: UpstreamInUse
  preferred: readonly Candidate[] | null
  others: readonly Candidate[] | null
}

/** A target belongs to one reading of the catalogue, so what is made of it is let go with that. */
const MADE = new WeakMap<Target, CandidatesOfTarget>()

/** The target with each credential that it may be asked with. `isPreferred`: it takes the request as it is. */
export function candidatesOf(target: Target, inUse: UpstreamInUse, isPreferred: boolean): readonly Candidate[] {
  let made = MADE.get(target)
  if (made === undefined || made.inUse !== inUse) {
    made = { inUse, preferred: null, others: null }
    MADE.set(target, made)
  }
  if (isPreferred) return (made.preferred ??= make(target, inUse, isPreferred))
  return (made.others ??= make(target, inUse, isPreferred))
}

function make(target: Target, { pool, health, caps }: UpstreamInUse, isPreferred: boolean): readonly Candidate[] {
  const usable = pool.filter(
    ({ credential, isDisabled }) => !isDisabled && (credential?.models?.includes(target.model) ?? true),
  )
  const total = usable.reduce((sum, each) => sum + weightOf(each), 0)
  const capsHere = capsOn(target, caps)
  const candidates = usable.map(
    (each) =>
      new Candidate({
        target,
        upstream: health,
        credential: each.health,
        credentialName: each.credential?.name ?? null,
        providerOrg: providerOrgOf(target.upstreamId, each.credential),
        // Credentials share the weight of their target, and one that is out takes its share with it.
        weight: total === 0 ? 0 : (target.weight * weightOf(each)) / total,
        hasOwnWay: each.credential?.sealedProxyUrl != null,
        isOfPool: usable.length > 1,
        isPreferred,
        hash: affinityHash(nameOf(target, each.credential?.name)),
        caps: capsHere,
      }),
  )
  sortOnce(candidates)
  return candidates
}

function weightOf({ credential }: CredentialInUse): number {
  return credential?.weight ?? 1
}

function nameOf({ upstreamId, model }: Target, credential: string | undefined): string {
  return credential === undefined ? `${upstreamId}\n${model}` : `${upstreamId}\n${model}\n${credential}`
}
