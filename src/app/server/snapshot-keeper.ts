import { isSealed } from '../../core/secret-box.ts'
import type { GroupStore } from '../../access/group.ts'
import { CONNECT_TIMEOUT_MS, TOTAL_TIMEOUT_MS } from '../../core/limits.ts'
import type { Snapshot, UpstreamInUse } from '../../gateway/snapshot.ts'
import type { CatalogStore, Model, Upstream } from '../../routing/catalog.ts'
import { UpstreamHealth } from '../../routing/upstream-health.ts'
import { HttpUpstream } from '../../upstreams/http-upstream.ts'
import { threadPart } from '../../core/thread-part.ts'
import { isBuiltIn, upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'

/** A pool that no new request uses is closed after its running requests had this long. */
const RETIREMENT_MS = TOTAL_TIMEOUT_MS

export interface SnapshotKeeperOptions {
  readonly groups: GroupStore
  readonly catalog: CatalogStore
  openCredential(sealed: string): string
  demoUpstream(): UpstreamClient
  /** Of this process that carry requests, among which each upstream's `maxConcurrency` is divided. */
  readonly threads?: number
  onError(upstreamName: string, error: unknown): void
}

/** Shorter values of headers are words, not secrets. */
const SHORTEST_SECRET = 6

/** Keeps the snapshot that the gateway serves by, and the connection pools of its upstreams over its versions. */
export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions
  #snapshot: Snapshot = { groupsById: new Map(), modelsByName: new Map(), upstreamsById: new Map() }

  readonly #threads: number
  #reloading: Promise<void> = Promise.resolve()

  constructor(options: SnapshotKeeperOptions) {
    this.#options = options
    this.#threads = options.threads ?? 1
  }

  get current(): Snapshot {
    return this.#snapshot
  }

  /** Reads the catalogue again. Upstreams that did not change keep their connections. */
  reload(): Promise<void> {
    // One after the other: of two that overlap the older reading might win.
    const reloading = this.#reloading.then(() => this.#read())
    this.#reloading = reloading.catch(() => {})
    return reloading
  }

  async #read(): Promise<void> {
    const { groups, catalog } = this.#options
    const [groupList, models, upstreams] = await Promise.all([groups.groups(), catalog.models(), catalog.upstreams()])
    const before = this.#snapshot.upstreamsById
    const inUse = upstreams.flatMap((upstream) => this.#inUse(upstream, before.get(upstream.id)))
    for (const { upstream, health } of inUse) health.keepOnly(modelsAt(upstream.id, models))
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

  #inUse(upstream: Upstream, before: UpstreamInUse | undefined): UpstreamInUse[] {
    if (before !== undefined && isSame(before.upstream, upstream)) return [before]
    try {
      return [this.#connect(upstream)]
    } catch (error) {
      // One upstream that cannot be used must not keep the others from being seen.
      this.#options.onError(upstream.name, error)
      return []
    }
  }

  #connect(upstream: Upstream): UpstreamInUse {
    const health = new UpstreamHealth(Math.random)
    if (isBuiltIn(upstream.protocol)) return { upstream, client: this.#options.demoUpstream(), health, secrets: [] }
    const credential =
      upstream.sealedCredential === null ? null : this.#options.openCredential(upstream.sealedCredential)
    const headers = this.#openHeaders(upstream)
    const baseUrl = baseUrlOf(upstream)
    const client = new HttpUpstream({
      baseUrl,
      headers: { ...headers, ...credentialHeaders(upstream, credential) },
      connectTimeoutMs: upstream.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      maxConcurrency: upstream.maxConcurrency === null ? null : threadPart(upstream.maxConcurrency, this.#threads),
    })
    return { upstream, client, health, secrets: secretsOf(upstream, [credential ?? '', ...Object.values(headers)]) }
  }

  #openHeaders({ headers }: Upstream): Readonly<Record<string, string>> {
    const open = (value: string) => (isSealed(value) ? this.#options.openCredential(value) : value)
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, open(value)]))
  }
}

/** The names of models there that some target has. */
function modelsAt(upstreamId: string, models: readonly Model[]): ReadonlySet<string> {
  const targets = models.flatMap((model) => model.targets.filter((target) => target.upstreamId === upstreamId))
  return new Set(targets.map(({ model }) => model))
}

/** Longest first, so that no part of one is left over. */
function secretsOf(upstream: Upstream, secrets: readonly string[]): readonly string[] {
  const { host, hostname } = new URL(upstream.baseUrl)
  return [upstream.baseUrl, host, hostname, ...secrets]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length)
}

/** The base URL with its version, where the protocol has one and people leave it out. */
function baseUrlOf({ protocol, baseUrl }: Upstream): string {
  const { version } = upstreamProtocolFacts(protocol)
  return version === null || version.ending.test(baseUrl) ? baseUrl : baseUrl + version.path
}

/** Where each provider wants its credential. */
function credentialHeaders(upstream: Upstream, credential: string | null): Record<string, string> {
  if (credential === null) return {}
  const { header, prefix } = upstreamProtocolFacts(upstream.protocol).credential
  return { [header]: prefix + credential }
}

function isSame(a: Upstream, b: Upstream): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function retire(client: UpstreamClient): void {
  setTimeout(() => void client.close(), RETIREMENT_MS).unref()
}
