import type { Catalogue } from '../entitlement/catalogue.ts'
import type { Upstream } from '../routing/catalog.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'

/** The catalogue with the connections to its upstreams: a request is served by one snapshot from begin to end. */
export interface Snapshot extends Catalogue {
  readonly upstreamsById: ReadonlyMap<string, UpstreamInUse>
}

export interface UpstreamInUse {
  readonly upstream: Upstream
  readonly client: UpstreamClient
  /** Its address in all its forms and its credential: what no message to a caller may hold. */
  readonly secrets: readonly string[]
}
