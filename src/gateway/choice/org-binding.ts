import type { RequestHead } from '../../protocols/protocol.ts'
import { fingerprintOf, realmTagIn, sealedIn } from '../../protocols/bound-content.ts'
import { storedIdsIn } from '../../protocols/stored-ids.ts'
import type { Model } from '../../routing/catalog.ts'
import { realmOf, realmTag } from '../../routing/realm.ts'
import type { RealmMemory } from '../../routing/realm-memory.ts'
import type { Snapshot } from '../snapshot.ts'
import type { ChosenModel, RealmBond } from '../request/prepared.ts'

const NOTHING_BOUND: RealmBond = { realm: null, fingerprints: [] }

/**
 * What binds a request for a model that several realms serve, by what is newest in it; null where one serves it, as most are:
 * then nothing is looked for. The body is searched, not parsed.
 */
export function bondOf(
  { model }: ChosenModel,
  request: { readonly body: Buffer; readonly head: RequestHead; readonly snapshot: Snapshot; readonly now: number },
  memory: RealmMemory,
): RealmBond | null {
  const realms = realmsOf(model, request.snapshot)
  if (realms.size < 2) return null
  const { body, head, now } = request
  const sealed = sealedIn(body)
  const fingerprints = head.outside.kept ? [...namedIn(body, head), ...sealed] : sealed
  for (const fingerprint of fingerprints) {
    const realm = memory.realmOf(fingerprint, now)
    if (realm !== null) return { realm, fingerprints }
  }
  const tag = realmTagIn(body)
  const realm = tag === null ? null : (realms.get(tag) ?? null)
  return realm === null && fingerprints.length === 0 ? NOTHING_BOUND : { realm, fingerprints }
}

function namedIn(body: Buffer, { outside }: RequestHead): readonly string[] {
  const { answers, otherIds } = storedIdsIn(body, outside)
  return [...answers, ...otherIds].map(fingerprintOf)
}

/** A model belongs to one reading of the catalogue, and so do the upstreams beside it. */
const REALMS = new WeakMap<Model, ReadonlyMap<string, string>>()

/** Of all credentials that a model's targets may be asked with, by their tags. */
function realmsOf(model: Model, { upstreamsById }: Snapshot): ReadonlyMap<string, string> {
  const known = REALMS.get(model)
  if (known !== undefined) return known
  const realms = new Map<string, string>()
  for (const { upstreamId } of model.targets) {
    for (const { credential } of upstreamsById.get(upstreamId)?.pool ?? []) {
      const realm = realmOf(upstreamId, credential)
      realms.set(realmTag(realm), realm)
    }
  }
  REALMS.set(model, realms)
  return realms
}
