import { isDeepStrictEqual } from 'node:util'
import { systemClock } from '../../core/clock.ts'
import { isSealed } from '../../core/secret-box.ts'
import { type AnnouncementStore, maintenanceOf, type SaidMaintenance } from '../../access/announcement.ts'
import type { GroupStore } from '../../access/group.ts'
import { CONNECT_TIMEOUT_MS, TOTAL_TIMEOUT_MS } from '../../core/limits.ts'
import type { IgnoredLimits } from '../../gateway/ignored-limits.ts'
import type { LearnedRefusals } from '../../gateway/learned-refusals.ts'
import type { CredentialInUse, Snapshot, UpstreamInUse } from '../../gateway/snapshot.ts'
import { IMPORTED_KEYS } from '../../access/imported-keys.ts'
import type { CatalogStore, Model, Upstream } from '../../routing/catalog.ts'
import type { Credential } from '../../routing/credential.ts'
import { type CredentialHold, CredentialHealth } from '../../routing/credential-health.ts'
import { type CredentialState, markOf } from '../../routing/credential-states.ts'
import { credentialSpender } from '../../routing/spender.ts'
import { UpstreamHealth } from '../../routing/upstream-health.ts'
import { baseUrlOf } from '../../routing/upstream-settings.ts'
import { credentialHeaders, hiddenOf, secretsOfProxy } from './upstream-address.ts'
import type { CredentialHoldWriter } from './learned-writers.ts'
import { type SharedSpend, cappedSpenders, spendCapsOf } from './shared-spend.ts'
import type { MintedCredentials } from '../../upstreams/minted-credentials.ts'
import { CloudClients } from './cloud-clients.ts'
import { HttpUpstream, type HttpUpstreamOptions } from '../../upstreams/http-upstream.ts'
import { threadPart } from '../../core/thread-part.ts'
import { isBuiltIn } from '../../core/upstream-protocol.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'

/** A pool that no new request uses is closed after its running requests had this long. */
const RETIREMENT_MS = TOTAL_TIMEOUT_MS

export interface SnapshotKeeperOptions {
  readonly groups: GroupStore
  readonly catalog: CatalogStore
  readonly announcements: Pick<AnnouncementStore, 'announcements'>
  /** Where it says what was imported; absent: it does not matter. */
  readonly settings?: { read(name: string): Promise<string | null> }
  /** Where it is known whether keys of another gateway are stored by its hash; absent: it does not matter. */
  readonly keys?: { hasBroughtHashes(): Promise<boolean> }
  openCredential(sealed: string): string
  demoUpstream(): UpstreamClient
  /** Where tokens of credentials are minted; absent: nothing is sent with them. */
  readonly minted?: Pick<MintedCredentials, 'authorizer'>
  /** How many threads of this process carry requests, among which each upstream's `maxConcurrency` is divided. */
  readonly threads?: number
  /** Where it is noted which credentials are refused. */
  readonly holds?: Pick<CredentialHoldWriter, 'write' | 'isWaiting'>
  /** Where what has a cap on its spending costs is added up over all processes. */
  readonly spends?: Pick<SharedSpend, 'of' | 'keepOnly'>
  /** Where clocks are compared with those of upstreams; absent: nowhere. */
  readonly dates?: HttpUpstreamOptions['dates']
  /** Where it is known which targets keep to output limits. */
  readonly limits?: Pick<IgnoredLimits, 'adopt'>
  /** Where it is known which settings targets refuse. */
  readonly refusals?: Pick<LearnedRefusals, 'adopt'>
  onError(upstreamName: string, error: unknown): void
}

/** Keeps the snapshot that the gateway serves by, and the connection pools of its upstreams over its versions. */
export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions
  #snapshot: Snapshot = { groupsById: new Map(), modelsByName: new Map(), upstreamsById: new Map() }

  #maintenance: readonly SaidMaintenance[] = []
  #hasImportedKeys = false
  #hasBroughtKeys = false
  readonly #threads: number
  readonly #clouds: CloudClients
  #reloading: Promise<void> = Promise.resolve()

  constructor(options: SnapshotKeeperOptions) {
    this.#options = options
    this.#threads = options.threads ?? 1
    this.#clouds = new CloudClients(options.minted ?? null, () => systemClock.elapsed())
  }

  get current(): Snapshot {
    return this.#snapshot
  }

  /** Announced, past and to come. */
  get maintenance(): readonly SaidMaintenance[] {
    return this.#maintenance
  }

  /** Keys of new-api or one-api were imported, which clients send in several forms. */
  get hasImportedKeys(): boolean {
    return this.#hasImportedKeys
  }

  /** Keys are left that are stored by the hash of another gateway alone. */
  get hasBroughtKeys(): boolean {
    return this.#hasBroughtKeys
  }

  /** Reads the catalogue again. Upstreams that did not change keep their connections. */
  reload(): Promise<void> {
    // One after the other: of two that overlap the older reading might win.
    const reloading = this.#reloading.then(() => this.#read())
    this.#reloading = reloading.catch(() => {})
    return reloading
  }

  async #read(): Promise<void> {
    const { groups, catalog, announcements, limits, refusals, settings, keys } = this.#options
    const [groupList, models, upstreams, states, announced, notes, refused, imported, hasBrought] = await Promise.all([
      groups.groups(),
      catalog.models(),
      catalog.upstreams(),
      catalog.credentialStates(),
      announcements.announcements(),
      limits === undefined ? [] : catalog.limitNotes(),
      refusals === undefined ? [] : catalog.refusalNotes(),
      settings?.read(IMPORTED_KEYS) ?? null,
      keys?.hasBroughtHashes() ?? false,
    ])
    this.#hasImportedKeys = imported !== null
    this.#hasBroughtKeys = hasBrought
    limits?.adopt(notes)
    refusals?.adopt(refused)
    this.#maintenance = maintenanceOf(announced)
    const before = this.#snapshot.upstreamsById
    const stateOf = new Map(states.map((state) => [`${state.upstreamId}\n${state.name}`, state]))
    const inUse = upstreams
      .flatMap((upstream) => this.#inUse(upstream, before.get(upstream.id)))
      .map((each) => this.#withStates(each, (name) => stateOf.get(`${each.upstream.id}\n${name}`)))
      .map((each) => this.#withCaps(each, models))
    for (const { upstream, health, pool } of inUse) {
      const atUpstream = modelsAt(upstream.id, models)
      health.keepOnly(atUpstream)
      for (const each of pool) each.health.keepOnly(atUpstream)
    }
    this.#snapshot = {
      groupsById: new Map(groupList.map((group) => [group.id, group])),
      modelsByName: new Map(models.map((model) => [model.name, model])),
      upstreamsById: new Map(inUse.map((each) => [each.upstream.id, each])),
    }
    this.#options.spends?.keepOnly(inUse.flatMap(({ upstream }) => cappedSpenders(upstream, models)))
    this.#clouds.keepOnly(new Set(inUse.flatMap(({ pool }) => pool.map(({ client }) => client))))
    const kept = new Set(clientsOf(inUse))
    for (const client of clientsOf(before.values())) if (!kept.has(client)) retire(client)
  }

  async close(): Promise<void> {
    this.#clouds.close()
    await Promise.all(clientsOf(this.#snapshot.upstreamsById.values()).map((client) => client.close()))
  }

  #inUse(upstream: Upstream, before: UpstreamInUse | undefined): UpstreamInUse[] {
    if (before !== undefined && isSame(before.upstream, upstream)) return [before]
    try {
      return [this.#connect(upstream, before)]
    } catch (error) {
      // One upstream that cannot be used must not keep the others from being seen.
      this.#options.onError(upstream.name, error)
      return []
    }
  }

  /** Takes over what all processes know of the credentials of an upstream. */
  #withStates(inUse: UpstreamInUse, stateOf: (name: string) => CredentialState | undefined): UpstreamInUse {
    let isDifferent = false
    const pool = inUse.pool.map((each) => {
      const { credential, health } = each
      if (credential === null) return each
      const state = stateOf(credential.name)
      const of = { upstreamId: inUse.upstream.id, name: credential.name }
      if (this.#options.holds?.isWaiting(of) !== true) {
        health.adopt(state?.hold?.of === markOf(credential) ? state.hold : null)
      }
      const isDisabled = state?.isDisabled === true
      if (isDisabled === each.isDisabled) return each
      isDifferent = true
      return { ...each, isDisabled }
    })
    return isDifferent ? { ...inUse, pool } : inUse
  }

  /** Sets the caps of an upstream and its targets, which are new with each reading; what was spent is not. */
  #withCaps(inUse: UpstreamInUse, models: readonly Model[]): UpstreamInUse {
    const { spends } = this.#options
    const caps = spendCapsOf(inUse.upstream, models, { clock: systemClock, spends })
    if (caps !== undefined) return { ...inUse, caps }
    const { caps: before, ...uncapped } = inUse
    return before === undefined ? inUse : uncapped
  }

  /** What was learned of `before`, and its connections, go on where nothing but its credentials and its cap changed. */
  #connect(upstream: Upstream, before: UpstreamInUse | undefined): UpstreamInUse {
    const isAsBefore = before !== undefined && isSame(wayOf(before.upstream), wayOf(upstream))
    const health = isAsBefore ? before.health : new UpstreamHealth(Math.random)
    if (isBuiltIn(upstream.protocol)) {
      const client = this.#options.demoUpstream()
      return {
        upstream,
        client,
        pool: [{ credential: null, client, health: this.#health(null), isDisabled: false }],
        health,
        secrets: [],
      }
    }
    const headers = this.#openHeaders(upstream)
    const client = isAsBefore && before.client instanceof HttpUpstream ? before.client : this.#client(upstream, headers)
    const opened = this.#openPool(upstream)
    const kept = (credential: Credential) =>
      isAsBefore
        ? before.pool.find((each) => each.credential !== null && isSame(each.credential, credential))
        : undefined
    const pool = opened.map((each) => kept(each.credential) ?? this.#openedIn(upstream, client, each))
    const proxies = [this.#openProxy(upstream), ...opened.map((each) => each.proxyUrl)]
    const { host, hostname } = new URL(upstream.baseUrl)
    const secrets = [
      ...hiddenOf([
        upstream.baseUrl,
        host,
        hostname,
        ...opened.map(({ secret }) => secret),
        ...Object.values(headers),
        ...new Set(proxies.flatMap((proxyUrl) => (proxyUrl === null ? [] : secretsOfProxy(proxyUrl)))),
      ]),
    ]
    this.#clouds.addSecrets(
      pool.map((each) => each.client),
      secrets,
    )
    const bare = {
      credential: null,
      client: this.#clouds.through(upstream, client, null),
      health: this.#health(null),
      isDisabled: false,
    }
    const used = { upstream, client, pool: upstream.credentials.length === 0 ? [bare] : pool, health, secrets }
    const cloudList = this.#clouds.listOf(upstream, (by) => {
      const of = opened.find(({ credential }) => credential.name === by?.credential?.name)
      const http = this.#wayTo(upstream, headers)
      const secret = of === undefined || of.credential.kind !== undefined ? null : of.secret
      return { http: of?.proxyUrl == null ? http : { ...http, proxyUrl: of.proxyUrl }, secret }
    })
    return cloudList === undefined ? used : { ...used, cloudList }
  }

  /** A credential with the client that sends it: in a header, or as a token that is minted of it. */
  #openedIn(
    upstream: Upstream,
    client: HttpUpstream,
    { credential, secret, proxyUrl }: OpenedCredential,
  ): CredentialInUse {
    const health = this.#health(credential, upstream)
    const headers = credential.kind === undefined ? credentialHeaders(upstream, secret) : {}
    const through = this.#clouds.through(upstream, client.withHeaders(headers, proxyUrl), {
      credential,
      secret,
      health,
    })
    return { credential, ...shownEnd(credential, secret), client: through, health, isDisabled: false }
  }

  #client(upstream: Upstream, headers: Readonly<Record<string, string>>): HttpUpstream {
    const { dates } = this.#options
    return new HttpUpstream({ ...this.#wayTo(upstream, headers), ...(dates === undefined ? {} : { dates }) })
  }

  #wayTo(upstream: Upstream, headers: Readonly<Record<string, string>>): HttpUpstreamOptions {
    return {
      baseUrl: baseUrlOf(upstream),
      headers,
      connectTimeoutMs: upstream.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      maxConcurrency: this.#part(upstream.maxConcurrency),
      proxyUrl: this.#openProxy(upstream),
      ...changesOf(upstream),
    }
  }

  #openProxy({ passage }: Upstream): string | null {
    return passage?.sealedProxyUrl === undefined ? null : this.#options.openCredential(passage.sealedProxyUrl)
  }

  /** Leaves out a credential that cannot be opened; throws where that leaves none. */
  #openPool({ name, credentials }: Upstream): readonly OpenedCredential[] {
    const open = this.#options.openCredential
    let failure: unknown = null
    const opened = credentials.flatMap((credential) => {
      try {
        const { sealedSecret, sealedProxyUrl: sealed } = credential
        return [{ credential, secret: open(sealedSecret), proxyUrl: sealed === null ? null : open(sealed) }]
      } catch (error) {
        if (failure === null && credentials.length > 1) this.#options.onError(name, error)
        failure ??= error
        return []
      }
    })
    if (opened.length === 0 && failure !== null) throw failure
    return opened
  }

  #health(credential: Credential | null, upstream?: Upstream): CredentialHealth {
    const limits = {
      maxConcurrency: this.#part(credential?.maxConcurrency ?? null),
      requestsPerMinute: this.#part(credential?.requestsPerMinute ?? null),
      tokensPerMinute: this.#part(credential?.tokensPerMinute ?? null),
      spendPerDay: credential?.spendPerDay ?? null,
      expiresAt: credential?.expiresAt ?? null,
      ...(credential?.shadow === undefined ? {} : { shadow: credential.shadow }),
    }
    const onNews = (hold: CredentialHold | null): void => {
      if (credential === null || upstream === undefined) return
      const { id: upstreamId, name: upstreamName } = upstream
      const stored = hold === null ? null : { ...hold, of: markOf(credential) }
      this.#options.holds?.write(upstreamName, { upstreamId, name: credential.name, hold: stored })
    }
    const isCapped = upstream !== undefined && credential !== null && limits.spendPerDay !== null
    const spend = isCapped ? this.#options.spends?.of(credentialSpender(upstream, credential)) : undefined
    return new CredentialHealth({ limits, clock: systemClock, spend, random: Math.random, onNews })
  }

  #part(limit: number | null): number | null {
    return limit === null ? null : threadPart(limit, this.#threads)
  }

  #openHeaders({ headers }: Upstream): Readonly<Record<string, string>> {
    const open = (value: string) => (isSealed(value) ? this.#options.openCredential(value) : value)
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, open(value)]))
  }
}

interface OpenedCredential {
  readonly credential: Credential
  readonly secret: string
  /** The proxy of this credential alone; null: it goes the way of the upstream. */
  readonly proxyUrl: string | null
}

/** All that have connections of their own: those of upstreams, and of credentials behind a proxy. */
function clientsOf(upstreams: Iterable<UpstreamInUse>): readonly UpstreamClient[] {
  return [...upstreams].flatMap(({ client, pool }) => [
    client,
    ...pool.filter(({ credential }) => credential?.sealedProxyUrl != null).map((each) => each.client),
  ])
}

/** All of it that says how it is reached. */
function wayOf({ spendPerDay: _cap, shadow: _shadow, ...upstream }: Upstream): Upstream {
  return { ...upstream, credentials: [] }
}

/** The names of models there that some target has. */
function modelsAt(upstreamId: string, models: readonly Model[]): ReadonlySet<string> {
  const targets = models.flatMap((model) => model.targets.filter((target) => target.upstreamId === upstreamId))
  return new Set(targets.map(({ model }) => model))
}

/** Nothing for an upstream that takes headers as they are, as nearly all. */
function changesOf({ passage }: Upstream): Pick<HttpUpstreamOptions, 'changes'> {
  const { removedHeaders, renamedHeaders } = passage ?? {}
  if (removedHeaders === undefined && renamedHeaders === undefined) return {}
  return { changes: { removed: new Set(removedHeaders), renamed: new Map(Object.entries(renamedHeaders ?? {})) } }
}

function isSame(a: Upstream | Credential, b: Upstream | Credential): boolean {
  return isDeepStrictEqual(a, b)
}

function retire(client: UpstreamClient): void {
  setTimeout(() => void client.close(), RETIREMENT_MS).unref()
}

/** The length from which the end of a secret is shown: the rest of a shorter one would be easier to guess. */
const SHORTEST_SHOWN = 20

function shownEnd({ kind }: Credential, secret: string): Pick<CredentialInUse, 'secretEnd'> {
  return secret.length < SHORTEST_SHOWN || kind !== undefined ? {} : { secretEnd: secret.slice(-4) }
}
