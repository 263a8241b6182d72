import type { Catalogue } from '../entitlement/catalogue.ts'
import type { Upstream } from '../routing/catalog.ts'
import type { UpstreamHealth } from '../routing/upstream-health.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'

/** The catalogue with the connections to its upstreams: a request is served by one snapshot from begin to end. */
export interface Snapshot extends Catalogue {
  readonly upstreamsById: ReadonlyMap<string, UpstreamInUse>
}

export interface UpstreamInUse {
  readonly upstream: Upstream
  readonly client: UpstreamClient
  /** What this process has seen of it, since it was configured as it is. */
  readonly health: UpstreamHealth
  /** Its address in all its forms and its credential: what no message to a caller may hold. */
  readonly secrets: readonly string[]
}
