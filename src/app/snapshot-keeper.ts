import type { GroupStore } from '../access/group.ts'
import { CONNECT_TIMEOUT_MS } from '../core/limits.ts'
import type { Snapshot, UpstreamInUse } from '../gateway/snapshot.ts'
import type { CatalogStore, Upstream } from '../routing/catalog.ts'
import { HttpUpstream } from '../upstreams/http-upstream.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'

/** A pool that no new request uses is closed after its running requests had this long. */
const RETIREMENT_MS = 600_000

export interface SnapshotKeeperOptions {
  readonly groups: GroupStore
  readonly catalog: CatalogStore
  openCredential(sealed: string): string
  demoUpstream(): UpstreamClient
}

/** Keeps the snapshot that the gateway serves by, and the connection pools of its upstreams over its versions. */
export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions
  #snapshot: Snapshot = { groupsById: new Map(), modelsByName: new Map(), upstreamsById: new Map() }

  constructor(options: SnapshotKeeperOptions) {
    this.#options = options
  }

  get current(): Snapshot {
    return this.#snapshot
  }

  /** Reads the catalogue again. Upstreams that did not change keep their connections. */
  async reload(): Promise<void> {
    const { groups, catalog } = this.#options
    const [groupList, models, upstreams] = await Promise.all([groups.groups(), catalog.models(), catalog.upstreams()])
    const before = this.#snapshot.upstreamsById
    const inUse = upstreams.map((upstream) => this.#inUse(upstream, before.get(upstream.id)))
    this.#snapshot = {
      groupsById: new Map(groupList.map((group) => [group.id, group])),
      modelsByName: new Map(models.map((model) => [model.name, model])),
      upstreamsById: new Map(inUse.map((each) => [each.upstream.id, each])),
    }
    const kept = new Set(inUse.map((each) => each.client))
    for (const { client } of before.values()) if (!kept.has(client)) retire(client)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#snapshot.upstreamsById.values()].map(({ client }) => client.close()))
  }

  #inUse(upstream: Upstream, before: UpstreamInUse | undefined): UpstreamInUse {
    if (before !== undefined && isSame(before.upstream, upstream)) return before
    return { upstream, client: this.#connect(upstream) }
  }

  #connect(upstream: Upstream): UpstreamClient {
    if (upstream.protocol === 'demo') return this.#options.demoUpstream()
    const credential =
      upstream.sealedCredential === null ? null : this.#options.openCredential(upstream.sealedCredential)
    return new HttpUpstream({
      baseUrl: baseUrlOf(upstream),
      headers: { ...upstream.headers, ...credentialHeaders(upstream, credential) },
      connectTimeoutMs: upstream.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      maxConcurrency: upstream.maxConcurrency,
    })
  }
}

/** Anthropic's base URL goes without `/v1` by custom, and people write it both ways. */
function baseUrlOf({ protocol, baseUrl }: Upstream): string {
  return protocol === 'anthropic' && !baseUrl.endsWith('/v1') ? baseUrl + '/v1' : baseUrl
}

/** Where each provider wants its credential. */
function credentialHeaders(upstream: Upstream, credential: string | null): Record<string, string> {
  if (credential === null) return {}
  if (upstream.protocol === 'anthropic') return { 'x-api-key': credential }
  if (upstream.protocol === 'gemini') return { 'x-goog-api-key': credential }
  return { authorization: `Bearer ${credential}` }
}

function isSame(a: Upstream, b: Upstream): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function retire(client: UpstreamClient): void {
  setTimeout(() => void client.close(), RETIREMENT_MS).unref()
}
