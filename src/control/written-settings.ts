import type { Group } from '../access/group.ts'
import { CREDENTIAL } from '../contract/objects/credential.ts'
import { MODEL } from '../contract/objects/model.ts'
import { fileEntryOf, insertedAfter, withoutNulls, writtenOf } from '../contract/objects/object-fields.ts'
import { TARGET } from '../contract/objects/target.ts'
import { UPSTREAM } from '../contract/objects/upstream.ts'
import type { Model, Upstream } from '../routing/catalog.ts'
import { modelSettings } from './views/model-view.ts'

/** A model as the declarative file writes it, which is as the API does, without what is planned; what is not set is left out. */
export function writtenModel(
  model: Model,
  names: { readonly upstreams: readonly Upstream[]; readonly groups: readonly Group[] },
): object {
  const { scheduled: _, ...settings } = modelSettings(model, names)
  return fileEntryOf(MODEL, {
    ...settings,
    price: settings.price && withoutNulls(settings.price),
    targets: settings.targets.map((target) =>
      fileEntryOf(TARGET, { ...target, cost: target.cost && withoutNulls(target.cost) }),
    ),
  })
}

export interface WritingUpstream {
  /** Writes what is sealed of it. */
  readonly secret: (sealed: string) => string
  /** Whether a person has disabled its credential of that name. */
  readonly isDisabled: (credential: string) => boolean
}

/** An upstream as the declarative file writes it; the API shows its secrets to no one. */
export function writtenUpstream(upstream: Upstream, { secret, isDisabled }: WritingUpstream): object {
  const { credentials, headers, passage } = upstream
  const settings = writtenOf(UPSTREAM, upstream, {
    headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, secret(value)])),
    proxy_url: passage?.sealedProxyUrl === undefined ? null : secret(passage.sealedProxyUrl),
  })
  const written = credentials.map((each) => ({
    ...fileEntryOf(CREDENTIAL, writtenOf(CREDENTIAL, each)),
    secret: secret(each.sealedSecret),
    ...(each.sealedProxyUrl === null ? {} : { proxy_url: secret(each.sealedProxyUrl) }),
    ...(isDisabled(each.name) ? { disabled: true } : {}),
  }))
  return fileEntryOf(UPSTREAM, {
    ...insertedAfter(settings, 'base_url', { credentials: written.length === 0 ? null : written }),
    base_url: upstream.baseUrl === '' ? null : upstream.baseUrl,
  })
}
