import type { UpstreamView } from '../../contract/upstreams.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { Catalogue } from '../keys/catalogue.ts'

/** For admins alone. */
export function upstreamView(upstream: Upstream, { models }: Pick<Catalogue, 'models'>): UpstreamView {
  const served = models.filter(({ targets }) => targets.some(({ upstreamId }) => upstreamId === upstream.id))
  return {
    id: upstream.id,
    ...upstreamSettings(upstream),
    models: served.map(({ name }) => name),
    managed: upstream.isManaged,
  }
}

/** What can be set on an upstream; of its credential, only whether there is one, and of its headers, only their names. */
function upstreamSettings(upstream: Upstream) {
  return {
    name: upstream.name,
    protocol: upstream.protocol,
    base_url: upstream.baseUrl,
    has_credential: upstream.sealedCredential !== null,
    timeout_ms: upstream.timeoutMs,
    connect_timeout_ms: upstream.connectTimeoutMs,
    first_byte_timeout_ms: upstream.firstByteTimeoutMs,
    max_concurrency: upstream.maxConcurrency,
    header_names: Object.keys(upstream.headers),
  }
}

/** The same for the audit. */
export function auditedUpstream(upstream: Upstream) {
  const { header_names: headers, ...settings } = upstreamSettings(upstream)
  return { ...settings, headers }
}
