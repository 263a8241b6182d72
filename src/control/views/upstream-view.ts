import type { UpstreamView } from '../../contract/upstreams.ts'
import { CREDENTIAL } from '../../contract/objects/credential.ts'
import { writtenOf } from '../../contract/objects/object-fields.ts'
import { UPSTREAM } from '../../contract/objects/upstream.ts'
import { formatUsd } from '../../core/money.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { Credential } from '../../routing/credential.ts'
import { versionOf } from '../api/version.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import type { CapNow, ControlParts, ShadowCount } from '../parts.ts'
import { shadowRules } from './shadow-rules-view.ts'

/** What the node that answers knows of upstreams. */
export interface UpstreamFigures extends Pick<ControlParts, 'capsNow'> {
  /** The rules in shadow of all upstreams, counted. */
  readonly counts: readonly ShadowCount[]
}

/** An upstream as admins see it. */
export function upstreamView(
  upstream: Upstream,
  { models }: Pick<ListedCatalogue, 'models'>,
  { capsNow, counts }: UpstreamFigures,
): UpstreamView {
  const served = models.filter(({ targets }) => targets.some(({ upstreamId }) => upstreamId === upstream.id))
  return {
    id: upstream.id,
    ...upstreamSettings(upstream),
    models: served.map(({ name }) => name),
    spend_caps: capsNow(upstream.id).map(capView),
    shadow_rules: shadowRules(upstream, models, counts),
    managed: upstream.isManaged,
    version: versionOf(auditedUpstream(upstream), upstreamSecrets(upstream)),
  }
}

function capView({
  model,
  targetModel,
  perDay,
  spentToday,
  until,
  isShadow,
}: CapNow): UpstreamView['spend_caps'][number] {
  return {
    model,
    upstream_model: targetModel,
    spend_per_day: formatUsd(perDay),
    spent_today: formatUsd(spentToday),
    until: until === null ? null : new Date(until).toISOString(),
    shadow: isShadow,
  }
}

/** What can be set on an upstream; of its credential, only whether there is one, and of its headers, only their names. */
function upstreamSettings(upstream: Upstream) {
  return {
    ...writtenOf(UPSTREAM, upstream),
    has_credential: upstream.credentials.length > 0,
    credentials: upstream.credentials.map(credentialView),
    header_names: Object.keys(upstream.headers),
    has_proxy: upstream.passage?.sealedProxyUrl !== undefined,
  }
}

/** What can be set on a credential; of its secret nothing, and of its proxy whether there is one. */
function credentialView(credential: Credential): UpstreamView['credentials'][number] {
  return { ...writtenOf(CREDENTIAL, credential), has_proxy: credential.sealedProxyUrl !== null }
}

/** What is set on an upstream and never shown, sealed. */
export function upstreamSecrets(upstream: Upstream): readonly string[] {
  const { headers, passage } = upstream
  return [...credentialSecrets(upstream), ...Object.values(headers), passage?.sealedProxyUrl ?? '']
}

/** The secrets of its credentials, sealed. */
export function credentialSecrets({ credentials }: Upstream): readonly string[] {
  return credentials.flatMap(({ sealedSecret, sealedProxyUrl }) => [sealedSecret, sealedProxyUrl ?? ''])
}

/** What can be set on an upstream, as the audit has it. */
export function auditedUpstream(upstream: Upstream) {
  const { header_names: headers, ...settings } = upstreamSettings(upstream)
  return { ...settings, headers }
}
