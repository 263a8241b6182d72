import type { RequestHead } from '../../protocols/protocol.ts'
import { fingerprintOf, realmTagIn, sealedIn } from '../../protocols/bound-content.ts'
import { storedIdsIn } from '../../protocols/stored-ids.ts'
import type { Model } from '../../routing/catalog.ts'
import { providerOrgOf, orgTag } from '../../routing/provider-org.ts'
import type { ProviderOrgMemory } from '../../routing/provider-org-memory.ts'
import type { Snapshot } from '../snapshot.ts'
import type { ChosenModel, OrgBinding } from '../request/prepared.ts'

const NOTHING_BOUND: OrgBinding = { providerOrg: null, fingerprints: [] }

/**
 * What binds a request for a model that several organisations serve, by what is newest in it; null where one serves it, as most are:
 * then nothing is looked for. The body is searched, not parsed.
 */
export function orgBindingOf(
  { model }: ChosenModel,
  request: { readonly body: Buffer; readonly head: RequestHead; readonly snapshot: Snapshot; readonly now: number },
  memory: ProviderOrgMemory,
): OrgBinding | null {
  const providerOrgs = providerOrgsOf(model, request.snapshot)
  if (providerOrgs.size < 2) return null
  const { body, head, now } = request
  const sealed = sealedIn(body)
  const fingerprints = head.outside.kept ? [...namedIn(body, head), ...sealed] : sealed
  for (const fingerprint of fingerprints) {
    const providerOrg = memory.providerOrgOf(fingerprint, now)
    if (providerOrg !== null) return { providerOrg, fingerprints }
  }
  const tag = realmTagIn(body)
  const providerOrg = tag === null ? null : (providerOrgs.get(tag) ?? null)
  return providerOrg === null && fingerprints.length === 0 ? NOTHING_BOUND : { providerOrg, fingerprints }
}

function namedIn(body: Buffer, { outside }: RequestHead): readonly string[] {
  const { answers, otherIds } = storedIdsIn(body, outside)
  return [...answers, ...otherIds].map(fingerprintOf)
}

/** A model belongs to one reading of the catalogue, and so do the upstreams beside it. */
const PROVIDER_ORGS = new WeakMap<Model, ReadonlyMap<string, string>>()

/** The organisations of all credentials that a model's targets may be asked with, by their tags. */
function providerOrgsOf(model: Model, { upstreamsById }: Snapshot): ReadonlyMap<string, string> {
  const known = PROVIDER_ORGS.get(model)
  if (known !== undefined) return known
  const providerOrgs = new Map<string, string>()
  for (const { upstreamId } of model.targets) {
    for (const { credential } of upstreamsById.get(upstreamId)?.pool ?? []) {
      const providerOrg = providerOrgOf(upstreamId, credential)
      providerOrgs.set(orgTag(providerOrg), providerOrg)
    }
  }
  PROVIDER_ORGS.set(model, providerOrgs)
  return providerOrgs
}
