import type { UpstreamView } from '../../contract/upstreams.ts'
import { formatUsd } from '../../core/money.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { Credential } from '../../routing/credential.ts'
import { versionOf } from '../api/version.ts'
import type { Catalogue } from '../catalogue.ts'
import type { CapNow, ControlParts, ShadowCount } from '../parts.ts'
import { shadowRules } from './shadow-rules-view.ts'

/** What the node that answers knows of upstreams. */
export interface UpstreamNow extends Pick<ControlParts, 'capsNow'> {
  /** Of all upstreams. */
  readonly counts: readonly ShadowCount[]
}

/** For admins alone. */
export function upstreamView(
  upstream: Upstream,
  { models }: Pick<Catalogue, 'models'>,
  { capsNow, counts }: UpstreamNow,
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
    name: upstream.name,
    protocol: upstream.protocol,
    base_url: upstream.baseUrl,
    has_credential: upstream.credentials.length > 0,
    credentials: upstream.credentials.map(credentialView),
    timeout_ms: upstream.timeoutMs,
    connect_timeout_ms: upstream.connectTimeoutMs,
    first_byte_timeout_ms: upstream.firstByteTimeoutMs,
    max_concurrency: upstream.maxConcurrency,
    spend_per_day: upstream.spendPerDay === undefined ? null : formatUsd(upstream.spendPerDay),
    shadow: [...(upstream.shadow ?? [])],
    header_names: Object.keys(upstream.headers),
    remove_headers: [...(upstream.passage?.removedHeaders ?? [])],
    rename_headers: { ...upstream.passage?.renamedHeaders },
    drop_fields: [...(upstream.passage?.droppedSettings ?? [])],
    prefix_cache: upstream.passage?.keepsPrefixes ?? false,
    has_proxy: upstream.passage?.sealedProxyUrl !== undefined,
  }
}

/** What can be set on a credential, but for its secret and its proxy. */
export function credentialSettings(credential: Credential): Omit<UpstreamView['credentials'][number], 'has_proxy'> {
  const { name, weight, realm, models, spendPerDay, expiresAt } = credential
  return {
    name,
    weight,
    realm,
    max_concurrency: credential.maxConcurrency,
    requests_per_minute: credential.requestsPerMinute,
    tokens_per_minute: credential.tokensPerMinute,
    spend_per_day: spendPerDay === null ? null : formatUsd(spendPerDay),
    models: models === null ? null : [...models],
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    shadow: [...(credential.shadow ?? [])],
  }
}

/** The same as it is shown. */
function credentialView(credential: Credential): UpstreamView['credentials'][number] {
  return { ...credentialSettings(credential), has_proxy: credential.sealedProxyUrl !== null }
}

/** What is set on an upstream and never shown, sealed. */
export function upstreamSecrets(upstream: Upstream): readonly string[] {
  const { headers, passage } = upstream
  return [...credentialSecrets(upstream), ...Object.values(headers), passage?.sealedProxyUrl ?? '']
}

/** What of it belongs to its credentials. */
export function credentialSecrets({ credentials }: Upstream): readonly string[] {
  return credentials.flatMap(({ sealedSecret, sealedProxyUrl }) => [sealedSecret, sealedProxyUrl ?? ''])
}

/** The same for the audit. */
export function auditedUpstream(upstream: Upstream) {
  const { header_names: headers, ...settings } = upstreamSettings(upstream)
  return { ...settings, headers }
}
