import type { Catalogue } from '../entitlement/catalogue.ts'
import type { Upstream } from '../routing/catalog.ts'
import type { Credential } from '../routing/credential.ts'
import type { CredentialHealth } from '../routing/credential-health.ts'
import type { SpendCaps } from '../routing/spend-caps.ts'
import type { UpstreamHealth } from '../routing/upstream-health.ts'
import type { ModelListing } from '../upstreams/cloud-dialects.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'

/** The catalogue with the connections to its upstreams: a request is served by one snapshot from begin to end. */
export interface Snapshot extends Catalogue {
  readonly upstreamsById: ReadonlyMap<string, UpstreamInUse>
}

export interface UpstreamInUse {
  readonly upstream: Upstream
  /** Sends without a credential. */
  readonly client: UpstreamClient
  /** The credentials that requests may be sent with; one entry without a credential where the upstream wants none. */
  readonly pool: readonly CredentialInUse[]
  /** What this process has seen of it, since it was configured as it is. */
  readonly health: UpstreamHealth
  /** Left out: none. */
  readonly caps?: SpendCaps
  /** The upstream's address in all its forms and its credentials: what no message to a caller may hold. */
  readonly secrets: readonly string[]
  /** Where its cloud lists models; null: nowhere. Left out: it lists them as its protocol does. */
  readonly cloudList?: CloudList | null
}

export interface CloudList {
  readonly listing: ModelListing
  /** Opens a client of the list's address, with this credential or without any; it is closed by the one who asks. */
  open(by: CredentialInUse | null): UpstreamClient
}

export interface CredentialInUse {
  /** null: the upstream wants none. */
  readonly credential: Credential | null
  /** Sends with it, over the upstream's connections. */
  readonly client: UpstreamClient
  readonly health: CredentialHealth
  /** A person has switched it off. */
  readonly isDisabled: boolean
  /** How its secret ends, by which admins recognise it; absent: it has none, or one too short to show a part of. */
  readonly secretEnd?: string
}
